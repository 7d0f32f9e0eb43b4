"""A thread for each sink: one that is slow or out of reach holds up nothing else."""

import logging
import random
import time
from collections.abc import Callable, Mapping
from threading import Event, Thread

from django.db import DatabaseError, close_old_connections, connections

from foundation.shutdown import stop_requested
from targets.events import relay
from targets.sinks.base import EventSink

logger = logging.getLogger(__name__)

POLL = 0.2  # seconds between looks
RETRY = 2.0  # seconds after an error of the database
LONGEST_RETRY = 10.0  # seconds after many errors of a sink
_NAP = 0.05  # seconds between looks for the stop signal


def repeat(look: Callable[[], float], *, until: Callable[[], bool] = stop_requested) -> None:
    """Call `look`, which returns how many seconds to wait, until the process is to stop."""
    while not until():
        try:
            close_old_connections()
            wait = look()
        except DatabaseError:
            logger.exception("The relay could not reach the database; trying again")
            wait = RETRY
        deadline = time.monotonic() + wait
        while time.monotonic() < deadline and not until():
            time.sleep(_NAP)


class FeederThread(Thread):
    """Feeds one sink until it is told to stop, or the process is."""

    def __init__(self, sink: EventSink) -> None:
        super().__init__(name=f"feeder of {sink.name}", daemon=True)
        self.feeder = relay.Feeder(sink)
        self._told_to_stop = Event()
        self._failures = 0

    def run(self) -> None:
        try:
            repeat(self._look, until=lambda: self._told_to_stop.is_set() or stop_requested())
        finally:
            self.release()
            connections.close_all()

    def _look(self) -> float:
        try:
            more = self.feeder.feed()
        except relay.DeliveryError as error:
            self._failures = min(self._failures + 1, 10)
            longest: float = min(LONGEST_RETRY, POLL * 2**self._failures)
            wait = longest * random.uniform(0.5, 1)  # noqa: S311
            logger.warning("%s: %s; next try in %.1f s", self.feeder.name, error, wait)
            return wait
        self._failures = 0
        return 0.0 if more else POLL

    def stop(self) -> None:
        """Let it end once what is under way is answered."""
        self._told_to_stop.set()

    def release(self) -> None:
        """Let another relay take over at once."""
        try:
            self.feeder.close()
        except DatabaseError:
            logger.exception(
                "The lease of %s was not released; it ends by itself", self.feeder.name
            )


class FeederThreads:
    """The threads of all sinks that are configured at present."""

    def __init__(self) -> None:
        self._threads: dict[str, FeederThread] = {}  # by the sink's name

    def follow(self, sinks: Mapping[str, EventSink]) -> None:
        """Feed these sinks from now on, and no others."""
        self._threads = {name: one for name, one in self._threads.items() if one.is_alive()}
        for name, thread in self._threads.items():
            if name not in sinks:
                thread.stop()
        for name, sink in sinks.items():
            if name not in self._threads:  # one that comes back waits until its old thread is gone
                self._threads[name] = FeederThread(sink)
                self._threads[name].start()

    def stop(self, *, within: float) -> None:
        """End all; whatever is still under way after these seconds is left to the next relay."""
        deadline = time.monotonic() + within
        for thread in self._threads.values():
            thread.stop()
        for thread in self._threads.values():
            while (
                thread.is_alive()
                and time.monotonic() < deadline
                and not thread.feeder.is_connecting
            ):
                thread.join(_NAP)
        for thread in self._threads.values():
            thread.release()
