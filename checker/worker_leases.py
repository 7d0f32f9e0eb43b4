"""The leases that one checker worker uses. They are taken, read and extended in groups.

Each operation is one statement or transaction for all checks that need it at the same time. Times
are seconds on this process's monotonic clock.

A lease serves all checks of the worker that are redirected to its host, one request at a time.
Others may join as long as the check that took the lease uses it; the last user gives it back.
"""

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Protocol
from uuid import UUID

from django.db import DatabaseError

from checker.engine.gate import HostLeaseLostError
from foundation.database.clock import database_now
from hosts import reservations
from hosts.models import Purpose
from hosts.reservations import Busy, Lease, ReservationRequest, Terms, slow_host_delay
from targets.checks import due_targets

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=15)  # plus slots.GRACE: when a killed process's hosts are free
EXTEND_EVERY = 5.0  # seconds: one extension may fail
MAX_TERMS_AGE = 0.25  # seconds for which a slot's backoff and delay count as current

InDatabase = Callable[[Callable[[], Any]], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why a host can't be leased now."""

    until: datetime  # the end of the lease or the backoff; a lease may end sooner
    is_leased: bool
    has_more_targets: bool  # more than one target is due under that lease


class LeaseUser(Protocol):
    """A check, or series of checks, that makes requests under a lease."""

    def lease_changed(self) -> None:
        """Handle a new end of the lease."""


@dataclass(slots=True, eq=False)
class LeaseInUse:
    """A lease as seen by its users."""

    lease: Lease
    ends: float  # monotonic, from before the request; -inf: lost
    terms_read_at: float  # when the next two fields were read
    delay: timedelta | None  # the slot's own delay
    not_before: datetime | None = None  # the slot's, if that may have changed under the lease
    last_request: float = -math.inf  # when the last request ended
    last_user: LeaseUser | None = None  # the user that made that request, during its check
    taker: LeaseUser | None = None  # the first user
    users: set[LeaseUser] = field(default_factory=set)
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)  # held during a request
    is_slow: bool = False  # the host is much slower than usual
    on_unused: Callable[[list[UUID]], None] = lambda _tokens: None  # called when no users are left

    def is_live(self) -> bool:
        """Whether a user may start a request."""
        return time.monotonic() < self.ends

    def is_left_alone(self, now: datetime) -> bool:
        """Whether the host asked for a backoff under the lease; `now` is the database's."""
        return self.not_before is not None and self.not_before > now

    def remaining_delay(self, *, default: timedelta = timedelta(0)) -> float:
        """Return the seconds left of the delay after the last request; see `delay_or`."""
        return max(0.0, self.last_request + self.delay_or(default) - time.monotonic())

    def delay_or(self, default: timedelta) -> float:
        """Return the slot's own delay in seconds, or this default; longer while the host is slow.

        See `hosts.reservations.slow_host_delay`.
        """
        delay = default if self.delay is None else self.delay
        return (slow_host_delay(delay) if self.is_slow else delay).total_seconds()

    def back_off(self, until: datetime) -> None:
        """Leave the host alone until at least `until`, even before the database says so."""
        self.not_before = until if self.not_before is None else max(until, self.not_before)

    def set_end(self, ends: float) -> None:
        """Set the end of the lease, and notify its users."""
        self.ends = ends
        for user in self.users:
            user.lease_changed()

    def apply_terms(self, terms: Terms | None, *, asked_at: float) -> None:
        """Apply the slot's current values; None: the lease is lost."""
        if terms is None:
            self.set_end(-math.inf)
        else:
            self.terms_read_at, self.delay = asked_at, terms.delay
            self.back_off(terms.not_before)


