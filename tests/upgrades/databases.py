"""Databases for single tests, of the kind that this run uses, next to the shared database."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from django.contrib.contenttypes.models import ContentType
from django.db import connection

from status import schema
from tests.acceptance.processes import database_url


@contextmanager
def empty_database(folder: Path) -> Iterator[str]:
    """Create a database without tables; yield its name."""
    if connection.vendor == "sqlite":
        yield str(folder / "own.db")
        return
    name = f"own_{uuid.uuid4().hex}"
    with psycopg.connect(database_url(), autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}".encode())
        try:
            yield name
        finally:
            server.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


@contextmanager
def at(name: str) -> Iterator[None]:
    """Use the database of that name instead of the usual one."""
    usual = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = name
    ContentType.objects.clear_cache()
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = usual
        ContentType.objects.clear_cache()


def tables() -> dict[str, list[Any]]:
    """Return the columns of each table."""
    with connection.cursor() as cursor:
        look = connection.introspection
        return {name: look.get_table_description(cursor, name) for name in look.table_names(cursor)}


def migrations() -> set[schema.Migration]:
    """Return the applied migrations, of this project and of others."""
    return set(schema.applied())
