"""`manage.py run_relay`: number transitions for the feed, send events to the sinks."""

import sys
import time
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from foundation.database.clock import database_now
from foundation.shutdown import stop_on_signals
from linkwatch.processes import one_of_the_processes
from targets.events import leases, relay
from targets.events.threads import POLL, FeederThreads, repeat
from targets.models import Transition
from targets.sinks.base import EventSink, sinks_now

SINKS_POLL = 1.0  # seconds between looks for sinks that have come or gone


class Command(BaseCommand):
    help = (
        "Give committed transitions their place in the events feed, within a second, and send "
        "events to the sinks that are configured. Run as many as you like: one leads."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--once",
            action="store_true",
            help="send all there is, then exit: with 0 if all went, else with 1 and the reasons",
        )

    def handle(self, *, once: bool, **_: Any) -> None:
        if once:
            sys.exit("\n".join(relay.drain(_sinks().values())) or 0)
        stop_on_signals()
        threads = FeederThreads()
        next_look = 0.0

        def look() -> float:
            nonlocal next_look
            if time.monotonic() >= next_look:
                threads.follow(_sinks())
                next_look = time.monotonic() + SINKS_POLL
            if not Transition.objects.unnumbered().exists():
                return POLL
            return 0.0 if relay.number_transitions() == relay.BATCH else POLL

        with one_of_the_processes("run_relay"):
            repeat(look)
        threads.stop(within=settings.SHUTDOWN_GRACE.total_seconds())


def _sinks() -> dict[str, EventSink]:
    """Return the sinks of this moment; what no relay has any more is off from now on."""
    sinks = sinks_now()
    leases.note_off(sinks, now=database_now())
    return sinks
