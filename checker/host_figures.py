"""Numbers of failed, inconclusive and slow checks of hosts in the last day, for the hosts API.

`hosts` is in a lower layer: `linkwatch.urls` passes this module to it.
"""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet, Sum

from checker.models import HostTally
from hosts.models import Host

_SPAN = timedelta(days=1)
_NO_PROBLEMS = {"failures": 0, "inconclusive": 0, "slow": 0, "mean_ms": None}


def by_host(names: Collection[str], *, now: datetime) -> Mapping[str, Mapping[str, Any]]:
    """Return the figures of these hosts for the last day, by name, with one statement.

    `mean_ms` is the mean latency of slow responses; None if there were none.
    """
    sums = HostTally.objects.since(now - _SPAN).of_hosts(names)
    return {name: sums.get(name, _NO_PROBLEMS) for name in names}


def worst(
    problem: str,
    hosts: QuerySet[Host],
    *,
    after: tuple[int, str] | None,
    limit: int,
    now: datetime,
) -> list[tuple[int, str]]:
    """Return the number of checks with this problem in the last day, and the name, of each host.

    Returns at most `limit` pairs for `hosts`, the most affected first, starting after the pair
    `after` from an earlier call.
    """
    affected = HostTally.objects.since(now - _SPAN).filter(
        **{f"{problem}__gt": 0}, host__in=hosts.order_by().values("name")
    )
    sums = affected.order_by().values("host").annotate(total=Sum(problem))
    if after is not None:
        total, name = after
        sums = sums.filter(Q(total__lt=total) | Q(total=total, host__gt=name))
    return list(sums.order_by("-total", "host").values_list("total", "host")[:limit])
