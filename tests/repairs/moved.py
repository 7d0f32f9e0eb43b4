"""Targets that moved permanently, for tests of repairs."""

from datetime import timedelta

from checker.models import CheckResult
from foundation.database.clock import database_now
from targets.state import State
from tests.factories import ReferenceFactory, TargetFactory

OLD, NEW = "http://a.example/page", "https://a.example/new/page"


def moved(days=(9, 5, 1), *, url=OLD, moved_to=NEW, object_id="doc", owner=None, **fields):
    """Register a target whose checks led to `moved_to`, or to the URL in a pair, days ago."""
    now = database_now()
    fields = {"state": State.ALIVE, "flags": ["moved"], "last_checked_at": now, **fields}
    target = TargetFactory(url=url, moved_to=moved_to, pinned=False, **fields)
    ReferenceFactory(target=target, object_id=object_id, owner=owner)
    for one in days:
        ago, led_to = one if isinstance(one, tuple) else (one, moved_to)
        check_moved(target, led_to, ago)
    return target


def check_moved(target, moved_to, ago):
    """Store the result of a check, this many days ago, that was permanently redirected."""
    CheckResult.objects.create(
        target=target,
        checked_at=database_now() - timedelta(days=ago),
        outcome="success",
        latency_ms=1,
        attempts=1,
        moved_to=moved_to,
    )
