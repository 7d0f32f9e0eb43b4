"""Parses Retry-After: how long a server asks clients to wait.

Source: RFC 9110, 10.2.3 (Retry-After).
"""

import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

_SECONDS = re.compile(r"[+-]?[0-9]++(?:\.[0-9]*+)?")
_MAX_DATE = 100  # characters; the longest form has 37
MIN_WAIT, MAX_WAIT = timedelta(seconds=1), timedelta(days=1)


def parse_retry_after(value: str, *, now: datetime) -> float | None:
    """Return the seconds, from MIN_WAIT to MAX_WAIT, that Retry-After asks for; None if invalid.

    The value is a number of seconds or an HTTP date; past or negative values mean MIN_WAIT.
    """
    value = value.strip()
    if not value:
        return None
    if _SECONDS.fullmatch(value):
        seconds = float(value)  # infinite if absurdly large
    elif len(value) > _MAX_DATE:
        return None
    else:
        try:
            date = parsedate_to_datetime(value)
            # The oldest of the three date forms has no zone: it is GMT.
            seconds = ((date if date.tzinfo else date.replace(tzinfo=UTC)) - now).total_seconds()
        except (ValueError, TypeError, OverflowError, IndexError):
            return None
    return clamp(seconds)


def clamp(seconds: float) -> float:
    """Return these seconds, or the nearest limit if they are below MIN_WAIT or above MAX_WAIT."""
    return min(max(seconds, MIN_WAIT.total_seconds()), MAX_WAIT.total_seconds())
