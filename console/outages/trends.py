"""The number of targets in each state, day by day. Today's numbers are current."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import TypedDict

from checker.models import DailyStates
from console.charts import ColumnChart, column_chart

DAYS = 84  # twelve weeks
_DAY = timedelta(days=1)
FAILING_STATES = {"dead": "dead", "potentially_dead": "potentially_dead"}
ALL_STATES = {**FAILING_STATES, "pending": "pending", "alive": "alive"}


class DayStates(TypedDict):
    """The number of targets in each state on a day, and of inconclusive targets."""

    day: str  # ISO 8601, in UTC
    alive: int
    potentially_dead: int
    dead: int
    pending: int
    unsure: int


def daily_states(now: datetime, *, states: Mapping[str, int], unsure: int) -> list[DayStates]:
    """Return the stored numbers of the last DAYS days, oldest first, and those of today.

    `states` and `unsure`: today's numbers. Days before the first target are left out.
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
    counts = {name: states.get(name, 0) for name in ALL_STATES}
    days.append({"day": today.isoformat(), **counts, "unsure": unsure})  # type: ignore[typeddict-item]
    while days and not any(days[0][name] for name in ("alive", *FAILING_STATES, "pending")):  # type: ignore[literal-required]
        days.pop(0)
    return days


def daily_chart(
    days: Sequence[DayStates], kinds: Mapping[str, str], *, now: datetime
) -> ColumnChart:
    """Return the chart of the last DAYS days; the columns of days that `days` lacks are empty."""
    today = now.astimezone(UTC).date()
    by_day = {row["day"]: row for row in days}
    names = [(today - n * _DAY).isoformat() for n in reversed(range(DAYS))]
    return column_chart([(name, _counts(by_day.get(name))) for name in names], kinds)


def _counts(row: DayStates | None) -> dict[str, int]:
    return {} if row is None else {name: row[name] for name in ALL_STATES}  # type: ignore[literal-required]
