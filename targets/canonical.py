"""The canonical form of a URL. It identifies a target, and is never fetched itself.

It is based on WHATWG parsing, so that different spellings of a URL are equal. Source:
docs/requirements.md#registry-canonical-urls.
"""

import re
from dataclasses import dataclass

from ada_url import URL

from foundation.net.hostnames import CONTROL, SURROGATE, InvalidHostError, trim_host

MAX_URL_BYTES = 2048
_DEFAULT_PORTS = {"http:": 80, "https:": 443}
# The authority, as a WHATWG parser finds it: after any run of slashes, up to the next / \ ? or #.
_AUTHORITY = re.compile(r"\s*https?:[/\\]*([^/\\?#]*)", re.IGNORECASE)

# Matches a URL that is already canonical, as most are; the parser takes twenty times as long.
_LABEL = r"(?!xn--)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_BYTE = r"(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_CANONICAL = re.compile(
    rf"(https?:)//((?:{_LABEL}\.)+[a-z]{{2,63}}|(?:{_BYTE}\.){{3}}{_BYTE})(?::([1-9][0-9]{{0,4}}))?"
    r"((?:/[A-Za-z0-9_~!$&'()*+,;=:@-][A-Za-z0-9_~!$&'()*+,;=:@.-]*)*)"
    r"(?:\?[A-Za-z0-9_~!$&()*+,;=:@/.?-]+)?"
)
_MAX_HOST_LENGTH = 253
_MAX_PORT = 65535


class InvalidURLError(ValueError):
    """The text is not a URL that Linkwatch can watch; the message says why in one sentence."""


@dataclass(frozen=True, slots=True)
class CanonicalURL:
    """A URL's identity and the host to reserve for its checks."""

    url: str  # at most MAX_URL_BYTES bytes, ASCII
    host: str  # punycode name, IPv4 or bracketed IPv6; without port
    port: int


def canonicalize(raw: str) -> CanonicalURL:
    """Return the canonical form of `raw`; canonicalizing it again changes nothing.

    Raises InvalidURLError for anything but http(s) URLs of at most 2,048 bytes without credentials.
    """
    if plain := _match_canonical(raw):
        protocol, host, port, _ = plain.groups()
        return CanonicalURL(url=raw, host=host, port=int(port or _DEFAULT_PORTS[protocol]))
    _refuse_raw(raw)
    try:
        parsed = URL(raw)
    except ValueError:
        raise InvalidURLError("This is not a valid URL.") from None
    protocol, port = parsed.protocol, parsed.port  # the port is empty for the scheme's default
    if protocol not in _DEFAULT_PORTS:
        raise InvalidURLError("Only http and https URLs are accepted.")
    if port == "0":
        raise InvalidURLError("The port must be between 1 and 65535.")
    host = _host(parsed.hostname)
    authority = f"{host}:{port}" if port else host
    url = f"{protocol}//{authority}{_trim_slash(parsed.pathname)}{parsed.search}"
    if len(url) > MAX_URL_BYTES:
        raise InvalidURLError(f"The URL is longer than {MAX_URL_BYTES} bytes in canonical form.")
    return CanonicalURL(url=url, host=host, port=int(port or _DEFAULT_PORTS[protocol]))


def url_to_fetch(raw: str) -> str:
    """Return the URL to fetch: `raw`, once accepted, as WHATWG serializes it, without fragment.

    Raises ValueError for text that is not a URL.
    """
    plain = _match_canonical(raw.removesuffix("/"))
    if plain and plain[4]:  # the path
        return raw
    return URL(raw).href.partition("#")[0]


def _match_canonical(url: str) -> re.Match[str] | None:
    """Return the match of a URL that is certainly canonical, or None.

    Its groups are protocol, host, port and path.
    """
    plain = _CANONICAL.fullmatch(url) if len(url) <= MAX_URL_BYTES else None
    if plain is None or len(plain[2]) > _MAX_HOST_LENGTH:
        return None
    port = int(plain[3] or 0)
    return None if port > _MAX_PORT or port == _DEFAULT_PORTS[plain[1]] else plain


def _refuse_raw(raw: str) -> None:
    """Raise InvalidURLError for text that a parser would silently repair or drop."""
    if SURROGATE.search(raw):
        raise InvalidURLError("The URL contains a lone surrogate, which is not a character.")
    if len(raw.encode()) > MAX_URL_BYTES:
        raise InvalidURLError(f"The URL is longer than {MAX_URL_BYTES} bytes.")
    if CONTROL.search(raw):
        raise InvalidURLError("The URL contains control characters.")
    authority = _AUTHORITY.match(raw)
    if authority is None:
        raise InvalidURLError("Only http and https URLs are accepted.")
    if "@" in authority[1]:
        raise InvalidURLError("The URL contains credentials.")


def _host(hostname: str) -> str:
    try:
        return trim_host(hostname)
    except InvalidHostError as error:
        raise InvalidURLError(str(error)) from None


def _trim_slash(path: str) -> str:
    return path if path.endswith("//") else path.removesuffix("/")