class Leases:
    """The leases of one worker. `in_database` runs a function in the worker's thread."""

    def __init__(self, in_database: InDatabase) -> None:
        self._in_database = in_database
        self._in_use: dict[UUID, LeaseInUse] = {}
        self._shared: dict[UUID, LeaseInUse] = {}  # those that their takers still use
        self._refreshing: asyncio.Task[None] | None = None
        self._requests: list[
            tuple[ReservationRequest, asyncio.Future[LeaseInUse | Obstacle | UUID]]
        ] = []
        self._serving: asyncio.Task[None] | None = None
        self._given_back: list[UUID] = []  # of redirects: for the next flush

    def add(
        self,
        lease: Lease,
        *,
        asked_at: float,
        on_unused: Callable[[list[UUID]], None] | None = None,
    ) -> LeaseInUse:
        """Keep extending this lease, which was requested at `asked_at` and lasts LEASE.

        `on_unused` (by default, `give_back`) gets a list of its token when no users are left.
        """
        active = LeaseInUse(
            lease,
            ends=asked_at + LEASE.total_seconds(),
            terms_read_at=asked_at,
            delay=lease.delay,
            on_unused=on_unused or self.give_back,
        )
        self._in_use[lease.token] = active
        return active

    def add_user(self, active: LeaseInUse, user: LeaseUser) -> None:
        """Add a user of a lease; the first one is its taker, and makes it a shared lease."""
        if not active.users:
            active.taker = user
            self._shared[active.lease.token] = active
        active.users.add(user)

    def remove_user(self, active: LeaseInUse, user: LeaseUser) -> None:
        """Remove a user. A lease is no longer shared without its taker, and ends without users."""
        if user is active.taker:
            self._shared.pop(active.lease.token, None)
        active.users.discard(user)
        if not active.users:
            active.on_unused([active.lease.token])

    def drop(self, tokens: Iterable[UUID]) -> None:
        """Stop extending these leases: they are released or expire."""
        for token in tokens:
            self._in_use.pop(token, None)

    def give_back(self, tokens: Iterable[UUID]) -> None:
        """Release these leases of redirects in the next flush."""
        self._given_back += tokens

    @property
    def has_pending_releases(self) -> bool:
        """Whether a lease of a redirect is to be released in the next flush."""
        return bool(self._given_back)

    async def close(self) -> None:
        """Wait for pending requests: every lease that they obtain is given back."""
        tasks = [task for task in (self._refreshing, self._serving) if task is not None]
        await asyncio.gather(*tasks, return_exceptions=True)

    def collect(self) -> list[UUID]:
        """Return the tokens of the leases that were given back, and forget them."""
        tokens, self._given_back = self._given_back, []
        return tokens

    async def keep_alive(self) -> None:
        """Extend all leases every EXTEND_EVERY, until cancelled."""
        while True:
            await asyncio.sleep(EXTEND_EVERY)
            await self.extend()

    async def extend(self) -> None:
        """Extend all leases now; mark those that have ended as lost.

        If the database is unavailable, this is logged, and leases keep their ends.
        """
        tokens, asked_at = list(self._in_use), time.monotonic()
        if not tokens:
            return
        try:
            terms = await self._in_database(
                lambda: reservations.extend_all(tokens, ttl=LEASE, now=database_now())
            )
        except DatabaseError:
            logger.exception("%d leases could not be extended", len(tokens))
            return
        for active in self._still_in_use(tokens):
            active.apply_terms(terms.get(active.lease.token), asked_at=asked_at)
            if active.lease.token in terms:
                active.set_end(asked_at + LEASE.total_seconds())

    def _still_in_use(self, tokens: Iterable[UUID]) -> list[LeaseInUse]:
        """Return the leases that are still in use."""
        return [active for token in tokens if (active := self._in_use.get(token)) is not None]

    async def refresh_terms(self, active: LeaseInUse) -> None:
        """Make sure that the values of this lease's slot are at most MAX_TERMS_AGE old.

        Raises HostLeaseLostError if the database is unavailable.
        """
        while active.is_live() and time.monotonic() - active.terms_read_at >= MAX_TERMS_AGE:
            if self._refreshing is None or self._refreshing.done():
                self._refreshing = asyncio.create_task(self._refresh_all())
            try:
                await asyncio.shield(self._refreshing)
            except DatabaseError as error:
                raise HostLeaseLostError from error

    async def _refresh_all(self) -> None:
        """Read all slots at once, so that later callers need no query."""
        tokens, asked_at = list(self._in_use), time.monotonic()
        terms = await self._in_database(lambda: reservations.read_terms(tokens))
        for active in self._still_in_use(tokens):
            active.apply_terms(terms.get(active.lease.token), asked_at=asked_at)

    async def lease_or_share(self, host: str, *, tokens: Collection[UUID]) -> LeaseInUse | Obstacle:
        """Lease the host that a redirect leads to, or return the lease that already covers it.

        That lease is one of the caller's own (`tokens`) or a shared one. Returns an
        Obstacle if the host can't be leased now. A new lease does not count towards
        MAX_CONCURRENCY, because the check already does. Raises HostLeaseLostError if the database
        is unavailable. See `reservations.reserve_hosts`.
        """
        while True:
            result = await self._request(
                ReservationRequest(host=host, tokens={*tokens, *self._shared})
            )
            if not isinstance(result, UUID):
                return result
            if result in tokens or result in self._shared:  # otherwise it has been given back
                return self._in_use[result]

    async def _request(self, request: ReservationRequest) -> LeaseInUse | Obstacle | UUID:
        future: asyncio.Future[LeaseInUse | Obstacle | UUID]
        future = asyncio.get_running_loop().create_future()
        self._requests.append((request, future))
        if self._serving is None or self._serving.done():
            self._serving = asyncio.create_task(self._serve_requests())
        try:
            return await future
        except asyncio.CancelledError:
            # The result may have arrived at the same moment; otherwise `_deliver` finds this future
            # cancelled.
            if future.done() and not future.cancelled() and future.exception() is None:
                self._give_back_unclaimed(future.result())
            raise

    def _give_back_unclaimed(self, result: LeaseInUse | Obstacle | UUID) -> None:
        """Give back a lease whose caller has been cancelled."""
        if isinstance(result, LeaseInUse):
            self.give_back([result.lease.token])

    async def _serve_requests(self) -> None:
        while self._requests:
            batch, self._requests = self._requests, []
            requests, asked_at = [request for request, _ in batch], time.monotonic()
            try:
                results = await self._in_database(lambda: _reserve(requests))  # noqa: B023
            except Exception as error:  # noqa: BLE001 - the callers raise it
                is_outage = isinstance(error, DatabaseError)
                for _, future in batch:
                    if not future.done():
                        future.set_exception(HostLeaseLostError() if is_outage else error)
                continue
            for (_, future), result in zip(batch, results, strict=True):
                self._deliver(result, future, asked_at=asked_at)

    def _deliver(
        self,
        reserved: Lease | Obstacle | UUID,
        future: "asyncio.Future[LeaseInUse | Obstacle | UUID]",
        *,
        asked_at: float,
    ) -> None:
        result = self.add(reserved, asked_at=asked_at) if isinstance(reserved, Lease) else reserved
        if not future.done():
            future.set_result(result)
        else:
            self._give_back_unclaimed(result)


def _reserve(requests: Sequence[ReservationRequest]) -> list[Lease | Obstacle | UUID]:
    """Lease the requested hosts, and find which of the others will be free soon."""
    now = database_now()
    results = reservations.reserve_hosts(requests, purpose=Purpose.FETCH, ttl=LEASE, now=now)
    checked = {host for item in results if isinstance(item, Busy) and (host := item.checked_host)}
    due: Mapping[str, Sequence[object]] = {}
    try:
        due = due_targets(checked, now=now, limit=2) if checked else {}
    except DatabaseError as error:  # the leases are committed and must not leak
        logger.warning("The due targets of busy hosts could not be looked up: %s", error)
    busy = {host for host, targets in due.items() if len(targets) > 1}
    return [
        Obstacle(result.retry_at, result.is_leased, has_more_targets=result.checked_host in busy)
        if isinstance(result, Busy)
        else result
        for result in results
    ]
