"""View metrics of subjects: their history, combined with later counts in Redis.

Each number is the greater of the two: the history is saved from Redis and outlives it.
"""

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import partial

import redis
from django.db.models import Sum

from analytics import counters, trend
from analytics.models import DailyMetrics
from foundation.database.thread_pool import in_thread
from foundation.valkey.clients import client

logger = logging.getLogger(__name__)

DEFAULT_DAYS = 30  # of a period, if the request names none


@dataclass(frozen=True, slots=True)
class Day:
    """The views of one day (UTC), or of a whole month on its first day after VIEWS_RETENTION."""

    day: date
    views: int
    uniques_estimate: int


@dataclass(frozen=True, slots=True)
class ViewMetrics:
    """Views and visitors of all time, and those on each requested day."""

    views: int
    uniques_estimate: int  # the sum over days: visitors are distinguished within a day only
    trend_score: float  # views, each halved every TREND_HALF_LIFE
    daily: list[Day]
    is_complete: bool  # False while Redis is unavailable: only saved counts are included


def for_subject(subject: str, *, first: date, last: date, now: datetime) -> ViewMetrics:
    """Return the metrics of a subject, with all days from `first` to `last`, including empty ones.

    While Redis is unavailable, the result has only saved counts, and a `trend_score` of 0. At most
    MAX_DAYS; the cost is linear in days.
    """
    days = [first + timedelta(days=n) for n in range((last - first).days + 1)]
    rows = DailyMetrics.objects.filter(subject=subject)
    saved = {row.day: row for row in rows.filter(day__range=(first, last))}
    history = rows.aggregate(views=Sum("views"), uniques=Sum("uniques_estimate"))
    try:
        views, counted = counters.by_day(subject, days)
        trend_score = trend.score(client(), subject, now=now)
        is_complete = True
    except redis.RedisError as error:
        logger.warning("Showing view metrics without the latest counts: %s", error)
        views, counted, trend_score, is_complete = 0, {}, 0.0, False
    daily = []
    for day in days:
        row = saved.get(day) or DailyMetrics()
        day_views, uniques = counted.get(day, (0, 0))
        daily.append(Day(day, max(row.views, day_views), max(row.uniques_estimate, uniques)))
    unsaved_uniques = sum(day.uniques_estimate for day in daily) - sum(
        row.uniques_estimate for row in saved.values()
    )
    return ViewMetrics(
        views=max(history["views"] or 0, views),
        uniques_estimate=(history["uniques"] or 0) + unsaved_uniques,
        trend_score=trend_score,
        daily=daily,
        is_complete=is_complete,
    )


def totals(subjects: Sequence[str]) -> dict[str, int]:
    """Return the total views of each subject: from Redis, or from the history while Redis is
    unavailable or has lost the counts."""
    try:
        return counters.totals(subjects)
    except (redis.RedisError, counters.CountsLostError):
        return _saved_totals(subjects)


async def atotals(subjects: Collection[str]) -> dict[str, int]:
    """Like `totals`, for coroutines, but raises redis.RedisError while Redis is unavailable.

    Reads the history, which may also raise database errors, only if Redis has lost the counts.
    """
    try:
        return await counters.atotals(subjects)
    except counters.CountsLostError:
        return await in_thread(partial(_saved_totals, subjects))


def _saved_totals(subjects: Collection[str]) -> dict[str, int]:
    rows = DailyMetrics.objects.filter(subject__among=subjects).order_by()
    saved = dict(rows.values_list("subject").annotate(Sum("views")))
    return {subject: saved.get(subject, 0) for subject in subjects}


def by_day(subjects: Sequence[str], days: Sequence[date]) -> dict[str, list[int]]:
    """Return the views of each subject on each of these days, from Redis and the history."""
    rows = DailyMetrics.objects.filter(subject__in=subjects, day__in=days)
    saved = {
        (subject, day): views for subject, day, views in rows.values_list("subject", "day", "views")
    }
    try:
        counted = counters.views_by_day(subjects, days)
    except redis.RedisError:
        counted = {}
    return {
        subject: [
            max(saved.get((subject, day), 0), views)
            for day, views in zip(days, counted.get(subject, [0] * len(days)), strict=True)
        ]
        for subject in subjects
    }
