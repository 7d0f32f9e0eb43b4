"""The summary: everything that the dashboard shows, computed in the background and cached.

The cost does not depend on the number of targets or results: counts are stored, and other queries
read short index ranges or rows by key.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, TypedDict, cast

import redis
from django.db.models import F

from analytics import trend, view_metrics
from analytics.live_messages import public_id
from checker.models import HostTally, HostTallyQuerySet, ResultReport, Tally, hour_of
from console.dashboard.checks_chart import LONG_SPANS
from console.dashboard.needs_attention import Need, find_needs, headline
from console.outages.trends import DayStates, daily_states
from foundation.valkey.cached_value import CachedValue
from foundation.valkey.clients import client
from hosts.models import Slot
from outbox.models import Event
from shortener.models import ShortURL
from snippets.models import Snippet
from status.health import Part, health_of, network, parts
from status.stats import STATS, stats
from targets.state import State
from targets.transition_texts import reason

PAUSE = 2.0  # minimum seconds between two summaries
MINUTES = 60  # complete minutes in the chart of the last hour
MANY_SHARE = 0.1  # of failed or inconclusive checks; larger shares deserve attention
MAX_CHANGES = 8
MAX_REPORTS = 1_000
MAX_HOSTS = 6
MAX_TRENDING = 6
_TRENDING_CANDIDATES = 100  # popular items, most of which may be unlisted or may have ended
MAX_EXPIRING = 6
_STATES = (State.ALIVE, State.POTENTIALLY_DEAD, State.DEAD, State.PENDING)
_SOON = timedelta(days=7)


class RecentChange(TypedDict):
    """A transition of a target, which may have been deleted since."""

    id: str
    at: datetime
    target: str | None
    url: str
    before: str
    after: str
    reason: str


class Minute(TypedDict):
    """The numbers of checks in a minute."""

    minute: datetime
    checks: int
    failures: int
    inconclusive: int


class HostWithProblems(TypedDict):
    """A host with recent failed, inconclusive or slow checks, and their numbers."""

    host: str
    failures: int
    inconclusive: int
    slow: int
    mean_ms: float | None  # mean latency of the slow checks; None if there are none


class HostLeftAlone(TypedDict):
    """A host, or an alias with all of its hosts, during a backoff or pause."""

    name: str
    is_alias: bool
    is_paused: bool  # by an operator; otherwise a backoff
    until: datetime


class PopularItem(TypedDict):
    """A popular snippet or short link."""

    id: str  # the id in `/ws/live/`
    title: str
    address: str
    is_link: bool
    views: int


class ExpiringLink(TypedDict):
    """A short link that expires soon."""

    key: str
    long_url: str
    at: datetime


class Summary(TypedDict):
    """The contents of the dashboard."""

    stats: dict[str, Any]  # as in `/v1/stats`
    states: dict[str, int]  # the number of targets in each of _STATES
    counted_at: datetime
    headline: str
    needs: list[Need]
    reports: int  # open reports of wrong results, up to MAX_REPORTS
    days: list[DayStates]  # of the last weeks, oldest first
    total: int  # targets
    changes: list[RecentChange]
    minutes: list[Minute]  # MINUTES complete ones and the current one, oldest first
    long_spans: dict[str, list[list[int]]]  # bars of the chart of checks, by span
    per_second: float  # checks per second in this minute and the previous one
    many_fail: bool  # whether more than MANY_SHARE of the checks of the last hour failed
    many_unsure: bool  # likewise for inconclusive checks
    hosts_since: datetime  # start of the figures of hosts
    failing: list[HostWithProblems]
    slow: list[HostWithProblems]
    asleep: list[HostLeftAlone]
    trending: list[PopularItem] | None  # None if Redis is unavailable
    expiring: list[ExpiringLink]
    parts: list[Part]
    network: list[str]  # problems of our own network
    down_since: datetime | None  # start of an outage of our network


def compute_summary(now: datetime) -> Summary:
    """Return the current summary."""
    cached = STATS.get()
    numbers = cached.value if cached else stats(now)
    minutes, long_spans = _minutes(now), LONG_SPANS.get()
    hour = numbers["last_hour"]
    since = hour_of(now - timedelta(hours=1))
    tallies = HostTally.objects.since(since)
    our_network = network()
    total = sum(numbers["targets"].values())
    inconclusive = numbers["needs_attention"]
    needs = find_needs(now, flags=numbers["flags"], inconclusive=inconclusive, total=total)
    components = parts(health_of())
    has_problems = our_network["sentences"] or any(each["state"] == "down" for each in components)
    return {
        "stats": numbers,
        "states": {state.value: numbers["targets"][state] for state in _STATES},
        "counted_at": cached.at if cached else now,
        "headline": headline(needs) if needs or has_problems else "All quiet",
        "needs": needs,
        "reports": ResultReport.objects.filter(handled_at=None)[:MAX_REPORTS].count(),
        "days": daily_states(now, states=numbers["targets"], unsure=inconclusive),
        "total": total,
        "changes": [_change(row) for row in Event.objects.newest(MAX_CHANGES)],
        "minutes": minutes,
        "long_spans": long_spans.value if long_spans else {},
        "per_second": _checks_per_second(minutes, now),
        "many_fail": hour["failures"] > MANY_SHARE * hour["checks"],
        "many_unsure": hour["inconclusive"] > MANY_SHARE * hour["checks"],
        "hosts_since": since,
        "failing": _worst_hosts(tallies, "failures"),
        "slow": _worst_hosts(tallies, "slow"),
        "asleep": [_host_left_alone(slot, now) for slot in _slots_left_alone(now)],
        "trending": _trending(now),
        "expiring": _expiring_links(now),
        "parts": components,
        "network": our_network["sentences"],
        "down_since": our_network["down_since"],
    }


SUMMARY: CachedValue[Summary] = CachedValue("summary", compute_summary, pause=PAUSE)


def _change(row: Event) -> RecentChange:
    return {
        "id": str(row.id),
        "at": row.at,
        "target": row.target_id,
        "url": row.payload.get("url") or row.payload.get("target_id", ""),
        "before": row.from_state,
        "after": row.to_state,
        "reason": reason(row.from_state, row.to_state, row.payload),
    }


def _worst_hosts(tallies: HostTallyQuerySet, problem: str) -> list[HostWithProblems]:
    names = list(tallies.worst(problem)[:MAX_HOSTS])
    return [cast("HostWithProblems", row) for row in tallies.of_hosts(names).values()]


def _slots_left_alone(now: datetime) -> list[Slot]:
    return list(Slot.objects.asleep(now).order_by("-not_before", "key")[:MAX_HOSTS])


def _host_left_alone(slot: Slot, now: datetime) -> HostLeftAlone:
    return {
        "name": slot.key,
        "is_alias": slot.is_alias,
        "is_paused": slot.is_paused(now),
        "until": slot.not_before,
    }


def _minutes(now: datetime) -> list[Minute]:
    """Return the last MINUTES minutes and the current one, including those without checks."""
    minute = now.replace(second=0, microsecond=0)
    first = minute - timedelta(minutes=MINUTES)
    tallies = {row["minute"]: row for row in Tally.objects.by_minute(since=first)}
    zeros = {"checks": 0, "failures": 0, "inconclusive": 0}
    return [
        cast("Minute", {"minute": at, **zeros} | tallies.get(at, {}))
        for at in (first + timedelta(minutes=n) for n in range(MINUTES + 1))
    ]


def _checks_per_second(minutes: Sequence[Minute], now: datetime) -> float:
    """Return the checks per second in this minute and the previous one."""
    span = now - minutes[-2]["minute"]
    return (minutes[-1]["checks"] + minutes[-2]["checks"]) / span.total_seconds()


def _trending(now: datetime) -> list[PopularItem] | None:
    """Return up to MAX_TRENDING popular links and public snippets; None if Redis is unavailable."""
    try:
        top = [subject for subject, _ in trend.top(client(), _TRENDING_CANDIDATES, now=now)]
    except redis.RedisError:
        return None
    public = Snippet.objects.live(now).listed_publicly()
    snippets = public.only("title").in_bulk([s for s in top if _is_snippet(s)])
    keys = [public_id(subject) for subject in top if not _is_snippet(subject)]
    links = ShortURL.objects.active(now).only("long_url").in_bulk(keys)
    existing = [s for s in top if s in snippets or public_id(s) in links][:MAX_TRENDING]
    views = view_metrics.totals(existing)
    return [
        _popular_snippet(snippets[subject], views[subject])
        if subject in snippets
        else _popular_link(links[public_id(subject)], views[subject])
        for subject in existing
    ]


def _is_snippet(subject: str) -> bool:
    return subject == public_id(subject)


def _popular_snippet(snippet: Snippet, views: int) -> PopularItem:
    return {
        "id": snippet.id,
        "title": snippet.title or "Untitled snippet",
        "address": snippet.get_absolute_url(),
        "is_link": False,
        "views": views,
    }


def _popular_link(link: ShortURL, views: int) -> PopularItem:
    return {
        "id": link.key,
        "title": link.long_url,
        "address": f"/s/{link.key}+",
        "is_link": True,
        "views": views,
    }


def _expiring_links(now: datetime) -> list[ExpiringLink]:
    links = ShortURL.objects.active(now).filter(expires_at__gt=now, expires_at__lte=now + _SOON)
    rows = links.order_by("expires_at").values("key", "long_url", at=F("expires_at"))
    return list(rows[:MAX_EXPIRING])
