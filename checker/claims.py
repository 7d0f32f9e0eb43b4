"""Claims due hosts for a checker worker, with their due targets and all data that checks need.

Source: docs/requirements.md#checks-concurrency, #checks-schedule.
"""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import Min

from batches import urgent_targets
from checker import check_instructions, uplink
from checker.check_instructions import KnownHost
from checker.engine.conditional_requests import MIN_SUCCESSES, SEEN_WITHOUT_PAGE, Validators
from checker.engine.instructions import NO_INSTRUCTIONS, Instructions, read_instructions
from checker.engine.page_identity import Identity
from checker.worker_leases import LEASE
from foundation.database.clock import database_now
from foundation.valkey import changes
from hosts import icon_store, reservations
from hosts.models import Purpose, Slot
from hosts.reservations import Lease
from targets import checks
from targets.canonical import url_to_fetch
from targets.models import Target
from targets.state import Outcome, State

MAX_CLAIM = 100  # hosts in one reservation: the knee of the cost curve
TARGETS_PER_LEASE = 100
MAX_HEADS_IN_A_ROW = 4  # checks by HEAD; the next one uses GET


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedTarget:
    """A target to check: the columns that a check needs."""

    id: UUID
    url: str  # as requested
    condition: str
    instructions: Instructions = NO_INSTRUCTIONS
    is_recheck: bool = False  # the target is potentially dead
    is_audit: bool = False  # uses GET, regardless of CHECK_METHOD: see `needs_get`
    identity: Identity | None = None  # of the page at earlier checks
    validators: Validators | None = None  # None: the request is unconditional
    is_registered: bool = True  # watched, not only part of a batch
    # Checked without ALLOW_NETWORKS or instructions, because anyone may have requested the check.
    is_public: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckJob:
    """A leased host with its due targets. Monotonic times are seconds on this process's clock."""

    lease: Lease
    targets: Sequence[ClaimedTarget]
    loaded_at: datetime  # on the database's clock
    loaded_monotonic: float  # the same moment, monotonic
    asked_at: float  # monotonic, before the reservation
    known_host: KnownHost | None = None  # None: the host is new
    may_request_icon: bool = False  # the host's icon was not requested recently

    def database_time(self) -> datetime:
        """Return the current time of the database's clock, without another query."""
        return self.loaded_at + timedelta(seconds=time.monotonic() - self.loaded_monotonic)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """The result of one search for due hosts."""

    jobs: Sequence[CheckJob] = ()
    has_backlog: bool = False  # claim again soon: more hosts may be due, or the cap is reached
    next_ready_in: float = math.inf  # seconds until a host is due next, without a backlog


def claim_due(limit: int) -> Claim:
    """Reserve up to `limit` due hosts within MAX_CONCURRENCY and load their due targets.

    Reserves at most MAX_CLAIM. If no more hosts are due, set-aside targets may be made due. A limit
    of 0 needs no query.
    """
    if not limit:
        return Claim(has_backlog=True)
    started = time.monotonic()
    limit = min(limit, MAX_CLAIM)
    reservation = reservations.reserve(
        Purpose.CHECK,
        limit=limit,
        ttl=LEASE,
        cap=settings.MAX_CONCURRENCY,
        now=database_now(),
    )
    jobs = _load(reservation.leases, asked_at=started)
    if reservation.capped or len(jobs) == limit:
        return Claim(jobs=jobs, has_backlog=True)
    if uplink.resume(now=database_now()):  # only with spare capacity: due hosts come first
        return Claim(jobs=jobs, has_backlog=True)
    ready_at = Slot.objects.aggregate(at=Min("check_ready_at"))["at"]
    if ready_at is None:
        return Claim(jobs=jobs)
    return Claim(jobs=jobs, next_ready_in=(ready_at - database_now()).total_seconds())


def claim_host(name: str) -> Claim:
    """Reserve this host, due or not, and load its due targets. Raises hosts.reservations.Busy."""
    started = time.monotonic()
    lease = reservations.reserve_host(name, purpose=Purpose.CHECK, ttl=LEASE, now=database_now())
    return Claim(jobs=_load([lease], asked_at=started))


def _load(leases: Sequence[Lease], *, asked_at: float) -> list[CheckJob]:
    """Return the leased hosts with their due targets; `asked_at` is before the reservation."""
    if not leases:
        return []
    now, loaded_monotonic = database_now(), time.monotonic()
    hosts = [lease.host for lease in leases]
    known_hosts = check_instructions.known_hosts(hosts)
    due_icons = icon_store.due(hosts, now=now)
    due = checks.due_targets(
        hosts, now=now, limit=TARGETS_PER_LEASE, urgent=urgent_targets.urgent_targets(hosts)
    )
    changes.announce(target.id.hex for targets in due.values() for target in targets)
    return [
        CheckJob(
            lease=lease,
            targets=[_claimed_target(row, known_hosts.get(row.host)) for row in due[lease.host]],
            known_host=known_hosts.get(lease.host),
            may_request_icon=lease.host in due_icons,
            loaded_at=now,
            loaded_monotonic=loaded_monotonic,
            asked_at=asked_at,
        )
        for lease in leases
    ]


def needs_get(row: checks.DueTarget | Target) -> bool:
    """Return whether the next check of this target must use GET.

    The response to HEAD may differ from the page, so at most MAX_HEADS_IN_A_ROW checks in a row use
    HEAD, and none does after a GET that left the target dead or inconclusive.
    """
    failed_by_get = row.state == State.DEAD or row.inconclusive_since is not None
    return row.heads >= MAX_HEADS_IN_A_ROW or (not row.heads and failed_by_get)


def _claimed_target(row: checks.DueTarget, host: KnownHost | None) -> ClaimedTarget:
    url = url_to_fetch(row.url)
    host_json = None if row.is_public or host is None else host.instructions
    return ClaimedTarget(
        id=row.id,
        url=url,
        condition=row.condition or settings.CHECK_CONDITION,
        instructions=read_instructions(url, host_json=host_json, target_json=row.instructions),
        is_recheck=row.state == State.POTENTIALLY_DEAD,
        is_audit=needs_get(row),
        identity=Identity.from_json(row.identity),
        validators=_stored_validators(row),
        is_registered=row.is_registered,
        is_public=row.is_public,
    )


def _stored_validators(row: checks.DueTarget) -> Validators | None:
    """Return the validators of a page whose last MIN_SUCCESSES - 1 checks succeeded, or None.

    If this check also succeeds, the next one may be conditional.
    """
    is_steady = row.recent.endswith(Outcome.SUCCESS.mark * (MIN_SUCCESSES - 1))
    if not is_steady or not SEEN_WITHOUT_PAGE.issuperset(row.flags):
        return None
    return Validators.from_json(row.validators, due=row.next_check_at)
