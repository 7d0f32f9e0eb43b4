"""History of views, which outlives Redis: rolled up into DailyMetrics, and restored from there.

The roll-up writes absolute counts of days and never lowers one, so it may run concurrently.
Redis keeps saved days for two more days. Before a later view is counted, its day is restored. An
empty Redis lacks `x:restored`; then a worker restores all totals, the counts of today and
yesterday, the hours and dimensions of links, and a trend of daily resolution before it counts:
counts continue from the last roll-up. Visitors of the day are counted again, and the greater number
is kept.
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
from analytics.stream_batches import MAX_DAYS
from analytics.visit_counters import Details
from foundation import watchdog
from foundation.database.transactions import restartable
from foundation.shutdown import stop_requested
from foundation.valkey.scripts import Script

T = TypeVar("T")

_PAGE_SIZE = 500  # rows, or fields of a hash
_RESTORING = "x:restoring"
_DETAILS_BATCH_SIZE = 50  # subjects per call of a script, which takes about a millisecond
_NO_DETAILS = Details()
_FOLD_BATCH_SIZE = 200  # rows; all days of their subjects in the month are locked
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
    """The counts of a subject on a day, to be saved in the database."""

    subject: str
    day: date
    views: int
    uniques_estimate: int


def roll_up(client: "redis.Redis") -> int:
    """Save the daily counts that have changed since the last run; return how many.

    Then deletes the history of deleted subjects. May run concurrently. Cost: three queries for
    each page of changed counts, nine if it has links. Raises redis.RedisError.
    """
    saved = 0
    gone: dict[bytes, bytes] = {}
    for page in _pages(client.hscan_iter(counters.UNSAVED, count=_PAGE_SIZE)):
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
        counters.mark_saved(client, changed)
        saved += len(changed)
    for page in _pages(gone.items()):
        subjects = [field.decode().partition(":")[2] for field, _ in page]
        for model in (DailyMetrics, HourlyMetrics, MonthlyMetrics):
            model.objects.filter(subject__in=subjects).delete()
        counters.mark_saved(client, dict(page))
    return saved


def _read_details(
    client: "redis.Redis", rows: Sequence[DailyCount]
) -> dict[tuple[str, date], Details]:
    """Return the additional counts of the rows that belong to links, read after their views."""
    links = [(row.subject, row.day) for row in rows if has_dimensions(row.subject)]
    details: dict[tuple[str, date], Details] = {}
    for first in range(0, len(links), _DETAILS_BATCH_SIZE):
        batch = links[first : first + _DETAILS_BATCH_SIZE]
        details.update(zip(batch, visit_counters.read(client, batch), strict=True))
    return details


@restartable
def _save(rows: Sequence[DailyCount], details: Mapping[tuple[str, date], Details]) -> None:
    """Raise the rows to these counts, and with them the hours and months of links."""
    counts = {(row.subject, row.day): row for row in rows}
    saved = DailyMetrics.objects.lock(counts, period="day")
    for key, row in saved.items():
        # `Details.views` was read at the same moment as the dimensions, which add up to it.
        row.views = max(row.views, counts[key].views, details.get(key, _NO_DETAILS).views)
        row.uniques_estimate = max(row.uniques_estimate, counts[key].uniques_estimate)
    DailyMetrics.objects.bulk_update(saved.values(), ["views", "uniques_estimate"])
    if details:
        _save_hours(details)
        _save_months(details)


def _save_hours(details: Mapping[tuple[str, date], Details]) -> None:
    hours = {key: counts.hours for key, counts in details.items() if any(counts.hours)}
    saved = HourlyMetrics.objects.lock(hours, period="day")
    for key, row in saved.items():
        row.hours = [max(pair) for pair in zip_longest(row.hours, hours[key], fillvalue=0)]
    HourlyMetrics.objects.bulk_update(saved.values(), ["hours"])


def _save_months(details: Mapping[tuple[str, date], Details]) -> None:
    """Replace months with fewer views as a whole: maxima of single values would not add up."""
    months: dict[tuple[str, date], Details] = {}
    for (subject, day), counts in details.items():
        key = subject, day.replace(day=1)
        if counts.month_views > months.get(key, _NO_DETAILS).month_views:
            months[key] = counts
    saved = MonthlyMetrics.objects.lock(months, period="month")
    newer = {key: row for key, row in saved.items() if row.views < months[key].month_views}
    for key, row in newer.items():
        row.views, row.sources = months[key].month_views, months[key].sources
    MonthlyMetrics.objects.bulk_update(newer.values(), ["views", "sources"])


def end_saved_days(client: "redis.Redis") -> int:
    """Set the expiry of saved days that another release left; return how many days have a key.

    0.2.0 kept the keys of a day for 400 days. Scans all keys. Raises redis.RedisError.
    """
    seen = 0
    for page in _pages(counters.fields_of_days(client)):
        counters.mark_saved(client, dict.fromkeys(page, b""))
        seen += len(page)
    return seen


@restartable
def restore_days(client: "redis.Redis", days: Sequence[tuple[str, date]]) -> None:
    """Restore the views and hours of expired days in Redis from the database, for late views.

    Locks the rows of the days, as `fold` does before it looks at Redis; `fold` skips subjects with
    days there. Raises redis.RedisError, django.db.DatabaseError.
    """
    rows = DailyMetrics.objects.lock(set(days), period="day")
    counters.raise_days(client, [(*key, row.views) for key, row in rows.items()])
    filters = {"subject__in": {subject for subject, _ in days}, "day__in": {day for _, day in days}}
    hours = HourlyMetrics.objects.filter(**filters).values_list("subject", "day", "hours")
    visit_counters.restore_hours(client, hours)


def restore(client: "redis.Redis", *, now: datetime) -> None:
    """Restore totals, the last two days, current details and the trend in Redis; lower no count.

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
        # If this fails, another process was faster, or Redis lost everything again.
        if _FINISH.call(client, [_RESTORING, counters.RESTORED], token):
            return
        if client.exists(counters.RESTORED):
            return


