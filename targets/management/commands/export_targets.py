"""`manage.py export_targets`: write all targets to a file that import_targets reads back."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from foundation.files.commands import write_lines
from targets.lists.exporting import UnfitFormatError, lines
from targets.lists.formats import Format, format_of
from targets.models import Target


class Command(BaseCommand):
    help = (
        "Write all targets to FILE or standard output in a format that import_targets reads, with "
        "their references, their own policies and instructions, and whether they are paused. "
        "Headers of instructions are left out unless you ask for them; states and results of "
        "checks are always left out. The txt format has only URLs and reference ids."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", nargs="?", default="-")
        parser.add_argument(
            "--format",
            choices=list(Format),
            help="default: from the suffix of FILE, otherwise jsonl",
        )

        parser.add_argument(
            "--with-secrets",
            action="store_true",
            help="include headers of instructions with their values",
        )

    def handle(self, *, file: str, format: str | None, with_secrets: bool, **_: Any) -> None:
        file_format = Format(format) if format else format_of(file) or Format.JSONL
        try:
            write_lines(file, lines(file_format, with_secrets=with_secrets))
        except UnfitFormatError as error:
            raise CommandError(str(error)) from None
        withheld = Target.objects.filter(instructions__has_key="headers")
        if not with_secrets and (number := withheld.count()):
            self.stderr.write(
                f"Headers of instructions were left out (targets: {number:,}); use --with-secrets "
                "to include them."
            )
