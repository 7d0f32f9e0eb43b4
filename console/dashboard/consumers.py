"""`/ws/dashboard/`: the dashboard as it changes, for those who may see it."""

import asyncio
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from django.db import DatabaseError

from analytics.consumers import POLICY_VIOLATION, LiveConsumer, Places
from console.dashboard.access import Audience, audience_of
from console.dashboard.broadcast import broadcast
from console.dashboard.rendering import Rendering
from foundation.database.thread_pool import in_thread
from foundation.http.asgi import share_of_process

MOST_WATCHING = share_of_process(500)  # pages of one process, beside those of `/ws/live/`
TRUST = 60.0  # seconds until it is asked again whether the client is still signed in


class DashboardConsumer(LiveConsumer):
    """One client: live counts as by `/ws/live/`, and with each new summary what it changes.

    Of a summary it is sent `sections`, each a piece of the page by its name, and of these only
    what is not what it was sent last. Closed with 1008 when it is signed out, or may see more or
    less than before.
    """

    places = Places(MOST_WATCHING)

    async def may_connect(self, headers: Mapping[bytes, str]) -> bool:
        """Let in pages of ours whose user may see the dashboard."""
        self._cookies = headers.get(b"cookie", "")
        if not await super().may_connect(headers):
            return False
        self._audience = await self._find_audience()
        return self._audience is not None

    def pumps(self) -> list[Coroutine[Any, Any, None]]:
        """Return what sends to this client until it is gone."""
        return [*super().pumps(), self._send_summaries(), self._watch_the_session()]

    async def _find_audience(self) -> Audience | None:
        return await in_thread(partial(audience_of, self._cookies))

    async def _watch_the_session(self) -> None:
        while not self._closed:
            await asyncio.sleep(TRUST)
            with suppress(DatabaseError):  # asked again after a while
                if await self._find_audience() is not self._audience:
                    await self.let_go(POLICY_VIOLATION)

    async def _send_summaries(self) -> None:
        assert self._audience is not None  # noqa: S101 (or it was not let in)
        latest: Rendering | None = None
        has: Mapping[str, str] = {}  # what the client was sent last of each section
        with broadcast().watched():
            while True:
                latest = await broadcast().after(latest)
                sections = latest.sections[self._audience]
                changed = dict(sections.items() - has.items())
                has = sections
                await self.say(
                    "summary",
                    now=latest.now,
                    patience=latest.patience,
                    sections=changed,
                    rates=latest.rates,
                )
