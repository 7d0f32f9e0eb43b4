"""Background work: checks, and the tasks that `linkwatch.schedules` schedules."""

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import redis
from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q

from checker import (
    adoptions,
    canaries,
    claims,
    heartbeat,
    partitions,
    policies,
    worker,
)
from checker.models import FOLDED_PART, DailyStates, HostTally, ResultReport, Tally, hour_of
from foundation.database.bulk_deletion import delete_in_batches
from foundation.database.clock import database_now
from foundation.deletion_metrics import deletes
from foundation.shutdown import stop_requested
from foundation.valkey import metrics
from foundation.valkey.clients import client
from targets import counts
from targets.models import Target, TargetNote

logger = logging.getLogger(__name__)

_BATCH_SIZE = 5000
_HEARTBEAT_PERIOD = 5.0  # seconds between calls to Redis about the heartbeat
_HANG_PAUSE = 15.0  # seconds without such calls after one timed out and held up checks
_MINUTES_KEPT, _TALLIES_KEPT = timedelta(days=2), timedelta(days=31)
_HOST_TALLIES_KEPT = timedelta(days=3)
_REPORTS_KEPT = timedelta(days=90)


def check_until_stopped(*, on_search: Callable[[], None]) -> None:
    """Check due targets until the process should stop; call `on_search` before each search.

    Any number of processes may run at once; killing one loses nothing.
    """

    next_beat = next_heartbeat_check = 0.0  # monotonic

    def claim_due(limit: int) -> claims.Claim:
        nonlocal next_beat, next_heartbeat_check
        on_search()
        claim = claims.claim_due(limit)
        now = time.monotonic()
        if now >= next_heartbeat_check:
            next_heartbeat_check = now + _HEARTBEAT_PERIOD
            try:
                heartbeat.record_lag(policies.LAG.take_peak())
                if now >= next_beat or not heartbeat.is_beating():
                    heartbeat.beat()
                    next_beat = now + heartbeat.BEAT_EVERY
                metrics.flush(client())
            except (redis.RedisError, OSError) as error:  # checks continue without Redis
                logger.warning("The checker worker's heartbeat could not be written")
                if isinstance(error, redis.TimeoutError):
                    next_heartbeat_check = now + _HANG_PAUSE
        # URLs may be registered in the meantime, so the next search must not be late.
        soon = settings.CHECK_INTERVAL.total_seconds() / 2
        return replace(claim, next_ready_in=min(claim.next_ready_in, soon))

    report = worker.run_worker(length=timedelta.max, should_stop=stop_requested, claim=claim_due)
    with suppress(redis.RedisError, OSError):
        metrics.flush(client())
    logger.info("Checker worker ended: %d checks on %d hosts", report.checks, report.hosts)


def look_up_canaries() -> None:
    """Store which canaries are refused."""
    asyncio.run(canaries.look_up(policies.fetch_policy()))


def make_partitions() -> int:
    """Create missing partitions of results for the coming days; return how many were created."""
    return partitions.make_ahead(database_now())


def keep_states() -> int:
    """Store the number of targets in each state today; return the total.

    The last count of a day is kept; days before the first target have no row. Idempotent.
    """
    totals = counts.totals()
    states = counts.by_state(totals)
    if not any(states.values()) and not DailyStates.objects.exists():
        return 0
    DailyStates.objects.update_or_create(
        day=database_now().astimezone(UTC).date(),
        defaults={**states, "unsure": totals.get(counts.UNSURE, 0)},
    )
    return sum(states.values())


@deletes("results")
def delete_old_results() -> int:
    """Delete results older than RESULTS_RETENTION; return how many rows were deleted one by one.

    On PostgreSQL, whole days are dropped and not counted. Tallies of checks are folded into
    hours after two days and deleted after 31 days; tallies of hosts are deleted after three days.
    Idempotent.
    """
    now = database_now()
    _fold_tallies(now)
    HostTally.objects.filter(hour__lt=now - _HOST_TALLIES_KEPT).delete()
    before = now - settings.RESULTS_RETENTION
    partitions.drop(before)
    deleted = 0
    while not stop_requested() and (batch := partitions.delete_results(before, limit=_BATCH_SIZE)):
        deleted += batch
    return deleted


def _fold_tallies(now: datetime) -> None:
    Tally.objects.filter(minute__lt=now - _TALLIES_KEPT).delete()
    before = hour_of(now - _MINUTES_KEPT)
    old = Tally.objects.filter(minute__lt=before).exclude(part=FOLDED_PART)
    for hour in sorted({hour_of(minute) for minute in old.values_list("minute", flat=True)}):
        Tally.objects.fold(hour)


def adopt_targets() -> int:
    """Move results of batches to targets that 0.2.0 processes registered; return how many."""
    count = 0
    for pk in adoptions.find_adoptable():
        if stop_requested():
            break
        count += adoptions.adopt(pk)
    return count


@deletes("batch_targets")
def forget_targets() -> int:
    """Delete unregistered targets that no batch refers to, with their results; return how many."""
    deleted = 0
    while not stop_requested() and (batch := adoptions.delete_unreferenced(now=database_now())):
        deleted += batch
    return deleted


@deletes("reports")
def delete_old_reports() -> int:
    """Delete reports of wrong results older than _REPORTS_KEPT; return how many rows. Idempotent.

    Also deletes reports whose account, and notes whose author or target, 0.2.0 has deleted.
    """
    old = Q(created_at__lt=database_now() - _REPORTS_KEPT)
    without_user = ~Exists(User.objects.filter(pk=OuterRef("user_id")))
    orphaned = ~Exists(User.objects.filter(pk=OuterRef("author_id"))) | ~Exists(
        Target.objects.filter(pk=OuterRef("target_id"))
    )
    return delete_in_batches(ResultReport.objects.filter(old | without_user)) + delete_in_batches(
        TargetNote.objects.filter(orphaned)
    )
