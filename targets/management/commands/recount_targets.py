"""`manage.py recount_targets`: recount targets and references."""

from typing import Any

from django.core.management.base import BaseCommand

from targets import counts


class Command(BaseCommand):
    help = (
        "Recount targets and references after rows were added or deleted outside Linkwatch (with "
        "SQL, for example). Linkwatch can keep running."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        corrections = counts.recount()
        for name, amount in sorted(corrections.items()):
            self.stdout.write(f"{name}: {amount:+}")
        if not corrections:
            self.stdout.write("All counts were correct.")
