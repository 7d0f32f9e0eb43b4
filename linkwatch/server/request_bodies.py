"""Request bodies: read before Django sees a request, limited individually and in total.

Bodies above MAX_ANONYMOUS_BYTES require authentication first. A body that the request's view does
not accept is not read.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.urls import Resolver404, resolve

from accounts.authentication import has_valid_credentials
from foundation.database import unavailable
from foundation.database.thread_pool import in_thread
from foundation.http.asgi import Scope, share_of_process

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]

logger = logging.getLogger(__name__)

# Key in a scope for the ResolverMatch of its path, which is resolved once.
MATCH = "linkwatch.match"
TIMEOUT = 30.0  # seconds for a client to send its whole body
MAX_ANONYMOUS_BYTES = 64 * 1024  # of an anonymous body: a form, or a hundred URLs
# Bytes of all bodies in this process at once; a single body may have the maximum size.
MAX_TOTAL_BYTES = max(share_of_process(64 * 1024 * 1024), settings.MAX_BODY_BYTES)
_RETRY_AFTER = 1  # seconds: a body is kept while its request is answered


class RefusedError(Exception):
    """A request is refused before it reaches Django."""

    def __init__(
        self, status: int, code: str, message: str, *, retry_after: int | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.retry_after = retry_after  # seconds


def outage_error(error: Exception) -> RefusedError:
    """Return the 503 for a request that needs the database, which `error` says is unavailable."""
    return RefusedError(
        503, "unavailable", unavailable.message(error), retry_after=unavailable.RETRY_AFTER
    )


class ClientDisconnect(Exception):  # noqa: N818 (the usual name, as in Starlette)
    """The client disconnected while sending its body."""


class _BodyBytes:
    """The bytes of all bodies that are in this process now."""

    total = 0


def takes_body(scope: Scope) -> bool:
    """Return whether the view of this path and method reads bodies; False for unknown paths.

    For a POST, PUT, PATCH or DELETE, stores the resolved path in the scope as MATCH.
    """
    if scope["method"] not in ("POST", "PUT", "PATCH", "DELETE"):
        return False
    try:
        match = scope[MATCH] = resolve(scope["path"])
    except Resolver404:
        return False
    method = scope["method"].lower()
    view = match.func
    if actions := getattr(view, "actions", None):  # a viewset maps the methods of each route
        return method in actions
    cls = getattr(view, "view_class", getattr(view, "cls", None))
    return cls is None or hasattr(cls, method)


def has_body(scope: Scope) -> bool:
    """Return whether a body follows the headers of this request."""
    is_chunked = any(name == b"transfer-encoding" for name, _ in scope["headers"])
    return is_chunked or _content_length(scope) > 0


@asynccontextmanager
async def read_body(scope: Scope, receive: Receive) -> AsyncIterator[bytes]:
    """Yield the body, which counts toward MAX_TOTAL_BYTES until the end of the block.

    Raises RefusedError: 413 above MAX_BODY_BYTES, 401 above MAX_ANONYMOUS_BYTES without
    authentication, 408 after TIMEOUT, 503 if all bodies together exceed MAX_TOTAL_BYTES or the
    database is unavailable. Raises ClientDisconnect.
    """
    body = bytearray()
    try:
        async with asyncio.timeout(TIMEOUT):
            await _read(scope, receive, body)
    except TimeoutError:
        _BodyBytes.total -= len(body)
        raise RefusedError(408, "timeout", "The body took too long to arrive.") from None
    except BaseException:
        _BodyBytes.total -= len(body)
        raise
    try:
        yield bytes(body)
    finally:
        _BodyBytes.total -= len(body)


async def _read(scope: Scope, receive: Receive, body: bytearray) -> None:
    """Read the body into `body`, counting each byte."""
    is_authenticated = False
    content_length = _content_length(scope)
    while True:
        if not is_authenticated and max(len(body), content_length) > MAX_ANONYMOUS_BYTES:
            _refuse_over(settings.MAX_BODY_BYTES, content_length)
            is_authenticated = await _is_authenticated(scope)
            if not is_authenticated:
                raise RefusedError(
                    401, "not_authenticated", "Sign in or send a token to send a body this large."
                )
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect  # the request is incomplete
        piece = message.get("body", b"")
        if _BodyBytes.total + len(piece) > MAX_TOTAL_BYTES:
            raise RefusedError(
                503,
                "busy",
                "Too many large requests at once; try again in a moment.",
                retry_after=_RETRY_AFTER,
            )
        _BodyBytes.total += len(piece)
        body += piece
        _refuse_over(settings.MAX_BODY_BYTES, len(body))
        if not message.get("more_body", False):
            return


async def _is_authenticated(scope: Scope) -> bool:
    try:
        return await in_thread(partial(has_valid_credentials, scope["headers"]))
    except (OperationalError, InterfaceError) as error:
        if not unavailable.is_outage(error):
            raise
        logger.exception("The sender of a body could not be determined")
        raise outage_error(error) from None


def _refuse_over(limit: int, size: int) -> None:
    if size > limit:
        raise RefusedError(413, "body_too_large", f"The body is larger than {limit} bytes.")


def _content_length(scope: Scope) -> int:
    """Return the Content-Length in bytes, or 0 if there is none; the parser has validated it."""
    lengths = [value for name, value in scope["headers"] if name == b"content-length"]
    return int(lengths[0]) if lengths and lengths[0].isdigit() else 0
