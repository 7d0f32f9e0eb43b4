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
        "Write all targets with their references, own policies and instructions, and that they are "
        "paused, to FILE, or to standard output, as import_targets reads them. Headers of "
        "instructions only on demand. States and results of checks stay here; txt holds URLs and "
        "reference ids alone."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", nargs="?", default="-")
        parser.add_argument(
            "--format", choices=list(Format), help="default: by the suffix of FILE, else jsonl"
        )

        parser.add_argument(
            "--with-secrets",
            action="store_true",
            help="headers of instructions with their values as well",
        )

    def handle(self, *, file: str, format: str | None, with_secrets: bool, **_: Any) -> None:
        form = Format(format) if format else format_of(file) or Format.JSONL
        try:
            write_lines(file, lines(form, with_secrets=with_secrets))
        except UnfitFormatError as error:
            raise CommandError(str(error)) from None
        withheld = Target.objects.filter(instructions__has_key="headers")
        if not with_secrets and (number := withheld.count()):
            self.stderr.write(
                "Without --with-secrets, targets have lost the headers of their instructions "
                f"({number:,})."
            )
