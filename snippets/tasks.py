"""Background tasks of this app, for django-q2; `linkwatch.schedules` says when they run."""

import time
from datetime import timedelta

from django.conf import settings

from foundation.database.clock import database_now
from foundation.shutdown import stop_requested
from snippets import reads, services
from snippets.models import RemovedSnippet, Snippet

RECENT = timedelta(minutes=3)  # the task that looks at this much runs every minute


def reap_expired_snippets() -> int:
    """Delete snippets expired for longer than CLEANUP_BUFFER_TIME; returns how many.

    In batches, within CLEANUP_MAX_DURATION; may run twice at once. Cost: one index range.
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


def invalidate_recent_changes() -> int:
    """Invalidate what has changed lately once more; returns how many snippets.

    A process may have died, or Redis been away, between a commit and its invalidation.
    """
    since = database_now() - RECENT
    changed = Snippet.objects.filter(updated_at__gte=since).values_list("pk", flat=True)
    removed = RemovedSnippet.objects.filter(removed_at__gte=since).values_list("pk", flat=True)
    ids = [*changed, *removed]
    reads.invalidate(ids)
    RemovedSnippet.objects.filter(removed_at__lt=since - RECENT).delete()
    return len(ids)
