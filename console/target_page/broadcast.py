"""Broadcast of targets' pages: each is rendered once per process for all clients of a time zone.

A page is rendered again when a change that concerns it is announced (`foundation.valkey.changes`),
and when its target becomes due or its host's pause or backoff ends, neither of which is announced.
"""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import tzinfo
from functools import partial

from django.utils import timezone

from analytics.consumers import in_socket_thread
from checker.uplink import OUTAGE_TOPIC
from console.latest_value import LatestValue
from console.target_page.rendering import RenderedPage, render_page
from console.target_page.snapshot import take_snapshot
from foundation.database.clock import database_now
from foundation.ids import raw_id
from foundation.per_loop import PerLoop
from foundation.valkey.changes import Follower, changes_subscription
from hosts import aliases
from targets.models import Target

logger = logging.getLogger(__name__)

PAUSE = 0.25  # seconds between two reads: simultaneous changes are combined
RETRY_AFTER = 5.0  # seconds between two reads while announcements or the database are unavailable


class LivePage(LatestValue[RenderedPage]):
    """The newest page of a target, with its chart in one of SCALES and times in a zone."""

    def __init__(self, target_id: str, span: str, zone: tzinfo) -> None:
        super().__init__()
        self._target_id = target_id
        self._span = span
        self._zone = zone
        self._changes_in: float | None = None  # seconds after the last read, as in RenderedPage

    async def renew(self) -> None:
        """Keep the page up to date; runs forever, through database outages."""
        topics = raw_id("target", self._target_id).hex, f"target:{self._target_id}", OUTAGE_TOPIC
        with changes_subscription().follow(*topics) as follower:
            while True:
                await self._update(follower)
                await asyncio.sleep(RETRY_AFTER if self.is_failing else PAUSE)
                if not self.is_failing:
                    await follower.wait(offline_limit=RETRY_AFTER, limit=self._changes_in)

    async def _update(self, follower: Follower) -> None:
        follower.changed.clear()
        try:
            # The host's alias may have changed. Subscribe before reading, to miss no changes.
            follower.follow(*await in_socket_thread(partial(_topics_of, self._target_id)))
            page = await in_socket_thread(partial(_load, self._target_id, self._span, self._zone))
        except Exception:
            if not self.is_failing:  # log only once
                logger.exception("Could not update the page of %s", self._target_id)
            self.is_failing = True
            return
        self.is_failing = False
        self._changes_in = page.changes_in
        if not page.is_like(self.latest):
            self.put(page)


def _topics_of(target_id: str) -> list[str]:
    """Return the topics of a target's host: the host itself, and its alias, if any."""
    names = list(Target.objects.filter(pk=target_id).values_list("host", flat=True))
    return [f"host:{name}" for name in names] + [f"alias:{key}" for key in aliases.of_hosts(names)]


def _load(target_id: str, span: str, zone: tzinfo) -> RenderedPage:
    """Return the current page of a target; without renderings if the target does not exist."""
    target = Target.objects.filter(pk=target_id).first()
    if target is None:
        return RenderedPage()
    with timezone.override(zone):
        return render_page(take_snapshot(target, span, now=database_now()))


class LivePages:
    """The pages that are open in this process. For one event loop."""

    def __init__(self) -> None:
        self._pages: dict[tuple[str, str, tzinfo], tuple[LivePage, asyncio.Task[None]]] = {}

    def __len__(self) -> int:
        """Return the number of different open pages: of a target, in a scale and a zone."""
        return len(self._pages)

    @contextmanager
    def watched(self, target_id: str, span: str, zone: tzinfo) -> Iterator[LivePage]:
        """Yield a page, and keep it up to date for the duration of the block."""
        key = target_id, span, zone
        if key not in self._pages:
            page = LivePage(target_id, span, zone)
            self._pages[key] = page, asyncio.create_task(page.renew())
        page, task = self._pages[key]
        with page.watched():
            try:
                yield page
            finally:
                if page.watchers == 1:  # the only watcher
                    task.cancel()
                    del self._pages[key]


live_pages = PerLoop(LivePages)  # a web process has one
