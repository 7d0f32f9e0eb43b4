"""A checker worker: reserves due hosts, checks their targets and writes the results.

Any number of workers may run at once, in any number of processes: reservations keep workers away
from each other's hosts and enforce the system-wide cap. Memory is bounded by MAX_CONCURRENCY: each
leased host has at most TARGETS_PER_LEASE targets in memory, and findings are written every
FLUSH_AFTER seconds.
Source: docs/requirements.md#checks-concurrency, #checks-schedule.
"""

import asyncio
import contextlib
import functools
import gc
import logging
import math
import random
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, TypeVar
from uuid import UUID

import uvloop
from django.conf import settings
from django.db import DatabaseError, close_old_connections, connections

from checker import canaries, check_instructions, uplink
from checker.claims import CheckJob, Claim, ClaimedTarget, claim_due
from checker.engine.errors import ErrorKind
from checker.engine.evidence import clean
from checker.engine.fetch import Probe, probe
from checker.engine.fetch_policy import FetchPolicy
from checker.engine.gate import HostLeaseLostError, host_of
from checker.engine.pooling import KeptConnections
from checker.engine.roots import RootAnswer
from checker.engine.slow_hosts import HostLatency
from checker.icon_requests import IconRequests
from checker.neighbour_cache import FolderCache
from checker.policies import HELD_PAGES, fetch_policy, known_root, policy_for
from checker.politeness import HostGate
from checker.recording import (
    REJECTIONS,
    Finding,
    NewLatency,
    answering_host,
    record,
    record_each,
)
from checker.witness_requests import CheckStart, Network
from checker.worker_leases import LeaseInUse, Leases
from foundation.database.clock import database_now
from foundation.valkey.clients import close_async_client

logger = logging.getLogger(__name__)

FLUSH_AFTER = 0.25  # seconds
MAX_HOLD = 60.0  # seconds after which a host's other targets are left to a later lease
_STOP_POLL = 0.25  # seconds between checks of the stop signal
_CAPPED_WAIT = 0.2  # seconds, jittered, until the next try when MAX_CONCURRENCY is reached
_GC_THRESHOLD = 50_000  # objects from one garbage collection to the next
_FLUSH_PAUSES = (0.5, 2.0, 5.0)  # seconds after a failed flush

T = TypeVar("T")
# Targets of a host still to be checked; for a postponed target, the result of its first check.
_Waiting = deque[tuple[ClaimedTarget, Finding | None]]


@dataclass(slots=True)
class WorkerReport:
    """Counts of what one checker worker has done."""

    hosts: int = 0
    outcomes: dict[str, int] = field(default_factory=dict)

    @property
    def checks(self) -> int:
        """The number of checks, with any outcome."""
        return sum(self.outcomes.values())


def run_worker(**options: Any) -> WorkerReport:
    """Run one worker in its own event loop to its end; `options` are those of `CheckerWorker`."""
    uplink.notice_changed_settings(now=database_now())
    with collect_garbage_rarely(), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(CheckerWorker(**options).run())


@contextmanager
def collect_garbage_rarely() -> Iterator[None]:
    """Make the garbage collector skip existing objects, and run less often.

    Checks leave hardly any garbage to it, but each makes hundreds of objects.
    """
    is_frozen = gc.get_freeze_count() > 0  # the supervisor did that for all of its processes
    threshold, *others = gc.get_threshold()
    gc.set_threshold(_GC_THRESHOLD, *others)
    if not is_frozen:
        gc.freeze()
    try:
        yield
    finally:
        gc.set_threshold(threshold, *others)
        if not is_frozen:
            gc.unfreeze()


