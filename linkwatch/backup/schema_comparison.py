"""Compares the schemas of archives and databases by each app's last migration."""

from collections.abc import Mapping

from django.db.backends.base.base import BaseDatabaseWrapper

from linkwatch.backup.tables import TABLES
from status import schema


class SchemaError(Exception):
    """The schema does not match; the text is a sentence for people."""


def last_migrations(connection: BaseDatabaseWrapper) -> dict[str, str]:
    """Return the last migration of each app with tables in a backup.

    Raises SchemaError if a migration of this release is missing, or if there is an unknown one,
    which may have added columns.
    """
    if schema.is_behind(connection):
        raise SchemaError("The database lacks migrations: run `manage.py migrate` first.")
    applied = schema.applied(connection)
    if ahead := schema.releases_ahead(applied):
        newest = ".".join(map(str, ahead[-1]))
        raise SchemaError(f"The database has the schema of Linkwatch {newest}: use that release.")
    apps = {table.label.partition(".")[0] for table in TABLES}
    return {app: name for app, name in sorted(applied) if app in apps}


def check(archived: Mapping[str, str], *, release: str, ours: Mapping[str, str]) -> None:
    """Raise SchemaError unless the last migrations of an archive are those of the database, `ours`.

    `release` is the release that made the archive.
    """
    if archived == ours:
        return
    app = next(app for app in sorted({*archived, *ours}) if archived.get(app) != ours.get(app))
    theirs, here = archived.get(app, ""), ours.get(app, "")  # an app may be new in a release
    is_newer = theirs > here
    advice = (
        "Upgrade this deployment first"
        if is_newer
        else f"Restore the backup with Linkwatch {release}, then upgrade"
    )
    raise SchemaError(
        f"The backup was made by Linkwatch {release}, with {'a newer' if is_newer else 'an older'}"
        f" schema ({app}: {theirs or 'none'}; here: {here or 'none'}). {advice}."
    )
