"""What is told of one subject: the history together with what Redis has counted since.

Each number is the greater of the two: the history was made from Redis, and outlives it.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

import redis
from django.db.models import Sum

from analytics import trend
from analytics.counters import day_text
from analytics.models import DailyMetrics
from foundation.valkey.clients import client

logger = logging.getLogger(__name__)

USUAL_DAYS = 30
MOST_DAYS = 400


@dataclass(frozen=True, slots=True)
class Day:
    day: date
    views: int
    uniques_estimate: int


@dataclass(frozen=True, slots=True)
class Report:
    """Views and visitors of all time, and each day that was asked for."""

    views: int
    uniques_estimate: int  # the sum over days: visitors are told apart within a day only
    trend_score: float  # views, each halved every TREND_HALF_LIFE
    daily: list[Day]


@dataclass(frozen=True, slots=True)
class _Live:
    """What Redis knows."""

    views: int
    trend_score: float
    days: list[Day]


def report(subject: str, *, first: date, last: date, now: datetime) -> Report:
    """Return what is known of one subject, with all days from `first` to `last`, also empty ones.

    While Redis is away that is what was saved. At most MOST_DAYS; cost is linear in the days.
    """
    days = [first + timedelta(days=n) for n in range((last - first).days + 1)]
    rows = DailyMetrics.objects.filter(subject=subject)
    found = rows.filter(day__range=(first, last))
    saved = {row.day: Day(row.day, row.views, row.uniques_estimate) for row in found}
    everything = rows.aggregate(views=Sum("views"), uniques=Sum("uniques_estimate"))
    live = _live(subject, days, now)
    daily = [_greater(saved.get(one.day, Day(one.day, 0, 0)), one) for one in live.days]
    news = sum(one.uniques_estimate for one in daily) - sum(
        one.uniques_estimate for one in saved.values()
    )
    return Report(
        views=max(everything["views"] or 0, live.views),
        uniques_estimate=(everything["uniques"] or 0) + news,
        trend_score=live.trend_score,
        daily=daily,
    )


def totals(subjects: Sequence[str]) -> dict[str, int]:
    """Return all views of each subject: one look at Redis, or at the history."""
    try:
        live = client().mget([f"views:{subject}" for subject in subjects]) if subjects else []
    except redis.RedisError:
        rows = DailyMetrics.objects.filter(subject__in=subjects).order_by()
        saved = dict(rows.values_list("subject").annotate(Sum("views")))
        return {subject: saved.get(subject, 0) for subject in subjects}
    return {subject: int(views or 0) for subject, views in zip(subjects, live, strict=True)}


def _greater(one: Day, other: Day) -> Day:
    return Day(
        one.day,
        max(one.views, other.views),
        max(one.uniques_estimate, other.uniques_estimate),
    )


def _live(subject: str, days: Sequence[date], now: datetime) -> _Live:
    try:
        return _ask(subject, days, now)
    except redis.RedisError as error:
        logger.warning("Metrics without the latest counts: %s", error)
        return _Live(0, 0.0, [Day(day, 0, 0) for day in days])


def _ask(subject: str, days: Sequence[date], now: datetime) -> _Live:
    names = [f"{subject}:{day_text(day)}" for day in days]
    with client().pipeline(transaction=False) as pipe:
        pipe.mget([f"views:{subject}", *(f"views:{name}" for name in names)])
        for name in names:
            pipe.pfcount(f"uv:{name}")
        views, *uniques = pipe.execute()
    total, *of_days = (int(value or 0) for value in views)
    days_found = [Day(*one) for one in zip(days, of_days, uniques, strict=True)]
    return _Live(total, trend.score(client(), subject, now=now), days_found)
