"""One port: hot paths are answered here, Django runs in a thread pool behind them (ADR 0001).

Bodies are read and bounded before Django sees a request.
"""

import asyncio
import json
import logging
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, cast

from a2wsgi import WSGIMiddleware
from channels.routing import ProtocolTypeRouter
from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "linkwatch.settings")
_wsgi = get_wsgi_application()

from analytics.live import following  # noqa: E402 (wants Django, as all below)
from analytics.stream import producing  # noqa: E402
from console.dashboard.broadcast import renewing  # noqa: E402
from foundation import request_id  # noqa: E402
from foundation.database import thread_pool  # noqa: E402
from foundation.database.away import is_away  # noqa: E402
from foundation.http.cors import allowing, answered_preflight  # noqa: E402
from foundation.http.csp import policy  # noqa: E402
from foundation.http.errors import answered, envelope, refusal_page  # noqa: E402
from foundation.http.leaving import watched  # noqa: E402
from foundation.valkey import changes, metrics, resp  # noqa: E402
from linkwatch import bodies  # noqa: E402
from linkwatch.bodies import ClientDisconnect, RefusedError  # noqa: E402
from linkwatch.routing import websocket  # noqa: E402
from shortener.asgi import short_link  # noqa: E402
from shortener.reads import listening  # noqa: E402
from snippets.asgi import plain_read  # noqa: E402
from snippets.pages import page  # noqa: E402
from snippets.reads import INVALIDATION  # noqa: E402
from status.asgi import PATHS as PROBES  # noqa: E402
from status.asgi import probe  # noqa: E402

logger = logging.getLogger(__name__)

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

THREADS = 16

# Pieces of an answer that may wait for its client, which else would hold a thread. A static file
# comes in pieces of 4 KiB.
_PIECES = 256

_django = cast(
    "Application", WSGIMiddleware(cast("Any", _wsgi), workers=THREADS, send_queue_size=_PIECES)
)

# Classes of routes for metrics, by how a path begins; the rest are pages.
_ROUTES = dict.fromkeys(PROBES, "health") | {
    "/s/": "redirect",
    "/v1/snippets/": "snippet",
    "/snippets/": "snippet_page",
    "/v1/": "api",
    "/admin/": "admin",
    "/static/": "static",
    "/metrics": "metrics",
}


def _timed(scope: Scope, send: Send) -> Send:
    """Return a `send` that counts the answer when it begins, with the time that took."""
    began = time.perf_counter()

    async def send_and_count(message: Message) -> None:
        if message["type"] == "http.response.start":
            metrics.observe(_route(scope), message["status"], time.perf_counter() - began)
        await send(message)

    return send_and_count


# Successful reads of these have no X-Request-ID: `linkwatch/lean.py` answers most without a scope.
_LEAN = ("redirect", "snippet")


def _with_headers(scope: Scope, send: Send) -> Send:
    """Return a `send` that adds the headers of all answers: X-Request-ID and Cache-Control."""
    id_ = request_id.begin(scope["headers"]).encode("ascii")

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message["headers"])
            is_read = scope["method"] in ("GET", "HEAD") and _route(scope) in _LEAN
            if message["status"] >= 400 or not is_read:
                headers.append((b"x-request-id", id_))
            if scope["path"].startswith("/v1/") and not _says_who_may_keep_it(headers):
                headers.append((b"cache-control", b"private, no-store"))
            message = {**message, "headers": headers}
        await send(message)

    return send_with_headers


def _says_who_may_keep_it(headers: list[tuple[bytes, bytes]]) -> bool:
    return any(name.lower() == b"cache-control" for name, _ in headers)


def _route(scope: Scope) -> str:
    path = scope["path"]
    found = (name for start, name in _ROUTES.items() if path.startswith(start))
    is_short = settings.SHORT_DOMAIN and short_link(scope)
    return next(found, "redirect" if is_short else "page")


@asynccontextmanager
async def beside_requests() -> AsyncIterator[None]:
    """Run what lives as long as the server does; left when no request is in flight any more."""
    async with (
        producing(),
        following(),
        listening(),
        INVALIDATION.healing(),
        changes.listening(),
        renewing(),
    ):
        yield
    await asyncio.to_thread(thread_pool.close_connections)
    await resp.close_all()


async def _live(_scope: Scope, receive: Receive, send: Send) -> None:
    """Speak ASGI's lifespan protocol."""
    await receive()  # lifespan.startup
    async with beside_requests():
        await send({"type": "lifespan.startup.complete"})
        await receive()  # lifespan.shutdown
    await send({"type": "lifespan.shutdown.complete"})


