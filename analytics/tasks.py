"""Background tasks of the analytics, for django-q2; `linkwatch.schedules` says when they run."""

from datetime import timedelta

from analytics import details, history
from analytics.models import HourlyMetrics
from foundation.database.clock import database_now
from foundation.valkey.clients import client


def save_history() -> int:
    """Save the counts that changed; returns how many. May run any number of times at once."""
    return history.roll_up(client())


def delete_old_hours() -> int:
    """Delete the hours of days that are no longer told by hour; returns how many days of links."""
    oldest = database_now().date() - timedelta(days=details.KEPT_DAYS - 1)
    return HourlyMetrics.objects.filter(day__lt=oldest).delete()[0]
