"""The one clock that all processes share: the database's."""

from datetime import UTC, datetime
from typing import cast

from django.db import connection


def database_now() -> datetime:
    """Return the database's present time, timezone-aware, in microseconds.

    On PostgreSQL the server's clock as it stands now, also late in a transaction. SQLite runs in
    this process, so its clock is this machine's (its own functions give milliseconds only).
    """
    if connection.vendor == "sqlite":
        return datetime.now(UTC)
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        row = cursor.fetchone()
    return cast("datetime", row[0])
