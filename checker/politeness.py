"""The gate that a shift's checks pass before each request: leases, sleeps and delays of hosts."""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from uuid import UUID

from checker.engine.gate import LONGEST_PAUSE, BusyElsewhereError, LeaseLostError
from checker.leases import LeaseInUse, Leases
from hosts.reservations import Busy

LONGEST_WAIT = 2.0  # seconds for the lease of a host that a redirect leads to
_POLL = (0.05, 0.1)  # seconds between two tries for it, drawn from there


class HostGate:
    """The gate of the checks of one leased host, and of one more host at a time by redirects.

    `database_time` tells the present on the database's clock.
    """

    def __init__(
        self, own: LeaseInUse, *, leases: Leases, database_time: Callable[[], datetime]
    ) -> None:
        self._own = own
        self._elsewhere: LeaseInUse | None = None
        self._asked = own  # the last one
        self._covered: dict[str, UUID] = {own.lease.host: own.lease.token}  # tokens by host
        self._leases = leases
        self._database_time = database_time
        self._cutoff: asyncio.Timeout | None = None
        own.on_change = self._set_cutoff

    @property
    def delay(self) -> float:
        """Seconds that the hosts asked so far want between two requests."""
        delays = [held.delay for held in self._held() if held.delay is not None]
        return max((delay.total_seconds() for delay in delays), default=0.0)

    @property
    def answering(self) -> UUID:
        """The token of the lease under which the last request was made."""
        return self._asked.lease.token

    @asynccontextmanager
    async def while_leased(self) -> AsyncIterator[None]:
        """Cut off what is done within, by TimeoutError, when a lease ends."""
        async with asyncio.timeout(None) as self._cutoff:
            self._set_cutoff()
            try:
                yield
            finally:
                self._cutoff = None

    def _set_cutoff(self) -> None:
        if self._cutoff is not None and not self._cutoff.expired():
            left = min(held.ends for held in self._held()) - time.monotonic()
            self._cutoff.reschedule(asyncio.get_running_loop().time() + max(left, 0.0))

    def _held(self) -> list[LeaseInUse]:
        return [self._own] if self._elsewhere is None else [self._own, self._elsewhere]

    async def enter(self, host: str) -> None:
        """Return when `host` may be asked under a lease that stands, awake, after its own delay.

        Raises BusyElsewhereError when that would take too long, LeaseLostError.
        """
        held = await self._lease_of(host)
        if (pause := held.pause()) > LONGEST_PAUSE:
            raise BusyElsewhereError(f"{host} is to rest between requests", retry_in=pause)
        while pause := held.pause():  # noqa: ASYNC110 - timers may be a little early
            await asyncio.sleep(pause)
        await self._leases.look(held)
        if not (held.stands() and self._own.stands()):
            raise LeaseLostError
        if held.is_asleep(self._database_time()) and held.not_before is not None:
            raise self._busy(host, "is asleep", held.not_before)
        self._asked = held

    def leave(self) -> None:
        """Note when the request ended."""
        self._asked.last_request = time.monotonic()

    def end_check(self) -> None:
        """Give back what redirects led to."""
        if self._elsewhere is not None:
            self._leases.give_back([self._elsewhere.lease.token])
            self._elsewhere = None
            self._covered = {self._own.lease.host: self._own.lease.token}
            self._set_cutoff()

    async def _lease_of(self, host: str) -> LeaseInUse:
        token = self._covered.get(host)
        if token is None:
            token = await self._ask_for(host)
            self._covered[host] = token
        return next(held for held in self._held() if held.lease.token == token)

    async def _ask_for(self, host: str) -> UUID:
        """Get a lease of this host, unless there is one that covers it; return its token."""
        deadline = time.monotonic() + LONGEST_WAIT
        while True:
            tokens = [held.lease.token for held in self._held()]
            answer = await self._leases.ask_for(host, tokens=tokens)
            if isinstance(answer, UUID):
                return answer
            self.end_check()  # one at a time
            if isinstance(answer, LeaseInUse):
                self._elsewhere = answer
                answer.on_change = self._set_cutoff
                return answer.lease.token
            await asyncio.sleep(self._patience(host, answer, deadline - time.monotonic()))

    def _patience(self, host: str, busy: Busy, left: float) -> float:
        """Return after how many seconds to ask again. Raises BusyElsewhereError when in vain."""
        wait = random.uniform(*_POLL)  # noqa: S311
        if not busy.is_leased:
            wait = max(0.001, (busy.retry_at - self._database_time()).total_seconds())
        if wait > left:
            words = "is asked by others" if busy.is_leased else "is asleep"
            raise self._busy(host, words, busy.retry_at)
        return wait

    def _busy(self, host: str, words: str, until: datetime) -> BusyElsewhereError:
        """Return the error; with jitter, so that not all come again at the same moment."""
        wait = max(1.0, (until - self._database_time()).total_seconds())
        return BusyElsewhereError(f"{host} {words}", retry_in=wait * random.uniform(1.0, 1.5))  # noqa: S311
