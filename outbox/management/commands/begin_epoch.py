"""`manage.py begin_epoch`: for a database that was restored by means other than `restore`."""

from typing import Any

from django.core.management.base import BaseCommand

from foundation.database.clock import database_now
from outbox import epochs


class Command(BaseCommand):
    help = (
        "Declare that this database went back in time by means other than `restore` (pg_dump, a "
        "snapshot, a replica without the last commits). Programs that have read events that are "
        "now lost will get a 409, so that they don't silently miss new ones. Run this before the "
        "relay starts."
    )

    def handle(self, **_: Any) -> None:
        epoch = epochs.begin(database_now())
        self.stdout.write(
            f"The feed has a new epoch after position {epoch.began_behind}: tokens for later "
            "events will be refused."
        )