def fold(client: "redis.Redis", *, before: date) -> int:
    """Fold each subject's days into one row per month, in the months that ended by `before`.

    Returns how many rows this deletes. The month's first day becomes that row, so sums over
    complete months stay the same, even in a 0.2.0 process, which sums days. A subject is skipped
    while Redis still has one of these days. Stops early if the process should stop. May run
    concurrently. Raises redis.RedisError.
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
    """Return subject, day and key of a month's next _FOLD_BATCH_SIZE rows after a position.

    Leaves out the rows of the first day, into which the others are folded.
    """
    day, pk = position
    rows = DailyMetrics.objects.filter(day__gt=first, day__gte=day, day__lt=end)
    rows = rows.exclude(day=day, pk__lte=pk).order_by("day", "pk")
    return list(rows.values_list("subject", "day", "pk")[:_FOLD_BATCH_SIZE])


@restartable
def _fold(client: "redis.Redis", subjects: set[str], first: date, end: date) -> int:
    """Fold a month's days of these subjects; return how many rows were deleted."""
    days = DailyMetrics.objects.filter(subject__in=subjects, day__gte=first, day__lt=end)
    keys = {*days.values_list("subject", "day"), *((subject, first) for subject in subjects)}
    saved = DailyMetrics.objects.lock(keys, period="day")
    in_redis = zip(saved, counters.have_counts(client, list(saved)), strict=True)
    skipped = {subject for (subject, _), has_counts in in_redis if has_counts}
    heads, gone = [], []
    for subject in subjects - skipped:
        head = saved[subject, first]
        rest = [row for key, row in saved.items() if key[0] == subject and row is not head]
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
    for page in _pages(days.iterator()):
        visit_counters.restore_hours(client, page)
    months = MonthlyMetrics.objects.filter(month__gte=since.replace(day=1))
    rows = months.values_list("subject", "month", "views", "sources")
    for batch in _pages(rows.iterator()):
        for first in range(0, len(batch), _DETAILS_BATCH_SIZE):
            visit_counters.restore_months(client, batch[first : first + _DETAILS_BATCH_SIZE])


def _restore_trend(client: "redis.Redis", now: datetime) -> None:
    """Raise scores to those of the daily views, as if all views had happened at noon.

    Expects a landmark at `now`, as in an empty Redis.
    """
    trend.rebase(client, now=now)
    half_life = settings.TREND_HALF_LIFE
    longest = timedelta(days=MAX_DAYS)
    days = min(max(_TREND_HALF_LIVES * half_life, timedelta(days=1)), longest)
    recent = DailyMetrics.objects.filter(day__gte=(now - days).date()).order_by("subject")
    rows = recent.values_list("subject", "day", "views").iterator()

    def weight(day: date) -> float:
        noon = datetime.combine(day, time(12), UTC)
        return float(2 ** (min(noon - now, timedelta(0)) / half_life))

    scores = (
        (subject, sum(views * weight(day) for _, day, views in group))
        for subject, group in groupby(rows, key=lambda row: row[0])
    )
    for page in _pages(scores):
        client.zadd(trend.KEY, cast("Any", dict(page)), gt=True)


def _pages(items: Iterable[T]) -> Iterator[list[T]]:
    iterator = iter(items)
    while page := list(islice(iterator, _PAGE_SIZE)):
        watchdog.turn()
        yield page
