"""Pages from CORS_ORIGINS may call the API with a token, but never with a visitor's session.

No response has Access-Control-Allow-Credentials, so no page can read the response to a request
with cookies.
"""

from collections.abc import Mapping, MutableMapping
from typing import Any

from django.conf import settings

from foundation.http.answers import Answer, Headers
from foundation.http.asgi import Scope, Send

_PATH_PREFIX = "/v1/"
_ALLOWED_METHODS = b"GET, HEAD, POST, PUT, PATCH, DELETE"
_ALLOWED_HEADERS = b"Authorization, Content-Type, Idempotency-Key, If-Match"
_EXPOSED_HEADERS = (
    b"Location, Idempotency-Replayed, Retry-After, RateLimit, RateLimit-Policy, X-Cache,"
    b" X-Request-ID"
)
_MAX_AGE = b"600"  # seconds for which browsers cache the response


def with_cors(scope: Scope, send: Send) -> Send:
    """Return a `send` that lets the requesting page read the response, if its origin is allowed."""
    if not settings.CORS_ORIGINS or not scope["path"].startswith(_PATH_PREFIX):
        return send
    request_headers = dict(scope["headers"])

    async def send_allowed(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = add_cors_headers(message["headers"], request_headers)
        await send(message)

    return send_allowed


def preflight(scope: Scope) -> Answer | None:
    """Return the response to a preflight request from an allowed origin; None for other requests.

    Pass it through `add_cors_headers`, which adds the origin.
    """
    headers = dict(scope["headers"])
    if scope["method"] != "OPTIONS" or b"access-control-request-method" not in headers:
        return None
    if not scope["path"].startswith(_PATH_PREFIX) or _allowed_origin(headers) is None:
        return None
    permissions = [
        (b"access-control-allow-methods", _ALLOWED_METHODS),
        (b"access-control-allow-headers", _ALLOWED_HEADERS),
        (b"access-control-max-age", _MAX_AGE),
    ]
    return Answer(204, permissions)


def _allowed_origin(headers: Mapping[bytes, bytes]) -> bytes | None:
    origin = headers.get(b"origin")
    if origin is None or origin.decode("latin-1") not in settings.CORS_ORIGINS:
        return None
    return origin


def add_cors_headers(headers: Headers, request_headers: Mapping[bytes, bytes]) -> Headers:
    """Return the headers of an API response, with those of CORS if the origin is allowed.

    The response varies by origin, even for origins that are not allowed. Without CORS_ORIGINS, the
    headers are unchanged.
    """
    if not settings.CORS_ORIGINS:
        return headers
    origin = _allowed_origin(request_headers)
    vary = [value for name, value in headers if name.lower() == b"vary"]
    rest = [(name, value) for name, value in headers if name.lower() != b"vary"]
    varied = [*rest, (b"vary", b", ".join([*vary, b"Origin"]))]
    if origin is not None:
        varied.append((b"access-control-allow-origin", origin))
        varied.append((b"access-control-expose-headers", _EXPOSED_HEADERS))
    return varied
