"""Deletion of many rows in batches, to keep transactions short."""

from typing import Any

from django.db.models import QuerySet

from foundation.shutdown import stop_requested

_BATCH_SIZE = 1000


def delete_in_batches(rows: QuerySet[Any], *, batch_size: int = _BATCH_SIZE) -> int:
    """Delete these rows and the rows that depend on them; return how many of these it found.

    Each batch is a separate transaction. Stops between batches if the process should stop. May run
    concurrently, but concurrent runs may count the same rows.
    """
    deleted = 0
    while not stop_requested():
        batch = list(rows.values_list("pk", flat=True)[:batch_size])
        rows.model._default_manager.filter(pk__in=batch).delete()
        deleted += len(batch)
        if len(batch) < batch_size:
            break
    return deleted
