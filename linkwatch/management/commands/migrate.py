"""`manage.py migrate`: Django's command, in one process at a time, never on an unknown schema."""

import fcntl
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations import Migration
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.state import ProjectState

from status import schema

_LOCK_KEY = 0x4C57_0005  # PostgreSQL's advisory lock for migrations
_POLL_INTERVAL = 0.2  # seconds between attempts to take the lock


class _Executor(MigrationExecutor):
    """Django's executor, except that it records a migration in the transaction of its changes.

    Django records it after that transaction if statements are deferred to the end. A process that
    is killed in between would leave tables that the next run can't create.
    """

    def apply_migration(
        self,
        state: ProjectState,
        migration: Migration,
        fake: bool = False,
        fake_initial: bool = False,
    ) -> ProjectState:
        """Apply a migration; return the state after it."""
        if fake or fake_initial or not migration.atomic:
            return super().apply_migration(state, migration, fake, fake_initial)
        if self.progress_callback:
            self.progress_callback("apply_start", migration, fake)
        with self.connection.schema_editor(atomic=True) as editor:
            state = migration.apply(state, editor)
            self.record_migration(migration)  # type: ignore[call-arg, arg-type] # wrong in the stubs
        if self.progress_callback:
            self.progress_callback("apply_success", migration, fake)
        return state


migrate.MigrationExecutor = _Executor  # type: ignore[attr-defined] # Django has no setting for it


class Command(migrate.Command):
    help = (
        "Bring the database's schema up to date. It is safe to run this several times at "
        "once: one process does the work, and the others wait."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["plan"] or options["check_unapplied"]:  # read-only options
            super().handle(*args, **options)
            return
        connection = connections[options["database"]]
        with _migration_lock(connection) as try_lock:
            self._wait_for(try_lock)
            applied = schema.applied(connection)
            if sentence := schema.refusal(applied):
                raise CommandError(sentence)
            if schema.releases_ahead(applied) and not schema.is_behind(connection):
                # The newer release also did the work after migrations, such as rights.
                self._print("The schema is already that of a newer release: nothing to do.")
                return
            super().handle(*args, **options)

    def _wait_for(self, try_lock: Callable[[], bool]) -> None:
        if try_lock():
            return
        self._print("Another `migrate` is running on this database. Waiting for it to finish.")
        while not try_lock():
            time.sleep(_POLL_INTERVAL)

    def _print(self, text: str) -> None:
        """Print and flush, even into a pipe."""
        self.stdout.write(text)
        self.stdout.flush()


def _migration_lock(connection: BaseDatabaseWrapper) -> AbstractContextManager[Callable[[], bool]]:
    """Return a context manager that yields a function that returns whether it took the lock.

    The lock is also released if the process is killed.
    """
    if connection.vendor == "postgresql":
        return _advisory_lock(connection)
    return _lock_file(connection)


@contextmanager
def _advisory_lock(connection: BaseDatabaseWrapper) -> Iterator[Callable[[], bool]]:
    """Yield a function that tries to take a transaction-level lock on a separate connection.

    With PgBouncer, each transaction may use a different session, so a session lock would be lost.
    """
    lock_connection = connection.copy()
    try:
        lock_connection.set_autocommit(False)
        with lock_connection.cursor() as cursor:
            cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")

            def try_lock() -> bool:
                cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [_LOCK_KEY])
                return bool(cursor.fetchone()[0])

            yield try_lock
    finally:
        lock_connection.close()


@contextmanager
def _lock_file(connection: BaseDatabaseWrapper) -> Iterator[Callable[[], bool]]:
    """Yield a function that tries to lock a file next to SQLite's database file.

    The file is never removed, because another process may just have opened it. Raises CommandError.
    """
    database = Path(connection.settings_dict["NAME"])
    path = database.with_name(f"{database.name}-migrate")
    try:
        file = path.open("w")
    except OSError as error:
        raise CommandError(f"DATABASE_URL: {path} cannot be written ({error.strerror}).") from error
    with file:

        def try_lock() -> bool:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            return True

        yield try_lock
