"""One port: hot paths are answered here, other paths by Django in a thread pool (ADR 1).

Bodies are read and bounded before Django sees a request.
"""

import asyncio
import json
import logging
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, NamedTuple, cast

import django
from a2wsgi import WSGIMiddleware
from channels.routing import ProtocolTypeRouter
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.http import HttpRequest
from django.urls import ResolverMatch

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "linkwatch.settings")
django.setup(set_prefix=False)

from analytics import live_counts, stream  # noqa: E402 (needs django.setup(), like those below)
from console.dashboard import broadcast  # noqa: E402
from foundation import request_id  # noqa: E402
from foundation.database import thread_pool  # noqa: E402
from foundation.database.unavailable import is_outage  # noqa: E402
from foundation.http.answers import Answer, Read, send_answer  # noqa: E402
from foundation.http.client_disconnects import watch_for_disconnect  # noqa: E402
from foundation.http.cors import preflight, with_cors  # noqa: E402
from foundation.http.csp import policy  # noqa: E402
from foundation.http.errors import envelope, render_error_page, with_request_id  # noqa: E402
from foundation.http.problems import with_problem_details  # noqa: E402
from foundation.valkey import changes, metrics, resp  # noqa: E402
from linkwatch.server import request_bodies  # noqa: E402
from linkwatch.server.request_bodies import ClientDisconnect, RefusedError  # noqa: E402
from linkwatch.server.routing import serve_websocket  # noqa: E402
from shortener import link_cache  # noqa: E402
from shortener.redirect_answers import name_of, short_link  # noqa: E402
from snippets.pages import page  # noqa: E402
from snippets.read_answers import plain_read  # noqa: E402
from snippets.snippet_cache import INVALIDATION  # noqa: E402
from status.asgi import PATHS as PROBES  # noqa: E402
from status.asgi import probe  # noqa: E402

logger = logging.getLogger(__name__)

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

THREADS = 16  # in which Django handles requests

# Chunks of a response that may be buffered, so that a slow client does not block a thread.
# Static files are sent in chunks of 4 KiB.
_MAX_CHUNKS = 256


class _Handler(WSGIHandler):
    """Django's handler; URLs that `request_bodies` has resolved are not resolved again."""

    def resolve_request(self, request: HttpRequest) -> ResolverMatch:
        match: ResolverMatch | None = request.META["asgi.scope"].get(request_bodies.MATCH)
        if match is None:
            return super().resolve_request(request)
        request.resolver_match = match
        return match


_django = cast(
    "Application",
    WSGIMiddleware(cast("Any", _Handler()), workers=THREADS, send_queue_size=_MAX_CHUNKS),
)


class Door(NamedTuple):
    """How requests for some URLs are counted and, if possible, answered before Django."""

    route: str  # the name of such requests in metrics
    # Returns the read that answers a request before Django, or None.
    find: Callable[[Scope], Read | None] | None = None


_LINKS = Door("redirect", short_link)
_PAGES = Door("page")
_API = Door("api")
# By the first segment of a path, below /v1/ by the first two; prefixes end with a slash.
DOORS = dict.fromkeys(PROBES, Door("health", probe)) | {
    "/s/": _LINKS,
    "/snippets/": Door("snippet_page", page),
    "/v1/snippets/": Door("snippet", plain_read),
    "/admin/": Door("admin"),
    "/static/": Door("static"),
    "/metrics": Door("metrics"),
    "/mcp": Door("mcp"),
}


def door_of(scope: Scope) -> Door:
    """Return the door of this request, by its host, then by its path."""
    path = scope["path"]
    if (
        settings.SHORT_DOMAIN
        and name_of(path, dict(scope["headers"]).get(b"host", b"")) is not None
    ):
        is_probe = path in PROBES and probe(scope) is not None
        return DOORS[path] if is_probe else _LINKS
    if path.startswith("/v1/"):
        return DOORS.get(path[: path.find("/", len("/v1/")) + 1] or path, _API)
    return DOORS.get(path[: path.find("/", 1) + 1] or path, _PAGES)


# Successful reads of these routes have no X-Request-ID: `fast_path.py` handles most of them
# without a scope.
_WITHOUT_REQUEST_ID = ("redirect", "snippet")


def with_common_headers(scope: Scope, send: Send, door: Door) -> Send:
    """Return a `send` that adds X-Request-ID and Cache-Control, and counts the response."""
    started_at, id_ = time.perf_counter(), request_id.begin(scope["headers"]).encode("ascii")

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            status, headers = message["status"], list(message["headers"])
            is_read = scope["method"] in ("GET", "HEAD") and door.route in _WITHOUT_REQUEST_ID
            if status >= 400 or not is_read:
                headers.append((b"x-request-id", id_))
            if scope["path"].startswith("/v1/") and not _has_cache_control(headers):
                headers.append((b"cache-control", b"private, no-store"))
            message = {**message, "headers": headers}
            metrics.observe(door.route, status, time.perf_counter() - started_at)
        await send(message)

    return send_with_headers


def _has_cache_control(headers: list[tuple[bytes, bytes]]) -> bool:
    return any(name.lower() == b"cache-control" for name, _ in headers)


