"""Background tasks of analytics, for django-q2; `linkwatch.schedules` says when they run."""

from datetime import timedelta

from django.conf import settings

from analytics import view_history, visit_counters
from analytics.models import HourlyMetrics
from foundation.database.bulk_deletion import delete_in_batches
from foundation.database.clock import database_now
from foundation.deletion_metrics import deletes
from foundation.valkey.clients import client


def save_history() -> int:
    """Save the daily counts that changed; return how many. May run concurrently.

    Then deletes the history of deleted snippets and links.
    """
    return view_history.roll_up(client())


def end_saved_days() -> int:
    """Set the expiry of saved days that another release left in Redis; return how many days have a
    key.

    May run concurrently.
    """
    return view_history.end_saved_days(client())


def fold_old_days() -> int:
    """Fold the days of months older than VIEWS_RETENTION; return how many rows were deleted.

    Does nothing without VIEWS_RETENTION. May run concurrently.
    """
    if settings.VIEWS_RETENTION is None:
        return 0
    before = (database_now() - settings.VIEWS_RETENTION).date()
    return view_history.fold(client(), before=before)


@deletes("hours")
def delete_old_hours() -> int:
    """Delete hourly counts older than KEPT_DAYS; return how many rows, one per link and day."""
    oldest = database_now().date() - timedelta(days=visit_counters.KEPT_DAYS - 1)
    return delete_in_batches(HourlyMetrics.objects.filter(day__lt=oldest))
