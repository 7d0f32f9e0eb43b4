"""Schedules dead targets once DEAD_RECHECK_PERIOD is set, and unschedules them once it is unset."""

import random
from collections import defaultdict
from datetime import datetime, timedelta

from django.conf import settings

from foundation.database.transactions import restartable
from hosts import reservations
from hosts.models import Purpose
from targets.models import Target
from targets.state import State

_KEPT_AHEAD = timedelta(hours=1)


@restartable
def schedule_dead(*, limit: int, now: datetime) -> int:
    """Schedule or unschedule up to `limit` dead targets, as the setting requires; return how many.

    Call it until it returns 0. Targets that already have a next check keep its time. Within one
    call, the targets of a host get the same new time, a random one within one period. Checks that
    are due now or within an hour are kept: a batch or a person may wait for them.
    """
    period = settings.DEAD_RECHECK_PERIOD
    dead = Target.objects.filter(state=State.DEAD)
    if period is None:
        mistimed = dead.filter(next_check_at__gt=now + _KEPT_AHEAD)
    else:
        mistimed = dead.filter(next_check_at=None)
    host_by_target = dict(mistimed.order_by("created_at", "pk").values_list("pk", "host")[:limit])
    if not host_by_target:
        return 0
    reservations.lock_slots(set(host_by_target.values()))
    locked = mistimed.filter(pk__among=host_by_target).order_by("pk").select_for_update(no_key=True)
    by_host: dict[str, list[str]] = defaultdict(list)
    for pk, host in locked.values_list("pk", "host"):
        by_host[host].append(pk)
    for host, ids in sorted(by_host.items()):
        at = None if period is None else now + period * random.random()  # noqa: S311 - no secret
        Target.objects.filter(pk__among=ids).update(next_check_at=at)
        due = Target.objects.next_due_by_host([host])[host]
        reservations.set_due(host, purpose=Purpose.CHECK, at=due)
    return len(host_by_target)
