"""Checks whether the database accepts writes by trying to write.

A server still answers reads if its disk is full, if it is out of memory or locks, or if it is
read-only. The check writes and rolls back, without a flush and without waiting for other writers.
It also allocates space briefly, because a full disk refuses only writes that make a file grow.
"""

import logging
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import DatabaseError, OperationalError, connection, transaction
from django.db.models.functions import Now

from checker.models import Tally
from foundation.database import unavailable

logger = logging.getLogger(__name__)

_PROBE_BYTES = 1024 * 1024
# A function's rows beyond `work_mem` go to a file next to the tables. The file is deleted after the
# statement.
_CHECK_SPACE = """
    SET LOCAL work_mem = '64kB';
    SET LOCAL temp_tablespaces = '';
    SELECT count(*) FROM unnest(array_fill(repeat('x', 1000), ARRAY[1048])) AS room
"""
_TEMP_FILE_LIMIT = "53400"  # SQLSTATE: our role may not create such a file; the disk may have room
_REASON_MAX_AGE = 60.0  # seconds for which the reason for a refusal is valid


class _LastRefusal:
    """The last refusal in this process, until a check succeeds."""

    why: str | None = None
    at = 0.0  # monotonic


def check() -> None:
    """Raise DatabaseError if the database is unavailable or accepts no writes."""
    try:
        if connection.vendor == "sqlite":
            _try_sqlite()
        else:
            _try_postgresql()
    except DatabaseError as error:
        if why := unavailable.why_refused(error):
            _LastRefusal.why, _LastRefusal.at = why, time.monotonic()
            logger.error("The database does not accept writes", exc_info=error)  # noqa: TRY400
        raise
    _LastRefusal.why = None


def why_refused() -> str | None:
    """Return why the database refuses writes, such as "its disk is full"; None if unknown.

    The reason is from a check in this process within the last minute. No check has succeeded since.
    """
    return _LastRefusal.why if time.monotonic() - _LastRefusal.at < _REASON_MAX_AGE else None


def check_space(folder: Path) -> None:
    """Raise OSError if a file of _PROBE_BYTES can't be written to this folder."""
    with tempfile.TemporaryFile(dir=folder) as file:
        os.posix_fallocate(file.fileno(), 0, _PROBE_BYTES)


def _try_postgresql() -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        Tally.objects.create(minute=Now(), part=os.getpid() % 32_768)
        try:
            cursor.execute(_CHECK_SPACE)
        except OperationalError as error:
            if getattr(error.__cause__, "sqlstate", None) != _TEMP_FILE_LIMIT:
                raise
        transaction.set_rollback(True)


def _try_sqlite() -> None:
    try:
        check_space(Path(connection.settings_dict["NAME"]).parent)
    except OSError as error:
        raise OperationalError(str(error)) from error
    with _without_waiting(), transaction.atomic(), connection.cursor() as cursor:
        # A write that needs no table; the value is never read.
        cursor.execute("PRAGMA user_version = 1")
        transaction.set_rollback(True)


@contextmanager
def _without_waiting() -> Iterator[None]:
    """Leave the block rather than wait for another writer, whose write proves that writes work."""
    with connection.cursor() as cursor:
        (timeout,) = cursor.execute("PRAGMA busy_timeout").fetchone()
        cursor.execute("PRAGMA busy_timeout = 0")
        try:
            yield
        except OperationalError as error:
            if getattr(error.__cause__, "sqlite_errorname", None) != "SQLITE_BUSY":
                raise
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {timeout}")
