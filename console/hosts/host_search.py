"""Searches for hosts by name, alias, URL or state, and sorts them by name, problems or size."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from typing import Any, TypedDict

from django.db.models import Count, IntegerField, QuerySet
from django.db.models.expressions import RawSQL

from checker.models import HostTally
from foundation.net.hostnames import InvalidHostError, normalize_host
from foundation.valkey.cached_value import CachedValue
from hosts.models import Host, HostState, Slot
from targets.canonical import InvalidURLError, canonicalize
from targets.models import Target

SPAN = timedelta(days=1)  # over which failures and slow responses are summed
MAX_TARGETS = 1_000  # counted per host in the list
_MAX_RANKED = 1_000  # hosts in each cached ranking: by targets, and by each problem
_PAUSE = 60.0  # minimum seconds between two computations of a ranking
_TARGET_COUNT_SQL = f"""(SELECT count(*) FROM (
    SELECT 1 FROM {Target._meta.db_table} WHERE host = name LIMIT {MAX_TARGETS}
) few)"""  # noqa: S608 - constants


class Sort(StrEnum):
    """The order of a list. FAILURES, SLOW and TARGETS leave out hosts that have none."""

    FAILURES = "failures"
    SLOW = "slow"
    TARGETS = "targets"
    NAME = "name"


LEFT_ALONE = "asleep"  # as a state in a search: paused or throttled


@dataclass(frozen=True, slots=True, kw_only=True)
class HostRow:
    """A host in the list; `host` is None if it has no row."""

    name: str
    host: Host | None
    problems: Mapping[str, Any]  # the sums of `HostTally` in the last SPAN; empty if there are none
    targets: int  # all of them in a list sorted by TARGETS, otherwise at most MAX_TARGETS


class HostSize(TypedDict):
    """A host with many targets."""

    host: str
    targets: int


def _largest(now: datetime) -> list[HostSize]:
    sizes = Target.objects.order_by().values("host").annotate(targets=Count("pk"))
    return list(sizes.order_by("-targets", "host")[:_MAX_RANKED])


def _worst(problem: str, now: datetime) -> list[str]:
    return list(HostTally.objects.since(now - SPAN).worst(problem)[:_MAX_RANKED])


LARGEST: CachedValue[list[HostSize]] = CachedValue("largest-hosts", _largest, pause=_PAUSE)
# Cached, because after a bad day each of these has to sum a row per host and hour.
WORST: dict[Sort, CachedValue[list[str]]] = {
    sort: CachedValue(f"worst-hosts:{sort}", partial(_worst, sort.value), pause=_PAUSE)
    for sort in (Sort.FAILURES, Sort.SLOW)
}


@dataclass(frozen=True, slots=True, kw_only=True)
class HostSearch:
    """A search for hosts: filters and order."""

    text: str = ""  # part of the name, an alias, or a URL
    state: str = ""  # LEFT_ALONE or a HostState
    sort: Sort = Sort.FAILURES

    def find(self, *, skip: int, limit: int, now: datetime) -> list[HostRow]:
        """Return up to `limit` hosts after the first `skip`.

        Runs a few statements, and one more for each returned host without a row.
        """
        if self.sort is Sort.NAME:
            hosts = self._matching(now).order_by("name")
            names = list(hosts.values_list("name", flat=True)[skip : skip + limit])
            return _rows(names, now=now)
        if self.sort is Sort.TARGETS:
            return self._by_size(skip=skip, limit=limit, now=now)
        if self.is_filtered:
            worst = HostTally.objects.since(now - SPAN).worst(self.sort.value)
            matching = worst.filter(host__in=self._matching(now).values("name"))
            return _rows(list(matching[skip : skip + limit]), now=now)
        cached = WORST[self.sort].get()  # never show an outdated ranking: the first reader waits
        return _rows(cached.value[skip : skip + limit] if cached else [], now=now)

    @property
    def is_counting(self) -> bool:
        """Whether there is no result yet, because hosts are being counted for the first time."""
        if self.sort is Sort.TARGETS:
            return LARGEST.peek() is None
        return self.sort in WORST and not self.is_filtered and WORST[self.sort].peek() is None

    @property
    def is_filtered(self) -> bool:
        """Whether the search is filtered."""
        return bool(self.text or self.state)

    def _by_size(self, *, skip: int, limit: int, now: datetime) -> list[HostRow]:
        cached = LARGEST.peek()
        sizes = {size["host"]: size["targets"] for size in cached.value} if cached else {}
        names = list(sizes)
        if self.is_filtered:
            hosts = self._matching(now).filter(name__in=names)
            matching = set(hosts.values_list("name", flat=True))
            names = [name for name in names if name in matching]
        return _rows(names[skip : skip + limit], now=now, sizes=sizes)

    def _matching(self, now: datetime) -> "QuerySet[Host]":
        """Return the hosts that match the filters, unordered."""
        hosts = Host.objects.all()
        if self.state == LEFT_ALONE:
            hosts = hosts.filter(slot__in=Slot.objects.asleep(now))
        elif self.state:
            hosts = hosts.in_state(HostState(self.state), now)
        if self.text:
            alias = Slot.objects.aliases().filter(key=self.text.strip()).first()
            part = _part_of_name(self.text)
            hosts = hosts.filter(slot=alias) if alias else hosts.filter(name__contains=part)
        return hosts


def _part_of_name(text: str) -> str:
    """Return the text to find in host names: the host of a URL, or the text, normalized."""
    text = text.strip()
    try:
        return canonicalize(text).host if "://" in text else normalize_host(text)
    except (InvalidURLError, InvalidHostError):
        return text.lower()


def _rows(
    names: Sequence[str], *, now: datetime, sizes: dict[str, int] | None = None
) -> list[HostRow]:
    """Return the rows of these hosts, in the same order; `sizes`: known numbers of targets."""
    target_count = RawSQL(_TARGET_COUNT_SQL, [], IntegerField())  # noqa: S611 - a constant
    rows = Host.objects.filter(name__in=names).select_related("slot").annotate(targets=target_count)
    hosts: dict[str, Any] = {host.name: host for host in rows}
    problems = HostTally.objects.since(now - SPAN).of_hosts(names)
    totals = sizes or {}
    return [
        HostRow(
            name=name,
            host=hosts.get(name),
            problems=problems.get(name, {}),
            targets=totals.get(name) or (hosts[name].targets if name in hosts else _count(name)),
        )
        for name in names
    ]


def _count(name: str) -> int:
    return Target.objects.filter(host=name)[:MAX_TARGETS].count()
