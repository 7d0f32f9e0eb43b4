"""`manage.py backup`: the whole database as one archive, while the product runs."""

import fcntl
import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from foundation.database.clock import database_now
from foundation.files.commands import interrupt_on_sigterm, progress, stderr_console
from linkwatch.backup import making
from linkwatch.backup.archive import Writer
from linkwatch.backup.schema_comparison import SchemaError
from linkwatch.backup.tables import withheld_sentences


class Command(BaseCommand):
    help = (
        "Write a consistent copy of the whole database to FILE (- for standard output) while "
        "Linkwatch keeps running. The file contains gzipped JSON Lines, which `restore` can load "
        "into either kind of database. Passwords, tokens and other secrets are included only on "
        "request."
    )
    requires_system_checks = ()  # backups are needed most when something is wrong

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE")
        parser.add_argument(
            "--with-secrets",
            action="store_true",
            help="include password and token hashes, two-factor secrets, channel secrets and "
            "check headers; the channel secrets are of no use without this SECRET_KEY",
        )
        parser.add_argument("--force", action="store_true", help="overwrite FILE")
        parser.add_argument(
            "--dry-run",
            action="store_true",
            help="read everything and report how large the backup would be",
        )

    def handle(
        self, *, file: str, with_secrets: bool, force: bool, dry_run: bool, **_: Any
    ) -> None:
        console = stderr_console()
        try:
            with (
                interrupt_on_sigterm(),
                _open_target(file, force=force, dry_run=dry_run) as target,
                progress(console, total=None) as advance,
            ):
                counted = _CountingFile(target)
                writer = making.make(
                    counted,  # type: ignore[arg-type] # only `write` is needed
                    with_secrets=with_secrets,
                    now=database_now(),
                    advance=advance,
                )
        except (SchemaError, DatabaseError) as error:
            raise CommandError(f"No backup was made: {error}") from None
        except OSError as error:
            raise CommandError(f"{file} cannot be written ({error.strerror}).") from None
        except KeyboardInterrupt:
            raise CommandError("Stopped: no backup was made.") from None
        for line in _report(writer, counted.size, file if not dry_run else ""):
            console.print(line)


class _CountingFile:
    """A file that counts the bytes written to it."""

    def __init__(self, target: BinaryIO) -> None:
        self.size = 0
        self._target = target

    def write(self, data: bytes) -> int:
        self.size += len(data)
        return self._target.write(data)

    def flush(self) -> None:
        self._target.flush()


def _report(writer: Writer, size: int, file: str) -> Iterator[str]:
    rows = sum(tally.rows for tally in writer.tallies.values())
    counted = f"{rows:,} rows from {len(writer.tallies)} tables ({size:,} bytes)"
    if file:
        yield f"{counted} were written to {'standard output' if file == '-' else file}."
    else:
        yield f"The backup would contain {counted}."
    yield from withheld_sentences(writer.withheld)


@contextmanager
def _open_target(file: str, *, force: bool, dry_run: bool) -> Iterator[BinaryIO]:
    """Yield the binary file to write to: /dev/null for a dry run, or standard output for `-`.

    Any other file appears only when it is complete, and only its owner can read it. Raises
    CommandError.
    """
    if dry_run:
        with open(os.devnull, "wb") as null:
            yield null
    elif file == "-":
        if sys.stdout.isatty():
            raise CommandError(
                "Refusing to write a backup to a terminal. Redirect it to a file or a program."
            )
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    else:
        with _new_file(Path(file), force=force) as target:
            yield target


@contextmanager
def _new_file(path: Path, *, force: bool) -> Iterator[BinaryIO]:
    if path.exists() and not path.is_file():
        raise CommandError(f"{path} is not a file; use - for standard output.")
    if path.exists() and not force:
        raise CommandError(f"{path} already exists. Use another name or --force.")
    partial = path.with_name(f"{path.name}.part")
    descriptor = os.open(partial, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o600)
    with open(descriptor, "wb") as target:
        try:
            fcntl.flock(target, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CommandError(f"Another backup is writing {partial}.") from None
        # If another backup has ended since the file was opened, the open file is its complete one.
        if not partial.exists() or not os.path.samestat(os.fstat(descriptor), partial.stat()):
            raise CommandError(f"Another backup has just written {path}.")
        os.fchmod(descriptor, 0o600)
        target.truncate()  # it may contain the output of a killed backup
        try:
            yield target
            target.flush()
            os.fsync(descriptor)
            partial.replace(path)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
