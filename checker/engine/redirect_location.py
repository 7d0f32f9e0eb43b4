"""Destinations of redirects, as URLs ready to be fetched; browsers interpret them the same way."""

import re

import ada_url
import httpx

from checker.engine.errors import ErrorKind, FetchError

_REDIRECT_STATUSES = (301, 302, 303, 307, 308)
# Not "host:8080/", a URL without its scheme. A telephone number may look similar.
_SCHEME = re.compile(r"(tel|sms|callto|[a-z][a-z0-9+.-]{1,40}(?!:\d{1,5}(?:/|$))):", re.IGNORECASE)
_MISTYPED_HTTP = re.compile(r"h{0,2}t{1,3}p{0,2}s{0,2}", re.IGNORECASE)
# Schemes that browsers handle themselves, although they follow no redirect to the last ones.
_BROWSER_SCHEMES = frozenset({"http", "https", "ws", "wss", "about", "blob", "data", "file"})
_BROWSER_SCHEMES |= {"filesystem", "ftp", "javascript", "vbscript", "view-source", "chrome"}
_MAX_URL = 8192  # characters of a URL that a redirect leads to


def headers_by_name(response: httpx.Response) -> dict[str, str]:
    """Return the headers by lower-case name; of repeated headers, the last."""
    return {
        name.decode("latin-1").lower(): value.decode("latin-1")
        for name, value in response.headers.raw
    }


def redirect_target(response: httpx.Response, *, base: str) -> tuple[str, str]:
    """Return the absolute URL of a Location header, ready to be fetched, and its fragment.

    Raises FetchError `bad_redirect`.
    """
    location = _location(response)
    if not location:
        raise FetchError(ErrorKind.BAD_REDIRECT, "there is no Location header")
    try:
        target = join(base, location)
    except _URLTooLongError as error:
        raise FetchError(ErrorKind.BAD_REDIRECT, str(error)) from None
    except ValueError:
        raise FetchError(ErrorKind.BAD_REDIRECT, f"“{location}” is not a URL") from None
    try:
        return fetchable(target), target.partition("#")[2]
    except ValueError as error:
        raise FetchError(ErrorKind.BAD_REDIRECT, f"“{target}” is {error}") from None


class _URLTooLongError(ValueError):
    """A URL is longer than _MAX_URL."""


def join(base: str, link: str) -> str:
    """Return the absolute URL of a link on a page at `base`. Raises ValueError.

    Long URLs are not joined, because the cost of joining grows faster than their length.
    """
    if len(link) > _MAX_URL:
        raise _URLTooLongError(f"its URL has more than {_MAX_URL:,} characters")
    url = ada_url.join_url(base, link)
    if len(url) > _MAX_URL:
        raise _URLTooLongError(f"its URL has {len(url):,} characters")
    return url


def is_followed(response: httpx.Response) -> bool:
    """Return whether a response is a redirect, other than to an app."""
    return response.status_code in _REDIRECT_STATUSES and not _leads_to_an_app(response)


def _leads_to_an_app(response: httpx.Response) -> bool:
    """Return whether a redirect leads to an app: for mail, telephone or an app store."""
    scheme = _SCHEME.match(_location(response))
    if scheme is None or _MISTYPED_HTTP.fullmatch(scheme[1]):
        return False
    return scheme[1].lower() not in _BROWSER_SCHEMES


def _location(response: httpx.Response) -> str:
    """Return the first Location header as ASCII; empty if there is none.

    A value longer than _MAX_URL is cut, but remains longer.
    """
    for name, value in response.headers.raw:
        if name.lower() == b"location":
            return _as_ascii(value.strip()[: _MAX_URL + 1]).strip()
    return ""


def _as_ascii(value: bytes) -> str:
    """Return a header's text with non-ASCII bytes percent-encoded, regardless of its charset."""
    if value.isascii():
        return value.decode("ascii")
    return "".join(chr(byte) if byte < 0x80 else f"%{byte:02X}" for byte in value)


def fetchable(url: str) -> str:
    """Return `url` without its fragment and credentials, which a check never sends.

    Raises ValueError for a scheme other than http and https.
    """
    if not url.startswith(("http://", "https://")):
        raise ValueError("neither http nor https")
    scheme, _, rest = url.partition("#")[0].partition("://")
    authority, slash, path = rest.partition("/")
    return f"{scheme}://{authority.rpartition('@')[2]}{slash}{path}"
