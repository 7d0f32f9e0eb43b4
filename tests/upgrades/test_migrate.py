"""`manage.py migrate` runs one at a time, and continues where a killed run stopped."""

from contextlib import ExitStack, contextmanager

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from linkwatch.management.commands.migrate import _migration_lock
from status import schema
from tests.acceptance.processes import PATIENCE, database_url, running, until
from tests.upgrades.databases import at, migrations, tables

WAITS = "Waiting for it to finish"


@contextmanager
def both_waiting(folder):
    """Start two `migrate` processes that wait until both have started; yield each with its log."""
    shared = {"DATABASE_URL": database_url(), "DATA_DIR": str(folder), "SECRET_KEY": "x" * 50}
    logs = [folder / "one", folder / "other"]
    with ExitStack() as stack:
        with _migration_lock(connection) as take:
            assert take()
            both = [stack.enter_context(running("migrate", log=log, **shared)) for log in logs]
            until(lambda: all(WAITS in log.read_text() for log in logs))
            assert not migrations()
        yield list(zip(both, logs, strict=True))


def assert_whole(database):
    """Assert that the database equals the tests' own database, which was migrated in one run."""
    usual = (migrations(), tables())
    with at(database):
        assert (migrations(), tables()) == usual


def test_one_of_two_parallel_migrations_works_and_the_other_has_nothing_to_do(database, tmp_path):
    with at(database), both_waiting(tmp_path) as both:
        for process, log in both:
            assert process.wait(PATIENCE) == 0, log.read_text()
    found_nothing = ["No migrations to apply" in log.read_text() for _, log in both]
    assert sorted(found_nothing) == [False, True]
    assert_whole(database)


def test_a_migration_continues_where_a_killed_one_stopped(database, tmp_path):
    with at(database), both_waiting(tmp_path) as both:
        until(lambda: ("auth", "0001_initial") in migrations())
        [killed] = [process for process, log in both if "Applying" in log.read_text()]
        [(other, log)] = [one for one in both if one[0] is not killed]
        killed.kill()
        killed.wait()
        assert schema.is_behind()
        assert other.wait(PATIENCE) == 0, log.read_text()
    assert_whole(database)


def test_a_migration_is_recorded_in_the_transaction_of_its_changes(database, monkeypatch):
    recorded = {}
    record = MigrationExecutor.record_migration

    def note(executor, migration):
        recorded[migration.app_label, migration.name] = executor.connection.in_atomic_block
        record(executor, migration)  # type: ignore[call-arg] # wrong in the stubs

    monkeypatch.setattr(MigrationExecutor, "record_migration", note)
    with at(database):
        call_command("migrate", verbosity=0)
    outside = {key for key, in_transaction in recorded.items() if not in_transaction}
    loader = MigrationLoader(connection)
    assert outside == {key for key in recorded if not loader.get_migration(*key).atomic}
    assert ("account", "0001_initial") in recorded.keys() - outside
    assert_whole(database)


def test_the_lock_is_held_through_any_pause(db, monkeypatch):
    """PostgreSQL ends our transactions after a pause of 10 s; migrations may take longer."""
    if connection.vendor != "postgresql":
        pytest.skip("only PostgreSQL ends such transactions")
    impatient = "-c idle_in_transaction_session_timeout=50ms"
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "options", impatient)
    with _migration_lock(connection) as take:
        assert take()
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_sleep(0.2)")
        assert take()
