"""History of views, which outlives Redis: rolled up into DailyMetrics, and restored from there.

The roll-up writes absolute counts of days and never lowers one, so it may run twice, or at once.
Redis keeps saved days for two more days. Before a later view is counted, its day is restored. An
empty Redis lacks `x:restored`; then a worker restores all totals, the counts of today and
yesterday, and a trend of daily resolution before it counts: counts continue from the last roll-up.
Visitors of the day are counted again, and the greater number is kept.
"""

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from itertools import groupby, islice, zip_longest
from typing import Any, NamedTuple, TypeVar, cast

import redis
from django.conf import settings
from django.db.models import Min, Sum

from analytics import counters, trend, visit_counters
from analytics.models import DailyMetrics, HourlyMetrics, MonthlyMetrics
from analytics.stream import has_dimensions
from analytics.stream_batches import KEPT_DAYS
from analytics.visit_counters import Details
from foundation import watchdog
from foundation.database.transactions import restartable
from foundation.shutdown import stop_requested
from foundation.valkey.scripts import Script

T = TypeVar("T")

_PAGE = 500
_RESTORING = "x:restoring"
_DETAILS_AT_ONCE = 50  # subjects per script, which then takes about a millisecond
_NOTHING = Details()
_FOLDED_AT_ONCE = 200  # rows, at most one per subject: their months are locked
# The period from which the trend is restored; older views have almost no weight.
_TREND_HALF_LIVES = 10

_FINISH = Script(
    """
    -- KEYS: restoring, restored. ARGV: the initial value of `restoring`.
    if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
    redis.call('RENAME', KEYS[1], KEYS[2])
    return 1
    """
)


class DailyCount(NamedTuple):
    """A row to be saved in the database."""

    subject: str
    day: date
    views: int
    uniques_estimate: int


def roll_up(client: "redis.Redis") -> int:
    """Save the counts that have changed since the last run; return how many. May run concurrently.

    Cost: one page of changed counts at a time, three queries each, for links nine. Raises
    redis.RedisError.
    """
    saved = 0
    gone: dict[bytes, bytes] = {}
    for page in _pages(client.hscan_iter(counters.UNSAVED, count=_PAGE)):
        changed = {field: value for field, value in page if not field.startswith(b"gone:")}
        gone |= {field: value for field, value in page if field not in changed}
        names = [field.decode().partition(":") for field in changed]
        uniques = counters.uniques(client, [(subject, day) for day, _, subject in names])
        rows = [
            DailyCount(subject, counters.parse_day(day), int(views), unique)
            for (day, _, subject), views, unique in zip(
                names, changed.values(), uniques, strict=True
            )
        ]
        _save(rows, _read_details(client, rows))
        counters.end_saved(client, changed)
        saved += len(changed)
    for some in _pages(gone.items()):
        subjects = [field.decode().partition(":")[2] for field, _ in some]
        for model in (DailyMetrics, HourlyMetrics, MonthlyMetrics):
            model.objects.filter(subject__in=subjects).delete()
        counters.end_saved(client, dict(some))
    return saved


def _read_details(
    client: "redis.Redis", rows: Sequence[DailyCount]
) -> dict[tuple[str, date], Details]:
    """Return the additional counts of the rows that belong to links, read after their views."""
    links = [(row.subject, row.day) for row in rows if has_dimensions(row.subject)]
    found: dict[tuple[str, date], Details] = {}
    for first in range(0, len(links), _DETAILS_AT_ONCE):
        some = links[first : first + _DETAILS_AT_ONCE]
        found.update(zip(some, visit_counters.read(client, some), strict=True))
    return found


@restartable
def _save(rows: Sequence[DailyCount], of_links: Mapping[tuple[str, date], Details]) -> None:
    """Raise the rows to these counts, and with them the hours and months of links."""
    wanted = {(row.subject, row.day): row for row in rows}
    kept = DailyMetrics.objects.locked(wanted, period="day")
    for key, row in kept.items():
        # Read at the same moment as its dimensions, so that they add up to it.
        row.views = max(row.views, wanted[key].views, of_links.get(key, _NOTHING).views)
        row.uniques_estimate = max(row.uniques_estimate, wanted[key].uniques_estimate)
    DailyMetrics.objects.bulk_update(kept.values(), ["views", "uniques_estimate"])
    if of_links:
        _save_hours(of_links)
        _save_months(of_links)


