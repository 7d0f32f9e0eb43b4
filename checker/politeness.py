"""The gate that a worker's checks pass before each request: leases, backoffs, delays of hosts."""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings

from checker.engine.gate import MAX_PAUSE, BusyElsewhereError, HostLeaseLostError
from checker.worker_leases import LeaseInUse, Leases, Obstacle

MAX_WAIT = 2.0  # seconds to wait for the lease of a redirect's host
_POLL = (0.05, 0.1)  # seconds between two tries, drawn at random


class HostGate:
    """The gate for checks of one leased host, and of one redirect's host at a time.

    `database_time` returns the database's time.
    """

    def __init__(
        self, own: LeaseInUse, *, leases: Leases, database_time: Callable[[], datetime]
    ) -> None:
        self._own = own
        self._elsewhere: LeaseInUse | None = None
        self._asked = own  # the lease of the last request
        self._turn: LeaseInUse | None = None  # the lease with a request in progress
        self._covered = {own.lease.host: own}  # by host
        self._leases = leases
        self._database_time = database_time
        self._cutoff: asyncio.Timeout | None = None
        leases.use(own, self)

    @property
    def delay(self) -> float:
        """The seconds between two requests that the hosts requested so far require."""
        delays = [held.delay for held in self._held() if held.delay is not None]
        return max((delay.total_seconds() for delay in delays), default=0.0)

    @property
    def answering(self) -> UUID:
        """The token of the lease under which the last request was made."""
        return self._asked.lease.token

    @asynccontextmanager
    async def while_leased(self) -> AsyncIterator[None]:
        """Interrupt the block with TimeoutError when a lease ends."""
        async with asyncio.timeout(None) as self._cutoff:
            self.lease_changed()
            try:
                yield
            finally:
                self._cutoff = None

    def lease_changed(self) -> None:
        """Move the deadline to the end of the first lease."""
        if self._cutoff is not None and not self._cutoff.expired():
            left = min(held.ends for held in self._held()) - time.monotonic()
            self._cutoff.reschedule(asyncio.get_running_loop().time() + max(left, 0.0))

    def _held(self) -> list[LeaseInUse]:
        return [self._own] if self._elsewhere is None else [self._own, self._elsewhere]

    async def enter(self, host: str) -> None:
        """Wait until `host` may be requested under a live lease, after backoff and delay.

        Raises BusyElsewhereError if that would take too long, HostLeaseLostError.
        """
        give_up = time.monotonic() + MAX_WAIT
        held = await self._lease_of(host, give_up=give_up)
        is_guest = held.taker is not self
        await self._take_turn(held, host, give_up=give_up if is_guest else None)
        try:
            longest = give_up - time.monotonic() if is_guest else MAX_PAUSE
            await self._rest(held, host, longest=longest)
            await self._look(held, host)
        except BaseException:
            self._end_turn()
            raise
        self._asked = held

    async def _take_turn(self, held: LeaseInUse, host: str, *, give_up: float | None) -> None:
        """Wait for the turn to make a request under this lease; guests wait for a limited time."""
        longest = None if give_up is None else max(0.0, give_up - time.monotonic())
        try:
            async with asyncio.timeout(longest):
                await held.turn.acquire()
        except TimeoutError:
            raise self._busy(
                host, "is reserved by another process", self._database_time()
            ) from None
        self._turn = held

    def _end_turn(self) -> None:
        if self._turn is not None:
            self._turn.turn.release()
            self._turn = None

    async def _rest(self, held: LeaseInUse, host: str, *, longest: float) -> None:
        """Wait for the delay after the last request. Raises BusyElsewhereError beyond `longest`."""
        if (pause := self._pause(held)) > longest:
            raise BusyElsewhereError(
                f"it is too soon for another request to {host}", retry_in=pause
            )
        while pause := self._pause(held):  # noqa: ASYNC110 - timers may be a little early
            await asyncio.sleep(pause)

    def _pause(self, held: LeaseInUse) -> float:
        """Return the seconds until this check may request; HOST_DELAY after another check."""
        is_same_check = held.last_user is self
        return held.pause(otherwise=timedelta(0) if is_same_check else settings.HOST_DELAY)

    async def _look(self, held: LeaseInUse, host: str) -> None:
        """Raise BusyElsewhereError during a backoff of the host, or HostLeaseLostError."""
        await self._leases.look(held)
        if not (held.stands() and self._own.stands()):
            raise HostLeaseLostError
        if held.is_left_alone(self._database_time()) and held.not_before is not None:
            raise self._busy(host, "is paused or throttled", held.not_before)

    def leave(self) -> None:
        """Record the end of the request, and let the next one start."""
        if self._turn is not None:
            self._turn.last_request = time.monotonic()
            self._turn.last_user = self
            self._end_turn()

    def sleep(self, pause: timedelta) -> None:
        """Keep the worker from requesting the last request's host for this time."""
        self._asked.sleep(self._database_time() + pause)

    def end_check(self) -> None:
        """Give back the leases of redirects."""
        if self._elsewhere is not None:
            if self._elsewhere.last_user is self:
                self._elsewhere.last_user = None
            self._leases.let_go(self._elsewhere, self)
            self._elsewhere = None
            self._covered = {self._own.lease.host: self._own}
            self.lease_changed()

    def close(self) -> None:
        """Give back all leases."""
        self.end_check()
        self._leases.let_go(self._own, self)

    async def _lease_of(self, host: str, *, give_up: float) -> LeaseInUse:
        held = self._covered.get(host)
        if held is None:
            held = self._covered[host] = await self._ask_for(host, give_up=give_up)
        return held

    async def _ask_for(self, host: str, *, give_up: float) -> LeaseInUse:
        """Return a lease of this host, or a share in one that covers it."""
        while True:
            tokens = [held.lease.token for held in self._held()]
            answer = await self._leases.ask_for(host, tokens=tokens)
            if isinstance(answer, LeaseInUse):
                if answer not in self._held():
                    self._refuse_long_rests(answer, host)
                    self.end_check()  # only one lease at a time
                    self._elsewhere = answer
                    self._leases.use(answer, self)
                    self.lease_changed()
                return answer
            self.end_check()
            await asyncio.sleep(self._patience(host, answer, give_up - time.monotonic()))

    def _refuse_long_rests(self, lent: LeaseInUse, host: str) -> None:
        """Raise BusyElsewhereError if the next user of the lease would wait for a long delay."""
        rest = settings.HOST_DELAY if lent.delay is None else lent.delay
        if lent.taker is not None and rest.total_seconds() > MAX_WAIT:
            raise self._busy(host, "is reserved by another process", self._database_time() + rest)

    def _patience(self, host: str, obstacle: Obstacle, left: float) -> float:
        """Return the seconds until the next try. Raises BusyElsewhereError if waiting is
        pointless."""
        wait = random.uniform(*_POLL)  # noqa: S311
        if not obstacle.is_leased:
            wait = max(0.001, (obstacle.until - self._database_time()).total_seconds())
        if wait > left or obstacle.is_at_work:
            words = (
                "is reserved by another process" if obstacle.is_leased else "is paused or throttled"
            )
            raise self._busy(host, words, obstacle.until)
        return wait

    def _busy(self, host: str, words: str, until: datetime) -> BusyElsewhereError:
        """Return the error, with jitter so that retries are spread."""
        wait = max(1.0, (until - self._database_time()).total_seconds())
        return BusyElsewhereError(f"{host} {words}", retry_in=wait * random.uniform(1.0, 1.5))  # noqa: S311
