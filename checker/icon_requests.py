"""Requests the icons of hosts: one request after a check, under its lease. See ADR 73."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import DatabaseError

from checker.claims import CheckJob, ClaimedTarget
from checker.engine.domains import registrable_domain
from checker.engine.errors import ErrorKind, FetchError
from checker.engine.exchange import Exchange
from checker.engine.fetch import Probe
from checker.engine.fetch_policy import FetchPolicy
from checker.engine.gate import HostLeaseLostError, host_of
from checker.engine.redirect_chain import FetchAttempt
from checker.politeness import HostGate
from foundation.net.egress import guard_of
from foundation.valkey import metrics
from hosts import icon_store, reservations
from targets.state import Outcome

logger = logging.getLogger(__name__)

TIMEOUT = 5.0  # seconds for the request with its redirects
_MAX_REDIRECTS = 2  # within the site
_MAX_WAITING = 50  # images that wait to be redrawn

InDatabase = Callable[[Callable[[], Any]], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class _SiteGate:
    """The gate of a check, closed to requests to other sites."""

    gate: HostGate
    site: str

    @property
    def delay(self) -> float:
        return self.gate.delay

    async def enter(self, host: str) -> None:
        if registrable_domain(host) != self.site:
            raise FetchError(ErrorKind.FORBIDDEN_REDIRECT, f"{host} belongs to another site")
        await self.gate.enter(host)

    def leave(self) -> None:
        self.gate.leave()


class IconRequests:
    """Requests icons; a thread has them redrawn in a separate process, one at a time.

    Requests reach public addresses only, regardless of ALLOW_NETWORKS, and have no headers from
    instructions. `policy` is the policy of checks.
    """

    def __init__(self, policy: FetchPolicy, *, in_database: InDatabase) -> None:
        guard = guard_of(is_open=False)
        limits: dict[str, Any] = {"max_hops": _MAX_REDIRECTS, "reads_whole_body": True}
        self._policy = replace(policy, guard=guard, **limits)
        self._in_database = in_database
        self._drawing: set[asyncio.Task[None]] = set()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="icons")

    def may_request_after(self, probe: Probe, target: ClaimedTarget) -> bool:
        """Return whether the host's icon may be requested after this check.

        True after a success on a public server, unless the target is not registered, the check is
        anonymous, the host asks for a pause, or too many images are waiting to be redrawn.
        """
        has_succeeded = probe.outcome is Outcome.SUCCESS and probe.pause is None
        is_watched = target.is_registered and not target.is_public
        has_room = len(self._drawing) < _MAX_WAITING
        return has_succeeded and is_watched and has_room and probe.is_internal is False

    async def request(self, job: CheckJob, gate: HostGate, page: str) -> None:
        """Request the icon of the leased host; `page` is the URL of the page just checked.

        The image is redrawn and stored in the background. If there is none, the stored icon is
        deleted, unless the request was postponed. Raises HostLeaseLostError; logs other errors.
        """
        host, url = job.lease.host, _icon_url(page)
        site_gate = _SiteGate(gate, registrable_domain(host))
        try:
            await self._in_database(
                lambda: icon_store.record_request(host, now=job.database_time())
            )
            attempt = FetchAttempt(url, policy=self._policy, gate=site_gate, timeout=TIMEOUT)
            exchange = await attempt.run()
            if exchange.error is not ErrorKind.OPTED_OUT:
                metrics.count("icon_requests")
            await self._pause_if_asked(exchange, gate, now=job.database_time())
        except HostLeaseLostError:
            raise
        except Exception:
            logger.exception("The icon of %s could not be requested", host)
            return
        finally:
            gate.end_check()
        if exchange.error in (ErrorKind.BUSY_ELSEWHERE, ErrorKind.OPTED_OUT):
            return  # keep the stored icon
        has_image = exchange.error is None and exchange.status == 200
        drawing = asyncio.create_task(self._draw(host, exchange.body if has_image else b""))
        self._drawing.add(drawing)
        drawing.add_done_callback(self._drawing.discard)

    async def _pause_if_asked(self, exchange: Exchange, gate: HostGate, *, now: datetime) -> None:
        """Pause the responding host if its response asks for a pause."""
        pause, host = exchange.host_pause, host_of(exchange.url)
        if pause is None or host is None:
            return
        gate.back_off(pause)
        await self._in_database(lambda: reservations.back_off(host, until=now + pause))

    async def _draw(self, host: str, image: bytes) -> None:
        loop = asyncio.get_running_loop()
        png = await loop.run_in_executor(self._thread, icon_store.draw, image)
        try:
            await self._in_database(lambda: icon_store.store(host, png))
        except DatabaseError:
            logger.exception("The icon of %s could not be stored", host)

    async def finish(self, *, timeout: float) -> None:  # noqa: ASYNC109
        """Wait up to `timeout` seconds for images to be drawn."""
        if self._drawing:
            await asyncio.wait(self._drawing, timeout=timeout)

    def close(self) -> None:
        """Draw no more images; the hosts of those that were waiting keep their old icons."""
        for task in self._drawing:
            task.cancel()
        self._thread.shutdown(wait=False, cancel_futures=True)


def _icon_url(page: str) -> str:
    """Return the URL of /favicon.ico at this page's origin."""
    return "/".join(page.split("/", 3)[:3]) + "/favicon.ico"
