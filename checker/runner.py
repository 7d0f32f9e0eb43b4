"""A shift: reserve due hosts, check their due targets, write what was found, until told to stop.

Any number of shifts may work at once, in any number of processes: reservations keep them off each
other's hosts and hold the system-wide cap. Memory is bounded by MAX_CONCURRENCY: each leased host
keeps at most TARGETS_PER_LEASE targets in hand, and findings wait at most FLUSH_AFTER.
Source: docs/requirements.md#checks-concurrency, #checks-schedule.
"""

import asyncio
import contextlib
import functools
import logging
import math
import random
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, TypeVar
from uuid import UUID

import uvloop
from django.conf import settings
from django.db import DatabaseError, close_old_connections, connections
from django.db.models import Min
from django.utils.module_loading import import_string

from checker import canaries, corrections, uplink
from checker.engine.evidence import clean
from checker.engine.fetch import FetchPolicy, Probe, probe
from checker.engine.gate import LeaseLostError
from checker.engine.identity import Identity
from checker.engine.instructions import NOTHING, Instructions, read_instructions
from checker.engine.proxy import EgressProxy, parse_proxy
from checker.engine.roots import Roots
from checker.engine.verdict import CONDITIONS, Condition
from checker.engine.verdict_table import BARE_REFUSAL, BOT_WALL
from checker.leases import LEASE, Leases
from checker.network import CheckStart, Network
from checker.politeness import HostGate
from checker.recording import Finding, record
from foundation.database.clock import database_now
from hosts import reservations
from hosts.models import Purpose, Slot
from hosts.reservations import Lease
from targets.canonical import InvalidURLError, canonicalize, fetch_url
from targets.models import Target
from targets.services import network_guard
from targets.state import State

logger = logging.getLogger(__name__)

CLAIM_AT_MOST = 100  # hosts in one reservation: the knee of its cost
TARGETS_PER_LEASE = 100
HEADS_IN_A_ROW = 4  # checks that a HEAD may decide; the fifth is by GET
FLUSH_AT = 200  # findings
FLUSH_AFTER = 0.25  # seconds
LONGEST_HOLD = 60.0  # seconds after which a host's other targets are left to a later lease
_STOP_LOOK = 0.25  # seconds between looks at the stop signal
_CAPPED_WAIT = 0.2  # seconds, jittered, until the next try when others use up MAX_CONCURRENCY

