"""The relay: numbers events, and feeds each reader in its own thread.

A slow or unavailable reader does not block others. The numbering loop also sees events that other
processes have numbered, and wakes the feeders.
"""

import logging
import random
import time
from collections.abc import Callable, Mapping

from django.conf import settings
from django.db import DatabaseError, connections

from foundation import loops, watchdog
from foundation.database.clock import database_now
from foundation.shutdown import stop_requested
from outbox import cursors, relay
from outbox.readers import Reader, configured_readers

logger = logging.getLogger(__name__)

POLL_INTERVAL = 0.8  # seconds between checks for new events; the feed shows them within a second
_LEASE_POLL_INTERVAL = 1.0  # seconds between checks for leases that another relay has released
_IDLE_POLL_INTERVAL = 10.0  # seconds between checks of an idle feeder, which can be woken
_READERS_POLL_INTERVAL = 5.0  # seconds between checks for new and removed readers
_FIRST_RETRY_DELAY = 0.4  # seconds after an error of a reader, doubled after each further error
MAX_WAIT = 10.0  # seconds
_STOP_POLL_INTERVAL = 0.2  # seconds between checks of whether a thread is still connecting


def number_and_feed(*, until: Callable[[], bool] = stop_requested) -> None:
    """Run a relay until the process should stop: number committed events, feed the readers."""
    threads = FeederThreads()
    newest_seen = -1  # position

    def follow() -> float:
        threads.feed_only(refresh_readers())
        return _READERS_POLL_INTERVAL

    def look() -> float:
        nonlocal newest_seen
        newest, is_waiting = relay.find_newest()
        numbered = relay.number_events() if is_waiting else 0
        if newest + numbered != newest_seen:
            newest_seen = newest + numbered
            threads.wake()
        return 0.0 if numbered == relay.BATCH_SIZE else POLL_INTERVAL

    try:
        loops.Loop(follow, look, until=until).run()
    finally:
        threads.stop(within=settings.SHUTDOWN_GRACE.total_seconds())
        connections.close_all()


def refresh_readers() -> dict[str, Reader]:
    """Create missing cursors, mark as off the readers that no relay has, and return the readers of
    this process, by name.

    Call it before numbering: a new reader begins at the end of the feed, so events numbered before
    its cursor exists never reach it.
    """
    readers = configured_readers()
    cursors.create_missing(readers.values())
    cursors.mark_off(readers, now=database_now())
    return readers


class FeederThread:
    """Feeds one reader until `stop`, or until the process stops."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.feeder = relay.Feeder(reader)
        self._failures = 0
        patience = watchdog.PATIENCE + reader.lease.total_seconds()
        self._loop = loops.Loop(self._look, patience=patience)

    def start(self) -> None:
        """Start feeding the reader in a thread."""
        self.thread = loops.start(self._run, name=f"feeder of {self._reader.name}")

    def _run(self) -> None:
        try:
            self._loop.run()
        finally:
            self.release()

    def _look(self) -> float:
        try:
            more = self.feeder.feed()
        except relay.DeliveryError as error:
            self._failures = min(self._failures + 1, 10)
            max_wait: float = min(MAX_WAIT, _FIRST_RETRY_DELAY * 2 ** (self._failures - 1))
            wait = max_wait * random.uniform(0.5, 1)  # noqa: S311
            logger.warning("%s: %s; next try in %.1f s", self.feeder.name, error, wait)
            return wait
        self._failures = 0
        if more:
            return 0.0
        return _IDLE_POLL_INTERVAL if self.feeder.can_rest() else _LEASE_POLL_INTERVAL

    def wake(self) -> None:
        """Make the thread check for events now, unless it waits after a failure."""
        if not self._failures:
            self._loop.wake()

    @property
    def is_under_way(self) -> bool:
        """Whether the thread runs, and does more than wait for a connection."""
        return self.thread.is_alive() and not self._reader.connecting

    def stop(self) -> None:
        """End the thread after the work in progress."""
        self._loop.stop()

    def release(self) -> None:
        """Let another relay take over immediately."""
        try:
            self.feeder.close()
        except DatabaseError:
            logger.exception(
                "The lease of %s could not be released; it will expire", self.feeder.name
            )


class FeederThreads:
    """The threads of all readers that are currently configured."""

    def __init__(self) -> None:
        self._threads: dict[str, FeederThread] = {}  # by the reader's name

    def feed_only(self, readers: Mapping[str, Reader]) -> None:
        """Feed these readers from now on, and stop feeding others."""
        self._threads = {name: one for name, one in self._threads.items() if one.thread.is_alive()}
        for name, thread in self._threads.items():
            if name not in readers:
                thread.stop()
        for name, reader in readers.items():
            if name not in self._threads:  # a returning reader waits until its old thread has ended
                self._threads[name] = FeederThread(reader)
                self._threads[name].start()

    def wake(self) -> None:
        """Make all threads check for events now."""
        for thread in self._threads.values():
            thread.wake()

    def stop(self, *, within: float) -> None:
        """End all threads; work still in progress after `within` seconds is left to the next
        relay."""
        deadline = time.monotonic() + within
        for thread in self._threads.values():
            thread.stop()
        for thread in self._threads.values():
            while thread.is_under_way and time.monotonic() < deadline:
                thread.thread.join(_STOP_POLL_INTERVAL)
        for thread in self._threads.values():
            thread.release()
