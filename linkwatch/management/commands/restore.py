"""`manage.py restore`: restores or checks a backup; the database must be new and empty."""

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console

from foundation.database.clock import database_now
from foundation.files.commands import (
    interrupt_on_sigterm,
    open_input,
    progress,
    size_of,
    stderr_console,
)
from linkwatch.backup import restoring
from linkwatch.backup.archive import ArchiveReader, BadArchiveError
from linkwatch.backup.restoring import NotEmptyError, RejectedBackupError
from linkwatch.backup.schema_comparison import SchemaError
from linkwatch.backup.tables import MAX_ROW_BYTES, withheld_sentences


class Command(BaseCommand):
    help = (
        "Restore a backup from FILE (- for standard input) into the database, which must be "
        "new: migrated, but otherwise empty. Either everything is restored, or nothing. "
        "Linkwatch must not be running."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE")
        parser.add_argument(
            "--dry-run",
            action="store_true",
            help="read and check all of FILE, and check whether it could be restored into this "
            "database",
        )

    def handle(self, *, file: str, dry_run: bool, **_: Any) -> None:
        console = stderr_console()
        try:
            with open_input(file) as source, interrupt_on_sigterm():
                reader = ArchiveReader(source, max_bytes=MAX_ROW_BYTES)
                position = source.tell if size_of(source) else None
                with progress(console, total=size_of(source), position=position) as advance:
                    if dry_run:
                        restoring.verify(reader, advance=advance)
                    else:
                        restoring.restore(reader, now=database_now(), advance=advance)
        except (BadArchiveError, SchemaError, NotEmptyError, RejectedBackupError) as error:
            raise CommandError(_sentence(error, is_dry_run=dry_run)) from None
        except KeyboardInterrupt:
            raise CommandError("Stopped: nothing was restored.") from None
        try:
            for line in _report(reader, is_restored=not dry_run):
                console.print(line)
            if dry_run:
                restoring.check_empty()
            else:
                _finish(console)
        except NotEmptyError as error:
            raise CommandError(f"{error}") from None
        except KeyboardInterrupt:
            done = "the backup was checked" if dry_run else "everything was restored"
            raise CommandError(f"Stopped after {done}.") from None


def _finish(console: Console) -> None:
    """Report channels whose secrets can't be read, and update the statistics of the database."""
    if unreadable := restoring.count_unreadable_channels():
        console.print(
            f"The secrets of some channels ({unreadable:,}) were encrypted with another "
            "SECRET_KEY. Create new ones, or add that key to SECRET_KEY_FALLBACKS."
        )
    restoring.analyze()


def _sentence(error: Exception, *, is_dry_run: bool) -> str:
    return f"{error}" if is_dry_run else f"{error} Nothing was restored."


def _report(reader: ArchiveReader, *, is_restored: bool) -> Iterator[str]:
    rows = sum(tally.rows for tally in reader.tallies.values())
    header = reader.header
    counted = f"{rows:,} rows from {len(reader.tallies)} tables"
    yield (
        f"{f'{counted} were restored' if is_restored else f'The backup is intact: {counted}'}, "
        f"as of {header.made_at} (Linkwatch {header.release})."
    )
    if is_restored:
        yield "The feed has a new epoch: readers with a position after the backup get a 409."
    yield from withheld_sentences(reader.withheld)
