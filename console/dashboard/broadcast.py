"""Broadcast of the dashboard: its summary, rendered once per process for all watchers.

While somebody watches, the cached summary is read every second. For SETTLING_TIME after a change,
until the figures of the last minutes are final, the summary is recomputed whenever it is due;
otherwise, at every RENEWAL_INTERVAL. Changes are those that are announced, starts and stops of
processes, and a new order of trending items. While changes can't be received, the summary is
recomputed whenever it is due.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import partial

import redis

from analytics import trend
from checker import heartbeat
from console.dashboard.rendering import DashboardRendering, render
from console.dashboard.summary import MAX_TRENDING, SUMMARY
from console.latest_value import LatestValue
from console.sockets import KEEP_ALIVE_AFTER
from foundation import settings_comparison
from foundation.database.clock import DatabaseClock
from foundation.database.thread_pool import in_thread, submit
from foundation.per_loop import PerLoop
from foundation.valkey.cached_value import REST_FACTOR
from foundation.valkey.changes import ANYTHING, changes_subscription
from foundation.valkey.clients import client

logger = logging.getLogger(__name__)

READ_INTERVAL = 1.0  # seconds between reads of the summary
SETTLING_TIME = 130.0  # seconds after a change until all figures are final
RENEWAL_INTERVAL = timedelta(minutes=5)  # between two computations without changes
# Seconds without a message, in addition to the time between two summaries, until a page shows that
# it is stale.
_PATIENCE = KEEP_ALIVE_AFTER + 20.0


class Broadcast(LatestValue[DashboardRendering]):
    """The newest rendered summary of this process. For one event loop."""

    def __init__(self) -> None:
        super().__init__()
        self._clock = DatabaseClock()
        self._active_until = 0.0  # monotonic
        self._last_unannounced: object = None  # the last _unannounced_state

    async def renew(self) -> None:
        """Keep the summary up to date while watched; run forever, even through database outages."""
        with changes_subscription().follow(ANYTHING) as follower:
            while True:
                await self.watched_by_any.wait()
                if follower.changed.is_set():
                    follower.changed.clear()
                    self._mark_active()
                try:
                    await self._update()
                except Exception:
                    if not self.is_failing:  # log only once
                        logger.exception("Could not update the dashboard")
                    self.is_failing = True
                else:
                    self.is_failing = False
                await asyncio.sleep(READ_INTERVAL)

    def _mark_active(self) -> None:
        self._active_until = time.monotonic() + SETTLING_TIME

    async def _update(self) -> None:
        latest = await in_thread(
            partial(self._find, is_disconnected=changes_subscription().is_disconnected)
        )
        if self.watchers and latest is not None and latest is not self.latest:
            self.put(latest)

    def _find(self, *, is_disconnected: bool) -> DashboardRendering | None:
        """Return the newest rendering, if any.

        The summary is recomputed if due, but without recent changes only every RENEWAL_INTERVAL.
        """
        last, previous = self.latest, self._last_unannounced
        self._last_unannounced = _unannounced_state(self._now())
        if self._last_unannounced != previous:
            self._mark_active()
        is_active = is_disconnected or time.monotonic() < self._active_until
        if last is None or is_active or self._now() - last.computed_at > RENEWAL_INTERVAL:
            cached = SUMMARY.get()
            self._clock.measure()
        else:
            cached = SUMMARY.peek()
        if cached is None or (last is not None and last.computed_at == cached.at):
            return last
        patience = max(SUMMARY.pause, REST_FACTOR * cached.took) + _PATIENCE
        return render(cached, now=self._now(), patience=patience)

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now() / 1e9, UTC)


def _unannounced_state(now: datetime) -> object:
    """Return the parts of the dashboard that change unannounced; None if Redis is unavailable.

    They are: whether a checker worker runs, the running processes, and the trending subjects.
    """
    with suppress(redis.RedisError, OSError):
        trending = [subject for subject, _ in trend.top(client(), MAX_TRENDING, now=now)]
        return heartbeat.is_beating(), settings_comparison.running(), trending
    return None


broadcast = PerLoop(Broadcast)  # a web process has one


@asynccontextmanager
async def renewing() -> AsyncIterator[None]:
    """Keep the broadcast up to date for the duration of the block."""
    task = asyncio.create_task(broadcast().renew())
    try:
        yield
    finally:
        task.cancel()


def request_refresh() -> None:
    """Recompute the summary in the background, if that is due."""
    submit(SUMMARY.renew)
