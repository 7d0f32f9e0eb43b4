"""`run_web` that writes a line to a file for each load of a snippet's content.

The file is its argument. While a file of that name with `.hold` exists, a load waits, and the waits
for locks are as long.
"""

import os
import sys
import time
from pathlib import Path

import django
from django.core.management import call_command
from django.db.backends.signals import connection_created

LOADS = Path(sys.argv[1])
HOLD = LOADS.with_suffix(".hold")


def note(execute, sql, params, many, context):
    if sql.startswith("SELECT") and '"snippets_snippet"."content"' in sql:
        with LOADS.open("a") as file:  # one short line, appended: two processes may share the file
            file.write(f"{os.getpid()}\n")
        while HOLD.exists():
            time.sleep(0.01)
    return execute(sql, params, many, context)


def watch(connection, **_):
    if note not in connection.execute_wrappers:
        connection.execute_wrappers.append(note)


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "linkwatch.settings"
    connection_created.connect(watch)
    django.setup()
    from foundation.valkey import cache_aside

    cache_aside.LOCK_LIFE = cache_aside.PATIENCE = 120.0
    call_command("run_web")
