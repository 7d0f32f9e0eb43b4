"""`manage.py run_analytics`: a worker that counts views."""

from typing import Any

from django.core.management.base import BaseCommand

from linkwatch.processes import programs


class Command(BaseCommand):
    help = (
        "Count the events in the view stream. Run as many as you like; on SIGTERM, each "
        "finishes its current batch, and the batch of a killed one is counted by the others."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        programs.analytics()
