"""The gate that a worker's checks pass before each request: hosts' leases, backoffs and delays."""

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
from foundation.durations import MAX_DURATION

MAX_WAIT = 2.0  # seconds to wait for the lease, turn and delay of a redirect's host
_POLL = (0.05, 0.1)  # minimum and maximum seconds between two tries


class HostGate:
    """The gate for checks of one leased host and, one at a time, of hosts that redirects lead to.

    `database_time` returns the database's time.
    """

    def __init__(
        self, own: LeaseInUse, *, leases: Leases, database_time: Callable[[], datetime]
    ) -> None:
        self._own_lease = own
        self._redirect_lease: LeaseInUse | None = None  # of the host that a redirect led to
        self._last_used = own  # the lease of the last request
        self._current: LeaseInUse | None = None  # the lease with a request in progress
        self._by_host = {own.lease.host: own}  # leases, by the hosts that they cover
        self._leases = leases
        self._database_time = database_time
        self._timeout: asyncio.Timeout | None = None
        leases.add_user(own, self)

    @property
    def delay(self) -> float:
        """The longest delay, in seconds, set for a host that is leased now; 0.0 if none is set."""
        delays = [active.delay for active in self._active_leases() if active.delay is not None]
        return max((delay.total_seconds() for delay in delays), default=0.0)

    @property
    def answering_token(self) -> UUID:
        """The token of the lease under which the last request was made."""
        return self._last_used.lease.token

    @asynccontextmanager
    async def while_leased(self) -> AsyncIterator[None]:
        """Interrupt the block with TimeoutError when a lease ends."""
        async with asyncio.timeout(None) as self._timeout:
            self.lease_changed()
            try:
                yield
            finally:
                self._timeout = None

    def lease_changed(self) -> None:
        """Move the deadline to the earliest end of a lease."""
        if self._timeout is not None and not self._timeout.expired():
            left = min(active.ends for active in self._active_leases()) - time.monotonic()
            self._timeout.reschedule(asyncio.get_running_loop().time() + max(left, 0.0))

    def _active_leases(self) -> list[LeaseInUse]:
        leases = (self._own_lease, self._redirect_lease)
        return [lease for lease in leases if lease is not None]

    async def enter(self, host: str) -> None:
        """Wait for a live lease of `host`, for a turn under it, and for the host's delay.

        Raises HostLeaseLostError, or BusyElsewhereError during a backoff or to avoid a long wait.
        """
        deadline = time.monotonic() + MAX_WAIT
        active = await self._lease_of(host, deadline=deadline)
        is_borrowed = active.taker is not self  # another check has taken this lease
        await self._take_turn(active, host, deadline=deadline if is_borrowed else None)
        try:
            max_wait = deadline - time.monotonic() if is_borrowed else MAX_PAUSE
            await self._wait_for_delay(active, host, max_wait=max_wait)
            await self._check_terms(active, host)
        except BaseException:
            self._end_turn()
            raise
        self._last_used = active

    async def _take_turn(self, active: LeaseInUse, host: str, *, deadline: float | None) -> None:
        """Wait for the turn to make a request under this lease, until `deadline` if there is one.

        Raises BusyElsewhereError after the deadline.
        """
        if deadline is None:
            await active.turn.acquire()
        else:
            try:
                async with asyncio.timeout(max(0.0, deadline - time.monotonic())):
                    await active.turn.acquire()
            except TimeoutError:
                raise self._busy(
                    host, "is reserved by another process", self._database_time()
                ) from None
        self._current = active

    def _end_turn(self) -> None:
        if self._current is not None:
            self._current.turn.release()
            self._current = None

    async def _wait_for_delay(self, active: LeaseInUse, host: str, *, max_wait: float) -> None:
        """Wait for the delay after the last request.

        Raises BusyElsewhereError at once if that would take longer than `max_wait` seconds.
        """
        if (pause := self._pause(active)) > max_wait:
            raise BusyElsewhereError(
                f"it is too soon for another request to {host}", retry_in=pause
            )
        while pause := self._pause(active):  # noqa: ASYNC110 - timers may be a little early
            await asyncio.sleep(pause)

    def _pause(self, active: LeaseInUse) -> float:
        """Return the seconds until this check may send a request.

        Without the slot's own delay, HOST_DELAY applies after another check's request.
        """
        default = timedelta(0) if active.last_user is self else settings.HOST_DELAY
        return active.remaining_delay(default=default)

    async def _check_terms(self, active: LeaseInUse, host: str) -> None:
        """Raise HostLeaseLostError if a lease has ended, BusyElsewhereError during a backoff."""
        await self._leases.refresh_terms(active)
        if not (active.is_live() and self._own_lease.is_live()):
            raise HostLeaseLostError
        if active.is_left_alone(self._database_time()) and active.not_before is not None:
            raise self._busy(host, "is paused or throttled", active.not_before)

    def leave(self) -> None:
        """Record the end of the request, and let the next one start."""
        if self._current is not None:
            self._current.last_request = time.monotonic()
            self._current.last_user = self
            self._end_turn()

    def back_off(self, pause: timedelta) -> None:
        """Make the worker leave the last request's host alone for `pause`."""
        self._last_used.back_off(self._database_time() + pause)

    def end_check(self) -> None:
        """Stop using the lease of a redirect's host; its last user gives it back."""
        if self._redirect_lease is not None:
            if self._redirect_lease.last_user is self:
                self._redirect_lease.last_user = None
            self._leases.remove_user(self._redirect_lease, self)
            self._redirect_lease = None
            self._by_host = {self._own_lease.lease.host: self._own_lease}
            self.lease_changed()

    def close(self) -> None:
        """Stop using all leases; their last users give them back."""
        self.end_check()
        self._leases.remove_user(self._own_lease, self)

    async def _lease_of(self, host: str, *, deadline: float) -> LeaseInUse:
        active = self._by_host.get(host)
        if active is None:
            active = self._by_host[host] = await self._lease_or_share(host, deadline=deadline)
        return active

    async def _lease_or_share(self, host: str, *, deadline: float) -> LeaseInUse:
        """Return a new lease of this host, or a lease of this worker that covers it.

        Raises BusyElsewhereError, HostLeaseLostError.
        """
        while True:
            tokens = [active.lease.token for active in self._active_leases()]
            result = await self._leases.lease_or_share(host, tokens=tokens)
            if isinstance(result, LeaseInUse):
                if result not in self._active_leases():
                    self._refuse_long_delay(result, host)
                    self.end_check()  # one redirect's lease at a time
                    self._redirect_lease = result
                    self._leases.add_user(result, self)
                    self.lease_changed()
                return result
            self.end_check()
            await asyncio.sleep(self._retry_delay(host, result, deadline - time.monotonic()))

    def _refuse_long_delay(self, shared: LeaseInUse, host: str) -> None:
        """Raise BusyElsewhereError if another check took this lease and the delay is long."""
        delay = settings.HOST_DELAY if shared.delay is None else shared.delay
        if shared.taker is not None and delay.total_seconds() > MAX_WAIT:
            raise self._busy(host, "is reserved by another process", self._database_time() + delay)

    def _retry_delay(self, host: str, obstacle: Obstacle, left: float) -> float:
        """Return the seconds until the next try.

        Raises BusyElsewhereError if they exceed `left` or the lease's holder has more targets.
        """
        wait = random.uniform(*_POLL)  # noqa: S311
        if not obstacle.is_leased:
            wait = max(0.001, (obstacle.until - self._database_time()).total_seconds())
        if wait > left or obstacle.has_more_targets:
            reason = (
                "is reserved by another process" if obstacle.is_leased else "is paused or throttled"
            )
            raise self._busy(host, reason, obstacle.until)
        return wait

    def _busy(self, host: str, reason: str, until: datetime) -> BusyElsewhereError:
        """Return the error, with jitter in its `retry_in` so that retries are spread out.

        The wait is limited, because a process of 0.2.0 may have paused a host until the year 9999.
        """
        wait = max(1.0, (until - self._database_time()).total_seconds())
        wait = min(wait, MAX_DURATION.total_seconds())
        return BusyElsewhereError(f"{host} {reason}", retry_in=wait * random.uniform(1.0, 1.5))  # noqa: S311
