"""The connection of a loop that looks into the database about once a second."""

import time

from django.db import close_old_connections, connection

_KEPT = 60.0  # seconds


def renew_connection() -> None:
    """Have a connection that works and is not old: to be called before each look.

    Elsewhere one to SQLite lasts for a request or a task; to open it costs several times as much
    as to see that there is nothing to do.
    """
    close_old_connections()
    if connection.connection is None and connection.vendor == "sqlite":
        connection.ensure_connection()
        connection.close_at = time.monotonic() + _KEPT
