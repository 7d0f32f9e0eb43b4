"""Background tasks of the foundation, for django-q2; `linkwatch.schedules` says when they run."""

from datetime import timedelta

from foundation.database.clock import database_now
from foundation.deletion_metrics import deletes
from foundation.http.idempotency import delete_old_keys

IDEMPOTENCY_KEYS_KEPT = timedelta(hours=48)


@deletes("idempotency_keys")
def delete_old_idempotency_keys() -> int:
    """Delete Idempotency-Keys older than IDEMPOTENCY_KEYS_KEPT; return how many."""
    return delete_old_keys(database_now() - IDEMPOTENCY_KEYS_KEPT)
