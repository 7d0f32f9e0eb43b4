"""Whether the database takes writes: each health request tries to write.

A server whose disk is full, that is out of memory or locks, or that is read-only still answers
reads. A look writes something and rolls it back, without a flush and without waiting for others.
It also allocates space for a moment, since a full disk refuses only writes that make a file grow.
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
from foundation.database import away

logger = logging.getLogger(__name__)

_ROOM = 1024 * 1024  # bytes
# A function's rows beyond `work_mem` go to a file next to the tables, gone with the statement.
_TAKE_ROOM = """
    SET LOCAL work_mem = '64kB';
    SET LOCAL temp_tablespaces = '';
    SELECT count(*) FROM unnest(array_fill(repeat('x', 1000), ARRAY[1048])) AS room
"""
_TEMP_FILE_LIMIT = "53400"  # SQLSTATE: our role may have no such file; the disk may have room
_LASTS = 60.0  # seconds for which a refusal holds


class _Last:
    """The last refusal that a look of this process met, until one meets none."""

    why: str | None = None
    at = 0.0  # monotonic


def check() -> None:
    """Raises DatabaseError when the database takes no writes."""
    try:
        if connection.vendor == "sqlite":
            _try_sqlite()
        else:
            _try_postgresql()
    except DatabaseError as error:
        if why := away.why_refused(error):
            _Last.why, _Last.at = why, time.monotonic()
            logger.error("The database does not accept writes", exc_info=error)  # noqa: TRY400
        raise
    _Last.why = None


def why_refused() -> str | None:
    """Return why no write succeeds, such as "its disk is full", by this minute's last look."""
    return _Last.why if time.monotonic() - _Last.at < _LASTS else None


def take_room(folder: Path) -> None:
    """Raises OSError when this folder can't take a little more."""
    with tempfile.TemporaryFile(dir=folder) as file:
        os.posix_fallocate(file.fileno(), 0, _ROOM)


def _try_postgresql() -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        Tally.objects.create(minute=Now(), part=os.getpid() % 32_768)
        try:
            cursor.execute(_TAKE_ROOM)
        except OperationalError as error:
            if getattr(error.__cause__, "sqlstate", None) != _TEMP_FILE_LIMIT:
                raise
        transaction.set_rollback(True)


def _try_sqlite() -> None:
    try:
        take_room(Path(connection.settings_dict["NAME"]).parent)
    except OSError as error:
        raise OperationalError(str(error)) from error
    with _without_waiting(), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("PRAGMA user_version = 1")  # a write that needs no table; nobody reads it
        transaction.set_rollback(True)


@contextmanager
def _without_waiting() -> Iterator[None]:
    """Don't wait for other writers in this context: one of them proves that writes work."""
    with connection.cursor() as cursor:
        (patience,) = cursor.execute("PRAGMA busy_timeout").fetchone()
        cursor.execute("PRAGMA busy_timeout = 0")
        try:
            yield
        except OperationalError as error:
            if getattr(error.__cause__, "sqlite_errorname", None) != "SQLITE_BUSY":
                raise
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {patience}")
