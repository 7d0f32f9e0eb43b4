"""Next checks that are further ahead than anything may put them, pulled back.

A clock that was ahead for a while leaves such times, as does a setting that was longer before.
Source: docs/requirements.md#checks-schedule.
"""

import random
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import DateTimeField, ExpressionWrapper, F, Q, Value

from foundation.database import rows
from foundation.database.transactions import restartable
from foundation.ids import raw_id
from foundation.net.retry_after import LONGEST
from hosts import reservations
from hosts.models import Purpose
from targets.models import Target, TargetQuerySet
from targets.state import State

_SLACK = timedelta(minutes=1)  # processes may have clocks of their own (SQLite)


@restartable
def pull_back(*, limit: int, now: datetime) -> int:
    """Let targets that wait for too long be checked within their period; return how many.

    At most `limit`, the ones furthest ahead first: call it until that is 0. The new times are
    spread over the period of each.
    """
    found: list[Target] = []
    for too_far in _too_far_ahead(now):
        found += too_far.order_by("-next_check_at")[: limit - len(found)]
        if len(found) == limit:
            break
    times = {target.pk: now + _period(target) * random.random() for target in found}  # noqa: S311
    hosts: dict[str, datetime] = {}
    for target in found:
        at = times[target.pk]
        hosts[target.host] = min(at, hosts.get(target.host, at))
    reservations.schedule(hosts, purpose=Purpose.CHECK, now=now)
    still = Target.objects.filter(pk__among=times).order_by("pk").select_for_update(no_key=True)
    sooner = [
        (raw_id("target", pk), times[pk])
        for pk, at in still.values_list("pk", "next_check_at")
        if at is not None and at > times[pk]
    ]
    rows.update(Target, ("id", "next_check_at"), sooner)
    return len(found)


def _too_far_ahead(now: datetime) -> Iterator[TargetQuerySet]:
    """Yield the targets that wait for too long, by their check period: each a range of an index."""
    scheduled = Target.objects.scheduled()
    yield _beyond(scheduled.filter(check_period=None), settings.CHECK_PERIOD, now)
    own = scheduled.filter(check_period__isnull=False).order_by("check_period")
    periods = own.values_list("check_period", flat=True)
    period = periods.first()
    while period is not None:
        yield _beyond(scheduled.filter(check_period=period), period, now)
        period = periods.filter(check_period__gt=period).first()


def _beyond(targets: TargetQuerySet, period: timedelta, now: datetime) -> TargetQuerySet:
    """Return those of these targets, all of this check period, that wait for too long.

    What is alive waits for its period; what is not also for a recheck period, or as long as its
    server asked; the dead for DEAD_RECHECK_PERIOD.
    """
    now += _SLACK
    well = Q(state=State.ALIVE, inconclusive_since=None)
    dead = Q(state=State.DEAD)
    longest = max(period, LONGEST)
    rechecked = ExpressionWrapper(
        Value(now, DateTimeField()) + F("recheck_period"), output_field=DateTimeField()
    )
    usual = Q(
        recheck_period=None, next_check_at__gt=now + max(longest, settings.RECHECK_PERIOD)
    ) | Q(next_check_at__gt=now + longest) & Q(next_check_at__gt=rechecked)
    dead_period = settings.DEAD_RECHECK_PERIOD or period
    return targets.filter(
        well & Q(next_check_at__gt=now + period)
        | dead & Q(next_check_at__gt=now + dead_period)
        | ~well & ~dead & usual,
        next_check_at__gt=now + min(period, dead_period),  # for the index
    )


def _period(target: Target) -> timedelta:
    policy = target.policy
    if target.state == State.DEAD:
        return policy.dead_recheck_period or policy.check_period
    is_well = target.state == State.ALIVE and target.inconclusive_since is None
    return policy.check_period if is_well else policy.recheck_period
