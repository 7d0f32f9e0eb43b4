"""Which pages an archive may be asked about: to ask is to disclose the URL."""

import re
from urllib.parse import parse_qsl, urlsplit

# Words in the names of parameters whose values open something.
_SECRET = frozenset(
    {
        *("token", "key", "apikey", "secret", "signature", "sig", "password", "passwd", "pwd"),
        *("pass", "session", "sessionid", "sid", "auth", "jwt", "credential", "credentials", "otp"),
    }
)
_SECRET_ENDS = ("token", "secret", "signature", "password", "apikey", "sessionid", "sessid")
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_LONGEST = 200  # characters of a name
_RANDOM = re.compile(r"[A-Za-z0-9_\-.~+/=]{20,}")
_PLAIN = re.compile(r"[A-Za-z][a-z]{2,}")


def may_be_asked(url: str) -> bool:
    """Tell whether a URL has no credentials and nothing that looks like a token."""
    parts = urlsplit(url)
    if "@" in parts.netloc or ";jsessionid" in parts.path.lower():
        return False
    return not any(
        _is_secret(name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True)
    )


def _is_secret(name: str, value: str) -> bool:
    name = name[:_LONGEST]
    words = {word.lower() for word in _WORD.findall(name)}
    return not words.isdisjoint(_SECRET) or name.lower().endswith(_SECRET_ENDS) or _is_random(value)


def _is_random(value: str) -> bool:
    """Tell whether a value is long, has letters and digits, and nearly no words."""
    if not _RANDOM.fullmatch(value):
        return False
    has_both = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    in_words = sum(map(len, _PLAIN.findall(value)))
    return has_both and in_words < len(value) / 2
