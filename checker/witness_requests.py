"""Finds a witness that our own network works, when a check reached no server.

The memory belongs to the process, not to the worker. A worker makes one search per route at a time:
checks that fail in the meantime wait for its result, which is valid for some seconds.
"""

import asyncio
import logging
import random
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import DatabaseError
from django.db.models import OuterRef, Subquery

from checker import uplink
from checker.engine.event_loop_lag import MAX_LAG
from checker.engine.fetch import Probe, probe
from checker.engine.fetch_policy import FetchPolicy
from checker.models import CheckResult
from checker.witness import (
    MAX_ASKED,
    MIN_ASKED,
    Contact,
    Memory,
    NetworkState,
    WitnessSearch,
    got_answer,
    may_be_our_failure,
    needs_witness,
    without_witness,
)
from foundation.database.clock import database_now
from hosts import reservations
from hosts.models import Host, Purpose
from hosts.reservations import Busy, Lease
from targets.canonical import canonicalize, url_to_fetch
from targets.models import Target
from targets.state import Outcome, State

logger = logging.getLogger(__name__)

MEMORY = Memory()
BYPASS_MEMORY = Memory()  # for requests that bypass the egress proxy, if there is one

_CONCURRENCY = 3  # hosts that are asked at the same time
_MAX_ANSWERED = 20  # hosts that answered, of which one may be the witness
_MAX_RESULTS = 200  # recent results that are searched
_SAMPLE_SIZE = 200  # hosts searched for live targets
_LEASE_MARGIN = timedelta(seconds=2)

