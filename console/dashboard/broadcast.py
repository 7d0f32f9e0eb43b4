"""Broadcast of the dashboard: its summary, rendered once in each process for all who watch.

While somebody watches, the cached summary is looked at every second and computed anew when that is
due; nobody is told by message, so none can be lost. A watcher that is slow finds the newest
rendering when it is ready for it, and nothing waits for it here.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from console.dashboard.rendering import Rendering, render
from console.dashboard.summary import SUMMARY
from console.latest import Latest
from foundation.database.clock import database_now
from foundation.database.thread_pool import in_thread, submit
from foundation.per_loop import PerLoop
from foundation.valkey.cached_value import REST

logger = logging.getLogger(__name__)

LOOK = 1.0  # seconds between two looks at the summary
_PATIENCE = 10.0  # seconds that a summary may be late before a page calls itself stale


class Broadcast(Latest[Rendering]):
    """The newest rendered summary of this process. For one event loop."""

    async def renew(self) -> None:
        """Keep it up to date while somebody watches, for ever, whatever becomes of the database."""
        is_failing = False
        while True:
            await self.watched_by_any.wait()
            try:
                await self._look()
            except Exception:
                if not is_failing:  # once is enough
                    logger.exception("The dashboard stands still")
                is_failing = True
            else:
                is_failing = False
            await asyncio.sleep(LOOK)

    async def _look(self) -> None:
        latest = await in_thread(lambda: _look(self.latest))
        if self.watchers and latest is not None and latest is not self.latest:
            self.put(latest)


def _look(last: Rendering | None) -> Rendering | None:
    copy = SUMMARY.get()
    if copy is None or (last is not None and last.found_at == copy.at):
        return last
    patience = max(SUMMARY.pause, REST * copy.took) + _PATIENCE
    return render(copy, now=database_now(), patience=patience)


broadcast = PerLoop(Broadcast)  # a web process has one


@asynccontextmanager
async def renewing() -> AsyncIterator[None]:
    """Keep the broadcast up to date for as long as the block lasts."""
    task = asyncio.create_task(broadcast().renew())
    try:
        yield
    finally:
        task.cancel()


def ask() -> None:
    """Have the summary computed anew in the background, if that is due."""
    submit(SUMMARY.renew)