def _save_hours(of_links: Mapping[tuple[str, date], Details]) -> None:
    found = {key: one.hours for key, one in of_links.items() if any(one.hours)}
    kept = HourlyMetrics.objects.locked(found, period="day")
    for key, row in kept.items():
        row.hours = [max(pair) for pair in zip_longest(row.hours, found[key], fillvalue=0)]
    HourlyMetrics.objects.bulk_update(kept.values(), ["hours"])


def _save_months(of_links: Mapping[tuple[str, date], Details]) -> None:
    """Save complete months only, because counts decrease when a host is dropped."""
    found: dict[tuple[str, date], Details] = {}
    for (subject, day), one in of_links.items():
        key = subject, day.replace(day=1)
        if one.of_month > found.get(key, _NOTHING).of_month:
            found[key] = one
    kept = MonthlyMetrics.objects.locked(found, period="month")
    newer = {key: row for key, row in kept.items() if row.views < found[key].of_month}
    for key, row in newer.items():
        row.views, row.sources = found[key].of_month, found[key].sources
    MonthlyMetrics.objects.bulk_update(newer.values(), ["views", "sources"])


def end_saved_days(client: "redis.Redis") -> int:
    """Set the expiry of saved days that another release left; return how many days were seen.

    0.2.0 kept the keys of a day for 400 days. Scans all keys. Raises redis.RedisError.
    """
    seen = 0
    for page in _pages(counters.saved_days(client)):
        counters.end_saved(client, dict.fromkeys(page, b""))
        seen += len(page)
    return seen


@restartable
def give_back(client: "redis.Redis", days: Sequence[tuple[str, date]]) -> None:
    """Restore expired days in Redis from the database, for late views.

    Locks their rows, as `fold` does before it looks at Redis; `fold` leaves days that it finds
    there. Raises redis.RedisError, django.db.DatabaseError.
    """
    rows = DailyMetrics.objects.locked(set(days), period="day")
    counters.raise_days(client, [(*key, row.views) for key, row in rows.items()])
    asked = {"subject__in": {subject for subject, _ in days}, "day__in": {day for _, day in days}}
    hours = HourlyMetrics.objects.filter(**asked).values_list("subject", "day", "hours")
    visit_counters.restore_hours(client, hours)


def restore(client: "redis.Redis", *, now: datetime) -> None:
    """Restore the counts of the database in Redis; never lower one.

    May run concurrently. Cost: a scan over all days of all subjects. Raises redis.RedisError,
    django.db.DatabaseError.
    """
    rows = DailyMetrics.objects.order_by("subject")
    totals = rows.values_list("subject").annotate(Sum("views"))
    recent = rows.filter(day__gte=now.date() - timedelta(days=1))
    days = recent.values_list("subject", "day", "views")
    while True:
        client.set(_RESTORING, uuid.uuid4().hex, nx=True)
        token = client.get(_RESTORING) or b""
        for page in _pages(totals.iterator()):
            counters.raise_totals(client, page)
        for page in _pages(days.iterator()):
            counters.raise_days(client, page)
        _restore_details(client, now.date() - timedelta(days=1))
        _restore_trend(client, now)
        # Not finished: another process was faster, or Redis lost everything again.
        if _FINISH.call(client, [_RESTORING, counters.RESTORED], token):
            return
        if client.exists(counters.RESTORED):
            return


