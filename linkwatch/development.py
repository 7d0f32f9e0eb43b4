"""The application of `make dev`, served by daphne's `runserver` (ADR 18)."""

import asyncio
from contextlib import AsyncExitStack

from linkwatch import asgi

_background = AsyncExitStack()  # never closed: an edit ends the process
_started: "asyncio.Task[None] | None" = None


async def application(scope: asgi.Scope, receive: asgi.Receive, send: asgi.Send) -> None:
    """Serve one connection; before the first, start the background work.

    In production, uvicorn starts it through ASGI's lifespan protocol, which daphne lacks.
    """
    global _started  # there is one event loop per process
    if _started is None:
        _started = asyncio.create_task(_background.enter_async_context(asgi.background_work()))
    await asyncio.shield(_started)
    await asgi.application(scope, receive, send)