class CheckerWorker:
    """A checker worker, to be run once.

    `length`: how long it runs (None: until nothing is due). It ends early once `should_stop`
    returns True. `claim` reserves up to the given number of due hosts; with 0, MAX_CONCURRENCY is
    reached. `on_probe` is called with each checked target and its result.
    """

    def __init__(
        self,
        *,
        length: timedelta | None,
        should_stop: Callable[[], bool],
        claim: Callable[[int], Claim] = claim_due,
        on_probe: Callable[[ClaimedTarget, Probe], None] = lambda _target, _probe: None,
    ) -> None:
        self.report = WorkerReport()
        self._length = length
        self._should_stop = should_stop
        self._claim = claim
        self._on_probe = on_probe
        self._policy = replace(
            fetch_policy(),
            look_up_root=self._known_root,
            folders=FolderCache(in_database=self._in_database),
        )
        self._leases = Leases(self._in_database)
        self._network = Network(policy=self._policy, in_database=self._in_database)
        self._icons = IconRequests(self._policy, in_database=self._in_database)
        self._ending = asyncio.Event()
        self._findings: list[Finding] = []
        self._unused: list[UUID] = []  # the tokens of leases without users
        self._is_writing = False  # a flush is in progress: hosts that it releases may be due
        self._jobs: set[asyncio.Task[None]] = set()
        self._flush_early = asyncio.Event()
        self._released = asyncio.Event()
        # Django's connections belong to threads: one thread, one connection.
        self._database = ThreadPoolExecutor(1, thread_name_prefix="check-database")

    async def run(self) -> WorkerReport:
        """Work until the end; then every lease is released, or left to expire."""
        try:
            async with self._policy.lag.measure(), asyncio.TaskGroup() as group:
                tasks = [
                    group.create_task(canaries.look_up(self._policy)),
                    group.create_task(self._watch()),
                    group.create_task(self._write_forever()),
                    group.create_task(self._leases.keep_alive()),
                ]
                try:
                    await self._reserve_until_ending()
                    await self._finish_jobs()
                finally:
                    for task in tasks:
                        task.cancel()
        finally:
            await self._network.close()
            self._icons.close()
            await self._leases.close()
            await self._flush()
            await close_async_client()
            await self._in_database(connections.close_all)
            self._database.shutdown()
        return self.report

    async def _watch(self) -> None:
        """Set `_ending` on the stop signal, which other processes send, or after `length`."""
        ends = None if self._length is None else time.monotonic() + self._length.total_seconds()
        # Polled, not awaited, because the signal is a byte in memory shared between processes.
        while not self._should_stop() and (ends is None or time.monotonic() < ends):  # noqa: ASYNC110
            await asyncio.sleep(_STOP_POLL)
        self._ending.set()

    async def _reserve_until_ending(self) -> None:
        """Start a job for each due host, up to MAX_CONCURRENCY, until the worker should end.

        Without a length, returns when no host is due or will be due after its delay.
        """
        while not self._ending.is_set():
            self._released.clear()
            free = max(0, settings.MAX_CONCURRENCY - len(self._jobs) - len(self._unused))
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
            if claim.has_backlog and claim.jobs:
                continue  # more hosts may be due
            if self._length is None and self._nothing_left(claim):
                return
            wait = _CAPPED_WAIT * random.uniform(0.5, 1.5)  # noqa: S311
            if not claim.has_backlog:
                max_wait = settings.CHECK_INTERVAL.total_seconds()
                wait = max(wait, min(max_wait, claim.next_ready_in))
            # A released host may be due earlier than the last search found.
            await _wait_for_any(self._released, self._ending, timeout=wait)

    def _nothing_left(self, claim: Claim) -> bool:
        """Whether no host is due or will be after its delay, unless another worker leases it."""
        if claim.jobs or claim.has_backlog or self._jobs:
            return False
        if self._findings or self._unused or self._is_writing or self._leases.has_pending_releases:
            return False
        return claim.next_ready_in > settings.HOST_DELAY.total_seconds() + 1

    async def _work(self, job: CheckJob) -> None:
        """Check a host's due targets, then stop using the lease."""
        own = self._leases.add(job.lease, asked_at=job.asked_at, on_unused=self._release_soon)
        gate = HostGate(own, leases=self._leases, database_time=job.database_time)
        waiting: _Waiting = deque((target, None) for target in job.targets)
        connections = KeptConnections(target.url for target in job.targets)
        try:
            async with gate.while_leased():
                await self._check_all(waiting, job=job, own=own, gate=gate, connections=connections)
        except (TimeoutError, HostLeaseLostError):
            logger.warning("The lease of %s ended during a check", job.lease.host)
        finally:
            for target, first in waiting:
                if first is not None:
                    self._add_finding(first, target)
            connections.close()
            gate.close()

    async def _check_all(
        self,
        waiting: _Waiting,
        *,
        job: CheckJob,
        own: LeaseInUse,
        gate: HostGate,
        connections: KeptConnections,
    ) -> None:
        """Check targets one after another for up to MAX_HOLD; leave the rest to a later lease.

        Also ends when the host asks for a pause, or the worker ends. A target that redirects to a
        busy host is postponed once, to the end; the result of its first check counts if there is no
        time for a second.
        """
        policy = replace(self._policy, connections=connections)
        latency = HostLatency() if job.known_host is None else job.known_host.latency
        stored_latency, own.is_slow = latency, latency.is_slow
        may_request_icon = job.may_request_icon
        while waiting:
            target, first = waiting[0]
            if not await self._wait_to_request(job, own):
                break
            connections.begin(target.url, delay=own.delay_or(settings.HOST_DELAY))
            finding = await self._check(job, target, gate, policy=policy)
            latency = _latency_after(latency, finding)
            own.is_slow = latency.is_slow
            if job.known_host is not None and (
                latency.is_slow or latency.differs_from(stored_latency)
            ):
                finding = replace(
                    finding, latency=NewLatency(job.known_host.pk, *latency.as_stored)
                )
                stored_latency = latency
            waiting.popleft()
            if waiting and first is None and _may_retry_soon(finding.probe):
                waiting.append((target, finding))
                connections.expect(target.url)
                continue
            self._add_finding(finding, target)
            if finding.probe.pause:
                break  # the flush writes the host's backoff
            if may_request_icon and self._icons.may_request_after(finding.probe, target):
                may_request_icon = False
                if await self._wait_to_request(job, own):
                    await self._icons.request(job, gate, _page_of(job.lease.host, target, finding))

    async def _wait_to_request(self, job: CheckJob, own: LeaseInUse) -> bool:
        """Wait for the host's delay; return whether another request to it may follow.

        False after MAX_HOLD, if the worker ends, or during a backoff. Raises HostLeaseLostError.
        """
        pause = own.remaining_delay(default=settings.HOST_DELAY)
        if time.monotonic() + pause > job.asked_at + MAX_HOLD:
            return False
        while pause and not self._ending.is_set():  # timers may fire slightly early
            await _wait_for_any(self._ending, timeout=pause)
            pause = own.remaining_delay(default=settings.HOST_DELAY)
        await self._leases.refresh_terms(own)
        return not (self._ending.is_set() or own.is_left_alone(job.database_time()))

    def _release_soon(self, tokens: Sequence[UUID]) -> None:
        """Release these leases, which have no users left, in the next flush."""
        self._unused += tokens
        if len(self._jobs) <= 1 or 2 * len(self._unused) >= settings.MAX_CONCURRENCY:
            self._flush_early.set()  # to free capacity under MAX_CONCURRENCY

    async def _check(
        self, job: CheckJob, target: ClaimedTarget, gate: HostGate, *, policy: FetchPolicy
    ) -> Finding:
        check = CheckStart(
            host=job.lease.host,
            url=target.url,
            at=time.monotonic(),
            may_be_witness=target.is_registered,
            database_time=job.database_time(),
        )
        policy = policy_for(
            policy,
            is_recheck=target.is_recheck,
            is_audit=target.is_audit,
            is_public=target.is_public,
        )
        policy = check_instructions.apply_instructions(policy, target.instructions)
        result = await probe(
            check.url,
            policy=policy,
            condition=target.condition,
            gate=gate,
            known=target.identity,
            validators=target.validators,
        )
        result = _apply_hold(result, check.url)
        if result.pause is not None:
            gate.back_off(result.pause)
        gate.end_check()
        result = await self._network.require_witness(result, check)
        return Finding(
            token=job.lease.token,
            answering_token=gate.answering_token,
            target_id=target.id,
            started_at=check.database_time,
            checked_at=job.database_time(),
            probe=result,
        )

    def _add_finding(self, finding: Finding, target: ClaimedTarget) -> None:
        """Count a finding, and keep it for the next flush."""
        result = finding.probe
        self.report.outcomes[result.outcome] = self.report.outcomes.get(result.outcome, 0) + 1
        self._findings.append(finding)
        self._on_probe(target, result)

    async def _known_root(self, url: str) -> RootAnswer | None:
        try:
            return await self._in_database(lambda: known_root(url))
        except DatabaseError:
            logger.exception("Could not look up whether %s is a target", clean(url))
            return None

    async def _finish_jobs(self) -> None:
        """Wait up to REQUEST_GRACE for jobs in progress and for icons; then cancel the jobs."""
        ends_at = time.monotonic() + settings.REQUEST_GRACE.total_seconds()
        if self._jobs:
            await asyncio.wait(self._jobs, timeout=settings.REQUEST_GRACE.total_seconds())
        await self._icons.finish(timeout=max(0.0, ends_at - time.monotonic()))
        for task in self._jobs:
            task.cancel()
        if self._jobs:
            await asyncio.wait(self._jobs)

    async def _write_forever(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                # Not `_wait_for_any`, which creates tasks: this runs four times a second.
                async with asyncio.timeout(FLUSH_AFTER):
                    await self._flush_early.wait()
            self._flush_early.clear()
            await self._flush()

    async def _flush(self) -> None:
        """Write findings and release finished leases.

        If this fails three times, the findings are dropped: the leases expire, and the hosts are
        due again. If the database rejects a value, only the finding with that value is dropped.
        """
        findings, self._findings = self._findings, []
        unused, self._unused = self._unused, []
        redirect_tokens = self._leases.collect()
        if not findings and not unused and not redirect_tokens:
            return
        self._is_writing = True
        write = functools.partial(
            record,
            findings,
            finished=unused,
            redirect_tokens=redirect_tokens,
            delay=settings.HOST_DELAY,
        )
        is_rejected = False
        for pause in _FLUSH_PAUSES:
            try:
                if is_rejected:
                    await self._in_database(functools.partial(record_each, findings))
                await self._in_database(write)
                break
            except REJECTIONS:
                logger.exception("One of %d results was rejected", len(findings))
                is_rejected = True
            except DatabaseError:
                logger.exception("%d results could not be written", len(findings))
            try:
                await asyncio.sleep(pause)
            except asyncio.CancelledError:
                # The worker is ending; its last flush includes these findings.
                self._findings[:0] = findings
                self._unused[:0] = unused
                self._leases.give_back(redirect_tokens)
                raise
        self._leases.drop([*unused, *redirect_tokens])
        self._is_writing = False
        self._released.set()

    async def _in_database(self, function: Callable[[], T]) -> T:
        """Run `function` to its end in the database thread, even if the caller is cancelled."""

        def run() -> T:
            close_old_connections()
            return function()

        loop = asyncio.get_running_loop()
        return await asyncio.shield(loop.run_in_executor(self._database, run))


def _latency_after(latency: HostLatency, finding: Finding) -> HostLatency:
    """Return the leased host's latency after a check.

    It is unchanged if another host, or no host, responded.
    """
    attempts = finding.probe.evidence.get("attempts")
    ms = attempts[-1]["first_byte_ms"] if attempts else None
    if ms is None or finding.answering_token != finding.token or finding.probe.status_code is None:
        return latency
    return latency.after(ms)


def _apply_hold(result: Probe, url: str) -> Probe:
    """Return the result; once another page has asked for a pause, this pause is for the host.

    Until then, other pages of the host are tried.
    """
    host = answering_host(result)
    if host is None or result.status_code is None:
        return result
    if not result.is_for_page_alone or result.retry_after is None:
        HELD_PAGES.forget(host)
        return result
    is_for_host = HELD_PAGES.hold(host, url, seconds=result.retry_after)
    return replace(result, is_for_page_alone=not is_for_host)


def _page_of(host: str, target: ClaimedTarget, finding: Finding) -> str:
    """Return the URL at which a check ended if it is on `host`; otherwise the target's URL."""
    final = finding.probe.final_url
    return final if final is not None and host_of(final) == host else target.url


def _may_retry_soon(result: Probe) -> bool:
    """Whether a redirect's busy host may be free before the job's time is over."""
    retry_in = result.retry_in or math.inf
    return result.reason == ErrorKind.BUSY_ELSEWHERE and retry_in < MAX_HOLD


async def _wait_for_any(*events: asyncio.Event, timeout: float) -> None:  # noqa: ASYNC109
    """Wait until one of the events is set, or for `timeout` seconds."""
    waits = [asyncio.ensure_future(event.wait()) for event in events]
    await asyncio.wait(waits, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
    for wait in waits:
        wait.cancel()
