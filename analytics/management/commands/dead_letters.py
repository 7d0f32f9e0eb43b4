"""`manage.py dead_letters`: events that could not be counted."""

from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import IO, Any, cast

import redis
from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.table import Column, Table

from analytics import dead_letters
from foundation import settings_comparison
from foundation.valkey.clients import client

_FULL_WIDTH = 100_000  # characters per line if the output is not a terminal
_MAX_FIELD = 120  # characters of a field: an entry may name a thousand visitors


class Command(BaseCommand):
    help = "Show, retry or delete the events that could not be counted."

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, metavar="list|retry|drop")
        actions.add_parser("list", help="show all dead letters, oldest first")
        for name, text in (
            ("retry", "put dead letters back into the stream to be counted"),
            ("drop", "delete dead letters"),
        ):
            action = actions.add_parser(name, help=text)
            action.add_argument("id", nargs="*", help="as shown by `list`")
            action.add_argument("--all", action="store_true", help="all current dead letters")

    def handle(self, *, action: str, **options: Any) -> None:
        settings_comparison.warn(self.stderr)
        try:
            if action == "list":
                self._list()
            elif action == "retry":
                self._apply(dead_letters.retry, "put back into the stream", **options)
            else:
                self._apply(dead_letters.drop, "deleted", **options)
        except redis.ResponseError as error:
            raise CommandError(f"Redis refused the command: {error}") from error
        except redis.RedisError as error:
            raise CommandError(f"Redis can't be reached: {error}") from error

    def _list(self) -> None:
        table = Table(
            Column("id", no_wrap=True),
            "since",
            "reason",
            "deliveries",
            "views",
            "event",
            box=None,
            pad_edge=False,
        )
        for letter in dead_letters.letters(client()):
            since = datetime.fromtimestamp(int(letter.id.partition("-")[0]) / 1000, UTC)
            event = " ".join(
                f"{name}={value[:_MAX_FIELD]}" for name, value in letter.fields.items()
            )
            row = (letter.id, f"{since:%Y-%m-%d %H:%M:%S}", letter.reason)
            table.add_row(*row, str(letter.deliveries), str(letter.views), event)
        if table.row_count:
            width = None if self.stdout.isatty() else _FULL_WIDTH
            Console(file=cast("IO[str]", self.stdout), markup=False, width=width).print(table)
        else:
            self.stdout.write("There are no dead letters.")

    def _apply(self, act: "Callable[[redis.Redis, str], bool]", verb: str, **options: Any) -> None:
        ids: Sequence[str] = options["id"]
        if options["all"] == bool(ids):
            raise CommandError("Specify ids, or --all.")
        if options["all"]:
            ids = [letter.id for letter in dead_letters.letters(client())]
        count = sum(act(client(), id_) for id_ in ids)
        self.stdout.write(f"{count} of {len(ids)} dead letters {verb}.")
        if count < len(ids) and not options["all"]:
            raise CommandError("Some ids are not among the dead letters.")
