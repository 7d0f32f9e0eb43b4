"""WebSockets of pages behind sign-in: access, expiry and keep-alives."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from django.db import DatabaseError

from analytics.consumers import POLICY_VIOLATION, LiveConsumer, Slots, in_socket_thread
from console.access import Viewer, viewer_of
from console.latest_value import LatestValue
from foundation.http.asgi import share_of_process
from foundation.valkey.changes import PEOPLE, changes_subscription

MAX_PAGE_SOCKETS = share_of_process(1_500)  # dashboards and targets, without `/ws/live/`
RECHECK_AFTER = 60.0  # seconds between checks of the user while changes can't be received
MAX_RECHECK_AFTER = 3600.0  # seconds between checks of the user otherwise
KEEP_ALIVE_AFTER = 61.0  # seconds without another message until a keep-alive

T = TypeVar("T")


class PageConsumer(LiveConsumer):
    """A client that shows a page; it gets the page's changes, and live counts as on `/ws/live/`.

    For users who may see targets. Closes with 1008 when the user is signed out, may no longer see
    the page, or belongs to another audience. An idle client is sent `still` about once a minute,
    without queries (ADR 34).
    """

    slots = Slots(MAX_PAGE_SOCKETS)
    rights: tuple[str, ...] = ()  # required in addition to the right to see targets
    viewer: Viewer

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one connection; follow changes of rights during all of it, to miss none."""
        with changes_subscription().follow(PEOPLE) as self._rights:
            await super().__call__(scope, receive, send)

    async def may_connect(self) -> bool:
        """Return whether the user may see the page."""
        viewer = await self._find_viewer()
        if viewer is not None:
            self.viewer = viewer
            self._rights.follow(f"user:{viewer.user_id}")
        return viewer is not None

    def pumps(self) -> list[Coroutine[Any, Any, None]]:
        """Return the coroutines that send to this client until it disconnects."""
        return [*super().pumps(), self.send_page(), self._watch_session()]

    async def send_page(self) -> None:
        """Send changes of the page until the client disconnects."""
        raise NotImplementedError

    async def next_value(self, source: LatestValue[T], last: T | None) -> T:
        """Wait for a value other than `last`, and return it.

        Meanwhile, send `still` about once a minute, or `stale` if the value can't be updated.
        """
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(KEEP_ALIVE_AFTER):
                    return await source.next_after(last)
            await self.send_json({"type": "stale" if source.is_failing else "still"})

    async def _find_viewer(self) -> Viewer | None:
        find = partial(viewer_of, self.scope["session"], rights=self.rights)
        return await in_socket_thread(find)

    async def _watch_session(self) -> None:
        while not self._closed:
            await self._rights.wait(offline_limit=RECHECK_AFTER, limit=MAX_RECHECK_AFTER)
            with suppress(DatabaseError):  # tried again later
                if await self._find_viewer() != self.viewer:
                    await self.close(POLICY_VIOLATION)
