"""`/livez`, `/readyz` and `/v1/health` ahead of Django: answered also while its threads are busy.

And in time while a dependency hangs: what has not answered by then is down. Whoever asks meanwhile
waits for the same answer, so that a question that hangs holds one thread, however many ask it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from django.db import connections
from rest_framework.renderers import JSONRenderer

from foundation.http.asgi import Scope, Send
from foundation.per_loop import PerLoop
from status import health

T = TypeVar("T")

PATIENCE = 1.5  # seconds for an answer
PATHS = ("/livez", "/readyz", "/v1/health")
_OF_DATABASE = tuple(name for name, check in health.CHECKS.items() if check.asks_database)
_OF_OTHERS = tuple(name for name in health.CHECKS if name not in _OF_DATABASE)


def probe(scope: Scope) -> Callable[[Send], Awaitable[None]] | None:
    """Return what answers this request; None for one that is not a program's question of health."""
    if scope["method"] not in ("GET", "HEAD") or scope["path"] not in PATHS:
        return None
    accept = b",".join(value for name, value in scope["headers"] if name == b"accept")
    if b"text/html" in accept:  # the browsable page is Django's
        return None
    return partial(_answer, scope)


async def _answer(scope: Scope, send: Send) -> None:
    body: Mapping[str, Any] = {"status": "ok"}
    if scope["path"] == "/readyz":
        body = health.readiness(await _state("ready", health.READY))
    elif scope["path"] == "/v1/health":
        ours, others, events, network = await asyncio.gather(
            _state("database", _OF_DATABASE),
            _state("others", _OF_OTHERS),
            _asked("events", health.events_if_known, otherwise=None),
            _asked("network", health.network_if_known, otherwise=None),
        )
        body = health.health(ours | others, events, network)
    status = 200 if body["status"] == "ok" else 503
    text = JSONRenderer().render(body)
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(text)).encode()),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else text})


async def _state(name: str, checks: tuple[str, ...]) -> dict[str, str]:
    down = dict.fromkeys(checks, "down")
    return await _asked(name, partial(health.health_of, *checks), otherwise=down)


async def _asked(name: str, ask: Callable[[], T], *, otherwise: T) -> T:
    """Return what `ask` returns, which somebody may be asking under this name already."""
    flights = _flights()
    flight = flights.get(name)
    if flight is None or flight.done():
        flight = asyncio.get_running_loop().run_in_executor(_pool, _closing, ask)
        flights[name] = flight
    try:
        async with asyncio.timeout(PATIENCE):
            return await asyncio.shield(flight)
    except TimeoutError:
        return otherwise


def _closing(ask: Callable[[], T]) -> T:
    try:
        return ask()
    finally:
        connections.close_all()


_pool = ThreadPoolExecutor(5, thread_name_prefix="health")  # a thread for each name
_flights: "PerLoop[dict[str, asyncio.Future[Any]]]" = PerLoop(dict)
