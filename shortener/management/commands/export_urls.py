"""`manage.py export_urls`: write all short links to a file that import_urls reads back."""

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand

from foundation.database.clock import database_now
from foundation.files.commands import progress, stderr_console, write_lines
from shortener.export_urls_csv import lines
from shortener.models import FormerDestination, RetiredKey, ShortURL


class Command(BaseCommand):
    help = (
        "Write all short links with times, limits, visits, tags and former destinations as CSV "
        "to FILE or to standard output, followed by the retired keys. Daily visit counts are not "
        "exported."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", nargs="?", default="-")

    def handle(self, *, file: str, **_: Any) -> None:
        write_lines(file, lines(database_now()) if file == "-" else _lines_with_bar())


def _lines_with_bar() -> Iterator[str]:
    total = sum(model.objects.count() for model in (ShortURL, FormerDestination, RetiredKey))
    with progress(stderr_console(), total=total) as advance:
        for number, line in enumerate(lines(database_now())):
            yield line
            if number:  # the first is the header
                advance(1)
