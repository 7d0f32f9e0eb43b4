"""The application of `make dev`, served by daphne's `runserver` (ADR 18)."""

import asyncio
from contextlib import AsyncExitStack

from linkwatch import asgi

_background = AsyncExitStack()  # never exited: an edit ends the process
_started: "asyncio.Task[None] | None" = None


async def application(scope: asgi.Scope, receive: asgi.Receive, send: asgi.Send) -> None:
    """Answer one connection; before the first, start the background tasks.

    In production, uvicorn starts them by ASGI's lifespan protocol, which daphne does not support.
    """
    global _started  # there is one event loop per process
    if _started is None:
        _started = asyncio.create_task(_background.enter_async_context(asgi.background_work()))
    await asyncio.shield(_started)
    await asgi.application(scope, receive, send)
