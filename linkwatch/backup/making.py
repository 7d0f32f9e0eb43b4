"""A backup is made: all tables as they were at one moment, while the product goes on.

It reads on a connection of its own, in one transaction that sees nothing of what is written
meanwhile. Nobody waits for it but migrations: on PostgreSQL days of results are dropped, and rows
vacuumed, once it is done; SQLite's log of writes grows meanwhile.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, BinaryIO

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

from foundation.times import rfc3339
from linkwatch.backup import schema, values
from linkwatch.backup.archive import Header, Values, Writer
from linkwatch.backup.tables import KEPT, Row, Table, quoted_names
from linkwatch.environment import VERSION


def make(
    target: BinaryIO, *, with_secrets: bool, now: datetime, moved_on: Callable[[int], None]
) -> Writer:
    """Write an archive of the database into `target`; returns what was written, and withheld.

    `moved_on` is called as rows are written. Raises SchemaError while migrations are missing.
    """
    with _snapshot() as own:
        header = Header(
            release=VERSION,
            made_at=str(rfc3339(now)),
            secrets=with_secrets,
            schema=schema.last_migrations(own),
        )
        writer = Writer(target, header)
        for table in KEPT:
            writer.begin(table.label, values.columns(table.model))
            for rows in _read(own, table):
                shown = rows if with_secrets else _without_secrets(table, rows, writer.withheld)
                moved_on(writer.write(shown))
        writer.close()
        return writer


@contextmanager
def _snapshot() -> Iterator[BaseDatabaseWrapper]:
    """Yield a connection of its own that sees the database as of now, until it is closed.

    SQLite's others begin by taking the one right to write: this one never does. PostgreSQL ends
    our other sessions after a pause of ten seconds; the reader of a backup may make longer ones.
    There the tables are locked before the moment is chosen: one that a migration wrote anew after
    it would be seen empty.
    """
    own = connection.copy()
    is_postgres = own.vendor == "postgresql"
    try:
        schema.last_migrations(own)  # or there might be no such tables
        with own.cursor() as cursor:
            if is_postgres:
                cursor.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
                cursor.execute(f"LOCK TABLE {quoted_names(own)} IN ACCESS SHARE MODE")
            else:
                cursor.execute("BEGIN DEFERRED")
            yield own
    finally:
        own.close()


def _read(own: BaseDatabaseWrapper, table: Table) -> Iterator[list[Values]]:
    """Yield the rows of a table by their keys, some at a time."""
    quote = own.ops.quote_name
    columns = values.columns(table.model)
    sql = (
        f"SELECT {', '.join(map(quote, columns))} FROM {quote(table.model._meta.db_table)}"  # noqa: S608
        f" ORDER BY {', '.join(map(quote, values.key(table.model)))}"
    )
    converters = values.readers(table.model, own.vendor)
    held = [columns.index(name) for name in table.held]
    with _cursor(own) as cursor:
        cursor.execute(sql)
        while rows := cursor.fetchmany(table.at_once):
            found = [values.convert(row, converters) for row in rows]
            for row in found if held else ():
                for place in held:
                    row[place] = None
            yield found


def _cursor(own: BaseDatabaseWrapper) -> Any:
    """Return one that keeps the rows at the server, which SQLite's do anyway.

    Not Django's, which keeps them here where a pooler asks for that: this one is of a transaction.
    """
    if own.vendor == "postgresql":
        return own.connection.cursor(name="backup")
    return own.cursor()


def _without_secrets(table: Table, rows: list[Values], withheld: Counter[str]) -> Iterator[Values]:
    """Yield the rows as those may see them who get no secrets."""
    if table.is_secret:
        withheld[table.label] += len(rows)
        return
    if table.hide is None:
        yield from rows
        return
    columns = values.columns(table.model)
    for values_ in rows:
        row: Row = dict(zip(columns, values_, strict=True))
        if name := table.hide(row):
            withheld[name] += 1
        yield list(row.values())
