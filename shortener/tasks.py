"""Background tasks of this app, for django-q2; `linkwatch.schedules` says when they run."""

from django.conf import settings

from foundation.database.bulk_deletion import delete_in_batches
from foundation.database.clock import database_now
from foundation.deletion_metrics import deletes
from foundation.shutdown import stop_requested
from shortener import ended_links, expiry_events, link_cache, reaper


@deletes("links")
def reap_expired_urls() -> int:
    """Delete links that expired at least CLEANUP_BUFFER_TIME ago; return how many.

    May run concurrently.
    """
    return reaper.run(now=database_now(), budget=settings.CLEANUP_MAX_DURATION).deleted


@deletes("ended_links")
def delete_old_ended_links() -> int:
    """Delete ended links older than ENDED_LINKS_RETENTION, or all of them if it is off.

    Also deletes those of accounts that a process of 0.2.0 deleted. Returns how many.
    """
    return sum(delete_in_batches(rows) for rows in ended_links.rows_to_delete(database_now()))


def tell_of_endings() -> int:
    """Announce links that expire soon; return how many. May run concurrently."""
    announced = 0
    while not stop_requested() and (batch := expiry_events.announce(now=database_now())):
        announced += batch
    return announced


def repeat_invalidation() -> int:
    """Invalidate recently changed links again; return how many. May run concurrently."""
    return link_cache.INVALIDATION.repeat(database_now())
