"""The number of targets in each state, day by day. The numbers of today are current."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import TypedDict

from checker.models import DailyStates
from console.charts import ColumnChart, column_chart

DAYS = 84  # twelve weeks
_DAY = timedelta(days=1)
FAILING = {"dead": "dead", "potentially_dead": "potentially_dead"}
ALL = {**FAILING, "pending": "pending", "alive": "alive"}


class DayStates(TypedDict):
    """The number of targets in each state on a day, and of inconclusive targets."""

    day: str  # ISO 8601, in UTC
    alive: int
    potentially_dead: int
    dead: int
    pending: int
    unsure: int


def daily_states(now: datetime, *, states: Mapping[str, int], unsure: int) -> list[DayStates]:
    """Return the numbers of the last DAYS, oldest first, as far as they were stored.

    `states` and `unsure` are the current numbers, for today. Days before the first target are left
    out.
    """
    today = now.astimezone(UTC).date()
    rows = DailyStates.objects.filter(day__gt=today - DAYS * _DAY, day__lt=today).order_by("day")
    days: list[DayStates] = [
        {
            "day": row.day.isoformat(),
            "alive": row.alive,
            "potentially_dead": row.potentially_dead,
            "dead": row.dead,
            "pending": row.pending,
            "unsure": row.unsure,
        }
        for row in rows
    ]
    counts = {name: states.get(name, 0) for name in ALL}
    days.append({"day": today.isoformat(), **counts, "unsure": unsure})  # type: ignore[typeddict-item]
    while days and not any(days[0][name] for name in ("alive", *FAILING, "pending")):  # type: ignore[literal-required]
        days.pop(0)
    return days


def daily_chart(
    days: Sequence[DayStates], kinds: Mapping[str, str], *, now: datetime
) -> ColumnChart:
    """Return the chart of the last DAYS, one column per day, empty if `days` lacks it."""
    today = now.astimezone(UTC).date()
    by_day = {row["day"]: row for row in days}
    names = [(today - n * _DAY).isoformat() for n in reversed(range(DAYS))]
    return column_chart([(name, _counts(by_day.get(name))) for name in names], kinds)


def _counts(row: DayStates | None) -> dict[str, int]:
    return {} if row is None else {name: row[name] for name in ALL}  # type: ignore[literal-required]
