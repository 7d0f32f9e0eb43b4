"""A database that is away: out of reach, stopping, full or locked. That is 503, and no fault here.

Every answer says so with Retry-After; the log says it in one line a minute, whoever meets it.
"""

import logging
import sqlite3
import time

from django.db import InterfaceError, InternalError, OperationalError

RETRY_AFTER = 2  # seconds
MESSAGE = "The database is out of reach. Please try again in a moment."
# PostgreSQL's SQLSTATEs: for a client that hung amid a transaction, and of a server that may not be
# written to (any more: another is the primary now).
_TOOK_TOO_LONG, _READ_ONLY = "25P03", "25006"
_PAUSE = 60.0  # seconds between two lines of one process


def is_away(error: object) -> bool:
    """Tell whether this error says that the database is away, not that a statement is wrong.

    PostgreSQL lets go a client that hung amid a transaction, which finds that when it goes on. A
    connection to a server that is read-only is dropped before it is used again
    (`foundation/database/postgresql`).
    """
    if isinstance(error, InterfaceError):  # the connection is closed already
        return True
    if isinstance(error, InternalError):
        return getattr(error.__cause__, "sqlstate", None) in (_TOOK_TOO_LONG, _READ_ONLY)
    if not isinstance(error, OperationalError):
        return False
    # SQLite has one kind of error for both; SQLITE_ERROR is "no such table", say.
    code = getattr(error.__cause__, "sqlite_errorcode", None)
    return code is None or code & 0xFF != sqlite3.SQLITE_ERROR


class AwayFilter(logging.Filter):
    """Lets one record a minute through of those that tell that the database is away, as one line.

    And none of Django's line for each answer with 503: those are given on purpose.
    """

    def __init__(self) -> None:
        super().__init__()
        self._silent_until = 0.0  # monotonic
        self._left_out = 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether to write this record."""
        error = record.exc_info[1] if record.exc_info else None
        if not is_away(error):
            return getattr(record, "status_code", None) != 503
        now = time.monotonic()
        if now < self._silent_until:
            self._left_out += 1
            return False
        reason = " ".join(str(error).split())
        record.msg = "The database is out of reach: %s (%d more such errors in the minute before)"
        record.args = (reason, self._left_out)
        record.levelno, record.levelname = logging.ERROR, "ERROR"
        record.exc_info = record.exc_text = None
        self._silent_until, self._left_out = now + _PAUSE, 0
        return True
