"""`manage.py run_tasks`: the background workers."""

from typing import Any

from django.core.management.base import BaseCommand

from linkwatch.processes import cluster


class Command(BaseCommand):
    help = (
        "Run the background tasks: checks, cleanup and retention. On SIGTERM, current work is "
        "finished first."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        cluster.run()
