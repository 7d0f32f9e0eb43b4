"""A database that is unavailable, stopping, locked, full or read-only.

Such errors are answered with 503 and Retry-After, and each process logs them at most once a minute.
"""

import logging
import sqlite3
import time

from django.db import InterfaceError, InternalError, OperationalError

RETRY_AFTER = 2  # seconds
MESSAGE = "The database can't be reached. Please try again in a moment."
DISK_FULL = "its disk is full"
OUT_OF_MEMORY = "it is out of memory or locks"
READ_ONLY = "it is read-only"
# PostgreSQL's SQLSTATEs for a client that was idle in a transaction for too long, and for a
# read-only server (such as a former primary).
_IDLE_IN_TRANSACTION, _READ_ONLY = "25P03", "25006"
_BY_SQLSTATE = {"53100": DISK_FULL, "53200": OUT_OF_MEMORY, _READ_ONLY: READ_ONLY}
_BY_SQLITE_CODE = {
    sqlite3.SQLITE_FULL: DISK_FULL,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    # The disk is too full even for a reader's shared memory.
    sqlite3.SQLITE_IOERR_SHMSIZE: DISK_FULL,
}
# Errors of refused connections have no SQLSTATE, and those of folders have no SQLite code.
_BY_TEXT = {
    "No space left on device": DISK_FULL,
    "Disk quota exceeded": DISK_FULL,
    "out of shared memory": OUT_OF_MEMORY,
    "Read-only file system": READ_ONLY,
}
_PAUSE = 60.0  # seconds between two log lines of one process


def is_outage(error: object) -> bool:
    """Return whether an error means an unavailable database, and not a wrong statement.

    PostgreSQL disconnects a client that was idle in a transaction; the client notices that at its
    next statement. A connection to a read-only server is dropped before it is reused
    (`foundation/database/postgresql`).
    """
    if isinstance(error, InterfaceError):  # the connection is already closed
        return True
    if isinstance(error, InternalError):
        return getattr(error.__cause__, "sqlstate", None) in (_IDLE_IN_TRANSACTION, _READ_ONLY)
    if not isinstance(error, OperationalError):
        return False
    # SQLite raises it for wrong statements, too: SQLITE_ERROR is, for example, "no such table".
    code = getattr(error.__cause__, "sqlite_errorcode", None)
    return code is None or code & 0xFF != sqlite3.SQLITE_ERROR


def why_refused(error: object) -> str | None:
    """Return why the database accepts no writes, such as "its disk is full"; None if unknown."""
    if not isinstance(error, InternalError | OperationalError):
        return None
    cause = error.__cause__
    if sqlstate := getattr(cause, "sqlstate", None):
        return _BY_SQLSTATE.get(sqlstate)
    code = getattr(cause, "sqlite_errorcode", 0)
    if reason := _BY_SQLITE_CODE.get(code) or _BY_SQLITE_CODE.get(code & 0xFF):
        return reason
    return next((reason for text, reason in _BY_TEXT.items() if text in str(error)), None)


def message(error: object) -> str:
    """Return the message of the 503 for this error."""
    why = why_refused(error)
    return (
        f"The database is not accepting writes: {why}. Please try again later." if why else MESSAGE
    )


class OutageFilter(logging.Filter):
    """Reduces records about an unavailable database to one line a minute.

    The line has the number of errors that were not logged since the previous line. Also drops
    Django's records of 503 responses, which are intentional.
    """

    def __init__(self) -> None:
        super().__init__()
        self._silent_until = 0.0  # monotonic
        self._dropped = 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to log this record."""
        error = record.exc_info[1] if record.exc_info else None
        if not is_outage(error):
            return getattr(record, "status_code", None) != 503
        now = time.monotonic()
        if now < self._silent_until:
            self._dropped += 1
            return False
        why = why_refused(error)
        problem = (
            f"The database does not accept writes because {why}"
            if why
            else "The database can't be reached"
        )
        details = " ".join(str(error).split())
        record.msg = "%s: %s (%d more such errors were not logged)"
        record.args = (problem, details, self._dropped)
        record.levelno, record.levelname = logging.ERROR, "ERROR"
        record.exc_info = record.exc_text = None
        self._silent_until, self._dropped = now + _PAUSE, 0
        return True
