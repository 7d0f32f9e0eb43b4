"""Background tasks of the analytics, for django-q2; `linkwatch.schedules` says when they run."""

from analytics import history
from foundation.valkey.clients import client


def save_history() -> int:
    """Save the counts that changed; returns how many. May run any number of times at once."""
    return history.roll_up(client())
