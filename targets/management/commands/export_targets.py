"""`manage.py export_targets`: write all targets to a file that import_targets reads back."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from foundation.files.commands import write_lines
from targets.exporting import UnfitFormatError, lines
from targets.formats import Format, format_of


class Command(BaseCommand):
    help = (
        "Write all targets with their references and own policies to FILE, or to standard output, "
        "as import_targets reads them. States and results of checks stay here; txt holds no policy."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", nargs="?", default="-")
        parser.add_argument(
            "--format", choices=list(Format), help="default: by the suffix of FILE, else jsonl"
        )

    def handle(self, *, file: str, format: str | None, **_: Any) -> None:
        form = Format(format) if format else format_of(file) or Format.JSONL
        try:
            write_lines(file, lines(form))
        except UnfitFormatError as error:
            raise CommandError(str(error)) from None
