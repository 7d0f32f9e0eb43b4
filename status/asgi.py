"""`/livez` and `/readyz` ahead of Django: answered also while all of its threads are busy."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from foundation.database.thread_pool import in_thread
from foundation.http.asgi import Scope, Send
from status.health import health_of

_PATIENCE = 2.0  # seconds for the database to answer; then it counts as down


def probe(scope: Scope) -> Callable[[Send], Awaitable[None]] | None:
    """Return what answers this request; None for one that is not a program's question of health."""
    if scope["method"] not in ("GET", "HEAD") or scope["path"] not in ("/livez", "/readyz"):
        return None
    accept = b",".join(value for name, value in scope["headers"] if name == b"accept")
    if b"text/html" in accept:  # the browsable page is Django's
        return None
    return partial(_answer, scope)


async def _answer(scope: Scope, send: Send) -> None:
    body: dict[str, object] = {"status": "ok"}
    if scope["path"] == "/readyz":
        state = await _database()
        body = {"status": state["database"], "dependencies": state}
    status = 200 if body["status"] == "ok" else 503
    text = json.dumps(body).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(text)).encode()),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else text})


async def _database() -> Mapping[str, str]:
    try:
        async with asyncio.timeout(_PATIENCE):
            return await in_thread(partial(health_of, "database"))
    except TimeoutError:
        return {"database": "down"}
