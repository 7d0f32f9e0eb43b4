"""A reaper that stands still in the middle of its second batch, to be killed there."""

import os
import time

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "linkwatch.settings")
django.setup()

from datetime import timedelta  # noqa: E402

from linkwatch.lib.dbtime import database_now  # noqa: E402
from shortener import reaper  # noqa: E402

remove, batches = reaper.remove, []


def remove_and_stand_still(*args, **options):
    remove(*args, **options)
    batches.append(args)
    if len(batches) == 2:
        print("in the middle of batch 2", flush=True)
        time.sleep(120)


reaper.remove = remove_and_stand_still
reaper.run(now=database_now(), budget=timedelta(minutes=5))
