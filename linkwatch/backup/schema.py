"""The schema that an archive is of, and the one that a database has: each app's last migration."""

from collections.abc import Mapping

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from linkwatch.backup.tables import KEPT


class SchemaError(Exception):
    """The tables are not what they should be; the text is a sentence for people."""


def applied(connection: BaseDatabaseWrapper) -> dict[str, str]:
    """Return the last migration of each app that a backup has tables of.

    Raises SchemaError while one is missing that this release has, or there is one that it has not:
    of later columns it knows nothing.
    """
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise SchemaError("The database lacks migrations: run `manage.py migrate` first.")
    apps = {table.label.partition(".")[0] for table in KEPT}
    done = sorted(MigrationRecorder(connection).applied_migrations())
    if later := [name for name in done if name[0] in apps and name not in executor.loader.graph]:
        raise SchemaError(
            f"The database has the schema of a later release ({'.'.join(later[-1])}): let that one "
            "do it."
        )
    return {app: name for app, name in done if app in apps}


def check(archived: Mapping[str, str], *, release: str, ours: Mapping[str, str]) -> None:
    """Raise SchemaError unless an archive's schema is the one that the database has."""
    if archived == ours:
        return
    app = next(app for app in sorted({*archived, *ours}) if archived.get(app) != ours.get(app))
    theirs, here = archived.get(app, ""), ours.get(app, "")  # a release may bring an app
    is_newer = theirs > here
    way = (
        "upgrade this one first"
        if is_newer
        else f"restore it by Linkwatch {release}, then upgrade that"
    )
    raise SchemaError(
        f"The archive was made by Linkwatch {release}, with {'a newer' if is_newer else 'an older'}"
        f" schema ({app}: {theirs or 'none'}; here: {here or 'none'}): {way}."
    )