async def _http(scope: Scope, receive: Receive, send: Send) -> None:
    """Read the body first, so that a slow client holds a coroutine and never a thread."""
    send = allowing(scope, _with_headers(scope, _timed(scope, send)))
    async with AsyncExitStack() as stack:
        body = b""
        try:
            _refuse_strange_bytes(scope)
            _refuse_strange_host(scope)
            if await answered_preflight(scope, send) or await _answered_ahead(scope, send):
                return
            if bodies.takes_body(scope):
                body = await stack.enter_async_context(bodies.held_body(scope, receive))
                await stack.enter_async_context(watched(scope, receive))
            elif bodies.has_body(scope):
                send = _closing(send)
        except RefusedError as refused:
            await _answer(send, refused, page=_page_for(scope, refused))
            return
        except ClientDisconnect:
            return
        except asyncio.CancelledError:
            await _answer(send, _stopping())
            return
        await _answer_by_django(_described(scope, body), _once(body, receive), send)


async def _answer_by_django(scope: Scope, receive: Receive, send: Send) -> None:
    """Have Django answer. One that waits as the server stops is told so, not of an error."""
    has_begun = False

    async def begin(message: Message) -> None:
        nonlocal has_begun
        has_begun = True
        await send(message)

    try:
        await _django(scope, receive, begin)
    except asyncio.CancelledError:
        logger.warning("%s %s takes longer than the stop", scope["method"], scope["path"])
        if not has_begun:
            await _answer(send, _stopping())


def _stopping() -> RefusedError:
    return RefusedError(503, "stopping", "The server is stopping.")


# Each returns what answers a request ahead of Django, or None for a request that is Django's.
_FAST_READS: tuple[Callable[[Scope], Callable[[Send], Awaitable[None]] | None], ...] = (
    probe,
    short_link,
    plain_read,
    page,
)


async def _answered_ahead(scope: Scope, send: Send) -> bool:
    """Answer a read that must be fast; tell whether it was one."""
    for find in _FAST_READS:
        answer = find(scope)
        if answer is not None:
            await _answer_or_apologize(answer, scope, send)
            return True
    return False


async def _answer_or_apologize(
    answer: Callable[[Send], Awaitable[None]], scope: Scope, send: Send
) -> None:
    try:
        await answer(send)
    except Exception as error:
        logger.exception("%s %s failed", scope["method"], scope["path"])
        if is_away(error):
            await _answer(send, bodies.database_away(error))
            return
        message = "Something went wrong on our side; it has been logged."
        await _answer(send, RefusedError(500, "server_error", message))


def _refuse_strange_bytes(scope: Scope) -> None:
    try:
        scope["query_string"].decode("ascii")
    except UnicodeDecodeError:
        raise RefusedError(400, "bad_request", "The query string has unescaped bytes.") from None


def _refuse_strange_host(scope: Scope) -> None:
    """Refuse what could be for one host to a proxy and for another to us."""
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    if len(hosts) > 1:
        raise RefusedError(400, "bad_request", "There is more than one Host header.")


def _closing(send: Send) -> Send:
    """Return a `send` that ends the connection with the answer: the body was not read."""

    async def send_and_close(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], (b"connection", b"close")]
        await send(message)

    return send_and_close


def _described(scope: Scope, body: bytes) -> Scope:
    """Return the scope with the body's true length, also where it came in chunks.

    Names with an underscore go: WSGI could not tell them from those with a dash.
    """
    headers = [
        (name, value)
        for name, value in scope["headers"]
        if b"_" not in name and name not in (b"content-length", b"transfer-encoding")
    ]
    return {**scope, "headers": [*headers, (b"content-length", str(len(body)).encode())]}


def _once(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that gives the body again, then what follows it."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return messages.pop() if messages else await receive()

    return receive_again


def _page_for(scope: Scope, refused: RefusedError) -> bytes:
    """Return the page that says so to a browser; nothing for programs."""
    accepted = b",".join(value for name, value in scope["headers"] if name == b"accept")
    is_browser = b"text/html" in accepted
    return refusal_page(refused.status, str(refused)).encode() if is_browser else b""


async def _answer(send: Send, refused: RefusedError, *, page: bytes = b"") -> None:
    body = page or json.dumps(answered(envelope(refused.code, str(refused)))).encode()
    headers = [
        (b"content-type", b"text/html; charset=utf-8" if page else b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    if page:
        headers.append((b"content-security-policy", policy("").encode()))
    if refused.retry_after is not None:
        headers.append((b"retry-after", str(refused.retry_after).encode()))
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


application: Any = ProtocolTypeRouter({"lifespan": _live, "http": _http, "websocket": websocket})
