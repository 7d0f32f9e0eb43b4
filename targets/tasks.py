"""Background tasks of this app, for django-q2; `linkwatch.schedules` says when they run."""

import logging
from datetime import datetime, timedelta
from itertools import takewhile
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Exists, Min, OuterRef, Q

from foundation.database.bulk_deletion import delete_in_batches
from foundation.database.clock import database_now
from foundation.deletion_metrics import deletes
from foundation.shutdown import stop_requested
from outbox.models import Cursor, Event
from targets import counts, repairs
from targets.dead_rescheduling import schedule_dead
from targets.models import Reference, Repair
from targets.scan_models import ReferenceOccurrences, RepositoryScan
from targets.schedule_correction import pull_back, too_far_ahead

logger = logging.getLogger(__name__)

KEEP_SCANS_FOR = timedelta(days=90)  # without references, since their last run
_BATCH_SIZE = 2000
_MAX_DEAD = 200
_MAX_PULLED_BACK = 1000
_MAX_MENDED = 500


def schedule_the_dead() -> int:
    """Schedule or unschedule dead targets according to DEAD_RECHECK_PERIOD; return how many.

    Targets that die are scheduled immediately; this covers a change of the setting.
    """
    changed = 0
    while not stop_requested() and (batch := schedule_dead(limit=_MAX_DEAD, now=database_now())):
        changed += batch
    return changed


def pull_back_checks() -> int:
    """Reschedule checks that are too far ahead; return how many. May run concurrently."""
    moved, now = 0, database_now()
    for too_far in too_far_ahead(now):
        batch = _MAX_PULLED_BACK
        while batch == _MAX_PULLED_BACK and not stop_requested():
            batch = pull_back(too_far, limit=_MAX_PULLED_BACK, now=now)
            moved += batch
        if stop_requested():
            break
    if moved:
        logger.warning(
            "%d checks were scheduled later than their periods allow; they were rescheduled to an"
            " earlier time",
            moved,
        )
    return moved


def fold_counts() -> int:
    """Fold the rows of counts; return how many were deleted. May run concurrently."""
    folded = 0
    while not stop_requested() and (rows := counts.fold()):
        folded += rows
    return folded


def mend_twins() -> int:
    """Repair twins that processes of 0.2.0 have changed; return how many. May run concurrently."""
    mended = 0
    previous: list[str] = []
    while not stop_requested() and (batch := repairs.mend(limit=_MAX_MENDED, now=database_now())):
        if batch == previous:
            logger.error("%d targets or pairs of twins can't be corrected: %s", len(batch), batch)
            break
        mended, previous = mended + len(batch), batch
    return mended


@deletes("repairs")
def delete_old_repairs() -> int:
    """Delete repairs that can no longer be undone, but not their pairs; return how many."""
    return delete_in_batches(
        Repair.objects.filter(accepted_at__lt=database_now() - Repair.UNDO_PERIOD)
    )


@deletes("occurrences")
def delete_old_occurrences() -> int:
    """Delete occurrences whose reference a process of 0.2.0 deleted; return how many.

    Also deletes scans that have no references and either began their last run more than
    KEEP_SCANS_FOR ago or belong to a deleted account. May run concurrently.
    """
    references = Reference.objects.filter(pk=OuterRef("pk"))
    owners = User.objects.filter(pk=OuterRef("owner_id"))
    seen = ReferenceOccurrences.objects.filter(scan=OuterRef("pk"))
    old = Q(begun_at__lt=database_now() - KEEP_SCANS_FOR)
    orphans = Q(owner__isnull=False) & ~Exists(owners)
    deleted = delete_in_batches(ReferenceOccurrences.objects.filter(~Exists(references)))
    delete_in_batches(RepositoryScan.objects.filter(~Exists(seen), old | orphans))
    return deleted


@deletes("transitions")
def delete_old_transitions() -> int:
    """Delete events older than TRANSITIONS_RETENTION; return how many. May run concurrently.

    Deletes from the start of the feed, by position, and only events that every sink has accepted or
    refused. Dead letters keep their events. The newest event is kept, so that numbering continues.
    """
    if settings.TRANSITIONS_RETENTION is None:
        return 0
    cutoff = database_now() - settings.TRANSITIONS_RETENTION
    deleted = 0
    while not stop_requested():
        batch = _oldest_delivered(cutoff)
        Event.objects.filter(pk__in=batch).delete()
        deleted += len(batch)
        if len(batch) < _BATCH_SIZE:
            break
    return deleted


def _oldest_delivered(cutoff: datetime) -> list[UUID]:
    delivered_up_to = Cursor.objects.aggregate(position=Min("position"))["position"]
    rows = Event.objects.filter(
        position__lt=Event.objects.newest_position(), dead_letters=None
    ).order_by("position")
    if delivered_up_to is not None:
        rows = rows.filter(position__lte=delivered_up_to)
    page = rows.values_list("pk", "at")[:_BATCH_SIZE]
    return [pk for pk, _ in takewhile(lambda row: row[1] < cutoff, page)]
