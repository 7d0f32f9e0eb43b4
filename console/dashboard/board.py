"""The dashboard as this process shows it: rendered once, however many watch.

While somebody watches, the kept summary is looked at every second and found anew when that is due;
nobody is told by message, so none can be lost. A watcher that is slow finds the newest board when
it is ready for it, and nothing waits for it here.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from weakref import WeakKeyDictionary

from console.dashboard.rendering import RenderedSummary, show
from console.dashboard.summary import SUMMARY
from foundation.database.clock import database_now
from foundation.database.thread_pool import in_thread, submit
from foundation.valkey.cached_value import REST

logger = logging.getLogger(__name__)

LOOK = 1.0  # seconds between two looks at what is kept
_PATIENCE = 10.0  # seconds that a summary may be late before a page calls itself stale

_by_loop: "WeakKeyDictionary[asyncio.AbstractEventLoop, Board]" = WeakKeyDictionary()


class Board:
    """The newest rendered summary of this process, and how many watch it. For one event loop."""

    def __init__(self) -> None:
        self.shown: RenderedSummary | None = None
        self.watchers = 0
        self._changed = asyncio.Event()
        self._watched = asyncio.Event()

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Keep the board up to date for one more watcher, for as long as the block lasts."""
        self.watchers += 1
        self._watched.set()
        try:
            yield
        finally:
            self.watchers -= 1
            if not self.watchers:
                self._watched.clear()
                self.shown = None  # whoever comes next would take it for the present

    def put(self, shown: RenderedSummary) -> None:
        """Show this from now on."""
        self.shown = shown
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def after(self, last: RenderedSummary | None) -> RenderedSummary:
        """Wait until something else than `last` is shown, and return it."""
        while self.shown is None or self.shown is last:
            await self._changed.wait()
        return self.shown

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
        shown = await in_thread(lambda: _look(self.shown))
        if self.watchers and shown is not None and shown is not self.shown:
            self.put(shown)


def _look(last: RenderedSummary | None) -> RenderedSummary | None:
    copy = SUMMARY.get()
    if copy is None or (last is not None and last.found_at == copy.at):
        return last
    patience = max(SUMMARY.pause, REST * copy.took) + _PATIENCE
    return show(copy, now=database_now(), patience=patience)


def board() -> Board:
    """Return the board of the running event loop: a web process has one."""
    return _by_loop.setdefault(asyncio.get_running_loop(), Board())


@asynccontextmanager
async def renewing() -> AsyncIterator[None]:
    """Keep the board up to date for as long as the block lasts."""
    task = asyncio.create_task(board().renew())
    try:
        yield
    finally:
        task.cancel()


def ask() -> None:
    """Have the summary found anew in the background, if that is due."""
    submit(SUMMARY.renew)
