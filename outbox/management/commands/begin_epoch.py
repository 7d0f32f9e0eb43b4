"""`manage.py begin_epoch`: for a database that was restored by other means than `restore`."""

from typing import Any

from django.core.management.base import BaseCommand

from foundation.database.clock import database_now
from outbox import epochs


class Command(BaseCommand):
    help = (
        "Say that this database was taken back in time by other means than `restore` (pg_dump, a "
        "snapshot, a replica without the last commits): who has read events that it lost gets 409 "
        "instead of missing others. Before the relay starts on it."
    )

    def handle(self, **_: Any) -> None:
        epoch = epochs.begin(database_now())
        self.stdout.write(
            f"The feed has a new epoch behind position {epoch.began_behind}: tokens of later "
            "events are refused."
        )
