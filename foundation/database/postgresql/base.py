"""Django's PostgreSQL backend.

Checks the server's role before a connection is reused, and raises only Django's errors. With
several hosts, libpq checks the role only when it connects (`target_session_attrs`): connections to
a server that has become read-only since, or to a promoted replica, would be kept. Also, libpq
tries hosts in order: an unreachable host would delay each connection by its timeout.
"""

import select
import time
from typing import Any

from django.db import Error
from django.db.backends.postgresql import base
from psycopg.pq import TransactionStatus
from psycopg.types.datetime import TimestamptzLoader

_READ_ONLY_BY_ROLE = {"read-write": "off", "primary": "off", "read-only": "on", "standby": "on"}
_TESTED_EVERY_SECONDS = 1
_last_hosts: dict[tuple[str, str], tuple[str, str]] = {}  # host and port, by hosts and role


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that is dropped before reuse if its server's role has changed."""

    _responded_at = float("-inf")  # when it last connected or passed a test, by time.monotonic

    def connect(self) -> None:
        """Connect to the server, and remember when. Raises Django's errors."""
        super().connect()
        self._responded_at = time.monotonic()

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Return a connection to a host in the required role; the last such host is tried first."""
        hosts, required = str(conn_params.get("host", "")), self._required_value()
        if "," not in hosts or "hostaddr" in conn_params or required is None:
            return super().get_new_connection(conn_params)
        names, ports = hosts.split(","), str(conn_params.get("port", "")).split(",")
        servers = list(zip(names, ports * len(names) if len(ports) == 1 else ports, strict=True))
        servers.sort(key=lambda server: server != _last_hosts.get((hosts, required)))
        host, port = map(",".join, zip(*servers, strict=True))
        connection = super().get_new_connection({**conn_params, "host": host, "port": port})
        for server in servers:
            if server[0] == connection.info.host and server[1] in ("", str(connection.info.port)):
                _last_hosts[hosts, required] = server
        return connection

    def create_cursor(self, name: str | None = None) -> Any:
        """Return a cursor; closing a server-side one raises Django's errors, like any statement.

        An iterator closes its cursor at the end, with a statement that may fail. Times are read by
        psycopg's loader: Django's, in Python, takes eighteen times as long. Both return UTC.
        """
        cursor = super().create_cursor(name)
        cursor.adapters.register_loader(base.TIMESTAMPTZ_OID, TimestamptzLoader)
        if name is not None:
            cursor.close = self.wrap_database_errors(cursor.close)
        return cursor

    def is_usable(self) -> bool:
        """Return whether the server responds and is in the role of `target_session_attrs`.

        Runs one statement; if any role will do and no error has occurred, at most one a second
        while the server sends nothing. PostgreSQL shows `on` for a standby, too.
        """
        required = self._required_value()
        if required is None or self.connection is None:
            is_recent = time.monotonic() - self._responded_at < _TESTED_EVERY_SECONDS
            if is_recent and not self.errors_occurred and _is_quiet(self.connection):
                return True
            if not super().is_usable():
                return False
            self._responded_at = time.monotonic()
            return True
        try:
            with self.connection.cursor() as cursor:
                row = cursor.execute("SHOW transaction_read_only").fetchone()
        except (Error, self.Database.Error):
            return False
        return bool(row == (required,))

    def _required_value(self) -> str | None:
        """Return the value of `SHOW transaction_read_only` in the required role; None if any role
        will do."""
        return _READ_ONLY_BY_ROLE.get(self.settings_dict["OPTIONS"].get("target_session_attrs", ""))


def _is_quiet(connection: Any) -> bool:
    """Return whether the connection is open, in no transaction, and has nothing unread.

    A server that shuts down closes its connections, which makes them readable.
    """
    if connection is None or connection.info.transaction_status != TransactionStatus.IDLE:
        return False
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return not poll.poll(0)
