"""Whether this code and the database's schema are compatible (docs/upgrading.md, ADR 35).

Our migrations are named after their release: `0002_release_0_3_0_notes`. The names tell a release
how far a schema is ahead of it.
"""

import pkgutil
import re
from collections.abc import Collection, Set
from importlib import import_module
from pathlib import Path

from django.apps import apps
from django.db import Error
from django.db import connection as our_db
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

Migration = tuple[str, str]  # the label of the app, and the name of the migration
Release = tuple[int, ...]  # 0.2.0 is (0, 2, 0)

# By how many releases a schema may be ahead: the migrations of the next release remove nothing that
# this release needs.
_MAX_RELEASES_AHEAD = 1
_CONNECT_TIMEOUT = 5  # seconds to wait for a connection
_NAME = re.compile(r"\d{4}_release_(\d+)_(\d+)_(\d+)(?:_|$)")
# Before 0.2.0, different schemas had the same name.
_OLD_MIGRATIONS = frozenset(
    (label, "0001_initial")
    for label in (
        *("lib", "accounts", "analytics", "hosts", "targets", "checker", "snippets", "shortener"),
        *("notify", "status"),
    )
)


def release_of(name: str) -> Release | None:
    """Return the release in the name of a migration; None if the name has none."""
    match = _NAME.match(name)
    return tuple(map(int, match.groups())) if match else None


def applied(connection: BaseDatabaseWrapper = our_db) -> Set[Migration]:
    """Return the applied migrations of a database; empty if the database is empty."""
    return MigrationRecorder(connection).applied_migrations().keys()


def _own_migrations() -> set[Migration]:
    """Return the migrations of all installed apps, found by file name, without loading them."""
    migrations: set[Migration] = set()
    for app in apps.get_app_configs():
        package, _ = MigrationLoader.migrations_module(app.label)
        try:
            folders = import_module(package).__path__ if package else []
        except ModuleNotFoundError:
            continue  # an app without models
        names = (module.name for module in pkgutil.iter_modules(folders))
        migrations.update((app.label, name) for name in names)
    return migrations


def releases_ahead(applied: Collection[Migration]) -> list[Release]:
    """Return the releases whose migrations this code does not have, oldest first."""
    unknown = set(applied) - _own_migrations()
    return sorted({release for _, name in unknown if (release := release_of(name))})


def refusal(applied: Collection[Migration]) -> str | None:
    """Return why this code must not run on a database with these migrations; None if it may."""
    if not _OLD_MIGRATIONS.isdisjoint(applied):
        return (
            "This database is from before Linkwatch 0.2.0 and can't be brought up to date. Run "
            "export_targets and export_urls with the release that created it, then "
            "import_targets and import_urls with this release on a new database "
            "(docs/upgrading.md)."
        )
    ahead = releases_ahead(applied)
    if len(ahead) <= _MAX_RELEASES_AHEAD:
        return None
    newest, oldest = (".".join(map(str, ahead[i])) for i in (-1, -1 - _MAX_RELEASES_AHEAD))
    return (
        f"This database has the schema of Linkwatch {newest}, which is more than one release ahead "
        f"of this one. Run Linkwatch {newest}, or at least {oldest}, or restore a backup from "
        "before the upgrade (docs/upgrading.md)."
    )


def applied_here() -> Set[Migration] | None:
    """Return the applied migrations of our database; None if the database does not answer.

    Returns an empty set if the database is empty or, for SQLite, does not exist. Uses a separate
    connection with `_CONNECT_TIMEOUT`, whatever DATABASE_URL sets, because processes call it at
    start and must not hang.
    """
    if our_db.vendor == "sqlite" and not Path(our_db.settings_dict["NAME"]).exists():
        return frozenset()  # connecting would create it
    separate = our_db.copy()
    if separate.vendor == "postgresql":
        separate.settings_dict["OPTIONS"]["connect_timeout"] = _CONNECT_TIMEOUT
    try:
        with separate.cursor() as cursor:
            if "django_migrations" not in separate.introspection.table_names(cursor):
                return frozenset()
            cursor.execute("SELECT app, name FROM django_migrations")
            return frozenset((app, name) for app, name in cursor.fetchall())
    except Error:
        return None
    finally:
        separate.close()


def refusal_here() -> str | None:
    """Return the `refusal` for our database; None, too, if the database does not answer."""
    return refusal(applied_here() or ())


def is_behind_here() -> bool:
    """Return whether our database answers and lacks a migration that this code has."""
    migrations = applied_here()
    return migrations is not None and not migrations >= _own_migrations() and is_behind()


def is_behind(connection: BaseDatabaseWrapper = our_db) -> bool:
    """Return whether the database lacks a migration that this code has."""
    if applied(connection) >= _own_migrations():
        return False
    executor = MigrationExecutor(connection)  # also handles squashed migrations
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))
