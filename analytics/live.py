"""Live counts: this process's one subscription to new totals, and the hub that it feeds.

redis-py reconnects silently and what was published meanwhile is lost, so every (re)subscription
reads the totals of all that is watched again.
"""

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import redis

from analytics import counters
from analytics.hub import Hub
from foundation.cancelling import cancelled
from foundation.per_loop import PerLoop
from foundation.valkey.channels import messages
from foundation.valkey.clients import async_client

logger = logging.getLogger(__name__)

_PAUSE = 1.0  # seconds before another attempt to subscribe

hub = PerLoop(Hub)  # a web process has one


@asynccontextmanager
async def following() -> AsyncIterator[None]:
    """Feed the hub, and let it feed its clients, for as long as the block lasts."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(hub().fan_out()), group.create_task(follow(hub()))]
        try:
            yield
        finally:
            await cancelled(*tasks)


async def follow(hub: Hub) -> None:
    """Tell the hub of new totals for ever, whatever becomes of Redis."""
    while True:
        try:
            async with async_client().pubsub() as pubsub:
                await pubsub.subscribe(counters.CHANNEL)
                async for message in messages(pubsub):
                    if message["type"] == "subscribe":
                        hub.correct(await counters.atotals(hub.watched()))
                    elif message["type"] == "message":
                        hub.tell(json.loads(message["data"]))
        except (redis.RedisError, ValueError) as error:
            logger.warning("Live counts stand still: %s", error)
        await asyncio.sleep(_PAUSE)


async def snapshot(hub: Hub, subjects: list[str]) -> dict[str, int]:
    """Return the totals of subjects that are watched already; raises redis.RedisError."""
    async with hub.reading:
        return hub.snapshot(await counters.atotals(subjects))
