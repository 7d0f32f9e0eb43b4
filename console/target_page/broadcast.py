"""Broadcast of targets' pages: each rendered once in a process for all who have it open.

A page is computed anew when a change that concerns it is announced (`foundation.valkey.changes`),
and once when its target becomes due or its host's backoff ends, which is not announced.
"""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from checker.uplink import CHANGED
from console.latest import Latest
from console.target_page.rendering import RenderedPage, render_page
from console.target_page.snapshot import take
from foundation.database.clock import database_now
from foundation.database.thread_pool import in_thread
from foundation.ids import raw_id
from foundation.per_loop import PerLoop
from foundation.valkey.changes import Follower, changes_subscription
from hosts import aliases
from targets.models import Target

logger = logging.getLogger(__name__)

PAUSE = 0.25  # seconds between two looks: changes that come together are one
LOOK = 5.0  # seconds between two looks while nothing can be heard, or the database is away


class TargetWatch(Latest[RenderedPage]):
    """The newest page of one target, its chart of one time of SCALES."""

    def __init__(self, target_id: str, span: str) -> None:
        super().__init__()
        self._target_id = target_id
        self._span = span
        self._turns_in: float | None = None  # seconds after the last look, as Page has it

    async def renew(self) -> None:
        """Keep it up to date for ever, whatever becomes of the database."""
        topics = raw_id("target", self._target_id).hex, f"target:{self._target_id}", CHANGED
        with changes_subscription().follow(*topics) as follower:
            while True:
                await self._look(follower)
                await asyncio.sleep(LOOK if self.is_failing else PAUSE)
                if not self.is_failing:
                    await follower.wait(otherwise=LOOK, at_most=self._turns_in)

    async def _look(self, follower: Follower) -> None:
        follower.changed.clear()
        try:
            # From now on, or what happens meanwhile would be missed; it may have an alias since.
            follower.follow(*await in_thread(partial(_topics_of, self._target_id)))
            page = await in_thread(partial(_load, self._target_id, self._span))
        except Exception:
            if not self.is_failing:  # once is enough
                logger.exception("The page of %s stands still", self._target_id)
            self.is_failing = True
            return
        self.is_failing = False
        self._turns_in = page.turns_in
        if not page.is_like(self.latest):
            self.put(page)


def _topics_of(target_id: str) -> list[str]:
    """Return what bears on a target by its host: that, and the alias with which it has one slot."""
    names = list(Target.objects.filter(pk=target_id).values_list("host", flat=True))
    return [f"host:{name}" for name in names] + [f"alias:{key}" for key in aliases.of(names)]


def _load(target_id: str, span: str) -> RenderedPage:
    """Return the page as it stands; one without renderings if there is no such target."""
    target = Target.objects.filter(pk=target_id).first()
    return RenderedPage() if target is None else render_page(take(target, span, now=database_now()))


class Watches:
    """What is open of targets' pages in this process. For one event loop."""

    def __init__(self) -> None:
        self._watches: dict[tuple[str, str], tuple[TargetWatch, asyncio.Task[None]]] = {}

    def __len__(self) -> int:
        """How many different pages are open."""
        return len(self._watches)

    @contextmanager
    def watched(self, target_id: str, span: str) -> Iterator[TargetWatch]:
        """Give the watch of a page, which is kept up to date for as long as the block lasts."""
        key = target_id, span
        if key not in self._watches:
            watch = TargetWatch(target_id, span)
            self._watches[key] = watch, asyncio.create_task(watch.renew())
        watch, task = self._watches[key]
        with watch.watched():
            try:
                yield watch
            finally:
                if watch.watchers == 1:  # nobody but this one
                    task.cancel()
                    del self._watches[key]


watches = PerLoop(Watches)  # a web process has one
