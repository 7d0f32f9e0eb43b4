"""The connection of a loop that queries the database about once a second."""

import time

from django.db import close_old_connections, connection

_MAX_AGE = 60.0  # seconds


def renew_connection() -> None:
    """Drop the connection if it is broken or old; call this before each query.

    On SQLite, open a new connection and keep it for a minute. Elsewhere, a connection to SQLite
    lasts for a request or task; opening one costs several times as much as a query that finds
    nothing to do.
    """
    close_old_connections()
    if connection.connection is None and connection.vendor == "sqlite":
        connection.ensure_connection()
        connection.close_at = time.monotonic() + _MAX_AGE
