"""Ask archives and have pages saved, in turn, in a child process that may be killed and replaced.

Prints the id of each child.
"""

import os
import time

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "linkwatch.settings")
django.setup()

from archives import tasks  # noqa: E402

while True:
    if child := os.fork():
        print(child, flush=True)
        os.waitpid(child, 0)
        continue
    while True:
        tasks.queue_dead_targets()
        tasks.ask_archives()
        tasks.save_pages()
        time.sleep(0.02)
