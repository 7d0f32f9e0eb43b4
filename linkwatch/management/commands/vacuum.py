"""`manage.py vacuum`: shrink SQLite's file after a large deletion."""

import os
import shutil
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connection

_MARGIN = 16 * 1024 * 1024  # bytes
_MIB = 1024 * 1024


class Command(BaseCommand):
    help = (
        "Rewrite SQLite's file without the space left by deleted rows, which SQLite otherwise "
        "keeps for reuse. Linkwatch can keep running: reads continue, and writes wait for up to 20 "
        "seconds. It takes about 10 seconds per gigabyte; if that is longer than 20 seconds, "
        "stop Linkwatch first. It needs free space for two copies of the file's contents. "
        "PostgreSQL does not need this."
    )

    def handle(self, **_: Any) -> None:
        if connection.vendor != "sqlite":
            raise CommandError(
                "This is for SQLite only; PostgreSQL reuses the space of deleted rows on its own."
            )
        path = Path(connection.settings_dict["NAME"])
        before, used = path.stat().st_size, _pragma("page_size") * _used_pages()
        _check_space(path, used)
        try:
            self._vacuum(path)
        except OperationalError as error:
            raise CommandError(f"Nothing has changed: {error}.") from None
        after = path.stat().st_size
        self.stdout.write(f"{path}: {before / _MIB:.1f} MiB before, {after / _MIB:.1f} MiB now.")

    def _vacuum(self, path: Path) -> None:
        """Rewrite the file, with the temporary copy next to it."""
        os.environ["SQLITE_TMPDIR"] = str(path.parent)
        with connection.cursor() as cursor:
            cursor.execute("VACUUM")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            (is_busy, *_) = cursor.fetchone()
        if is_busy:
            self.stderr.write("The file will shrink once its current readers have finished.")


def _used_pages() -> int:
    return _pragma("page_count") - _pragma("freelist_count")


def _pragma(name: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA {name}")
        return int(cursor.fetchone()[0])


def _check_space(path: Path, used: int) -> None:
    free, needed = shutil.disk_usage(path.parent).free, 2 * used + _MARGIN
    if free < needed:
        raise CommandError(
            f"{path.parent} has {free / _MIB:.0f} MiB free, and {needed / _MIB:.0f} MiB are needed "
            f"for two copies of the {used / _MIB:.0f} MiB that the file holds."
        )
