"""Destinations of short links: http and https, no credentials, no short links."""

from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.http.request import validate_host

from foundation.http.errors import ApiError
from foundation.net.urls import ascii_url
from targets.canonical import CanonicalURL, InvalidURLError, canonicalize
from targets.services import accept_url

SCHEMES = ("https://", "http://")
PREFIX = "/s/"  # path of short links below BASE_URL
_FIELD = "long_url"


def accept(long_url: str, *, watch: bool) -> CanonicalURL:
    """Return the canonical form of a URL that a short link may lead to.

    Raises ApiError `invalid_url`, `redirect_loop`, and, for a watched destination, `forbidden_url`:
    browsers may go anywhere, but checks go to public addresses only.
    """
    try:
        canonical = canonicalize(long_url)
    except InvalidURLError as error:
        raise ApiError("invalid_url", str(error), details={_FIELD: [str(error)]}) from None
    if is_short_link(canonical):
        message = (
            "This URL is a short link on this server; a short link can't redirect to another one."
        )
        raise ApiError("redirect_loop", message, details={_FIELD: [message]})
    if watch:
        accept_watched(long_url)
    return canonical


def accept_watched(long_url: str) -> CanonicalURL:
    """Return the canonical form of a URL that may be watched.

    Raises ApiError `invalid_url` or `forbidden_url`.
    """
    try:
        return accept_url(long_url)
    except ApiError as error:
        raise ApiError(error.code, error.message, details={"watch": [error.message]}) from None


def is_short_link(canonical: CanonicalURL) -> bool:
    """Return whether the URL is a short link of this deployment, under any of its names."""
    if settings.SHORT_DOMAIN and canonical.host == settings.SHORT_DOMAIN.partition(":")[0]:
        return True
    path = unquote(urlsplit(canonical.url).path)  # servers decode it as well
    return path.startswith(PREFIX) and _is_this_server(canonical.host, canonical.port)


def _is_this_server(host: str, port: int) -> bool:
    base = urlsplit(settings.BASE_URL)
    # Behind a proxy, http usually redirects to https, and either port may be ours.
    ports = {80, 443} if base.port in (None, 80, 443) else {base.port}
    names = [name for name in settings.ALLOWED_HOSTS if name != "*"]
    is_own_host = host == base.hostname or validate_host(host, names)
    return is_own_host and port in {*ports, settings.HTTP_PORT}


def location(long_url: str) -> str:
    """Return the Location of a redirect: `long_url` as WHATWG serializes it, with its fragment.

    Raises ValueError for a scheme other than http and https, which should never have been stored,
    and for a URL that became a short link when the names of this deployment changed.
    """
    href = ascii_url(long_url)
    if not href.startswith(SCHEMES):
        raise ValueError("not an http or https URL")
    if is_short_link(canonicalize(long_url)):
        raise ValueError("a short link of this deployment")
    return href


def short_url(key: str) -> str:
    """Return the public URL of a key."""
    if settings.SHORT_DOMAIN:
        scheme = settings.BASE_URL.partition(":")[0]
        return f"{scheme}://{settings.SHORT_DOMAIN}/{key}"
    return f"{settings.BASE_URL}{PREFIX}{key}"
