"""`manage.py run_relay`: numbers events for the feed, and sends them to sinks and channels."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from linkwatch.processes import programs
from notify import sending
from outbox import relay
from outbox.relay_threads import refresh_readers


class Command(BaseCommand):
    help = (
        "Add committed events to the feed within a second, send events to the configured sinks, "
        "and send messages to channels. Any number of these processes can run: normally, "
        "one at a time feeds each sink, and one at a time sends for each channel."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--once",
            action="store_true",
            help="send everything that is pending, then exit with status 0 if all of it was sent, "
            "and otherwise with status 1 and the reasons",
        )

    def handle(self, *, once: bool, **_: Any) -> None:
        if once:
            unsent = [*relay.drain(refresh_readers().values()), *sending.drain()]
            sys.exit("\n".join(unsent) or 0)
        programs.relay()
