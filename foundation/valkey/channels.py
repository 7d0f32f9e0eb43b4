"""What the channels of Redis say, for as long as the connection lasts."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import redis
from redis.asyncio.client import PubSub

_SILENCE = 30.0  # seconds for which one call waits for a message


async def messages(channel: PubSub) -> AsyncIterator[dict[str, Any]]:
    """Yield what comes by the channels subscribed to. Raises redis.RedisError, OSError at its end.

    redis-py's own `listen` takes a connection that TCP has given up, as it does of a machine that
    was cut off, for one where nothing has come yet: it asks again at once, for ever, and nothing
    else runs in that event loop any more.
    """
    loop = asyncio.get_running_loop()
    while True:
        asked = loop.time()
        message = await channel.get_message(timeout=_SILENCE)
        if message is not None:
            yield message
        elif loop.time() - asked < _SILENCE / 2:
            raise redis.ConnectionError("The connection of the channel is lost.")
