"""`manage.py sinks`: list sinks with the number of their pending events, and retire a sink."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from foundation.database.clock import database_now
from foundation.times import rfc3339
from outbox import cursors
from outbox.models import Cursor


class Command(BaseCommand):
    help = (
        "List event sinks, or retire a sink that is no longer used, so that events that it has not "
        "received can be deleted."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        tasks = parser.add_subparsers(dest="task", metavar="list | retire", required=True)
        tasks.add_parser(
            "list",
            help="show for each sink whether it is on and how many events are waiting for it",
        )
        retire = tasks.add_parser(
            "retire",
            help="delete a sink with its position and dead letters",
            description=(
                "Stop keeping events for the sink. Refused while a relay is feeding it. If the "
                "sink is configured again, it starts like a new one."
            ),
        )
        retire.add_argument("name", metavar="NAME")
        retire.add_argument("--yes", action="store_true", help="do not ask for confirmation")

    def handle(self, *, task: str, **options: Any) -> None:
        if task == "retire":
            self._retire(options["name"], is_confirmed=options["yes"])
            return
        for name, backlog in cursors.backlogs(database_now()).items():
            off = backlog.cursor.off_since
            state = f"off since {rfc3339(off)}" if off else backlog.cursor.last_error or "on"
            self.stdout.write(
                f"{name}: {state}; {backlog.pending:,} event{'' if backlog.pending == 1 else 's'} "
                f"pending, {backlog.set_aside} set aside"
            )

    def _retire(self, name: str, *, is_confirmed: bool) -> None:
        sink = Cursor.objects.filter(pk=name).first()
        if sink is None:
            raise CommandError(f"There is no sink {name!r}.")
        pending, set_aside = sink.pending().count(), sink.dead_letters.count()
        lost = f"{pending:,} unsent, {set_aside:,} set aside"
        question = f"Retire {name} and discard its events ({lost})? [y/N] "
        if not is_confirmed and input(question).strip().lower() != "y":
            raise CommandError("Nothing was done.")
        if not cursors.retire(name, now=database_now()):
            raise CommandError(f"A relay is still feeding {name}: remove its configuration first.")
        self.stdout.write(f"{name} was retired. Discarded events: {lost}.")
