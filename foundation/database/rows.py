"""Writes and reads many rows of a model at once, without the ORM's compilers.

The ORM prepares each value of each row with several calls, which took more than half of a check's
time (docs/adr/0022-rows-in-sets.md). These functions write and read the same as the ORM, as
tests/checker/test_sets.py verifies. For hot paths only: nothing here calls `save` or sets defaults;
only the creation of instances sends signals. Columns are fields' `attname`s; values are Python's,
with raw ids (UUID).
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import ForeignKey, Model
from django.utils.duration import duration_iso_string, duration_microseconds

Columns = tuple[str, ...]
Row = Sequence[Any]
_Converter = Callable[[Any], Any]

# Parts of statements that differ between the databases. Lists are JSON: see hosts/slots.py.
_SQL_PARTS = {
    "postgresql": {
        "among": "= ANY(ARRAY(SELECT value::{db_type} FROM json_array_elements_text({values})))",
        "for_update": "FOR NO KEY UPDATE",
    },
    "sqlite": {"among": "IN (SELECT value FROM json_each({values}))", "for_update": ""},
}


def _as_stored(value: datetime) -> str:
    return str(value.astimezone(UTC).replace(tzinfo=None))


def _as_utc(value: datetime) -> datetime:
    return value.replace(tzinfo=UTC)


# Conversions of values by field type, to and from the database. In PostgreSQL's JSON of rows,
# values of JSON columns are not converted.
_TO_DATABASE: dict[str, dict[str, _Converter]] = {
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
_FROM_DATABASE: dict[str, dict[str, _Converter]] = {
    "postgresql": {"JSONField": json.loads},
    "sqlite": {
        "DateTimeField": _as_utc,
        "DurationField": lambda value: timedelta(microseconds=value),
        "UUIDField": UUID,
        "JSONField": json.loads,
        "BooleanField": bool,
    },
}


def columns_and_rows(mappings: Sequence[Mapping[str, Any]]) -> tuple[Columns, list[Row]]:
    """Return the columns and rows of mappings that all have the same keys in the same order."""
    return (tuple(mappings[0]), [tuple(row.values()) for row in mappings]) if mappings else ((), [])


def insert(model: type[Model], columns: Columns, rows: Collection[Row]) -> None:
    """Insert these rows; each has a value for each of the columns."""
    if not rows:
        return
    sql, converters = _insert(model, columns, connection.vendor)
    _write(sql, columns, [_convert(row, converters) for row in rows])


def insert_new(
    model: type[Model],
    columns: Columns,
    rows: Sequence[Row],
    *,
    returning: Columns,
    related: Sequence[tuple[type[Model], Columns, Sequence[Row]]] = (),
    extra_insert: str = "",
) -> list[list[Any]]:
    """Insert the rows that no unique constraint refuses; return their columns `returning`.

    `returning` begins with the primary key. `related`: rows of other models, each inserted only if
    the row whose primary key is its first value is new. `extra_insert`: an INSERT that selects from
    the new rows, `made`. Runs one statement on PostgreSQL.
    """
    if not rows:
        return []
    by_column = dict(zip(columns, zip(*rows, strict=True), strict=True))
    # A value common to all rows is sent once. The first column always differs between rows.
    varied = {
        name: values
        for name, values in by_column.items()
        if name == columns[0] or values.count(values[0]) < len(values)
    }
    shared = {name: values[0] for name, values in by_column.items() if name not in varied}
    params = {
        "rows": _as_json(model, tuple(varied), zip(*varied.values(), strict=True)),
        "shared": _as_json(model, tuple(shared), [tuple(shared.values())]),
    }
    insertion = _insert_new(model, tuple(varied), tuple(shared), connection.vendor)
    if connection.vendor == "sqlite":
        return _insert_in_steps(model, insertion, params, returning, related, extra_insert)
    steps = [f"made AS ({insertion} RETURNING *)"]
    key = _quote(returning[0])
    for number, (other, names, new_rows) in enumerate(related):
        params[f"related{number}"] = _as_json(other, names, new_rows)
        sql = _insert(other, names, "postgresql", f"related{number}")[0]
        steps.append(f"b{number} AS ({sql} WHERE {_quote(names[0])} IN (SELECT {key} FROM made))")  # noqa: S608
    if extra_insert:
        steps.append(f"extra AS ({extra_insert})")
    with connection.cursor() as cursor:
        selected = ", ".join(map(_quote, returning))
        cursor.execute(f"WITH {', '.join(steps)} SELECT {selected} FROM made", params)  # noqa: S608
        converters = _decoders(model, returning, "postgresql")
        return [_convert(row, converters) for row in cursor.fetchall()]


def _insert_in_steps(
    model: type[Model],
    insertion: str,
    params: Mapping[str, str],
    returning: Columns,
    related: Sequence[tuple[type[Model], Columns, Sequence[Row]]],
    extra_insert: str,
) -> list[list[Any]]:
    """Do what `insert_new` does, on SQLite, where a statement changes only one table."""
    with connection.cursor() as cursor:
        cursor.execute(f"{insertion} RETURNING {', '.join(map(_quote, returning))}", params)
        inserted = cursor.fetchall()
        if inserted and extra_insert:
            among = _among("", "made")
            made = (
                f"SELECT * FROM {_quote(model._meta.db_table)} WHERE {_quote(returning[0])} {among}"  # noqa: S608
            )
            cursor.execute(
                f"WITH made AS ({made}) {extra_insert}",
                {"made": json.dumps([row[0] for row in inserted])},
            )
    converters = _decoders(model, returning, "sqlite")
    new = [_convert(row, converters) for row in inserted]
    keys = {row[0] for row in new}
    for other, names, new_rows in related:
        insert(other, names, [row for row in new_rows if row[0] in keys])
    return new


def add(model: type[Model], keys: Columns, counts: Columns, rows: Collection[Row]) -> None:
    """Add to the counts of the rows with these unique keys; insert missing rows.

    Each row has a value for each key, then for each count. No two rows may have the same keys.
    """
    if not rows:
        return
    columns = keys + counts
    sql, converters = _insert(model, columns, connection.vendor)
    table = _quote(model._meta.db_table)
    sums = (f"{name} = {table}.{name} + excluded.{name}" for name in map(_quote, counts))
    sql += f" ON CONFLICT ({', '.join(map(_quote, keys))}) DO UPDATE SET {', '.join(sums)}"
    _write(sql, columns, [_convert(row, converters) for row in rows])


def update(
    model: type[Model], columns: Columns, rows: Collection[Row], *, optional: Columns = ()
) -> None:
    """Update rows by the first column, the primary key; no two rows may have the same key.

    None for an `optional` column keeps the current value.
    """
    if not rows:
        return
    sql, converters = _update(model, columns, optional, connection.vendor)
    written = [_convert(row, converters) for row in rows]
    if connection.vendor == "sqlite":
        _write(sql, columns, [(*values, key) for key, *values in written])
    else:
        _write(sql, columns, written, keys=json.dumps([row[0] for row in written]))


def select(
    model: type[Model], columns: Columns, sql: str, params: Mapping[str, Any]
) -> list[list[Any]]:
    """Return the rows of this SELECT of a model's `{columns}`, as Python values.

    Parameters that are lists or times are converted for the database. `{for_update}` locks rows as
    `select_for_update(no_key=True)` does; `{ids}` tests that a UUID is in the list `ids`, `{texts}`
    that a string is in the list `texts`.
    """
    query, converters = _select(model, columns, sql, connection.vendor)
    with connection.cursor() as cursor:
        cursor.execute(query, {name: _parameter(value) for name, value in params.items()})
        return [_convert(row, converters) for row in cursor.fetchall()]


def select_instances(
    models: tuple[type[Model], ...], sql: str, params: Mapping[str, Any]
) -> list[list[Model | None]]:
    """Return an instance of each of these models for each row of this SELECT of `{columns}`.

    An instance is None if its primary key is null, as in an outer join. Public ids are not
    converted; parameters are passed as they are.
    """
    query, ranges = _select_instances(models, sql, connection.vendor)
    with connection.cursor() as cursor:
        cursor.execute(query, params)
        return [
            [_instance(model, names, row[values]) for model, names, values in ranges]
            for row in cursor.fetchall()
        ]


def _instance(model: type[Model], columns: Columns, values: Row) -> Model | None:
    instance = model.from_db(connection.alias, columns, read(model, columns, values))
    return None if instance.pk is None else instance


def read(model: type[Model], columns: Columns, row: Row) -> list[Any]:
    """Return a row of values from the database, in the order of these columns, as Python values."""
    return _convert(row, _decoders(model, columns, connection.vendor))


def _parameter(value: Any) -> Any:
    if isinstance(value, datetime):
        return connection.ops.adapt_datetimefield_value(value)
    if isinstance(value, list):
        return json.dumps([item.hex if isinstance(item, UUID) else item for item in value])
    return value


def _convert(row: Iterable[Any], converters: Sequence[tuple[int, _Converter]]) -> list[Any]:
    values = list(row)
    for index, convert in converters:
        if values[index] is not None:
            values[index] = convert(values[index])
    return values


def _write(sql: str, columns: Columns, rows: Sequence[Row], **params: str) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.executemany(sql, rows)
        else:
            cursor.execute(sql, {"rows": _dump(columns, rows), **params})


def _dump(columns: Columns, rows: Iterable[Row]) -> str:
    return json.dumps([dict(zip(columns, row, strict=True)) for row in rows])


def _as_json(model: type[Model], columns: Columns, rows: Iterable[Row]) -> str:
    converters = _encoders(model, columns, connection.vendor)
    return _dump(columns, (_convert(row, converters) for row in rows))


# Statements, and the positions of values to convert, are computed once.


@cache
def _insert(
    model: type[Model], columns: Columns, vendor: str, param: str = "rows"
) -> tuple[str, list[Any]]:
    table, names = _quote(model._meta.db_table), ", ".join(map(_quote, columns))
    if vendor == "sqlite":
        values = f"VALUES ({', '.join(['%s'] * len(columns))})"
    else:
        values = f"SELECT {names} FROM {_recordset(model, columns, param)}"  # noqa: S608 - as below
    sql = f"INSERT INTO {table} ({names}) {values}"
    return sql, _converters(model, columns, _TO_DATABASE[vendor])


@lru_cache(maxsize=256)  # bounded, because the columns depend on clients
def _insert_new(model: type[Model], varied: Columns, shared: Columns, vendor: str) -> str:
    names = ", ".join(map(_quote, varied + shared))
    if vendor == "sqlite":
        values = ", ".join(
            [f"json_extract(given.value, '$.{name}')" for name in varied]
            + [f"json_extract(%(shared)s, '$[0].{name}')" for name in shared]
        )
        given = "json_each(%(rows)s) AS given WHERE true"
    else:
        values = ", ".join(
            [f"given.{_quote(name)}" for name in varied]
            + [f"shared.{_quote(name)}" for name in shared]
        )
        given = _recordset(model, varied)
        if shared:
            given += f", {_recordset(model, shared, 'shared', 'shared')}"
    table = _quote(model._meta.db_table)
    return f"INSERT INTO {table} ({names}) SELECT {values} FROM {given} ON CONFLICT DO NOTHING"  # noqa: S608


@cache
def _update(
    model: type[Model], columns: Columns, optional: Columns, vendor: str
) -> tuple[str, list[Any]]:
    table, (key, *others) = _quote(model._meta.db_table), columns
    new = "%s" if vendor == "sqlite" else "given.{name}"
    merged = f"COALESCE({new}, {table}.{{name}})"
    changes = ", ".join(
        f"{_quote(name)} = {(merged if name in optional else new).format(name=_quote(name))}"
        for name in others
    )
    sql = f"UPDATE {table} SET {changes} "  # noqa: S608 - column names
    if vendor == "sqlite":
        sql += f"WHERE {_quote(key)} = %s"
    else:
        db_type = _field(model, key).db_type(connection)
        # Keys are passed separately from values, because PostgreSQL assumes 100 rows for any such
        # list.
        sql += (
            f"FROM {_recordset(model, columns)}"
            f" WHERE {table}.{_quote(key)} {_among(db_type, 'keys')}"
            f" AND {table}.{_quote(key)} = given.{_quote(key)}"
        )
    return sql, _converters(model, columns, _TO_DATABASE[vendor])


@cache
def _select(
    model: type[Model], columns: Columns, sql: str, vendor: str
) -> tuple[str, list[tuple[int, _Converter]]]:
    table = _quote(model._meta.db_table)
    parts = {
        "columns": ", ".join(f"{table}.{_quote(name)}" for name in columns),
        "ids": _among("uuid", "ids"),
        "texts": _among("text", "texts"),
        "for_update": _SQL_PARTS[vendor]["for_update"],
    }
    return sql.format(**parts), _converters(model, columns, _FROM_DATABASE[vendor])


@cache
def _select_instances(
    models: tuple[type[Model], ...], sql: str, vendor: str
) -> tuple[str, list[tuple[type[Model], Columns, slice]]]:
    names: list[str] = []
    ranges = []
    for model in models:
        columns = tuple(field.attname for field in model._meta.concrete_fields)
        ranges.append((model, columns, slice(len(names), len(names) + len(columns))))
        names += [f"{_quote(model._meta.db_table)}.{_quote(column)}" for column in columns]
    return sql.format(columns=", ".join(names)), ranges


def _among(db_type: str, param: str) -> str:
    return _SQL_PARTS[connection.vendor]["among"].format(db_type=db_type, values=f"%({param})s")


def _recordset(
    model: type[Model], columns: Columns, param: str = "rows", alias: str = "given"
) -> str:
    """Return PostgreSQL's expression for rows of JSON with these columns."""
    types = (_field(model, name).db_type(connection) for name in columns)
    typed = (f"{_quote(column)} {type_}" for column, type_ in zip(columns, types, strict=True))
    return f"json_to_recordset(%({param})s) AS {alias} ({', '.join(typed)})"


@lru_cache(maxsize=256)  # bounded, because the columns depend on clients
def _encoders(model: type[Model], columns: Columns, vendor: str) -> list[tuple[int, _Converter]]:
    return _converters(model, columns, _TO_DATABASE[vendor])


@cache
def _decoders(model: type[Model], columns: Columns, vendor: str) -> list[tuple[int, _Converter]]:
    return _converters(model, columns, _FROM_DATABASE[vendor])


def _converters(
    model: type[Model], columns: Columns, by_type: Mapping[str, _Converter]
) -> list[tuple[int, _Converter]]:
    types = [_field(model, name).get_internal_type() for name in columns]
    return [(index, by_type[type_]) for index, type_ in enumerate(types) if type_ in by_type]


def _field(model: type[Model], attname: str) -> Any:
    """Return the field of a column; for a foreign key, the target field."""
    (field,) = [field for field in model._meta.concrete_fields if field.attname == attname]
    return field.target_field if isinstance(field, ForeignKey) else field


def _quote(name: str) -> str:
    return connection.ops.quote_name(name)
