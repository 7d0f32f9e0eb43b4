"""A migration adds an index to a big table while processes read and write the table."""

from contextlib import suppress

import pytest
from django.core.management import call_command
from django.db import Error, connection

from tests.factories import TargetFactory
from tests.upgrades.databases import at

BEFORE, BESIDE = "0003_release_0_3_0_last_failed", "0004_release_0_3_0_own_period"
NAME = "target_own_period"


def indexes():
    """Return the valid indexes of targets."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT relname FROM pg_class JOIN pg_index ON indexrelid = oid WHERE indisvalid"
            )
        else:
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'index'")
        return {name for (name,) in cursor.fetchall()}


def leave_unfinished_index():
    """Leave an index as a killed migration does: invalid, or not recorded."""
    how = "UNIQUE INDEX CONCURRENTLY" if connection.vendor == "postgresql" else "INDEX"
    with connection.cursor() as cursor, suppress(Error):  # two rows are equal
        cursor.execute(f"CREATE {how} {NAME} ON targets_target (paused)")


@pytest.mark.django_db(transaction=True)
def test_a_killed_migration_restarts_its_index_and_is_reversible(database):
    with at(database):
        call_command("migrate", verbosity=0)
        TargetFactory.create_batch(2)
        call_command("migrate", "targets", BEFORE, verbosity=0)
        assert NAME not in indexes()
        leave_unfinished_index()

        call_command("migrate", verbosity=0)

        assert NAME in indexes()
        with connection.cursor() as cursor:
            constraints = connection.introspection.get_constraints(cursor, "targets_target")
        assert constraints[NAME]["columns"] == ["check_period", "next_check_at"]


@pytest.mark.django_db(transaction=True)
def test_no_index_is_created_under_a_lock(capsys):
    call_command("sqlmigrate", "targets", BEFORE)
    assert "INDEX" not in capsys.readouterr().out
    call_command("sqlmigrate", "targets", BESIDE)
    beside = capsys.readouterr().out
    concurrently = connection.vendor == "postgresql"
    assert ("CREATE INDEX CONCURRENTLY" in beside) == concurrently
    assert "BEGIN" not in beside


@pytest.mark.django_db
def test_migrations_are_those_of_the_models():
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)
