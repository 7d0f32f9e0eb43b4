"""Makes a backup: all tables as of one moment, while the product runs.

The rows are read on a separate connection, in one snapshot transaction. Until it ends, migrations
wait; on PostgreSQL, old partitions of results are not dropped, and deleted rows are not vacuumed;
on SQLite, the write-ahead log grows.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, BinaryIO

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

from foundation.times import rfc3339
from linkwatch.backup import schema_comparison, values
from linkwatch.backup.archive import Header, Values, Writer
from linkwatch.backup.tables import TABLES, Row, Table, quoted_names
from linkwatch.environment import VERSION


def make(
    target: BinaryIO, *, with_secrets: bool, now: datetime, advance: Callable[[int], None]
) -> Writer:
    """Write an archive of the database to `target`; return the writer, which has the numbers
    of rows and of withheld secrets.

    `advance` is called with the number of rows just written. Raises SchemaError if migrations are
    missing or unknown, DatabaseError, or OSError from `target`.
    """
    with _snapshot() as snapshot:
        header = Header(
            release=VERSION,
            made_at=str(rfc3339(now)),
            secrets=with_secrets,
            schema=schema_comparison.last_migrations(snapshot),
        )
        writer = Writer(target, header)
        for table in TABLES:
            writer.begin(table.label, values.columns(table.model))
            for rows in _read(snapshot, table):
                written = rows if with_secrets else _without_secrets(table, rows, writer.withheld)
                advance(writer.write(written))
        writer.close()
        return writer


@contextmanager
def _snapshot() -> Iterator[BaseDatabaseWrapper]:
    """Yield a separate connection with a snapshot of the database.

    Our other connections to SQLite take the write lock when a transaction begins; this one does
    not. PostgreSQL ends our other sessions if they are idle for ten seconds in a transaction; the
    target of a backup may be slower. On PostgreSQL, tables are locked before the snapshot, because
    a table that a migration rewrites after the snapshot would appear empty.
    """
    snapshot = connection.copy()
    is_postgres = snapshot.vendor == "postgresql"
    try:
        schema_comparison.last_migrations(snapshot)  # otherwise the tables may not exist
        with snapshot.cursor() as cursor:
            if is_postgres:
                cursor.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
                cursor.execute(f"LOCK TABLE {quoted_names(snapshot)} IN ACCESS SHARE MODE")
            else:
                cursor.execute("BEGIN DEFERRED")
            yield snapshot
    finally:
        snapshot.close()


def _read(snapshot: BaseDatabaseWrapper, table: Table) -> Iterator[list[Values]]:
    """Yield the rows of a table in chunks, ordered by primary key; excluded columns are None."""
    quote = snapshot.ops.quote_name
    columns = values.columns(table.model)
    sql = (
        f"SELECT {', '.join(map(quote, columns))} FROM {quote(table.model._meta.db_table)}"  # noqa: S608
        f" ORDER BY {', '.join(map(quote, values.key_columns(table.model)))}"
    )
    converters = values.converters_to_archive(table.model, snapshot.vendor)
    excluded = [columns.index(name) for name in table.excluded]
    with _cursor(snapshot) as cursor:
        cursor.execute(sql)
        while rows := cursor.fetchmany(table.rows_per_read):
            converted = [values.convert(row, converters) for row in rows]
            for row in converted if excluded else ():
                for index in excluded:
                    row[index] = None
            yield converted


def _cursor(snapshot: BaseDatabaseWrapper) -> Any:
    """Return a cursor that does not load the whole result; SQLite's cursors never do.

    With a pooler, Django's cursors load all of it; this one can stream, within one transaction.
    """
    if snapshot.vendor == "postgresql":
        return snapshot.connection.cursor(name="backup")
    return snapshot.cursor()


def _without_secrets(table: Table, rows: list[Values], withheld: Counter[str]) -> Iterator[Values]:
    """Yield the rows without secrets, or no rows of a secret table; count secrets in `withheld`."""
    if table.is_secret:
        withheld[table.label] += len(rows)
        return
    if table.hide is None:
        yield from rows
        return
    columns = values.columns(table.model)
    for row_values in rows:
        row: Row = dict(zip(columns, row_values, strict=True))
        if name := table.hide(row):
            withheld[name] += 1
        yield list(row.values())
