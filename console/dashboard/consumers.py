"""`/ws/dashboard/`: the dashboard as it changes, for operators."""

import asyncio
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from django.db import DatabaseError

from analytics.consumers import POLICY_VIOLATION, LiveConsumer, Places
from console.dashboard.access import may_watch
from console.dashboard.broadcast import broadcast
from console.dashboard.rendering import Rendering
from foundation.database.thread_pool import in_thread
from foundation.http.asgi import share_of_process

MOST_WATCHING = share_of_process(500)  # operators of one process, beside those of `/ws/live/`
TRUST = 60.0  # seconds until it is asked again whether the client is still signed in


class DashboardConsumer(LiveConsumer):
    """One client: live counts as by `/ws/live/`, and with each new summary what it changes.

    Of a summary it is sent `sections`, each a piece of the page by its name, and of these only
    what is not what it was sent last. Closed with 1008 when it is signed out.
    """

    places = Places(MOST_WATCHING)

    async def may_connect(self, headers: Mapping[bytes, str]) -> bool:
        """Let in pages of ours whose user may see the dashboard."""
        self._cookies = headers.get(b"cookie", "")
        return await super().may_connect(headers) and await self._may_watch()

    def pumps(self) -> list[Coroutine[Any, Any, None]]:
        """Return what sends to this client until it is gone."""
        return [*super().pumps(), self._send_summaries(), self._watch_the_session()]

    async def _may_watch(self) -> bool:
        return await in_thread(partial(may_watch, self._cookies))

    async def _watch_the_session(self) -> None:
        while not self._closed:
            await asyncio.sleep(TRUST)
            with suppress(DatabaseError):  # asked again after a while
                if not await self._may_watch():
                    await self.let_go(POLICY_VIOLATION)

    async def _send_summaries(self) -> None:
        latest: Rendering | None = None
        has: Mapping[str, str] = {}  # what the client was sent last of each section
        with broadcast().watched():
            while True:
                latest = await broadcast().after(latest)
                changed = dict(latest.sections.items() - has.items())
                has = latest.sections
                await self.say(
                    "summary",
                    now=latest.now,
                    patience=latest.patience,
                    sections=changed,
                    rates=latest.rates,
                )