def fold(client: "redis.Redis", *, before: date) -> int:
    """Fold the days of months that had ended by `before` into one row a month; return how many.

    The month's first day becomes that row, so sums over complete months stay the same, even in a
    0.2.0 process, which sums days. A subject is skipped while Redis still has one of these days.
    May run concurrently. Raises redis.RedisError.
    """
    oldest = DailyMetrics.objects.aggregate(Min("day"))["day__min"]
    first, folded = (oldest or before).replace(day=1), 0
    while (end := _next_month(first)) <= before and not stop_requested():
        position = first, 0
        while not stop_requested() and (page := _days_to_fold(position, first, end)):
            folded += _fold(client, {subject for subject, _, _ in page}, first, end)
            position = page[-1][1:]
        first = end
    return folded


def _next_month(first: date) -> date:
    return (first + timedelta(days=31)).replace(day=1)


def _days_to_fold(
    position: tuple[date, int], first: date, end: date
) -> list[tuple[str, date, int]]:
    """Return subject, day and key of the next rows after a position, except those of the first day
    of a month."""
    day, pk = position
    rows = DailyMetrics.objects.filter(day__gt=first, day__gte=day, day__lt=end)
    rows = rows.exclude(day=day, pk__lte=pk).order_by("day", "pk")
    return list(rows.values_list("subject", "day", "pk")[:_FOLDED_AT_ONCE])


@restartable
def _fold(client: "redis.Redis", subjects: set[str], first: date, end: date) -> int:
    """Fold a month's days of these subjects; return how many rows were deleted."""
    days = DailyMetrics.objects.filter(subject__in=subjects, day__gte=first, day__lt=end)
    keys = {*days.values_list("subject", "day"), *((subject, first) for subject in subjects)}
    kept = DailyMetrics.objects.locked(keys, period="day")
    held = zip(kept, counters.held(client, list(kept)), strict=True)
    waiting = {subject for (subject, _), is_held in held if is_held}
    heads, gone = [], []
    for subject in subjects - waiting:
        head = kept[subject, first]
        rest = [row for key, row in kept.items() if key[0] == subject and row is not head]
        head.views += sum(row.views for row in rest)
        head.uniques_estimate += sum(row.uniques_estimate for row in rest)
        heads.append(head)
        gone += [row.pk for row in rest]
    DailyMetrics.objects.bulk_update(heads, ["views", "uniques_estimate"])
    DailyMetrics.objects.filter(pk__in=gone).delete()
    return len(gone)


def _restore_details(client: "redis.Redis", since: date) -> None:
    """Restore the hours and months in which views may still be counted."""
    days = HourlyMetrics.objects.filter(day__gte=since).values_list("subject", "day", "hours")
    for some in _pages(days.iterator()):
        visit_counters.restore_hours(client, some)
    months = MonthlyMetrics.objects.filter(month__gte=since.replace(day=1))
    rows = months.values_list("subject", "month", "views", "sources")
    for page in _pages(rows.iterator()):
        for first in range(0, len(page), _DETAILS_AT_ONCE):
            visit_counters.restore_months(client, page[first : first + _DETAILS_AT_ONCE])


def _restore_trend(client: "redis.Redis", now: datetime) -> None:
    """Score each day's views as if they had come at noon; the landmark is now."""
    trend.rebase(client, now=now)
    half_life = settings.TREND_HALF_LIFE
    most = timedelta(days=KEPT_DAYS)
    days = min(max(_TREND_HALF_LIVES * half_life, timedelta(days=1)), most)
    recent = DailyMetrics.objects.filter(day__gte=(now - days).date()).order_by("subject")
    rows = recent.values_list("subject", "day", "views").iterator()

    def worth(day: date) -> float:
        noon = datetime.combine(day, time(12), UTC)
        return float(2 ** (min(noon - now, timedelta(0)) / half_life))

    scores = (
        (subject, sum(views * worth(day) for _, day, views in group))
        for subject, group in groupby(rows, key=lambda row: row[0])
    )
    for page in _pages(scores):
        client.zadd(trend.KEY, cast("Any", dict(page)), gt=True)


def _pages(items: Iterable[T]) -> Iterator[list[T]]:
    iterator = iter(items)
    while page := list(islice(iterator, _PAGE)):
        watchdog.turn()
        yield page
