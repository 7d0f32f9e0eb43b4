"""Stats of the whole registry: `/v1/stats`."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import QuerySet

from checker.models import Tally
from foundation.database.clock import database_now
from foundation.valkey.cached_value import CachedValue
from hosts import healing
from hosts.models import NEXT_AT, Host, Slot
from outbox import cursors
from shortener.models import ShortURL
from targets import counts
from targets.models import Target

MAX_COUNT = 10_000


def stats(now: datetime) -> dict[str, Any]:
    """Return the stats of the registry. Source: docs/requirements.md#registry-stats.

    Due targets and hosts are counted up to MAX_COUNT, so that their cost is bounded.
    """
    due_times = Target.objects.due(now).values_list("next_check_at")
    overdue, waiting = _overdue(now)
    totals = counts.totals()
    return {
        "targets": counts.by_state(totals),
        "needs_attention": totals.get(counts.UNSURE, 0),
        "paused": totals.get(counts.PAUSED, 0),
        "flags": counts.by_flag(totals),
        "references": totals.get(counts.REFERENCES, 0),
        "hosts": {
            "queued": _queued(),
            "busy": Host.objects.busy(now)[:MAX_COUNT].count(),
            "healing": healing.last_report(),
        },
        "due": due_times[:MAX_COUNT].count(),
        "overdue": overdue,
        "waiting_for_hosts": waiting,
        "counted_to": MAX_COUNT,
        "short_urls": {
            "total": ShortURL.objects.count(),
            "expired": ShortURL.objects.expired(now).count(),
        },
        "last_hour": Tally.objects.sums_since(now - timedelta(hours=1)),
        "last_day": Tally.objects.sums_since(now - timedelta(days=1)),
        **_events(now),
    }


def _overdue(now: datetime) -> tuple[int, int]:
    """Return the numbers of overdue targets, and of targets waiting for a paused or throttled host.

    Each number is at most MAX_COUNT. Waiting targets are subtracted from the late ones, but at most
    10 * MAX_COUNT of them; if there are more, some count as overdue.
    """
    late = Target.objects.scheduled().filter(next_check_at__lte=now - settings.CHECK_INTERVAL)
    asleep = late.order_by().filter(host__in=hosts_left_alone(now))
    waiting = asleep.values_list("pk")[: 10 * MAX_COUNT].count()
    times = late.order_by("next_check_at").values_list("next_check_at")
    count = times[: MAX_COUNT + waiting].count()
    return max(0, min(MAX_COUNT, count - waiting)), min(MAX_COUNT, waiting)


def hosts_left_alone(now: datetime) -> QuerySet[Host, Any]:
    """Return the names of the hosts that are paused or throttled."""
    return Host.objects.filter(slot__in=Slot.objects.asleep(now)).values("name")


def _queued() -> int:
    """Return the number of hosts with a due time and a free slot, up to MAX_COUNT.

    Hosts with a leased slot are counted and subtracted: there are few, and this avoids a join of
    the other hosts with their slots.
    """
    scheduled = Host.objects.annotate(next_at=NEXT_AT).filter(next_at__isnull=False)
    leased = scheduled.filter(slot__leased_until__isnull=False).count()
    count = scheduled.order_by(NEXT_AT)[: MAX_COUNT + leased].count()
    return max(0, min(MAX_COUNT, count - leased))  # leases may end between the two queries


def _events(now: datetime) -> dict[str, Any]:
    """Return the pending events: the largest number of any active sink, and each sink's backlog.

    The feed counts as a sink, and the backlogs include sinks that are off. Ages are in seconds;
    None without pending events.
    """
    backlogs = cursors.backlogs(now)
    active = [backlog for backlog in backlogs.values() if backlog.cursor.off_since is None]
    ages = [backlog.oldest_age for backlog in active if backlog.oldest_age is not None]
    return {
        "events_pending": max(backlog.pending for backlog in active),
        "events_oldest_pending_seconds": _seconds(max(ages, default=None)),
        "sinks": {name: _backlog(backlog) for name, backlog in backlogs.items()},
    }


def _backlog(backlog: cursors.Backlog) -> dict[str, Any]:
    return {
        "pending": backlog.pending,
        "oldest_pending_seconds": _seconds(backlog.oldest_age),
        "set_aside": backlog.set_aside,
        "last_sent_at": backlog.cursor.last_sent_at,
        "last_error": backlog.cursor.last_error or None,
        "last_error_at": backlog.cursor.last_error_at,
        "off_since": backlog.cursor.off_since,
    }


def _seconds(span: timedelta | None) -> float | None:
    return None if span is None else round(span.total_seconds(), 3)


def public_events() -> dict[str, Any]:
    """Return the pending events as in `stats`, with only the type of each error, for the public."""
    events = _events(database_now())
    for backlog in events["sinks"].values():
        backlog["last_error"] = backlog["last_error"] and backlog["last_error"].split(":")[0]
    return events


STATS = CachedValue("stats", stats)