ROOTS = Roots()  # of this process: shifts come and go
_FLUSH_PAUSES = (0.5, 2.0, 5.0)  # seconds after a failed flush

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class DueTarget:
    """A target to check, as far as a check needs it."""

    id: str
    url: str
    condition: str
    instructions: Instructions = NOTHING
    is_recheck: bool = False  # it failed the last time
    is_audit: bool = False  # by GET, though HEAD would do: a HEAD may say what the page does not
    known: Identity | None = None  # whose page it was


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A leased host with its due targets. Monotonic times are seconds on this process's clock."""

    lease: Lease
    targets: Sequence[DueTarget]
    loaded_at: datetime  # on the database's clock, at `loaded`
    loaded: float  # monotonic
    asked_at: float  # monotonic: before the reservation

    def database_time(self) -> datetime:
        """Return the present on the database's clock, without asking it again."""
        return self.loaded_at + timedelta(seconds=time.monotonic() - self.loaded)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What one look for due hosts gave."""

    jobs: Sequence[Job] = ()
    backlog: bool = False  # there is more, or others use up the cap: look again soon
    next_ready_in: float = math.inf  # seconds until a host is due next, without a backlog


@dataclass(slots=True)
class ShiftReport:
    """What a shift did."""

    hosts: int = 0
    outcomes: dict[str, int] = field(default_factory=dict)

    @property
    def checks(self) -> int:
        """How many checks were made, with whatever outcome."""
        return sum(self.outcomes.values())


def claim_due(limit: int) -> Claim:
    """Reserve up to `limit` due hosts within MAX_CONCURRENCY and load their due targets."""
    started = time.monotonic()
    limit = min(limit, CLAIM_AT_MOST)
    reservation = reservations.reserve(
        Purpose.CHECK,
        limit=limit,
        ttl=LEASE,
        cap=settings.MAX_CONCURRENCY,
        now=database_now(),
    )
    jobs = _load(reservation.leases, asked_at=started)
    if reservation.capped or len(jobs) == limit:
        return Claim(jobs=jobs, backlog=True)
    if uplink.resume(now=database_now()):  # only with room to spare: those due go first
        return Claim(jobs=jobs, backlog=True)
    ready_at = Slot.objects.aggregate(at=Min("check_ready_at"))["at"]
    if ready_at is None:
        return Claim(jobs=jobs)
    return Claim(jobs=jobs, next_ready_in=(ready_at - database_now()).total_seconds())


def claim_host(name: str) -> Claim:
    """Reserve this very host. Raises hosts.reservations.Busy."""
    started = time.monotonic()
    lease = reservations.reserve_host(name, purpose=Purpose.CHECK, ttl=LEASE, now=database_now())
    return Claim(jobs=_load([lease], asked_at=started))


def _load(leases: Sequence[Lease], *, asked_at: float) -> list[Job]:
    """Return the leased hosts with their due targets; `asked_at` is before the reservation."""
    now = database_now()
    of_hosts = corrections.said_of(lease.host for lease in leases)
    jobs = []
    for lease in leases:
        due = Target.objects.filter(host=lease.host).due(now)[:TARGETS_PER_LEASE]
        targets = [
            DueTarget(
                id=id_,
                url=url,
                condition=condition or settings.CHECK_CONDITION,
                known=Identity.from_json(identity),
                is_recheck=state == State.POTENTIALLY_DEAD,
                is_audit=heads >= HEADS_IN_A_ROW,
                instructions=read_instructions(
                    fetch_url(url), of_host=of_hosts.get(lease.host), of_target=own
                ),
            )
            for id_, url, condition, identity, state, heads, own in due.values_list(
                "id", "url", "condition", "identity", "state", "heads", "instructions"
            )
        ]
        loaded = time.monotonic()
        jobs.append(
            Job(lease=lease, targets=targets, loaded_at=now, loaded=loaded, asked_at=asked_at)
        )
    return jobs


def conditions() -> Mapping[str, Condition]:
    """Return the rules that tell success from failure: the built-in ones and the operator's."""
    own = {name: import_string(path) for name, path in settings.CHECK_CONDITIONS.items()}
    return {**CONDITIONS, **own}


def egress_proxy() -> EgressProxy | None:
    """Return the proxy that checks go by, None without one."""
    if not settings.EGRESS_PROXY:
        return None
    return parse_proxy(settings.EGRESS_PROXY, bypass=settings.EGRESS_BYPASS)


def fetch_policy() -> FetchPolicy:
    """Return how this deployment makes its checks."""
    return FetchPolicy(
        timeout=settings.HTTP_TIMEOUT.total_seconds(),
        retries=settings.CHECK_RETRIES,
        backoff=settings.CHECK_BACKOFF.total_seconds(),
        user_agent=settings.USER_AGENT,
        guard=network_guard(),
        proxy=egress_proxy(),
        verify_tls=settings.VERIFY_TLS,
        method=settings.CHECK_METHOD,
        check_soft_404=settings.CHECK_SOFT_404,
        failing_flags=frozenset(settings.FAILING_FLAGS),
        certificate_warning=settings.CERTIFICATE_WARNING.total_seconds(),
        conditions=conditions(),
        roots=ROOTS,
    )


def policy_for(policy: FetchPolicy, *, is_recheck: bool, is_audit: bool) -> FetchPolicy:
    """Return how a check is made: a recheck is more patient, an audit looks at the page itself."""
    if is_recheck:
        patience = max(settings.RECHECK_TIMEOUT.total_seconds(), policy.timeout)
        policy = replace(policy, first_timeout=patience)
    return replace(policy, method="GET") if is_audit else policy


def refused_at_root(url: str) -> bool | None:
    """Return whether the target at this URL, a root, was refused when last checked.

    None: there is none. One that was never checked is not known to refuse.
    """
    try:
        known = Target.objects.filter(canonical_url=canonicalize(url).url)
    except InvalidURLError:
        return None
    last = known.values_list("last_reason", "last_status_code").first()
    return None if last is None else last[0] == BOT_WALL.reason or last[1] in BARE_REFUSAL.statuses


def run_shift(**options: Any) -> ShiftReport:
    """Run one shift to its end in an event loop of its own; for the options see `Shift`."""
    uplink.notice_settings(now=database_now())
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(Shift(**options).run())


