#!/usr/bin/env python3
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from django.core.management import ManagementUtility, get_commands
from django.core.management.base import BaseCommand
from django.db import OperationalError, ProgrammingError

from linkwatch.logs import log_failures_as_json, logs_json

_ROOT = Path(__file__).parent


class Utility(ManagementUtility):
    """Django's manage.py; only Django's own commands run on an incompatible database."""

    def main_help_text(self, commands_only: bool = False) -> str:
        """Return the list of commands, ours first."""
        if commands_only:
            return super().main_help_text(commands_only=True)
        ours: list[str] = []
        others: list[str] = []
        for name, app in sorted(get_commands().items()):
            is_ours = isinstance(app, str) and (_ROOT / app.partition(".")[0]).is_dir()
            (ours if is_ours else others).append(name)
        lines = [
            f"Type '{self.prog_name} help COMMAND' for help on a command.",
            "",
            "Commands of Linkwatch:",
            *(f"    {name}" for name in ours),
            "",
            "Commands of Django and its packages:",
            *(f"    {name}" for name in others),
        ]
        return "\n".join(lines)

    def fetch_command(self, subcommand: str) -> BaseCommand:
        """Return the command of this name; exit if it can't run on this database's schema."""
        command = super().fetch_command(subcommand)
        is_django = command.__module__.startswith("django.")
        # `migrate` checks the schema itself, later. If `subcommand` is not the first argument, this
        # is a request for help.
        if subcommand == self.argv[1] != "migrate" and not is_django:
            from status import schema  # needs Django, which is set up by now

            if sentence := schema.refusal_here():
                sys.exit(f"linkwatch: {sentence}")
        return command


def main(arguments: Sequence[str]) -> None:
    try:
        Utility(list(arguments)).execute()
    except (OperationalError, ProgrammingError) as error:
        if "--traceback" in sys.argv:
            raise
        sys.exit(
            f"linkwatch: database error: {str(error).strip()}\n"
            "Does the database exist, and has `manage.py migrate` been run? (Use --traceback for "
            "details.)"
        )


def run(arguments: Sequence[str]) -> None:
    """Run a command as the program of this process."""
    os.umask(0o077)  # files created by this process and its children are private to the owner
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "linkwatch.settings")
    if logs_json(arguments):
        with log_failures_as_json():
            main([*arguments, "--traceback"])  # otherwise Django would print the error
    else:
        main(arguments)


if __name__ == "__main__":
    run(sys.argv)
