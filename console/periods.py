"""Periods by which lists are filtered: last night, a day, a week, a month, or since a time."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, UTC, datetime, time, timedelta, tzinfo

from django.utils.dateparse import parse_datetime

NIGHT = "night"
_SPANS = {"day": timedelta(days=1), "week": timedelta(days=7), "month": timedelta(days=30)}
PERIODS: Mapping[str, str] = {
    NIGHT: "Last night",
    "day": "Last 24 hours",
    "week": "Last 7 days",
    "month": "Last 30 days",
}
_EVENING, _MORNING = time(18), time(8)  # the start and end of a night


@dataclass(frozen=True, slots=True)
class Period:
    """A period; without `since`, it has no start; without `until`, it continues until now."""

    since: datetime | None = None
    until: datetime | None = None


def read_period(text: str, *, now: datetime, zone: tzinfo) -> Period:
    """Return the period with this name or since this RFC 3339 time, or all time if `text` is empty.

    A time without a zone is in `zone`. Last night is from 18:00 to 08:00 in `zone`, but ends `now`
    at the latest. Raises ValueError for any other text.
    """
    if not text:
        return Period()
    if text == NIGHT:
        return _last_night(now, zone)
    if text in _SPANS:
        return Period(now - _SPANS[text])
    try:
        since = parse_datetime(text)
    except ValueError:  # a time that does not exist
        since = None
    if since is None:
        raise ValueError(f"Invalid time: {text}. Use a time such as 2026-11-01T12:00:00Z.")
    # Leaves room for conversion to other zones, and for the margin that searches add.
    if not MINYEAR < since.year < MAXYEAR:
        raise ValueError(f"The time {text} is out of range.")
    return Period((since if since.tzinfo else since.replace(tzinfo=zone)).astimezone(UTC))


def _last_night(now: datetime, zone: tzinfo) -> Period:
    today = now.astimezone(zone).date()
    evening = datetime.combine(today - timedelta(days=1), _EVENING, zone)
    morning = datetime.combine(today, _MORNING, zone)
    return Period(evening.astimezone(UTC), min(morning.astimezone(UTC), now))
