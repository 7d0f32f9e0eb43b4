"""Many rows of a model at once, past the ORM's compilers: the SQL of both databases.

The ORM prepares each value of each row by several calls, which took more than half of a check's
time (docs/adr/0022-rows-in-sets.md). What these write and read is what the ORM would, held to it
by tests/checker/test_sets.py. For the hot paths only: nothing here calls `save`, defaults or
signals. Columns are the fields' `attname`s; values are those of Python, with raw ids (UUID).
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import ForeignKey, Model
from django.utils.duration import duration_iso_string, duration_microseconds

Columns = tuple[str, ...]
Row = Sequence[Any]
_Convert = Callable[[Any], Any]

# What statements say differently on the two kinds of database. Lists are JSON: see hosts/slots.py.
_WORDS = {
    "postgresql": {
        "among": "= ANY(ARRAY(SELECT value::{kind} FROM json_array_elements_text({values})))",
        "for_update": "FOR NO KEY UPDATE",
    },
    "sqlite": {"among": "IN (SELECT value FROM json_each({values}))", "for_update": ""},
}


def _as_stored(value: datetime) -> str:
    return str(value.astimezone(UTC).replace(tzinfo=None))


def _as_utc(value: datetime) -> datetime:
    return value.replace(tzinfo=UTC)


# By a field's kind: how a value is written, and how it is read. In PostgreSQL's JSON of whole rows
# the value of a JSON column is what it is.
_TO_DATABASE: dict[str, dict[str, _Convert]] = {
    "postgresql": {
        "DateTimeField": str,
        "DurationField": duration_iso_string,
        "UUIDField": str,
    },
    "sqlite": {
        "DateTimeField": _as_stored,
        "DurationField": duration_microseconds,
        "UUIDField": lambda value: value.hex,
        "JSONField": json.dumps,
    },
}
_FROM_DATABASE: dict[str, dict[str, _Convert]] = {
    "postgresql": {"JSONField": json.loads},
    "sqlite": {
        "DateTimeField": _as_utc,
        "DurationField": lambda value: timedelta(microseconds=value),
        "UUIDField": UUID,
        "JSONField": json.loads,
    },
}


def insert(model: type[Model], columns: Columns, rows: Collection[Row]) -> None:
    """Insert these rows; each has a value for each of the columns."""
    if not rows:
        return
    sql, converters = _insert(model, columns, connection.vendor)
    _write(sql, columns, [_converted(row, converters) for row in rows])


def add(model: type[Model], keys: Columns, counts: Columns, rows: Collection[Row]) -> None:
    """Add to the counts of the rows with these keys, which are unique; insert those missing.

    Each row has a value for each of the keys, then for each of the counts; no two the same keys.
    """
    if not rows:
        return
    columns = keys + counts
    sql, converters = _insert(model, columns, connection.vendor)
    table = _quote(model._meta.db_table)
    sums = (f"{name} = {table}.{name} + excluded.{name}" for name in map(_quote, counts))
    sql += f" ON CONFLICT ({', '.join(map(_quote, keys))}) DO UPDATE SET {', '.join(sums)}"
    _write(sql, columns, [_converted(row, converters) for row in rows])


def update(
    model: type[Model], columns: Columns, rows: Collection[Row], *, optional: Columns = ()
) -> None:
    """Update the rows that the first column, the primary key, names; no two of the same.

    None for an `optional` column leaves what is there.
    """
    if not rows:
        return
    sql, converters = _update(model, columns, optional, connection.vendor)
    written = [_converted(row, converters) for row in rows]
    if connection.vendor == "sqlite":
        _write(sql, columns, [(*values, key) for key, *values in written])
    else:
        _write(sql, columns, written, keys=json.dumps([row[0] for row in written]))


def select(
    model: type[Model], columns: Columns, sql: str, params: Mapping[str, Any]
) -> list[list[Any]]:
    """Return what this SELECT of a model's `{columns}` gives, as values of Python.

    Lists and times are written as the database has them. `{for_update}` locks the rows as
    `select_for_update(no_key=True)` does, `{ids}` says that a UUID is one of the list `ids`.
    """
    query, converters = _select(model, columns, sql, connection.vendor)
    with connection.cursor() as cursor:
        cursor.execute(query, {name: _parameter(value) for name, value in params.items()})
        return [_converted(row, converters) for row in cursor.fetchall()]


def _parameter(value: Any) -> Any:
    if isinstance(value, datetime):
        return connection.ops.adapt_datetimefield_value(value)
    if isinstance(value, list):
        return json.dumps([item.hex if isinstance(item, UUID) else item for item in value])
    return value


def _converted(row: Iterable[Any], converters: Sequence[tuple[int, _Convert]]) -> list[Any]:
    values = list(row)
    for place, convert in converters:
        if values[place] is not None:
            values[place] = convert(values[place])
    return values


def _write(sql: str, columns: Columns, rows: Sequence[Row], **params: str) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.executemany(sql, rows)
        else:
            given = json.dumps([dict(zip(columns, row, strict=True)) for row in rows])
            cursor.execute(sql, {"rows": given, **params})


# The statements are made once, as the places of what is to be converted are.


@cache
def _insert(model: type[Model], columns: Columns, vendor: str) -> tuple[str, list[Any]]:
    table, names = _quote(model._meta.db_table), ", ".join(map(_quote, columns))
    if vendor == "sqlite":
        values = f"VALUES ({', '.join(['%s'] * len(columns))})"
    else:
        values = f"SELECT {names} FROM {_given(model, columns)}"  # noqa: S608 - as below
    sql = f"INSERT INTO {table} ({names}) {values}"
    return sql, _converters(model, columns, _TO_DATABASE[vendor])


@cache
def _update(
    model: type[Model], columns: Columns, optional: Columns, vendor: str
) -> tuple[str, list[Any]]:
    table, (key, *others) = _quote(model._meta.db_table), columns
    new = "%s" if vendor == "sqlite" else "given.{name}"
    kept = f"COALESCE({new}, {table}.{{name}})"
    changes = ", ".join(
        f"{_quote(name)} = {(kept if name in optional else new).format(name=_quote(name))}"
        for name in others
    )
    sql = f"UPDATE {table} SET {changes} "  # noqa: S608 - names of columns
    if vendor == "sqlite":
        sql += f"WHERE {_quote(key)} = %s"
    else:
        kind = _field(model, key).db_type(connection)
        # The keys apart from their values: PostgreSQL takes any list of rows for 100 of them.
        sql += (
            f"FROM {_given(model, columns)} WHERE {table}.{_quote(key)} {_among(kind, 'keys')}"
            f" AND {table}.{_quote(key)} = given.{_quote(key)}"
        )
    return sql, _converters(model, columns, _TO_DATABASE[vendor])


@cache
def _select(
    model: type[Model], columns: Columns, sql: str, vendor: str
) -> tuple[str, list[tuple[int, _Convert]]]:
    table = _quote(model._meta.db_table)
    words = {
        "columns": ", ".join(f"{table}.{_quote(name)}" for name in columns),
        "ids": _among("uuid", "ids"),
        "for_update": _WORDS[vendor]["for_update"],
    }
    return sql.format(**words), _converters(model, columns, _FROM_DATABASE[vendor])


def _among(kind: str, param: str) -> str:
    return _WORDS[connection.vendor]["among"].format(kind=kind, values=f"%({param})s")


def _given(model: type[Model], columns: Columns) -> str:
    """Return PostgreSQL's words for rows of JSON with these columns."""
    kinds = (_field(model, name).db_type(connection) for name in columns)
    typed = (f"{_quote(name)} {kind}" for name, kind in zip(columns, kinds, strict=True))
    return f"json_to_recordset(%(rows)s) AS given ({', '.join(typed)})"


def _converters(
    model: type[Model], columns: Columns, by_kind: Mapping[str, _Convert]
) -> list[tuple[int, _Convert]]:
    kinds = [_field(model, name).get_internal_type() for name in columns]
    return [(place, by_kind[kind]) for place, kind in enumerate(kinds) if kind in by_kind]


def _field(model: type[Model], attname: str) -> Any:
    """Return the field of a column; of a foreign key the one that it points to."""
    (field,) = [field for field in model._meta.concrete_fields if field.attname == attname]
    return field.target_field if isinstance(field, ForeignKey) else field


def _quote(name: str) -> str:
    return connection.ops.quote_name(name)