@asynccontextmanager
async def background_work() -> AsyncIterator[None]:
    """Run the server's background work during the block.

    Leave the block only when no request is in progress, because leaving closes connections that
    requests share.
    """
    async with (
        stream.producing(),
        live_counts.feeding_hub(),
        link_cache.listening(),
        INVALIDATION.healing(),
        changes.listening(),
        broadcast.renewing(),
    ):
        yield
    await asyncio.to_thread(thread_pool.close_connections)
    await resp.close_all()


async def _lifespan(_scope: Scope, receive: Receive, send: Send) -> None:
    """Speak ASGI's lifespan protocol."""
    await receive()  # lifespan.startup
    async with background_work():
        await send({"type": "lifespan.startup.complete"})
        await receive()  # lifespan.shutdown
    await send({"type": "lifespan.shutdown.complete"})


async def _http(scope: Scope, receive: Receive, send: Send) -> None:
    """Read the body first, so that a slow client occupies a coroutine, never a thread."""
    door = door_of(scope)
    send = with_cors(scope, with_common_headers(scope, send, door))
    async with AsyncExitStack() as stack:
        body = b""
        try:
            _refuse_invalid_bytes(scope)
            _refuse_ambiguous_host(scope)
            if (response := await _answer_before_django(scope, door)) is not None:
                await send_answer(scope, send, response)
                return
            if request_bodies.takes_body(scope):
                body = await stack.enter_async_context(request_bodies.read_body(scope, receive))
                await stack.enter_async_context(watch_for_disconnect(scope, receive))
            elif request_bodies.has_body(scope):
                send = _close_after_response(send)
        except RefusedError as error:
            await send_answer(scope, send, _refusal(error, scope))
            return
        except ClientDisconnect:
            return
        except asyncio.CancelledError:
            await send_answer(scope, send, _refusal(_stopping_error()))
            return
        await _answer_by_django(_normalize(scope, body), _replay(body, receive), send)


async def _answer_by_django(scope: Scope, receive: Receive, send: Send) -> None:
    """Let Django answer. A request that is unanswered when the server stops gets a 503."""
    has_started = False

    async def send_and_note_start(message: Message) -> None:
        nonlocal has_started
        has_started = True
        await send(message)

    try:
        await _django(scope, receive, send_and_note_start)
    except asyncio.CancelledError:
        logger.warning("%s %s did not finish before the shutdown", scope["method"], scope["path"])
        if not has_started:
            await send_answer(scope, send, _refusal(_stopping_error()))


def _stopping_error() -> RefusedError:
    return RefusedError(503, "stopping", "The server is stopping.", retry_after=1)


async def _answer_before_django(scope: Scope, door: Door) -> Answer | None:
    """Return the response if Django is not needed, or an error (500, or 503 during an outage).

    Returns None for requests that Django handles.
    """
    read = door.find and door.find(scope)
    if (response := preflight(scope)) is not None or read is None:
        return response
    try:
        return await read()
    except Exception as error:
        logger.exception("%s %s failed", scope["method"], scope["path"])
        if is_outage(error):
            return _refusal(request_bodies.outage_error(error))
        message = "Something went wrong on our side; the error has been logged."
        return _refusal(RefusedError(500, "server_error", message))


def _refuse_invalid_bytes(scope: Scope) -> None:
    try:
        scope["query_string"].decode("ascii")
    except UnicodeDecodeError:
        raise RefusedError(
            400, "bad_request", "The query string contains unescaped bytes."
        ) from None


def _refuse_ambiguous_host(scope: Scope) -> None:
    """Refuse requests whose host a proxy could interpret differently."""
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    if len(hosts) > 1:
        raise RefusedError(400, "bad_request", "There is more than one Host header.")


def _close_after_response(send: Send) -> Send:
    """Return a `send` that closes the connection after the response, because the body was not
    read."""

    async def send_and_close(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], (b"connection", b"close")]
        await send(message)

    return send_and_close


def _normalize(scope: Scope, body: bytes) -> Scope:
    """Return the scope with the body's actual length, even if it was chunked.

    Header names with underscores are dropped: in WSGI, they equal names with dashes.
    """
    headers = [
        (name, value)
        for name, value in scope["headers"]
        if b"_" not in name and name not in (b"content-length", b"transfer-encoding")
    ]
    return {**scope, "headers": [*headers, (b"content-length", str(len(body)).encode())]}


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that replays the body, then continues."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_replay() -> Message:
        return messages.pop() if messages else await receive()

    return receive_replay


def _refusal(error: RefusedError, scope: Scope | None = None) -> Answer:
    """Return the response for an error: the envelope, or a page for a browser."""
    status, sentence = error.status, str(error)
    accepted = [] if scope is None else [v for name, v in scope["headers"] if name == b"accept"]
    headers = [(b"connection", b"close")]
    if error.retry_after is not None:
        headers.append((b"retry-after", str(error.retry_after).encode()))
    if b"text/html" in b",".join(accepted):
        headers.append((b"content-type", b"text/html; charset=utf-8"))
        headers.append((b"content-security-policy", policy("").encode()))
        return Answer(status, headers, render_error_page(status, sentence).encode())
    headers.append((b"content-type", b"application/json"))
    return Answer(
        status, headers, json.dumps(with_request_id(envelope(error.code, sentence))).encode()
    )


application: Any = ProtocolTypeRouter(
    {
        "lifespan": _lifespan,
        "http": with_problem_details(_http),
        "websocket": with_problem_details(serve_websocket),
    }
)
