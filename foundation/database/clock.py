"""The clock that all processes share: that of the database."""

import time as clocks
from datetime import UTC, datetime, timedelta
from typing import cast

from django.db import connection

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# Where it exists (Linux), a clock that keeps running while the machine is suspended.
_MONOTONIC_CLOCK = getattr(clocks, "CLOCK_BOOTTIME", clocks.CLOCK_MONOTONIC)


def database_now() -> datetime:
    """Return the database's current time, timezone-aware, to the microsecond.

    On PostgreSQL, the server's current time, even late in a transaction. SQLite runs in this
    process, so its time is this machine's (its own functions give only milliseconds).
    """
    if connection.vendor == "sqlite":
        return datetime.now(UTC)
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        row = cursor.fetchone()
    return cast("datetime", row[0])


class DatabaseClock:
    """The database's time, for code that can't query it each time.

    It advances with this machine's monotonic clock since the last `measure`, and is never behind
    the database's clock: it adds the latency of the query and the possible drift since. Before the
    first `measure` it is this machine's time.
    """

    _DRIFT_DIVISOR = 10_000  # 1 in 10,000; computer clocks drift by less than a tenth of that

    def __init__(self) -> None:
        self._measured_at = steady()
        self._offset = nanoseconds(datetime.now(UTC)) - self._measured_at

    def measure(self) -> datetime:
        """Query the database's time and return it.

        Blocks. Raises DatabaseError or InterfaceError.
        """
        queried_at = steady()
        now = database_now()
        self._measured_at, self._offset = queried_at, nanoseconds(now) - queried_at
        return now

    def now(self) -> int:
        """Return the time in ns since 1970."""
        ticks = steady()
        return self._offset + ticks + (ticks - self._measured_at) // self._DRIFT_DIVISOR


def steady() -> int:
    """Return the time of a monotonic clock in ns."""
    return clocks.clock_gettime_ns(_MONOTONIC_CLOCK)


def nanoseconds(time: datetime) -> int:
    """Return a timezone-aware time in ns since 1970."""
    return (time - _EPOCH) // timedelta(microseconds=1) * 1000