InDatabase = Callable[[Callable[[], Any]], Awaitable[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckStart:
    """The start of a check."""

    host: str
    url: str
    at: float  # monotonic seconds
    database_time: datetime
    may_be_witness: bool = True


@dataclass(slots=True, kw_only=True)
class _Route:
    """A route, through or around the egress proxy; answers on one say nothing about the other."""

    memory: Memory
    leads_to: Callable[[str], bool]
    search: asyncio.Task[NetworkState] | None = None


def _takes_main_route(policy: FetchPolicy, host: str) -> bool:
    """Whether requests to `host` take the main route: through the egress proxy, if there is one."""
    return policy.proxy is None or policy.proxy.carries(host.strip("[]"))


class Network:
    """One worker's view of the network. `in_database` runs a function in the worker's thread."""

    def __init__(
        self, *, policy: FetchPolicy, in_database: InDatabase, memory: Memory = MEMORY
    ) -> None:
        self._policy = replace(
            policy, method="HEAD", retries=0, ask_neighbours=False, max_hops=0, roots=None
        )
        self._in_database = in_database
        self._main = _Route(memory=memory, leads_to=lambda host: _takes_main_route(policy, host))
        self._bypass = _Route(
            memory=BYPASS_MEMORY, leads_to=lambda host: not _takes_main_route(policy, host)
        )
        self._askers: set[asyncio.Task[str | None]] = set()

    async def require_witness(self, result: Probe, check: CheckStart) -> Probe:
        """Return the result, or its inconclusive form if it needs a witness and there is none.

        If there are too few hosts to ask, the result counts, unless the failure may be our own,
        or no server has ever answered this deployment. A search for a witness takes about
        WITNESS_TIMEOUT at most.
        """
        route = self._route(check.host)
        if got_answer(result) and check.may_be_witness:
            is_alive = result.outcome is Outcome.SUCCESS
            route.memory.record_answer(
                check.host, check.url, at=time.monotonic(), is_alive=is_alive
            )
        if not needs_witness(result):
            return result
        route.memory.record_silence(check.host)
        if self._is_witnessed(check):
            return result
        state = route.memory.recent_state(check.host, now=time.monotonic())
        if state is None:
            if route.search is None or route.search.done():
                route.search = asyncio.create_task(self._find_witness(check, route))
            state = await asyncio.shield(route.search)
        # In the meantime, an ordinary check may have received a response.
        if state is NetworkState.WORKS or self._is_witnessed(check):
            return result
        is_unknown = state is NetworkState.UNKNOWN
        if is_unknown and not may_be_our_failure(result) and await self._any_host_answered():
            return result
        return without_witness(result, state=state)

    async def _any_host_answered(self) -> bool:
        """Return whether any host has ever answered this deployment."""
        memory = self._main.memory
        if not memory.any_host_answered:
            try:
                memory.any_host_answered = await self._in_database(uplink.any_server_answered)
            except DatabaseError:
                logger.exception("Could not look up whether any host has ever answered")
        return memory.any_host_answered

    def _is_witnessed(self, check: CheckStart) -> bool:
        memory = self._route(check.host).memory
        return memory.has_witness(since=check.at, other_than=check.host)

    def _route(self, host: str) -> _Route:
        return self._main if self._main.leads_to(host) else self._bypass

    async def close(self) -> None:
        """Cancel pending requests; their leases are released."""
        searches = (self._main.search, self._bypass.search)
        tasks = [*self._askers, *(search for search in searches if search)]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _find_witness(self, check: CheckStart, route: _Route) -> NetworkState:
        """Look for another host that answers, in results or by requests.

        Stores the result of the search, unless this process was too busy to see responses.
        """
        state, witness, started_at = NetworkState.SILENT, None, time.monotonic()
        try:
            async with asyncio.timeout(settings.WITNESS_TIMEOUT.total_seconds()):
                answered = await self._in_database(lambda: answered_since(check))
                witness = next(filter(route.leads_to, answered), None)
                if witness is None:
                    alive = await self._in_database(lambda: live_contacts(other_than=check.host))
                    others = [contact for contact in alive if route.leads_to(contact.host)]
                    now = time.monotonic()
                    hosts = route.memory.contacts(others, other_than=check.host, now=now)
                    chosen = [Contact(canonicalize(url).host, url) for url in settings.CANARY_URLS]
                    canaries = [
                        contact
                        for contact in chosen
                        if contact.host != check.host and route.leads_to(contact.host)
                    ]
                    if canaries or len(hosts) >= MIN_ASKED:
                        witness = await self._first_to_answer([*canaries, *hosts])
                    else:
                        state = NetworkState.UNKNOWN
        except TimeoutError:
            pass
        except DatabaseError:
            logger.exception("Could not look for a witness")
        if witness is not None:
            state = NetworkState.WORKS
        elif state is NetworkState.SILENT and self._policy.lag.worst(since=started_at) > MAX_LAG:
            return NetworkState.STALLED  # a response may have been missed; search again next time
        elif state is NetworkState.SILENT and not route.memory.is_silent():  # the first of many
            logger.warning(
                "No host is responding: Linkwatch may be offline; unanswered checks do not count"
            )
        route.memory.remember(WitnessSearch(state=state, witness=witness, at=time.monotonic()))
        return state

    async def _first_to_answer(self, contacts: Iterable[Contact]) -> str | None:
        """Ask hosts, _CONCURRENCY at a time; return the first that answers, or None.

        Other requests in progress may finish.
        """
        queue = deque(contacts)
        askers = [asyncio.create_task(self._ask_in_turn(queue)) for _ in range(_CONCURRENCY)]
        self._askers.update(askers)
        for asker in askers:
            asker.add_done_callback(self._askers.discard)
        try:
            for answer in asyncio.as_completed(askers):
                if witness := await answer:
                    return witness
        finally:
            queue.clear()
        return None

    async def _ask_in_turn(self, queue: deque[Contact]) -> str | None:
        while queue:
            contact = queue.popleft()
            if await self._ask(contact):
                return contact.host
        return None

    async def _ask(self, contact: Contact) -> bool:
        """Send a request to a host under a lease; return whether it answered. False if busy."""
        reserving = asyncio.create_task(self._lease(contact.host))
        try:
            if await asyncio.shield(reserving) is None:
                return False
            result = await probe(contact.url, policy=self._policy)
            if pause := result.pause:
                await self._in_database(lambda: _back_off(contact.host, pause))
        finally:
            if lease := await reserving:  # even if cancelled, so that no lease is leaked
                ended, delay = {lease.token: None}, settings.HOST_DELAY
                await self._in_database(
                    lambda: reservations.release(ended, delay=delay, now=database_now())
                )
        memory = self._route(contact.host).memory
        if got_answer(result):
            memory.record_answer(contact.host, contact.url, at=time.monotonic())
            return True
        memory.record_silence(contact.host)
        return False

    async def _lease(self, host: str) -> Lease | None:
        """Lease a host for one request, after the pause between two requests to it.

        Returns None if that would take more than half of WITNESS_TIMEOUT.
        """
        while True:
            result: Lease | float = await self._in_database(lambda: _lease_or_wait(host))
            if isinstance(result, Lease):
                return result
            if result > settings.WITNESS_TIMEOUT.total_seconds() / 2:
                return None
            await asyncio.sleep(result)


def answered_since(check: CheckStart) -> list[str]:
    """Return up to _MAX_ANSWERED other hosts that answered since the check began, newest first.

    Reads results first, then their targets: if results are on other machines (docs/scale.md), a
    join would copy all targets there.
    """
    answered = CheckResult.objects.filter(
        checked_at__gte=check.database_time, status_code__isnull=False
    )
    newest = list(answered.order_by("-checked_at").values_list("target", flat=True)[:_MAX_RESULTS])
    hosts = dict(Target.objects.filter(pk__in=newest).values_list("pk", "host"))
    others = dict.fromkeys(hosts[target] for target in newest if target in hosts)
    others.pop(check.host, None)
    return list(others)[:_MAX_ANSWERED]


def live_contacts(*, other_than: str) -> list[Contact]:
    """Return up to 2 * MAX_ASKED random other hosts, each with the URL of a target in state alive.

    Its last check is no guide: in an outage, it is inconclusive. Reads at most `_SAMPLE_SIZE` hosts
    in a few statements, no matter how many there are.
    """
    alive = Target.objects.filter(host=OuterRef("name"), state=State.ALIVE)
    rows = (
        Host.objects.filter(pk__in=_sample())
        .exclude(name=other_than)
        .annotate(url=Subquery(alive.order_by("created_at", "pk").values("url")[:1]))
        .filter(url__isnull=False)
        .values_list("name", "url")
    )
    contacts = [Contact(host, url_to_fetch(url)) for host, url in rows]
    random.shuffle(contacts)
    return contacts[: 2 * MAX_ASKED]


def _sample() -> list[int]:
    """Return the ids of consecutive hosts from a random position, wrapping around."""
    ids = Host.objects.order_by("pk").values_list("pk", flat=True)
    first, last = ids.first(), ids.last()
    if first is None or last is None:
        return []
    start = random.randint(first, last)  # noqa: S311 - not a secret
    above = list(ids.filter(pk__gte=start)[:_SAMPLE_SIZE])
    return above + list(ids.filter(pk__lt=start)[: _SAMPLE_SIZE - len(above)])


def _back_off(host: str, pause: timedelta) -> None:
    now = database_now()
    reservations.back_off(host, until=now + pause)


def _lease_or_wait(host: str) -> Lease | float:
    """Lease a host, or return the seconds until the next try.

    The lease does not count towards MAX_CONCURRENCY, because the caller's check, which is idle in
    the meantime, does.
    """
    try:
        ttl = settings.WITNESS_TIMEOUT + _LEASE_MARGIN
        return reservations.reserve_host(host, purpose=Purpose.FETCH, ttl=ttl, now=database_now())
    except Busy as busy:
        return max((busy.retry_at - database_now()).total_seconds(), 0.01)
