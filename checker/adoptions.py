"""Adopts or deletes the targets that only batches refer to, with their results."""

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

_AT_ONCE = 500
_YOUNG = timedelta(minutes=10)  # its batch may not be committed yet


def left_by_old_processes() -> list[str]:
    """Return the ids of targets of batches whose URL a 0.2.0 process has registered since.

    Excludes URLs that were watched before the batch, because others must not see their status.
    """
    later = Target.objects.filter(
        canonical_url=OuterRef("canonical_url"), created_at__gt=OuterRef("created_at")
    )
    return list(UnregisteredTarget.objects.filter(Exists(later)).values_list("pk", flat=True))


@restartable
def adopt(pk: str) -> bool:
    """Move a target's results and first failure to the registered target of its URL; delete it.

    Returns whether both still exist.
    """
    known = UnregisteredTarget.objects.filter(pk=pk)
    host = known.values_list("host", flat=True).first()
    if host is None:
        return False
    reservations.lock_slots([host])
    row = known.select_for_update().first()
    target = row and Target.objects.filter(canonical_url=row.canonical_url).first()
    if row is None or target is None:
        return False
    unregistered.merge(row, into=target.pk)
    CheckResult.objects.filter(target=row.pk).update(target=target.pk)
    items = BatchItem.objects.filter(target_id=raw_id("target", row.pk))
    items.update(target_id=raw_id("target", target.pk))
    return True


@restartable
def forget(*, now: datetime) -> int:
    """Delete some targets that no batch refers to, with their results; return how many."""
    lock_queue()
    items = BatchItem.objects.filter(target_id=OuterRef("pk"))
    old = UnregisteredTarget.objects.filter(~Exists(items), created_at__lt=now - _YOUNG)
    # Locked, so that nobody can register one of these URLs meanwhile and lose the results.
    locked = old.order_by("pk").select_for_update(no_key=True)
    ids = list(locked.values_list("pk", flat=True)[:_AT_ONCE])
    CheckResult.objects.filter(target__pk__among=ids).delete()
    UnregisteredTarget.objects.filter(pk__among=ids).delete()
    return len(ids)
