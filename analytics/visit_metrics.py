"""Visits of one short link by hour, day or month, with their dimensions.

Combines the history in the database with later counts in Redis, as `view_metrics` does for days.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum

import redis

from analytics import visit_counters
from analytics.models import HourlyMetrics, MonthlyMetrics
from analytics.view_metrics import DEFAULT_DAYS, ViewMetrics
from analytics.visit_counters import Details, DimensionCounts
from analytics.visit_dimensions import DIRECT, OTHER
from foundation.net.countries import UNKNOWN
from foundation.valkey import scripts
from foundation.valkey.clients import client

logger = logging.getLogger(__name__)

DEFAULT_MONTHS = 12
MAX_VALUES = 100  # shown per dimension; the rest are OTHER
_SPECIAL = (DIRECT, OTHER, UNKNOWN)


class Interval(StrEnum):
    """The length of each part of a series."""

    HOUR = "hour"
    DAY = "day"
    MONTH = "month"


@dataclass(frozen=True, slots=True)
class Point:
    """The visits of one hour, day or month."""

    at: datetime  # its beginning, in UTC
    views: int


@dataclass(frozen=True, slots=True)
class Value:
    """The visits with one value of a dimension."""

    name: str
    views: int


@dataclass(frozen=True, slots=True)
class Sources:
    """The dimensions of the visits of some months.

    Each list adds up to `views`; `countries` lacks visits from times without GEOIP_FILE.
    """

    first: date  # the first day of the first month
    last: date  # the first day of the last month
    views: int  # those whose dimensions are known
    referrers: list[Value]
    devices: list[Value]
    countries: list[Value]


@dataclass(frozen=True, slots=True)
class VisitMetrics:
    """The visit metrics of one link."""

    by: Interval
    series: list[Point]
    sources: Sources


def default_first_day(by: Interval, *, last: date) -> date:
    """Return the first day of the default period up to `last`: two days, 30 days or 12 months."""
    if by is Interval.MONTH:
        year, month = divmod(last.year * 12 + last.month - DEFAULT_MONTHS, 12)
        return date(year, month + 1, 1) if year else date.min
    days = 1 if by is Interval.HOUR else DEFAULT_DAYS - 1
    return last - min(timedelta(days=days), last - date.min)


def for_link(subject: str, metrics: ViewMetrics, *, by: Interval, now: datetime) -> VisitMetrics:
    """Return the series over the days of `metrics`, and the sources of their months.

    Hours exist only for the last KEPT_DAYS. While Redis is unavailable, only saved counts are
    included.
    """
    days = [daily.day for daily in metrics.daily]
    months = sorted({day.replace(day=1) for day in days})
    days_with_hours = days if by is Interval.HOUR else []
    counted = _counted(subject, [*days_with_hours, *months])
    if by is Interval.HOUR:
        series = _by_hour(subject, {day: counted[day] for day in days}, now)
    else:
        series = _by_day(metrics) if by is Interval.DAY else _by_month(metrics)
    return VisitMetrics(by, series, _sources(subject, {month: counted[month] for month in months}))


def _counted(subject: str, days: Sequence[date]) -> dict[date, Details]:
    """Return the counts in Redis of these days and their months; zeros while Redis is down."""
    unique_days = sorted(set(days))
    try:
        with scripts.BREAKER.around_call():
            details = visit_counters.read(client(), [(subject, day) for day in unique_days])
    except redis.RedisError as error:
        logger.warning("Showing visits without the latest counts: %s", error)
        details = [Details()] * len(unique_days)
    return dict(zip(unique_days, details, strict=True))


def _by_hour(subject: str, counted: Mapping[date, Details], now: datetime) -> list[Point]:
    rows = HourlyMetrics.objects.filter(subject=subject, day__in=counted)
    saved = dict(rows.values_list("day", "hours"))
    points = []
    for day, details in counted.items():
        midnight = datetime.combine(day, time(), UTC)
        for hour, pair in enumerate(zip(saved.get(day, details.hours), details.hours, strict=True)):
            at = midnight + timedelta(hours=hour)
            if at <= now:
                points.append(Point(at, max(pair)))
    return points


def _by_day(metrics: ViewMetrics) -> list[Point]:
    return [Point(datetime.combine(day.day, time(), UTC), day.views) for day in metrics.daily]


def _by_month(metrics: ViewMetrics) -> list[Point]:
    months: dict[date, int] = {}
    for day in metrics.daily:
        first = day.day.replace(day=1)
        months[first] = months.get(first, 0) + day.views
    return [Point(datetime.combine(first, time(), UTC), n) for first, n in months.items()]


def _sources(subject: str, counted: Mapping[date, Details]) -> Sources:
    rows = MonthlyMetrics.objects.filter(subject=subject, month__in=counted)
    saved = {row.month: row for row in rows}
    total, sums = 0, dict[str, dict[str, int]]()
    for month, details in counted.items():
        row = saved.get(month)
        views, sources = details.month_views, details.sources
        # Take views and sources from the same store, so that the sources add up.
        if row is not None and row.views > views:
            views, sources = row.views, row.sources
        total += views
        _add(sums, sources)
    months = sorted(counted)
    lists = [_values(sums.get(name, {})) for name in ("referrer", "device", "country")]
    return Sources(months[0], months[-1], total, *lists)


def _add(sums: DimensionCounts, sources: DimensionCounts) -> None:
    for dimension, values in sources.items():
        of_dimension = sums.setdefault(dimension, {})
        for value, n in values.items():
            of_dimension[value] = of_dimension.get(value, 0) + n


def _values(counts: Mapping[str, int]) -> list[Value]:
    """Return the values of a dimension, most frequent first, `other` and `unknown` last.

    All but the MAX_VALUES most frequent ones are added to `other`.
    """
    names = sorted(counts, key=lambda name: (name in (OTHER, UNKNOWN), -counts[name], name))
    named = [name for name in names if name not in _SPECIAL]
    rest = sum(counts[name] for name in named[MAX_VALUES:])
    dropped = set(named[MAX_VALUES:])
    values = {name: counts[name] for name in names if name not in dropped}
    if rest:
        values[OTHER] = values.pop(OTHER, 0) + rest
    return [Value(name, n) for name, n in values.items()]
