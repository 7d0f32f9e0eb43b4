"""The recorded runs of the reaper, and their figures.

Source: docs/requirements.md#expiry-stats.

Each batch of a run renews the lease of its row. An unfinished run whose lease has expired was
killed, and counts as failed. Processes of 0.2.0 write `beat_at`, but no lease.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, cast
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import Count, DurationField, ExpressionWrapper, F, Max, Min, Q, QuerySet, Sum

from foundation.database import leases
from shortener.models import CleanupRun, CleanupTotals

LEASE = timedelta(minutes=1)
KEPT_RUNS = 1000  # ten days, by default
_SUCCEEDED = Q(finished_at__isnull=False, error="")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """Statistics of the reaper."""

    last_cleanup_time: datetime | None
    total_cleaned: int
    last_batch_size: int
    successful_runs: int
    failed_runs: int
    average_cleanup_ms: float  # of the successful runs
    is_running: bool


def begin(now: datetime) -> CleanupRun:
    """Record the beginning of a run."""
    fold(now)
    lease = leases.lease(uuid4(), length=LEASE, now=now)
    return CleanupRun.objects.create(started_at=now, beat_at=now, **lease)


def beat(run: CleanupRun, deleted: int, now: datetime) -> None:
    """Record a batch of `deleted` links in its transaction, and renew the run's lease."""
    rows, token = _lease_of(run)
    total = F("deleted") + deleted
    leases.renew(rows, token, length=LEASE, now=now, deleted=total, last_batch=deleted, beat_at=now)


def end(run: CleanupRun, now: datetime, *, error: str = "") -> None:
    """Record the end of a run; a run with an error has failed."""
    leases.release(*_lease_of(run), beat_at=now, finished_at=now, error=error)
    run.refresh_from_db()


def first_failure(run: CleanupRun) -> datetime | None:
    """Return when the first run began whose failure no later run has repaired; None without any.

    A successful run repairs those that had failed, or whose lease had expired, when it began.
    """
    others, now = CleanupRun.objects.exclude(pk=run.pk), run.started_at
    failed = others.filter(_failed(now))
    repaired_at = others.filter(_SUCCEEDED).aggregate(Max("started_at"))["started_at__max"]
    if repaired_at is not None:
        failed = failed.filter(beat_at__gt=repaired_at - LEASE)
    began: datetime | None = failed.aggregate(Min("started_at"))["started_at__min"]
    return began


def _lease_of(run: CleanupRun) -> tuple[QuerySet[CleanupRun], UUID]:
    return CleanupRun.objects.filter(pk=run.pk), cast("UUID", run.token)


def _live(now: datetime) -> Q:
    """Return the condition for runs in progress."""
    of_0_2_0 = Q(token=None, beat_at__gt=now - LEASE)
    return Q(finished_at=None) & (leases.live(now, length=LEASE) | of_0_2_0)


def _failed(now: datetime) -> Q:
    """Return the condition for runs that ended with an error or were killed."""
    return Q(finished_at=None) & ~_live(now) | Q(finished_at__isnull=False) & ~Q(error="")


def stats(now: datetime) -> Stats:
    """Return the figures of all processes: the recorded runs plus the totals of older ones."""
    sums = _sums(CleanupRun.objects.all(), now)
    older = CleanupTotals.objects.first() or CleanupTotals()
    successful = older.successful_runs + sums["successful"]
    spent = older.finished_ms + _milliseconds(sums["spent"])
    newest = CleanupRun.objects.filter(last_batch__gt=0).order_by("-started_at").first()
    return Stats(
        last_cleanup_time=sums["last"],
        total_cleaned=older.cleaned + sums["cleaned"],
        last_batch_size=newest.last_batch if newest else 0,
        successful_runs=successful,
        failed_runs=older.failed_runs + sums["failed"],
        average_cleanup_ms=round(spent / successful, 1) if successful else 0.0,
        is_running=CleanupRun.objects.filter(_live(now)).exists(),
    )


def _sums(runs: QuerySet[CleanupRun], now: datetime) -> dict[str, Any]:
    spent = ExpressionWrapper(F("finished_at") - F("started_at"), DurationField())
    sums = runs.aggregate(
        cleaned=Sum("deleted"),
        successful=Count("pk", filter=_SUCCEEDED),
        failed=Count("pk", filter=_failed(now)),
        spent=Sum(spent, filter=_SUCCEEDED),
        last=Max("finished_at"),
    )
    return {**sums, "cleaned": sums["cleaned"] or 0}


def _milliseconds(span: timedelta | None) -> float:
    return 0.0 if span is None else span / timedelta(milliseconds=1)


@transaction.atomic
def fold(now: datetime) -> None:
    """Add all runs before the newest KEPT_RUNS that have ended to the totals; delete their rows."""
    surplus = CleanupRun.objects.order_by("-started_at", "-pk")[KEPT_RUNS:]
    if not (old := list(surplus.values_list("pk", flat=True))):
        return
    CleanupTotals.objects.get_or_create(pk=1)
    totals = CleanupTotals.objects.select_for_update().get(pk=1)  # one process at a time
    runs = CleanupRun.objects.filter(~_live(now), pk__in=old)
    sums = _sums(runs, now)
    totals.cleaned += sums["cleaned"]
    totals.successful_runs += sums["successful"]
    totals.failed_runs += sums["failed"]
    totals.finished_ms += _milliseconds(sums["spent"])
    totals.save()
    runs.delete()
