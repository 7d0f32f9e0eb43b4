"""Empty the database after each test that really commits."""

from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import connection, transaction
from django.test import TransactionTestCase


class Emptying:
    """Empties all tables, and restores the rows that migrations have left in them.

    Django computes these rows, which are rights and groups, again in a quarter of a second.
    """

    def __init__(self) -> None:
        """Store the rows that exist now."""
        kept = [
            (table, *_read(table))
            for table in connection.introspection.django_table_names(only_existing=True)
        ]
        self.kept = [(table, columns, rows) for table, columns, rows in kept if rows]

    def __call__(self, test: TransactionTestCase) -> None:
        """Empty the tables, in place of Django's method for tests."""
        call_command(
            "flush",
            verbosity=0,
            interactive=False,
            database=connection.alias,
            inhibit_post_migrate=True,
            reset_sequences=False,
        )
        with transaction.atomic(), connection.cursor() as cursor:
            for table, columns, rows in self.kept:
                names = ", ".join(map(connection.ops.quote_name, columns))
                row = f"({', '.join(['%s'] * len(columns))})"
                values = ", ".join([row] * len(rows))
                cursor.execute(
                    f"INSERT INTO {connection.ops.quote_name(table)} ({names}) VALUES {values}",
                    [value for row in rows for value in row],
                )
        ContentType.objects.clear_cache()


def _read(table: str) -> tuple[list[str], list[Any]]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
        return [column[0] for column in cursor.description], cursor.fetchall()
