"""Decides which URLs may be disclosed to archives."""

import re
from ipaddress import ip_address
from urllib.parse import unquote, urlsplit

# Words in the names of parameters whose values may be secrets.
_SECRET_WORDS = frozenset(
    {
        *("token", "key", "apikey", "secret", "signature", "sig", "password", "passwd", "pwd"),
        *("pass", "session", "sessionid", "sid", "auth", "jwt", "credential", "credentials", "otp"),
        *("authorization", "bearer", "accesskey", "secretkey", "privatekey", "passcode", "hmac"),
        *("passphrase", "ticket"),
    }
)
_SECRET_SUFFIXES = ("token", "secret", "signature", "password", "apikey", "sessionid", "sessid")
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_MAX_NAME = 200  # characters of a name
_RANDOM = re.compile(r"[A-Za-z0-9_\-.~+/=]{20,}")
_PIECE = re.compile(r"[A-Za-z0-9_\-.~+=]{20,}")  # of a step of a path, or of a value
_PLAIN_WORD = re.compile(r"[A-Za-z][a-z]{2,}")
_SEPARATORS = re.compile(r"[?&;#]")
_LOCAL_SUFFIXES = (
    ".local",
    ".localhost",
    ".internal",
    ".intranet",
    ".lan",
    ".home",
    ".corp",
    ".home.arpa",
)


def may_be_disclosed(url: str) -> bool:
    """Return whether a URL has a public host, no credentials, and no secret in its query.

    A secret is a parameter whose name says so, or whose value looks like a token.
    """
    parts = urlsplit(url)
    if "@" in parts.netloc or ";jsessionid" in parts.path.lower():
        return False
    query = unquote(unquote(parts.query))  # a URL in a value has parameters, too
    return _is_public(parts.hostname or "") and not any(map(_is_secret, _SEPARATORS.split(query)))


def may_be_saved(url: str) -> bool:
    """Return whether a URL may be published.

    A search for copies discloses a URL only to the archive, but a saved page is public. So its
    path must not contain anything like a token either: a token may be all that protects a shared
    document.
    """
    path = unquote(unquote(urlsplit(url).path))
    return may_be_disclosed(url) and not _has_random_piece(path)


def _is_public(host: str) -> bool:
    try:
        return ip_address(host).is_global
    except ValueError:
        name = host.rstrip(".")
        return "." in name and not name.endswith(_LOCAL_SUFFIXES)


def _is_secret(parameter: str) -> bool:
    whole, _, value = parameter.partition("=")
    name = whole[:_MAX_NAME]
    words = {word.lower() for word in _WORD.findall(name)}
    has_secret_name = not words.isdisjoint(_SECRET_WORDS) or name.lower().endswith(_SECRET_SUFFIXES)
    return has_secret_name or _is_random(value or whole) or _has_random_piece(value or whole)


def _has_random_piece(text: str) -> bool:
    """Return whether a part of the text, between characters that tokens do not have, is random."""
    return any(map(_is_random, _PIECE.findall(text)))


def _is_random(value: str) -> bool:
    """Return whether a value is long, has letters and digits, and less than half of it is words."""
    if not _RANDOM.fullmatch(value):
        return False
    has_both = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    word_letters = sum(map(len, _PLAIN_WORD.findall(value)))
    return has_both and word_letters < len(value) / 2
