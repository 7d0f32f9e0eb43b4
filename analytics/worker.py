"""The worker of the consumer group: reads batches, counts them, takes over from dead workers.

Any number of workers may run. A worker retries its batch until it is counted, through outages of
Redis; the batch of a killed worker goes to another. Source: docs/requirements.md#snippets-workers.
"""

import logging
import os
import socket
import uuid
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import redis
from django.db import DatabaseError, InterfaceError, OperationalError, close_old_connections

from analytics import consumer_group, counters, dead_letters, stream_batches, trend, view_history
from analytics.consumer_group import Entry
from foundation import watchdog
from foundation.loops import Loop
from foundation.valkey.clients import client

logger = logging.getLogger(__name__)

# Entries read at once. The script that counts them takes at most 10 ms, during which Redis answers
# no other client.
BATCH_SIZE = 500
_WAIT = 1000  # milliseconds for the first entry of a batch; less than clients.TIMEOUT
_HOUSEKEEPING_INTERVAL = 5.0  # seconds
_FIRST_PAUSE = 0.1  # seconds after an error, doubled with each further one
_MAX_PAUSE = 5.0


class Worker:
    """One consumer.

    `run` returns when asked to stop, with no batch in progress if Redis is available.
    """

    def __init__(self, *, should_stop: Callable[[], bool]) -> None:
        self.consumer = f"{socket.gethostname()}-{os.getpid()}-{uuid.uuid4().hex[:8]}"
        self._should_stop = should_stop
        self._batch: list[Entry] = []
        self._pause = _FIRST_PAUSE
        self._housekeeping = Loop(self.do_housekeeping)
        self._cursor = "0-0"

    def run(self) -> None:
        """Count until asked to stop, surviving outages of Redis and the database."""
        Loop(self._count_until_error, until=self._should_stop, uses_database=False).run()
        self.leave()

    def _count_until_error(self) -> float:
        try:
            close_old_connections()
            self._prepare()
            while not self._should_stop():
                self.step()
                self._pause = _FIRST_PAUSE
        except counters.CountsLostError:
            logger.warning("Redis has lost the counts")
        except (redis.RedisError, DatabaseError, InterfaceError) as error:
            pause, self._pause = self._pause, min(2 * self._pause, _MAX_PAUSE)
            logger.warning("Counting has stalled: %s; next try in %.1f s", error, pause)
            return pause
        return 0.0

    def step(self) -> None:
        """Count one batch, or wait a little for one; do housekeeping when due.

        Raises CountsLostError, redis.RedisError and database errors; keeps the batch in progress.
        """
        watchdog.turn()
        self._housekeeping.turn()
        if not self._batch:
            self._batch = consumer_group.read(client(), self.consumer, limit=BATCH_SIZE, wait=_WAIT)
        self._count(self._batch)
        self._batch = []

    def do_housekeeping(self) -> float:
        """Rebase the trend, count entries of dead workers, trim the stream, forget consumers.

        Returns the seconds until the next run.
        """
        try:
            trend.rebase(client(), now=_now())
        except redis.ResponseError:
            logger.exception("The trend can't be rebased")  # such as a key of the wrong type
        self._take_over()
        consumer_group.trim(client())
        consumer_group.forget_consumers(client())
        return _HOUSEKEEPING_INTERVAL

    def leave(self) -> None:
        """Count the batch in progress and leave the group; without Redis, others will count it."""
        try:
            self._count(self._batch)
            consumer_group.forget_consumers(client(), leaving_consumer=self.consumer)
        except (redis.RedisError, DatabaseError, InterfaceError, counters.CountsLostError) as error:
            logger.warning("%d entries are left to other workers: %s", len(self._batch), error)

    def _prepare(self) -> None:
        consumer_group.ensure_group(client())
        if not client().exists(counters.RESTORED):
            view_history.restore(client(), now=_now())

    def _take_over(self) -> None:
        """Count entries that others took long ago, each alone: an entry may crash its worker.

        An outage of the database, which the days of late views need, counts as no delivery.
        """
        while not self._should_stop():
            takeover = consumer_group.take_over(client(), self.consumer, self._cursor)
            self._cursor = takeover.cursor
            if takeover.buried:
                logger.error("%d entries became dead letters: delivered too often", takeover.buried)
            watchdog.turn()
            for id_ in takeover.ids:
                entries = consumer_group.redeliver(client(), self.consumer, id_)
                try:
                    self._count(entries)
                except (OperationalError, InterfaceError):
                    consumer_group.undo_delivery(client(), self.consumer, id_)
                    raise
            if self._cursor == "0-0":
                return

    def _count(self, entries: Sequence[Entry]) -> None:
        for batch in stream_batches.gather(entries):
            for id_, reason in batch.poison:
                logger.error("The entry %s becomes a dead letter: %s", id_, reason)
                dead_letters.bury(client(), id_, reason)
            if not batch.n:
                continue
            if failed := _count_batch(batch):
                logger.error(
                    "%d additions of a batch failed because keys had the wrong type", failed
                )


def _count_batch(batch: stream_batches.ViewBatch) -> int:
    """Count a batch, after restoring the days of late views; return how many additions failed."""
    while True:
        try:
            return counters.count(client(), batch)[1]
        except counters.ExpiredDaysError as error:
            view_history.restore_days(client(), error.days)


def _now() -> datetime:
    """Return Redis's time: counting continues while the database is unavailable."""
    seconds, microseconds = client().time()
    return datetime.fromtimestamp(seconds + microseconds / 1e6, UTC)
