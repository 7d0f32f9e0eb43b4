"""The web server of `make dev`: what daphne's `runserver` serves (ADR 18)."""

import asyncio
from contextlib import AsyncExitStack

from linkwatch import asgi

_beside = AsyncExitStack()  # never left: an edit ends the process
_started: "asyncio.Task[None] | None" = None


async def application(scope: asgi.Scope, receive: asgi.Receive, send: asgi.Send) -> None:
    """Answer one connection; before the first, start the background tasks.

    That is the lifespan's affair elsewhere, which daphne does not know.
    """
    global _started  # a process has one event loop
    if _started is None:
        _started = asyncio.create_task(_beside.enter_async_context(asgi.beside_requests()))
    await asyncio.shield(_started)
    await asgi.application(scope, receive, send)
