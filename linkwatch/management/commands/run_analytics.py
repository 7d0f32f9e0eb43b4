"""`manage.py run_analytics`: a worker that counts views."""

from typing import Any

from django.core.management.base import BaseCommand

from linkwatch.processes import programs


class Command(BaseCommand):
    help = (
        "Count the events of the view stream. Run as many as you like; SIGTERM finishes the batch "
        "in hand, and what a killed one had in hand is counted by the others."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        programs.analytics()
