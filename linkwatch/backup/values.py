"""Conversions of values between archives and the two databases.

In archives, times are RFC 3339 in UTC, durations are microseconds, UUIDs have hyphens, and JSON is
nested. This module does not use the ORM, which would take several times as long.
"""

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from django.db.models import Field, ForeignKey, Model
from django.utils.duration import duration_microseconds

_Converter = Callable[[Any], Any]
_UTC_OFFSET = "+00:00"

_TO_ARCHIVE: dict[str, dict[str, _Converter]] = {
    "postgresql": {
        "DateTimeField": lambda value: value.astimezone(UTC).isoformat(),
        "DateField": lambda value: value.isoformat(),
        "DurationField": duration_microseconds,
        "UUIDField": str,
        "JSONField": json.loads,
    },
    "sqlite": {
        "DateTimeField": lambda value: f"{value.isoformat()}{_UTC_OFFSET}",
        "DateField": lambda value: value.isoformat(),
        "UUIDField": lambda v: f"{v[:8]}-{v[8:12]}-{v[12:16]}-{v[16:20]}-{v[20:]}",
        "JSONField": json.loads,
    },
}


def _sqlite_time(value: str) -> str:
    """Return an RFC 3339 time as SQLite stores it; other values raise ValueError or TypeError."""
    return str(datetime.fromisoformat(value).astimezone(UTC).replace(tzinfo=None))


_TO_DATABASE: dict[str, dict[str, _Converter]] = {
    "postgresql": {
        "DurationField": lambda value: f"{value:d} microseconds",
        "JSONField": json.dumps,
    },
    "sqlite": {
        "DateTimeField": _sqlite_time,
        "UUIDField": lambda value: value.replace("-", ""),
        "JSONField": json.dumps,
    },
}


def columns(model: type[Model]) -> list[str]:
    """Return the columns of a model's table, in the model's order."""
    return [str(field.column) for field in _fields(model)]


def key_columns(model: type[Model]) -> list[str]:
    """Return the columns of the primary key."""
    return [str(field.column) for field in model._meta.pk_fields]


def converters_to_archive(model: type[Model], vendor: str) -> list[tuple[int, _Converter]]:
    """Return converters from the database to the archive, by position in a row."""
    return _converters(model, _TO_ARCHIVE[vendor])


def converters_to_database(model: type[Model], vendor: str) -> list[tuple[int, _Converter]]:
    """Return converters from the archive to this database, by position in a row."""
    return _converters(model, _TO_DATABASE[vendor])


def convert(row: Sequence[Any], converters: Sequence[tuple[int, _Converter]]) -> list[Any]:
    """Return the row with its values converted; None is unchanged."""
    values = list(row)
    for index, convert_value in converters:
        if values[index] is not None:
            values[index] = convert_value(values[index])
    return values


def _converters(model: type[Model], by_type: dict[str, _Converter]) -> list[tuple[int, _Converter]]:
    names = [_type_name(field) for field in _fields(model)]
    return [(index, by_type[name]) for index, name in enumerate(names) if name in by_type]


def _fields(model: type[Model]) -> "list[Field[Any, Any]]":
    return [field for field in model._meta.local_concrete_fields if field.column]


def _type_name(field: "Field[Any, Any]") -> str:
    """Return the name of a field's Django type; for a foreign key, that of its target."""
    while isinstance(field, ForeignKey):
        field = field.target_field
    return field.get_internal_type()
