"""Background tasks of this app, for django-q2; `linkwatch.schedules` says when they run."""

from datetime import timedelta

from foundation.database.bulk_deletion import delete_in_batches
from foundation.database.clock import database_now
from foundation.deletion_metrics import deletes
from notify.models import Delivery

DELIVERIES_KEPT = timedelta(days=30)


@deletes("deliveries")
def delete_old_deliveries() -> int:
    """Delete deliveries older than DELIVERIES_KEPT; return how many. May run twice."""
    old = Delivery.objects.older_than(database_now() - DELIVERIES_KEPT).order_by("created_at")
    return delete_in_batches(old)
