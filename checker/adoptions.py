"""Merges unregistered targets, with their results, into registered ones, or deletes them."""

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef

from batches.models import BatchItem
from batches.services import lock_queue
from checker.models import CheckResult
from foundation.database.transactions import restartable
from foundation.ids import raw_id
from hosts import reservations
from targets import unregistered
from targets.models import Target, UnregisteredTarget

_BATCH_SIZE = 500
_MIN_AGE = timedelta(minutes=10)  # the batch of a younger target may not be committed yet


def find_adoptable() -> list[str]:
    """Return the ids of unregistered targets whose URL a 0.2.0 process has since registered.

    Excludes URLs that were watched before the batch, because a batch must not reveal their status.
    """
    later = Target.objects.filter(
        canonical_url=OuterRef("canonical_url"), created_at__gt=OuterRef("created_at")
    )
    return list(UnregisteredTarget.objects.filter(Exists(later)).values_list("pk", flat=True))


@restartable
def adopt(pk: str) -> bool:
    """Merge an unregistered target into the registered target with the same URL.

    Moves its results, its batch items and, if both have failed, the time of its first failure, then
    deletes it. Returns False if either target no longer exists.
    """
    unregistered_rows = UnregisteredTarget.objects.filter(pk=pk)
    host = unregistered_rows.values_list("host", flat=True).first()
    if host is None:
        return False
    reservations.lock_slots([host])
    row = unregistered_rows.select_for_update().first()
    target = row and Target.objects.filter(canonical_url=row.canonical_url).first()
    if row is None or target is None:
        return False
    unregistered.merge(row, into=target.pk)
    CheckResult.objects.filter(target=row.pk).update(target=target.pk)
    items = BatchItem.objects.filter(target_id=raw_id("target", row.pk))
    items.update(target_id=raw_id("target", target.pk))
    return True


@restartable
def delete_unreferenced(*, now: datetime) -> int:
    """Delete up to _BATCH_SIZE unregistered targets, with their results; return how many.

    Deletes only targets that are older than _MIN_AGE and that no batch refers to.
    """
    lock_queue()
    items = BatchItem.objects.filter(target_id=OuterRef("pk"))
    old = UnregisteredTarget.objects.filter(~Exists(items), created_at__lt=now - _MIN_AGE)
    # Locked, so that nobody registers one of these URLs in the meantime, losing its results.
    locked_rows = old.order_by("pk").select_for_update(no_key=True)
    ids = list(locked_rows.values_list("pk", flat=True)[:_BATCH_SIZE])
    CheckResult.objects.filter(target__pk__among=ids).delete()
    UnregisteredTarget.objects.filter(pk__among=ids).delete()
    return len(ids)
