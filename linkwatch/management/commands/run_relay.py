"""`manage.py run_relay`: number transitions for the feed, send events to the sinks."""

import logging
import random
import sys
import threading
import time
from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import DatabaseError, close_old_connections

from foundation.shutdown import stop_on_signals, stop_requested
from linkwatch.processes import one_of_the_processes
from targets.events import leases, relay
from targets.models import Transition
from targets.sinks.kafka import KafkaSink

logger = logging.getLogger(__name__)

POLL = 0.2  # seconds between looks
RETRY = 2.0  # seconds after an error of the database
LONGEST_RETRY = 10.0  # seconds after many errors of a sink
_NAP = 0.05  # seconds between looks for the stop signal


class Command(BaseCommand):
    help = (
        "Give committed transitions their place in the events feed, within a second, and send "
        "events to Kafka when KAFKA_BOOTSTRAP_SERVERS is set. Run as many as you like: one leads."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--once",
            action="store_true",
            help="send all there is, then exit: with 0 if all went, else with 1 and the reasons",
        )

    def handle(self, *, once: bool, **_: Any) -> None:
        if once:
            sys.exit("\n".join(relay.drain(_feeders())) or 0)
        stop_on_signals()
        # Each sink has a thread of its own: one that is out of reach holds up nothing else.
        feeders = _feeders()
        threads = [
            threading.Thread(target=_feed_for_ever, args=[feeder], daemon=True)
            for feeder in feeders
        ]
        for thread in threads:
            thread.start()
        with one_of_the_processes("run_relay", self.stderr):
            _repeat(_number)
        deadline = time.monotonic() + settings.SHUTDOWN_GRACE.total_seconds()
        for feeder, thread in zip(feeders, threads, strict=True):
            while thread.is_alive() and time.monotonic() < deadline and not feeder.is_connecting:
                thread.join(_NAP)
            _close(feeder)


def _feeders() -> list[relay.Feeder]:
    return [relay.Feeder(leases.KAFKA, KafkaSink())] if settings.KAFKA_BOOTSTRAP_SERVERS else []


def _repeat(look: Callable[[], float]) -> None:
    """Call `look`, which returns how many seconds to wait, until the process is to stop."""
    while not stop_requested():
        try:
            close_old_connections()
            wait = look()
        except DatabaseError:
            logger.exception("The relay could not reach the database; trying again")
            wait = RETRY
        deadline = time.monotonic() + wait
        while time.monotonic() < deadline and not stop_requested():
            time.sleep(_NAP)


def _number() -> float:
    if not Transition.objects.unnumbered().exists():
        return POLL
    return 0.0 if relay.number_transitions() == relay.BATCH else POLL


def _feed_for_ever(feeder: relay.Feeder) -> None:
    failures = 0

    def look() -> float:
        nonlocal failures
        try:
            more = feeder.feed()
        except relay.DeliveryError as error:
            failures = min(failures + 1, 10)
            wait: float = min(LONGEST_RETRY, POLL * 2**failures) * random.uniform(0.5, 1)  # noqa: S311
            logger.warning("%s: %s; next try in %.1f s", feeder.name, error, wait)
            return wait
        failures = 0
        return 0.0 if more else POLL

    _repeat(look)


def _close(feeder: relay.Feeder) -> None:
    try:
        feeder.close()
    except DatabaseError:
        logger.exception("The lease of %s could not be released; it ends by itself", feeder.name)
