"""Background tasks of accounts, for django-q2; `linkwatch.schedules` says when they run."""

from django.conf import settings

from accounts import traces
from foundation.database.clock import database_now

_BATCH = 1000


def delete_old_traces() -> int:
    """Delete the traces that are older than TRACES_RETENTION; returns how many."""
    before, deleted = database_now() - settings.TRACES_RETENTION, 0
    while found := traces.delete_old(before, limit=_BATCH):
        deleted += found
    return deleted
