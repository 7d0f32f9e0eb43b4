"""`manage.py export_targets`: write all targets to a file that import_targets reads back."""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError

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
            if file == "-":
                _print(form)
            else:
                with _replacing(Path(file).resolve()) as target:
                    _write(form, target)
        except UnfitFormatError as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            raise CommandError(f"{file} cannot be written ({error.strerror}).") from None


def _write(form: Format, target: BinaryIO) -> None:
    for line in lines(form):
        target.write(line.encode())


def _print(form: Format) -> None:
    try:
        _write(form, sys.stdout.buffer)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        # The reader (`| head`) has seen enough; Python would flush again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def _replacing(path: Path) -> Iterator[BinaryIO]:
    """Give `path` its new content at once when all of it is written; else it stays as it was."""
    if path.exists() and not path.is_file():  # a pipe or a device has nothing to replace
        with path.open("wb") as target:
            yield target
        return
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with draft.open("xb") as target:
            yield target
            target.flush()
            os.fsync(target.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