class Shift:
    """One shift. `length` in time (None: until nothing is due), stopped early by `should_stop`."""

    def __init__(
        self,
        *,
        length: timedelta | None,
        should_stop: Callable[[], bool],
        claim: Callable[[int], Claim] = claim_due,
        on_probe: Callable[[DueTarget, Probe], None] = lambda _target, _probe: None,
    ) -> None:
        self.report = ShiftReport()
        self._length = length
        self._should_stop = should_stop
        self._claim = claim
        self._on_probe = on_probe
        self._policy = replace(fetch_policy(), root_target=self._refused_at_root)
        self._leases = Leases(self._in_database)
        self._network = Network(policy=self._policy, in_database=self._in_database)
        self._ending = asyncio.Event()
        self._findings: list[Finding] = []
        self._over: list[UUID] = []
        self._writing = False  # a flush is under way: what it releases may be due at once
        self._jobs: set[asyncio.Task[None]] = set()
        self._full = asyncio.Event()  # time to flush early
        self._released = asyncio.Event()
        # Django's connections belong to threads: one thread, one connection.
        self._database = ThreadPoolExecutor(1, thread_name_prefix="shift-database")

    async def run(self) -> ShiftReport:
        """Work until the end of the shift; every lease is released or has expired by then."""
        try:
            async with asyncio.TaskGroup() as group:
                background = [
                    group.create_task(canaries.look_up(self._policy)),
                    group.create_task(self._watch()),
                    group.create_task(self._write_forever()),
                    group.create_task(self._leases.keep_alive()),
                ]
                try:
                    await self._reserve_until_ending()
                    await self._finish_jobs()
                finally:
                    for task in background:
                        task.cancel()
        finally:
            await self._network.close()
            await self._leases.close()
            await self._flush()
            await self._in_database(connections.close_all)
            self._database.shutdown()
        return self.report

    async def _watch(self) -> None:
        """Notice the stop signal, which other processes set, and the end of the shift."""
        ends = None if self._length is None else time.monotonic() + self._length.total_seconds()
        # Looked at, not awaited: the signal comes as a byte in memory shared between processes.
        while not self._should_stop() and (ends is None or time.monotonic() < ends):  # noqa: ASYNC110
            await asyncio.sleep(_STOP_LOOK)
        self._ending.set()

    async def _reserve_until_ending(self) -> None:
        """Start a job for each due host while there are places, until the shift is to end.

        Without a length it ends by itself: when no host is due, or will be after its delay.
        """
        while not self._ending.is_set():
            self._released.clear()
            free = settings.MAX_CONCURRENCY - len(self._jobs) - len(self._over)
            claim = Claim(backlog=True)
            if free > 0:
                try:
                    claim = await self._in_database(functools.partial(self._claim, free))
                except DatabaseError:
                    logger.exception("Due hosts could not be reserved; trying again")
                    claim = Claim()
            for job in claim.jobs:
                self.report.hosts += 1
                task = asyncio.create_task(self._work(job))
                self._jobs.add(task)
                task.add_done_callback(self._jobs.discard)
            if claim.backlog and claim.jobs:
                continue  # there may be more at once
            if self._length is None and self._nothing_left(claim):
                return
            wait = _CAPPED_WAIT * random.uniform(0.5, 1.5)  # noqa: S311
            if not claim.backlog:
                longest = settings.CHECK_INTERVAL.total_seconds()
                wait = max(wait, min(longest, claim.next_ready_in))
            # A released host may be due again before anything that was known at the last look.
            await _first(self._released, self._ending, timeout=wait)

    def _nothing_left(self, claim: Claim) -> bool:
        """Whether no host is due now or will be after its delay; others may hold some."""
        if claim.jobs or claim.backlog or self._jobs:
            return False
        if self._findings or self._over or self._writing or self._leases.has_given_back:
            return False
        return claim.next_ready_in > settings.HOST_DELAY.total_seconds() + 1

    async def _work(self, job: Job) -> None:
        """Check a host's due targets one after another, for LONGEST_HOLD."""
        own = self._leases.add(job.lease, asked_at=job.asked_at, at_end=self._end_job)
        gate = HostGate(own, leases=self._leases, database_time=job.database_time)
        try:
            async with gate.while_leased():
                for target in job.targets:
                    pause = own.pause(otherwise=settings.HOST_DELAY)
                    if time.monotonic() + pause > job.asked_at + LONGEST_HOLD:
                        break
                    while pause and not self._ending.is_set():  # timers may be a little early
                        await _first(self._ending, timeout=pause)
                        pause = own.pause(otherwise=settings.HOST_DELAY)
                    await self._leases.look(own)
                    if self._ending.is_set() or own.is_asleep(job.database_time()):
                        break
                    found = await self._check(job, target, gate)
                    if found.pause:
                        break  # the flush puts the host to sleep
        except (TimeoutError, LeaseLostError):
            logger.warning("The lease of %s ended during a check", job.lease.host)
        finally:
            gate.close()

    def _end_job(self, tokens: Sequence[UUID]) -> None:
        """Have the leases of jobs released that nobody uses any more."""
        self._over += tokens
        if len(self._jobs) <= 1 or 2 * len(self._over) >= settings.MAX_CONCURRENCY:
            self._full.set()  # others could use the places

    async def _check(self, job: Job, target: DueTarget, gate: HostGate) -> Probe:
        check = CheckStart(
            host=job.lease.host,
            url=fetch_url(target.url),
            at=time.monotonic(),
            database_time=job.database_time(),
        )
        policy = policy_for(self._policy, is_recheck=target.is_recheck, is_audit=target.is_audit)
        policy = corrections.instructed(policy, target.instructions)
        found = await probe(
            check.url,
            policy=policy,
            condition=target.condition,
            gate=gate,
            known=target.known,
        )
        if found.pause is not None:
            gate.sleep(found.pause)
        gate.end_check()
        found = await self._network.judge(found, check)
        self.report.outcomes[found.outcome] = self.report.outcomes.get(found.outcome, 0) + 1
        self._findings.append(
            Finding(
                token=job.lease.token,
                answering=gate.answering,
                target_id=target.id,
                started_at=check.database_time,
                checked_at=job.database_time(),
                probe=found,
            )
        )
        self._on_probe(target, found)
        if len(self._findings) >= FLUSH_AT:
            self._full.set()
        return found

    async def _refused_at_root(self, url: str) -> bool | None:
        try:
            return await self._in_database(lambda: refused_at_root(url))
        except DatabaseError:
            logger.exception("Whether %s is a target could not be looked up", clean(url))
            return None

    async def _finish_jobs(self) -> None:
        """Let requests in flight end, for REQUEST_GRACE; then cut them off."""
        if self._jobs:
            await asyncio.wait(self._jobs, timeout=settings.REQUEST_GRACE.total_seconds())
        for task in self._jobs:
            task.cancel()
        if self._jobs:
            await asyncio.wait(self._jobs)

    async def _write_forever(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(FLUSH_AFTER):  # dozens of times a minute for nothing
                    await self._full.wait()
            self._full.clear()
            await self._flush()

    async def _flush(self) -> None:
        """Write what has been found so far and release what is over, in one transaction.

        When the database stays out of reach the findings are dropped: the leases expire, and the
        hosts are due again.
        """
        findings, self._findings = self._findings, []
        over, self._over = self._over, []
        elsewhere = self._leases.collect()
        if not findings and not over and not elsewhere:
            return
        self._writing = True
        for pause in _FLUSH_PAUSES:
            try:
                await self._in_database(
                    lambda: record(
                        findings, over=over, elsewhere=elsewhere, delay=settings.HOST_DELAY
                    )
                )
                break
            except DatabaseError:
                logger.exception("%d results could not be written", len(findings))
            try:
                await asyncio.sleep(pause)
            except asyncio.CancelledError:  # the end of the shift, whose last flush has these, too
                self._findings[:0] = findings
                self._over[:0] = over
                self._leases.give_back(elsewhere)
                raise
        self._leases.drop([*over, *elsewhere])
        self._writing = False
        self._released.set()

    async def _in_database(self, function: Callable[[], T]) -> T:
        """Run `function` in the thread that has this shift's connection, to its end."""

        def run() -> T:
            close_old_connections()
            return function()

        loop = asyncio.get_running_loop()
        return await asyncio.shield(loop.run_in_executor(self._database, run))


async def _first(*events: asyncio.Event, timeout: float) -> None:  # noqa: ASYNC109
    """Return when one of the events is set, or after `timeout` seconds."""
    waits = [asyncio.ensure_future(event.wait()) for event in events]
    await asyncio.wait(waits, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
    for wait in waits:
        wait.cancel()
