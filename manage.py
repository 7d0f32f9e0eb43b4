#!/usr/bin/env python3
import os
import sys
from collections.abc import Sequence

from django.core.management import execute_from_command_line
from django.db import OperationalError, ProgrammingError

from linkwatch.logs import failures_as_lines, writes_lines


def main(arguments: Sequence[str]) -> None:
    try:
        execute_from_command_line(list(arguments))
    except (OperationalError, ProgrammingError) as error:
        if "--traceback" in sys.argv:
            raise
        sys.exit(
            f"linkwatch: the database refuses: {str(error).strip()}\n"
            "Is it there, and has `manage.py migrate` been run? (--traceback tells more)"
        )


if __name__ == "__main__":
    os.umask(0o077)  # whatever is made, and by whatever is started here, is its owner's alone
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "linkwatch.settings")
    if writes_lines(sys.argv):
        with failures_as_lines():
            main([*sys.argv, "--traceback"])  # or Django would print what went wrong
    else:
        main(sys.argv)
