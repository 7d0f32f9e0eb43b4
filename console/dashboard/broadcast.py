"""Broadcast of the dashboard: its summary, rendered once in each process for all who watch.

While somebody watches, the cached summary is looked at every second and computed anew when that is
due; nobody is told by message, so none can be lost. A watcher that is slow finds the newest
rendering when it is ready for it, and nothing waits for it here.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from console.dashboard.rendering import Rendering, render
from console.dashboard.summary import SUMMARY
from foundation.database.clock import database_now
from foundation.database.thread_pool import in_thread, submit
from foundation.per_loop import PerLoop
from foundation.valkey.cached_value import REST

logger = logging.getLogger(__name__)

LOOK = 1.0  # seconds between two looks at the summary
_PATIENCE = 10.0  # seconds that a summary may be late before a page calls itself stale


class Broadcast:
    """The newest rendered summary of this process, and how many watch it. For one event loop."""

    def __init__(self) -> None:
        self.latest: Rendering | None = None
        self.watchers = 0
        self._changed = asyncio.Event()
        self._watched = asyncio.Event()

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Keep it up to date for one more watcher, for as long as the block lasts."""
        self.watchers += 1
        self._watched.set()
        try:
            yield
        finally:
            self.watchers -= 1
            if not self.watchers:
                self._watched.clear()
                self.latest = None  # whoever comes next would take it for the present

    def put(self, latest: Rendering) -> None:
        """Let all who watch have this."""
        self.latest = latest
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def after(self, last: Rendering | None) -> Rendering:
        """Wait until the latest is another than `last`, and return it."""
        while self.latest is None or self.latest is last:
            await self._changed.wait()
        return self.latest

    async def renew(self) -> None:
        """Keep it up to date while somebody watches, for ever, whatever becomes of the database."""
        is_failing = False
        while True:
            await self._watched.wait()
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
