"""Subscriptions to Redis's channels, which survive outages of Redis."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import redis
from redis.asyncio.client import PubSub

from foundation.cancelling import cancel
from foundation.valkey.clients import async_client

logger = logging.getLogger(__name__)

PAUSE = 0.5  # seconds before another attempt to subscribe
_MAX_WAIT = 30.0  # seconds that one call waits for a message


class PubSubSubscription:
    """A process's subscription to one channel. For one event loop.

    Redis keeps no message for a client that is not connected, and redis-py reconnects silently, so
    messages may be missed. `on_connect` runs after each subscription, even a repeated one, before
    any later message: it should drop or reload state built from earlier messages. `on_disconnect`
    runs once when the connection is lost. If `on_message` or `on_connect` raises, the subscription
    starts again.
    """

    def __init__(
        self,
        channel: str,
        *,
        on_message: Callable[[bytes], None],
        on_connect: Callable[[], Awaitable[None]],
        on_disconnect: Callable[[], None] = lambda: None,
    ) -> None:
        self.channel = channel
        self.is_connected = False
        self._on_message = on_message
        self._on_connect = on_connect
        self._on_disconnect = on_disconnect

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """Listen for the duration of the block."""
        task = asyncio.create_task(self.listen())
        try:
            yield
        finally:
            await cancel(task)

    async def listen(self) -> None:
        """Listen until cancelled, through all outages of Redis."""
        has_warned = False
        while True:
            try:
                await self._listen_once()
            except Exception as error:  # noqa: BLE001 (otherwise, old values would be kept)
                if self.is_connected or not has_warned:
                    logger.warning("The channel %s is disconnected: %s", self.channel, error)
                    has_warned = True
            if self.is_connected:
                self.is_connected = False
                try:
                    self._on_disconnect()
                except Exception:
                    logger.exception(
                        "A listener of %s failed when it was disconnected", self.channel
                    )
            await asyncio.sleep(PAUSE)

    async def _listen_once(self) -> None:
        async with async_client().pubsub() as pubsub:
            await pubsub.subscribe(self.channel)
            async for message in messages(pubsub):
                if message["type"] == "message":
                    self._on_message(message["data"])
                elif message["type"] == "subscribe":
                    self.is_connected = True
                    await self._on_connect()


async def messages(pubsub: PubSub) -> AsyncIterator[dict[str, Any]]:
    """Yield the messages of the subscribed channels, endlessly.

    Raises redis.RedisError or OSError when the connection is lost.

    redis-py's own `listen` mistakes a dead TCP connection, such as one to a disconnected machine,
    for an idle one: it retries at once, forever, and blocks the event loop.
    """
    loop = asyncio.get_running_loop()
    while True:
        started_at = loop.time()
        message = await pubsub.get_message(timeout=_MAX_WAIT)
        if message is not None:
            yield message
        elif loop.time() - started_at < _MAX_WAIT / 2:
            raise redis.ConnectionError("The channel's connection is lost.")
