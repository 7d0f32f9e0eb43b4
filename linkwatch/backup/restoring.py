"""Restores an archive into an empty database, in one transaction."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.core.management.color import no_style
from django.db import DatabaseError, connection, transaction

from checker import partitions
from checker.models import CheckResult
from foundation import kept_secrets
from hosts import slots
from hosts.models import Slot
from linkwatch.backup import schema_comparison, values
from linkwatch.backup.archive import ArchiveReader, BadArchiveError, Values
from linkwatch.backup.tables import TABLES, Table, quoted_names
from notify.kinds import kind_of
from notify.models import Channel
from outbox import epochs
from targets import counts

_TABLES_BY_LABEL = {table.label: table for table in TABLES}
_LOCK_TIMEOUT = "5s"  # for locks that other processes hold
# How far back each day of results gets a partition, which takes some of PostgreSQL's locks.
_PARTITIONED_PERIOD = timedelta(days=366)
_LEASE_BATCH = 1000  # leases that are ended per statement


class NotEmptyError(Exception):
    """The database is not empty; the text is a sentence for people."""


class RejectedBackupError(Exception):
    """The database rejected the backup; the text is a sentence for people."""


def verify(reader: ArchiveReader, *, advance: Callable[[int], None]) -> None:
    """Read the whole archive and check it against the current schema.

    Raises BadArchiveError, SchemaError.
    """
    _check_schema(reader)
    for _, rows in _chunks(reader):
        advance(len(rows))


def check_empty() -> None:
    """Raise NotEmptyError if a table in TABLES has rows that `migrate` does not create."""
    occupied = [
        str(table.model._meta.verbose_name_plural)
        for table in TABLES
        if not table.is_made_by_migrate and table.model._base_manager.exists()
    ]
    if occupied:
        more = f" and {len(occupied) - 3} more tables" if len(occupied) > 3 else ""
        raise NotEmptyError(
            f"The database is not empty: it has {', '.join(occupied[:3])}{more}. "
            "Restore into a new database, after `manage.py migrate` and before anything else."
        )


def restore(reader: ArchiveReader, *, now: datetime, advance: Callable[[int], None]) -> None:
    """Restore an archive into the empty database, all or nothing; `advance` as in `making.make`.

    Raises BadArchiveError, SchemaError, NotEmptyError, RejectedBackupError.
    """
    _check_schema(reader)
    try:
        with transaction.atomic():
            _lock()
            check_empty()
            _clear()
            for table, rows in _chunks(reader):
                with _reporting_damage(table):
                    _insert(table, rows)
                advance(len(rows))
            _finish(now)
    except DatabaseError as error:
        message = f"The database rejected the backup: {_sentence(error)}"
        raise RejectedBackupError(message) from error
    ContentType.objects.clear_cache()


def analyze() -> None:
    """Update PostgreSQL's statistics, which are those of an empty database after a restore."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


def count_unreadable_channels() -> int:
    """Return how many channels have a secret that no SECRET_KEY, current or fallback, decrypts."""
    count = 0
    for channel in Channel.objects.iterator():
        encrypted = [channel.settings[name] for name in kind_of(channel.kind).encrypted_settings]
        try:
            for secret in filter(None, [channel.secret, *encrypted]):
                kept_secrets.decrypt(secret)
        except kept_secrets.UnreadableSecretError:
            count += 1
    return count


def _sentence(error: DatabaseError) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0].removesuffix(".") + "."


def _check_schema(reader: ArchiveReader) -> None:
    header = reader.header
    schema_comparison.check(
        header.schema, release=header.release, ours=schema_comparison.last_migrations(connection)
    )


def _chunks(reader: ArchiveReader) -> Iterator[tuple[Table, list[Values]]]:
    """Yield each table of an archive in one or more chunks of rows.

    Raises BadArchiveError.
    """
    for label, columns, rows in reader.chunks():
        table = _TABLES_BY_LABEL.get(label)
        if table is None or columns != values.columns(table.model):
            raise BadArchiveError(
                f"The backup has a table, or columns of a table, that this release does not have: "
                f"{label}."
            )
        if any(not isinstance(row, list) or len(row) != len(columns) for row in rows):
            raise BadArchiveError(f"The backup is damaged: {label} has rows of the wrong length.")
        yield table, rows
    if missing := _TABLES_BY_LABEL.keys() - reader.tallies.keys():
        raise BadArchiveError(f"Tables are missing from the backup: {', '.join(sorted(missing))}.")


def _lock() -> None:
    """Lock out other writers; SQLite's transactions do so anyway."""
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = '{_LOCK_TIMEOUT}'")
        # The input may be a pipe that pauses.
        cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        cursor.execute(f"LOCK TABLE {quoted_names(connection)} IN EXCLUSIVE MODE")
        # Otherwise, PostgreSQL would defer and store a check for each foreign key until the end.
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def _clear() -> None:
    """Delete what `migrate` has created: the archive has the same rows, with its own keys."""
    with connection.cursor() as cursor:
        for table in reversed([table for table in TABLES if table.is_made_by_migrate]):
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(table.model._meta.db_table)}")  # noqa: S608 - constants


def _insert(table: Table, rows: list[Values]) -> None:
    if not rows:
        return
    converters = values.converters_to_database(table.model, connection.vendor)
    if table.model is CheckResult:
        _make_partitions(rows)
    converted = [values.convert(row, converters) for row in rows]
    quote = connection.ops.quote_name
    names = ", ".join(map(quote, values.columns(table.model)))
    destination = f"{quote(table.model._meta.db_table)} ({names})"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            _copy(cursor, destination, converted)
        else:
            placeholders = ", ".join(["%s"] * len(rows[0]))
            cursor.executemany(f"INSERT INTO {destination} VALUES ({placeholders})", converted)  # noqa: S608 - as above


def _copy(cursor: Any, destination: str, rows: list[Values]) -> None:
    with connection.wrap_database_errors, cursor.copy(f"COPY {destination} FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


@contextmanager
def _reporting_damage(table: Table) -> Iterator[None]:
    """Raise BadArchiveError if a value is invalid, or if no driver accepts it."""
    try:
        yield
    except (TypeError, ValueError, OverflowError, AttributeError):
        message = f"The backup is damaged: {table.label} has invalid values."
        raise BadArchiveError(message) from None


def _make_partitions(rows: list[Values]) -> None:
    index = values.columns(CheckResult).index("checked_at")
    days = {row[index][:10] for row in rows}
    times = [datetime.fromisoformat(day).replace(tzinfo=UTC) for day in days]
    partitions.make_past(times, limit=min(settings.RESULTS_RETENTION, _PARTITIONED_PERIOD))


def _finish(now: datetime) -> None:
    """Reset the sequences, recount the counters, end the leases of hosts, and begin a new epoch."""
    with connection.cursor() as cursor:
        models = [table.model for table in TABLES]
        for sql in connection.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(sql)
    counts.recount()
    while leased := list(Slot.objects.exclude(token=None).select_for_update()[:_LEASE_BATCH]):
        slots.take_back(leased)
    epochs.begin(now)
