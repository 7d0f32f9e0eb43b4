"""Daily partitions of results on PostgreSQL, created in advance and dropped as a whole.

Rows for days without a partition go to the default partition, so that none is rejected. On SQLite,
the table is not partitioned. Source: docs/adr/0023-daily-results.md.
"""

import logging
import re
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta

from django.db import DatabaseError, OperationalError, connection, transaction

from checker.models import CheckResult
from foundation.database.clock import database_now
from foundation.database.unavailable import is_outage

logger = logging.getLogger(__name__)

_HORIZON = timedelta(days=7)  # how far ahead partitions are created
_DAY = timedelta(days=1)
_TABLE = CheckResult._meta.db_table
_DEFAULT = f"{_TABLE}_rest"
_NAME = re.compile(rf"{_TABLE}_(\d{{8}})")
_LOCK = 0x4C57_0004  # PostgreSQL's advisory lock for creating and dropping days
# A process that waits for a table lock blocks all others that queue behind it. A backup, for
# example, holds such a lock for hours.
_LOCK_TIMEOUT = "2s"
_LOCK_NOT_AVAILABLE = "55P03"  # PostgreSQL's SQLSTATE for a lock timeout


class _InUseError(Exception):
    """The tables were in use for longer than _LOCK_TIMEOUT."""


_handled_days: set[date] = set()  # days that this process need not create again


def make_for_times(times: Iterable[datetime]) -> None:
    """Create missing partitions for results of these times, before they are written.

    Usually needs no query. Results further than _HORIZON from now go to the default partition. Call
    it before the writing transaction, because it locks tables.
    """
    days = {_day(at) for at in times} - _handled_days
    if not days or not _has_partitions():
        return
    today = _day(database_now())
    _make(sorted(day for day in days if abs(day - today) <= _HORIZON))
    transaction.on_commit(lambda: _handled_days.update(days))


def make_ahead(now: datetime) -> int:
    """Create missing partitions for today and the days until _HORIZON; return how many."""
    if not _has_partitions():
        return 0
    return _make(_day(now) + n * _DAY for n in range(_HORIZON // _DAY + 1))


def make_past(times: Iterable[datetime], *, limit: timedelta) -> None:
    """Create missing partitions for imported results of these times.

    Call it in a transaction with exclusive use of the tables. Days further than `limit` from today
    get no partition, because each partition needs locks.
    """
    days = {_day(at) for at in times}
    if not days or not _has_partitions():
        return
    today = _day(database_now())
    _make(day for day in days if abs(day - today) <= limit)


def existing_days() -> list[date]:
    """Return the days that have a partition, the earliest first."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid"
            " WHERE i.inhparent = %s::regclass",
            [_TABLE],
        )
        found = [_NAME.fullmatch(name) for (name,) in cursor.fetchall()]
    return sorted(datetime.strptime(m[1], "%Y%m%d").replace(tzinfo=UTC).date() for m in found if m)


def drop(before: datetime) -> list[date]:
    """Drop the partitions of days that ended at `before` or earlier; return the dropped days.

    Stops at the first partition that is in use. The cost per day is that of removing files,
    independent of the number of results.
    """
    if not _has_partitions():
        return []
    old = [day for day in existing_days() if _start(day + _DAY) <= before]
    dropped: list[date] = []
    with suppress(_InUseError):  # days dropped before the error stay dropped
        dropped.extend(day for day in old if _change([f"DROP TABLE IF EXISTS {_name(day)}"]))
    return dropped


def delete_results(before: datetime, *, limit: int) -> int:
    """Delete up to `limit` results older than `before`; return how many.

    On PostgreSQL, deletes only from the default partition; on SQLite, from the whole table.
    """
    table = _DEFAULT if _has_partitions() else _TABLE
    with connection.cursor() as cursor:
        cursor.execute(
            f"DELETE FROM {table} WHERE id IN ("  # noqa: S608 - constants
            f"SELECT id FROM {table} WHERE checked_at < %s ORDER BY checked_at LIMIT %s)",
            [connection.ops.adapt_datetimefield_value(before), limit],
        )
        deleted: int = cursor.rowcount
        return deleted


def _has_partitions() -> bool:
    return connection.vendor == "postgresql"


def _make(candidates: Iterable[date]) -> int:
    """Create the missing ones of these partitions, each in a transaction; return how many.

    Failures, such as missing rights, are logged: the default partition takes the results. Raises
    DatabaseError only during an outage.
    """
    made = 0
    try:
        for day in sorted(set(candidates) - set(existing_days())):
            made += _change(_statements(day), unless=_name(day))
    except _InUseError:
        pass
    except DatabaseError as error:
        if is_outage(error):
            raise
        logger.exception("Partitions of results could not be created")
    return made


def _statements(day: date) -> list[str]:
    """Return statements to create a day's table, fill it from the default partition and attach it.

    The other partitions stay readable, except the default one. Writers must wait: a row on its way
    to the default partition would be refused once that day is excluded there.
    """
    first, end = (f"'{_start(at).isoformat()}'" for at in (day, day + _DAY))
    return [
        f"LOCK TABLE ONLY {_TABLE} IN SHARE ROW EXCLUSIVE MODE",
        f"LOCK TABLE {_DEFAULT} IN ACCESS EXCLUSIVE MODE",
        f"CREATE TABLE {_name(day)} (LIKE {_TABLE} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)",
        "WITH moved AS ("  # noqa: S608 - constants
        f"DELETE FROM {_DEFAULT} WHERE checked_at >= {first} AND checked_at < {end} RETURNING *)"
        f" INSERT INTO {_name(day)} SELECT * FROM moved",
        f"ALTER TABLE {_TABLE} ATTACH PARTITION {_name(day)} FOR VALUES FROM ({first}) TO ({end})",
    ]


def _change(statements: Iterable[str], *, unless: str | None = None) -> bool:
    """Execute the statements in a transaction, one process at a time; return whether they ran.

    Does nothing if the table `unless` exists. If a lock takes longer than _LOCK_TIMEOUT, logs this
    and raises _InUseError: the task tries again in an hour.
    """
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT current_setting('lock_timeout')")
            previous_timeout = cursor.fetchone()
            cursor.execute(f"SET LOCAL lock_timeout = '{_LOCK_TIMEOUT}'")
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
            cursor.execute("SELECT to_regclass(%s) IS NULL", [unless])
            is_missing: bool = cursor.fetchone()[0]
            for statement in statements if is_missing else ():
                cursor.execute(statement)
            cursor.execute("SELECT set_config('lock_timeout', %s, true)", previous_timeout)
            return is_missing
    except OperationalError as error:
        if getattr(error.__cause__, "sqlstate", None) != _LOCK_NOT_AVAILABLE:
            raise
        logger.warning("The result tables are in use: partitions could not be changed")
        raise _InUseError from None


def _day(at: datetime) -> date:
    return at.astimezone(UTC).date()


def _start(day: date) -> datetime:
    return datetime.combine(day, time(), tzinfo=UTC)


def _name(day: date) -> str:
    return f"{_TABLE}_{day:%Y%m%d}"
