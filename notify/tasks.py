"""Background tasks of this app, for django-q2; `linkwatch.schedules` says when they run."""

from foundation.database.clock import database_now
from foundation.shutdown import stop_requested
from notify.models import Delivery

_BATCH = 2000


def delete_old_deliveries() -> int:
    """Delete deliveries made up more than 30 days ago; returns how many. May run twice."""
    old = Delivery.objects.older_than(database_now() - Delivery.KEPT).order_by("created_at")
    deleted = 0
    while not stop_requested():
        batch = list(old.values_list("pk", flat=True)[:_BATCH])
        Delivery.objects.filter(pk__among=batch).delete()
        deleted += len(batch)
        if len(batch) < _BATCH:
            break
    return deleted
