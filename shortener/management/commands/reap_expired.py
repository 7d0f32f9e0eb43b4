"""`manage.py reap_expired`: one run of the reaper, in the foreground."""

import signal
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from foundation import settings_comparison
from foundation.database.clock import database_now
from foundation.durations import period_in_words
from foundation.shutdown import request_stop
from shortener import reaper
from shortener.models import ShortURL


class Command(BaseCommand):
    help = (
        "Delete short links that expired more than CLEANUP_BUFFER_TIME ago; their keys stay "
        "retired. On Ctrl-C, stops after the current batch. Exits with 1 if a batch failed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--dry-run", action="store_true", help="count the links, delete nothing"
        )

    def handle(self, *, dry_run: bool, **_: Any) -> None:
        settings_comparison.warn(self.stderr)
        now = database_now()
        if dry_run:
            due = reaper.due(now).count()
            recent = ShortURL.objects.expired(now).count() - due
            buffer = period_in_words(settings.CLEANUP_BUFFER_TIME)
            self.stdout.write(f"to be deleted: {due}; expired within the last {buffer}: {recent}")
            return
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: request_stop())
        run = reaper.run(now=now, budget=settings.CLEANUP_MAX_DURATION)
        self.stdout.write(f"deleted {run.deleted}")
        if run.error:
            raise CommandError(run.error)
