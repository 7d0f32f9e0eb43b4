"""Throttling: which answers ask for a pause, and for how long. Pure decisions.

Sources: RFC 6585, 4 (429); RFC 9110, 15.6.4 (503) and 10.2.3 (Retry-After).
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

SHORTEST, LONGEST = timedelta(seconds=1), timedelta(days=1)
# The statuses that may ask for a pause, and how long it is where the server does not say; None: it
# is only asked for with a Retry-After.
_PAUSES = {429: timedelta(minutes=1), 503: None}


def asks_to_wait(status: int | None, headers: Mapping[str, str]) -> bool:
    """Whether an answer asks to come back later, which is no word on the page."""
    if status not in _PAUSES:
        return False
    return _PAUSES[status] is not None or bool(headers.get("retry-after", "").strip())


def read_retry_after(
    status: int | None, headers: Mapping[str, str], *, now: datetime
) -> float | None:
    """Return the seconds that an answer asks for by its Retry-After; None if it does not."""
    if not asks_to_wait(status, headers):
        return None
    return parse_retry_after(headers.get("retry-after", ""), now=now)


def parse_retry_after(value: str, *, now: datetime) -> float | None:
    """Return the seconds, from SHORTEST to LONGEST, that a Retry-After asks for; None: unreadable.

    It is a number of seconds or an HTTP date; what is over or negative means the shortest wait.
    """
    value = value.strip()
    if re.fullmatch(r"[+-]?[0-9]+(\.[0-9]*)?", value):
        seconds = float(value)  # infinite, if absurd
    else:
        try:
            at = parsedate_to_datetime(value)
            # The oldest of the three date forms names no zone: it is GMT.
            seconds = ((at if at.tzinfo else at.replace(tzinfo=UTC)) - now).total_seconds()
        except (ValueError, TypeError, OverflowError, IndexError):
            return None
    return min(max(seconds, SHORTEST.total_seconds()), LONGEST.total_seconds())


def requested_pause(status: int | None, retry_after: float | None) -> timedelta | None:
    """Return how long the host is to be left alone; None if it does not ask for that.

    By what was answered, whatever the condition made of it. `retry_after` is what was read from
    the same answer.
    """
    if retry_after is not None:
        return timedelta(seconds=retry_after)
    return _PAUSES.get(status) if status is not None else None
