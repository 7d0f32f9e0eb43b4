"""`manage.py import_targets`: register the targets listed in a file."""

import shlex
from argparse import ArgumentParser
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError
from rest_framework.exceptions import APIException

from foundation import settings_comparison
from foundation.database.clock import database_now
from foundation.files.commands import (
    interrupt_on_sigterm,
    open_input,
    progress,
    size_of,
    stderr_console,
)
from foundation.files.lists import Entry, UnreadableFileError, sentence
from foundation.http.serializers import FROM_TEXT
from targets import registration
from targets.lists.formats import Format, format_of
from targets.lists.importing import read
from targets.registration import Registration, RegistrationResult
from targets.serializers import ListedTargetSerializer

BATCH_SIZE = 1000  # entries registered in one transaction


@dataclass
class TargetImportCounts:
    """Counts of the entries that an import has processed."""

    next_line: int  # the first line not yet processed
    valid: int = 0
    created: int = 0
    known: int = 0
    references: int = 0
    refused: int = 0

    def add(self, results: list[RegistrationResult]) -> None:
        """Add the results of a batch."""
        created = sum(registered.is_new for registered in results)
        self.created += created
        self.known += len(results) - created
        self.references += sum(registered.is_new_reference for registered in results)


class Command(BaseCommand):
    help = (
        "Register the targets listed in FILE. A URL that is already watched gets the reference and "
        "keeps its policy, so the same file can be imported again. Exits with 1 if lines were "
        "refused."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="- for standard input")
        parser.add_argument(
            "--format",
            choices=list(Format),
            help="txt: a URL and optionally a reference id per line; csv: with a header; jsonl: "
            "the body of POST /v1/targets on each line. Default: from the suffix of FILE.",
        )
        parser.add_argument(
            "--from-line", type=int, default=1, metavar="N", help="skip the lines before line N"
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="check everything, register nothing"
        )
        parser.add_argument(
            "--quiet",
            action="store_true",
            help="don't send notifications about a new target, even if it is dead, until one of "
            "its checks succeeds; its history still records everything",
        )

    def handle(
        self, *, file: str, format: str | None, from_line: int, dry_run: bool, quiet: bool, **_: Any
    ) -> None:
        self._is_quiet = quiet
        settings_comparison.warn(self.stderr)
        file_format = Format(format) if format else format_of(file)
        if file_format is None:
            raise CommandError("Specify the format: --format txt, csv or jsonl.")
        self.console = stderr_console()
        counts = TargetImportCounts(next_line=max(1, from_line))
        with open_input(file) as source, interrupt_on_sigterm():
            try:
                self._import(source, file_format, counts, dry_run=dry_run)
            except UnreadableFileError as error:
                raise CommandError(str(error)) from None
            except BaseException as error:
                self._print_how_to_resume(file, file_format, counts, dry_run=dry_run)
                if isinstance(error, KeyboardInterrupt):
                    raise CommandError("Interrupted.", returncode=130) from None
                raise
        self._print_summary(counts, dry_run=dry_run)

    def _import(
        self, source: BinaryIO, file_format: Format, counts: TargetImportCounts, *, dry_run: bool
    ) -> None:
        entries = read(source, file_format, from_line=counts.next_line)
        serializer = ListedTargetSerializer(context=FROM_TEXT)
        with progress(self.console, total=size_of(source), position=source.tell) as advance:
            while batch := list(islice(entries, BATCH_SIZE)):
                new_targets = [
                    new_target
                    for entry in batch
                    if (new_target := self._accept(entry, serializer, counts)) is not None
                ]
                if not dry_run:
                    counts.add(registration.register(new_targets, now=database_now()))
                counts.next_line = batch[-1].last_line + 1
                advance(len(batch))

    def _accept(
        self, entry: Entry, serializer: ListedTargetSerializer, counts: TargetImportCounts
    ) -> Registration | None:
        """Return the valid registration, or report what is wrong and return None."""
        error = entry.error
        if not error:
            try:
                new_target = serializer.registration(entry.item)
            except APIException as refusal:
                error = sentence(refusal)
            else:
                counts.valid += 1
                return replace(new_target, quiet=self._is_quiet)
        counts.refused += 1
        self.console.print(f"line {entry.first_line}: {error}")
        return None

    def _print_how_to_resume(
        self, file: str, file_format: Format, counts: TargetImportCounts, *, dry_run: bool
    ) -> None:
        options = f"{' --quiet' if self._is_quiet else ''}{' --dry-run' if dry_run else ''}"
        self.console.print(
            f"Stopped: created {counts.created}, known {counts.known} so far. Resume with: "
            f"manage.py import_targets {shlex.quote(file)} --format {file_format} "
            f"--from-line {counts.next_line}{options}"
        )

    def _print_summary(self, counts: TargetImportCounts, *, dry_run: bool) -> None:
        if dry_run:
            self.stdout.write(f"valid {counts.valid}, refused {counts.refused}, nothing registered")
        else:
            self.stdout.write(
                f"created {counts.created}, known {counts.known}, "
                f"references added {counts.references}, refused {counts.refused}"
            )
        if counts.refused:
            raise CommandError(f"Lines refused: {counts.refused}.")
