"""Reschedules checks that are impossibly far ahead.

Their times come from a clock that was ahead, or a setting that used to be longer. Source:
docs/requirements.md#checks-schedule.
"""

import random
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import DateTimeField, ExpressionWrapper, F, Q, Value

from foundation.database import rows
from foundation.database.transactions import restartable
from foundation.ids import raw_id
from foundation.net.retry_after import MAX_WAIT
from hosts import reservations
from hosts.models import Purpose
from targets.models import Target, TargetQuerySet
from targets.state import State

_SLACK = timedelta(minutes=1)  # processes may have different clocks (SQLite)


def too_far_ahead(now: datetime) -> Iterator[TargetQuerySet]:
    """Yield querysets of targets whose next checks are too far ahead: first dead targets, then
    others, one for each check period.

    Each queryset is a range of an index, to be read in the index's order, a part at a time.
    """
    now += _SLACK
    scheduled = Target.objects.scheduled().filter(replaced_by=None)
    if settings.DEAD_RECHECK_PERIOD is not None:  # otherwise `dead_rescheduling` unschedules them
        longest = max(settings.DEAD_RECHECK_PERIOD, MAX_WAIT)
        dead = scheduled.filter(state=State.DEAD, next_check_at__gt=now + longest)
        yield dead.order_by("created_at", "pk")
    yield _not_dead(scheduled.filter(check_period=None), settings.CHECK_PERIOD, now)
    own = scheduled.filter(check_period__isnull=False).order_by("check_period")
    periods = own.values_list("check_period", flat=True)
    period = periods.first()
    while period is not None:
        yield _not_dead(scheduled.filter(check_period=period), period, now)
        period = periods.filter(check_period__gt=period).first()


def _not_dead(targets: TargetQuerySet, period: timedelta, now: datetime) -> TargetQuerySet:
    """Return the targets with this check period that are not dead and whose next checks are too far
    ahead, the latest first.

    Alive targets wait for the check period; others may also wait for a recheck period, or for as
    long as their server asked.
    """
    is_healthy = Q(state=State.ALIVE, inconclusive_since=None)
    longest = max(period, MAX_WAIT)
    rechecked = ExpressionWrapper(
        Value(now, DateTimeField()) + F("recheck_period"), output_field=DateTimeField()
    )
    is_late = Q(
        recheck_period=None, next_check_at__gt=now + max(longest, settings.RECHECK_PERIOD)
    ) | Q(next_check_at__gt=now + longest) & Q(next_check_at__gt=rechecked)
    too_far = targets.filter(
        is_healthy | ~Q(state=State.DEAD) & is_late,
        next_check_at__gt=now + period,  # so that the index is used
    )
    return too_far.order_by("-next_check_at")


def pull_back(too_far: TargetQuerySet, *, limit: int, now: datetime) -> int:
    """Schedule up to `limit` targets of `too_far_ahead` within their periods; return how many.

    Call it until it returns less than `limit`. New times are random within each target's period.
    """
    targets = list(too_far[:limit])
    if targets:
        _pull_back(targets, now)
    return len(targets)


@restartable
def _pull_back(targets: list[Target], now: datetime) -> None:
    times = {target.pk: now + _period(target) * random.random() for target in targets}  # noqa: S311
    hosts: dict[str, datetime] = {}
    for target in targets:
        at = times[target.pk]
        hosts[target.host] = min(at, hosts.get(target.host, at))
    reservations.schedule(hosts, purpose=Purpose.CHECK, now=now)
    locked = Target.objects.filter(pk__among=times).order_by("pk").select_for_update(no_key=True)
    sooner = [
        (raw_id("target", pk), times[pk])
        for pk, at in locked.values_list("pk", "next_check_at")
        if at is not None and at > times[pk]
    ]
    rows.update(Target, ("id", "next_check_at"), sooner)


def _period(target: Target) -> timedelta:
    policy = target.policy
    if target.state == State.DEAD:
        return policy.dead_recheck_period or policy.check_period
    is_healthy = target.state == State.ALIVE and target.inconclusive_since is None
    return policy.check_period if is_healthy else policy.recheck_period
