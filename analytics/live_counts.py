"""Live counts: this process's subscription to new totals, and the hub that it feeds."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from analytics import counters, view_metrics
from analytics.hub import Hub
from foundation.cancelling import cancel
from foundation.per_loop import PerLoop
from foundation.valkey.pubsub import PubSubSubscription

hub = PerLoop(Hub)  # a web process has one


@asynccontextmanager
async def feeding_hub() -> AsyncIterator[None]:
    """Feed the hub and its clients for the duration of the block."""
    async with asyncio.TaskGroup() as group, subscription_of(hub()).listening():
        fan_out = group.create_task(hub().fan_out())
        try:
            yield
        finally:
            await cancel(fan_out)


def subscription_of(hub: Hub) -> PubSubSubscription:
    """Return the subscription that feeds new totals into a hub."""

    async def reload_totals() -> None:
        hub.correct(await view_metrics.atotals(hub.watched()))

    return PubSubSubscription(
        counters.CHANNEL,
        on_message=lambda data: hub.update(json.loads(data)),
        on_connect=reload_totals,
    )


async def snapshot(hub: Hub, subjects: list[str]) -> dict[str, int]:
    """Return the totals of subjects that are already watched.

    Raises the errors of `view_metrics.atotals`.
    """
    async with hub.snapshot_slots:
        return hub.snapshot(await view_metrics.atotals(subjects))
