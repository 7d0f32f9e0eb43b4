"""Stops long work for clients that disconnect before the response."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from threading import Event
from typing import Any

from django.http import HttpRequest

_LEFT = "linkwatch.left"  # in a scope: an Event


ConnectionCheck = Callable[[], None]  # called between two steps of long work; raises to end it


class ClientLeftError(Exception):
    """The client has disconnected."""


def never_stop() -> None:
    """Do nothing: no client waits for this work."""


@asynccontextmanager
async def watch_for_disconnect(
    scope: MutableMapping[str, Any], receive: Callable[[], Awaitable[MutableMapping[str, Any]]]
) -> AsyncIterator[None]:
    """Within the block, record for `stop_if_left` whether the client of this request disconnects.

    The body must have been read: after it, the only message is a disconnect, because the
    connection is lost or the client has closed its side.
    """
    left = scope[_LEFT] = Event()

    async def wait() -> None:
        await receive()
        left.set()

    waiting = asyncio.create_task(wait())
    try:
        yield
    finally:
        waiting.cancel()


def stop_if_left(request: HttpRequest) -> None:
    """Raise ClientLeftError if the client of this request has disconnected."""
    left = request.META.get("asgi.scope", {}).get(_LEFT)
    if left is not None and left.is_set():
        raise ClientLeftError
