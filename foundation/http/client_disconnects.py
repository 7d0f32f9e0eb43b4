"""Stops long work for clients that disconnect before the response."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from threading import Event
from typing import Any

from django.http import HttpRequest

_DISCONNECTED = "linkwatch.left"  # the key of an Event in a scope

ConnectionCheck = Callable[[], None]  # called between steps of long work; an exception ends it


class ClientLeftError(Exception):
    """The client has disconnected."""


def never_stop() -> None:
    """A ConnectionCheck that does nothing, for work that no client waits for."""


@asynccontextmanager
async def watch_for_disconnect(
    scope: MutableMapping[str, Any], receive: Callable[[], Awaitable[MutableMapping[str, Any]]]
) -> AsyncIterator[None]:
    """Within the block, record for `stop_if_left` whether the client disconnects.

    The body must have been read: the only message after it is a disconnect, because the connection
    is lost or the client has closed its side.
    """
    disconnected = scope[_DISCONNECTED] = Event()

    async def wait() -> None:
        await receive()
        disconnected.set()

    task = asyncio.create_task(wait())
    try:
        yield
    finally:
        task.cancel()


def stop_if_left(request: HttpRequest) -> None:
    """Raise ClientLeftError if the client of this request has disconnected."""
    disconnected = request.META.get("asgi.scope", {}).get(_DISCONNECTED)
    if disconnected is not None and disconnected.is_set():
        raise ClientLeftError
