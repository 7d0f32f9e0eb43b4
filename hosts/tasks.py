"""Background tasks of this app, for django-q2; `linkwatch.schedules` says when they run."""

from hosts import reservations


def prune_hosts() -> int:
    """Delete hosts that hold nothing worth keeping; return how many slots. May run twice at once.

    Expired leases need no sweeper: they are due again by themselves. Source: seed 001, Internal
    service.
    """
    return reservations.prune()
