"""Background tasks of this app, for django-q2; `linkwatch.schedules` says when they run."""

from datetime import timedelta

from foundation.database.bulk_deletion import delete_in_batches
from foundation.database.clock import database_now
from foundation.deletion_metrics import deletes
from notify.models import Delivery

KEEP_DELIVERIES_FOR = timedelta(days=30)


@deletes("deliveries")
def delete_old_deliveries() -> int:
    """Delete deliveries older than KEEP_DELIVERIES_FOR; return how many. May run concurrently."""
    old = Delivery.objects.older_than(database_now() - KEEP_DELIVERIES_FOR).order_by("created_at")
    return delete_in_batches(old)
