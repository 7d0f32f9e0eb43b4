"""Background tasks of this app, for django-q2; `linkwatch.schedules` says when they run."""

import time
from datetime import timedelta

from django.conf import settings

from foundation.database.clock import database_now
from foundation.deletion_metrics import deletes
from foundation.shutdown import stop_requested
from snippets import services, snippet_cache
from snippets.models import RemovedSnippet

KEEP_REMOVALS_FOR = timedelta(hours=1)  # in case Redis comes back with older data


@deletes("snippets")
def reap_expired_snippets() -> int:
    """Delete snippets that expired at least CLEANUP_BUFFER_TIME ago; return how many.

    Deletes in batches, within CLEANUP_MAX_DURATION; may run concurrently. Cost: one index range.
    """
    deadline = time.monotonic() + settings.CLEANUP_MAX_DURATION.total_seconds()
    size, deleted = settings.CLEANUP_BATCH_SIZE, 0
    while time.monotonic() < deadline and not stop_requested():
        now = database_now()
        reaped = services.reap(now - settings.CLEANUP_BUFFER_TIME, limit=size, now=now)
        deleted += reaped
        if reaped < size:
            break
    return deleted


def repeat_invalidation() -> int:
    """Invalidate recently changed snippets again; return how many.

    May run concurrently. Then deletes records of removals older than KEEP_REMOVALS_FOR.
    """
    now = database_now()
    count = snippet_cache.INVALIDATION.repeat(now)
    RemovedSnippet.objects.filter(removed_at__lt=now - KEEP_REMOVALS_FOR).delete()
    return count
