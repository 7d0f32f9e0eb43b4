"""A reaper that stops in the middle of its second batch, where a test kills it."""

import os
import time

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "linkwatch.settings")
django.setup()

from datetime import timedelta  # noqa: E402

from foundation.database.clock import database_now  # noqa: E402
from shortener import reaper, reaper_runs  # noqa: E402

beat, batches = reaper_runs.beat, []


def beat_and_stop(*args):
    """Record the batch, which is deleted and not yet committed, and stop."""
    beat(*args)
    batches.append(args)
    if len(batches) == 2:
        print("in the middle of batch 2", flush=True)
        time.sleep(120)


reaper_runs.beat = beat_and_stop
reaper.run(now=database_now(), budget=timedelta(minutes=5))
