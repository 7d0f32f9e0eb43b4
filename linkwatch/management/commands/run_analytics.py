"""`manage.py run_analytics`: a worker that counts views."""

from typing import Any

from django.core.management.base import BaseCommand

from linkwatch.processes import programs


class Command(BaseCommand):
    help = (
        "Count the events in the view stream. Any number of these processes can run. On SIGTERM, "
        "each finishes its current batch; if one is killed, the others count its batch."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        programs.analytics()
