"""Stream of events, producer side: what happens to snippets and short links, off the hot path.

`emit` puts an event into a bounded buffer; a thread takes it to the stream within FLUSH_EVERY, in
batches. An event that was accepted is sent once, also when an answer of Redis is lost: each batch
has a number that the script remembers. While Redis is away, or the stream is full because nobody
counts, the buffer fills; then the newest event is dropped and counted (`events_dropped`), so that
what was once accepted stays accepted. A killed process loses FLUSH_EVERY of events, one that ends
in order loses none.
Source: docs/requirements.md#snippets-views, #operation-shutdown.
"""

import asyncio
import logging
import os
import threading
import time
import uuid
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date, datetime
from enum import StrEnum
from functools import lru_cache
from hashlib import blake2b
from multiprocessing.util import Finalize
from typing import NamedTuple

import redis
from django.conf import settings

from foundation.valkey import metrics
from foundation.valkey.clients import client
from foundation.valkey.scripts import Script

logger = logging.getLogger(__name__)

STREAM = "x:events"
STREAM_LIMIT = 1_000_000  # events that wait to be counted; more are not taken into the stream
BUFFER_LIMIT = 50_000  # events in the memory of one process
BATCH = 500
FLUSH_EVERY = 0.05  # seconds
_IDLE = 1.0  # seconds between flushes of metrics, also while there are no events
_LONGEST_PAUSE = 1.0  # seconds between attempts while Redis is away
_EXIT = 2.0  # seconds that the end of a process waits for Redis


class Kind(StrEnum):
    """What happened."""

    VIEW = "view"  # of a snippet, or a visit of a short link
    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"  # for good: the id is never used again


class Event(NamedTuple):
    kind: Kind
    subject: str  # a snippet's id, or `short:` and the key
    at: datetime
    visitor: str  # see `visitor`; empty when it counts for no unique visitor


def emit(kind: Kind, subject: str, *, at: datetime, visitor: str = "") -> None:
    """Say that something happened. Returns at once and never fails; safe from any thread."""
    if len(_producer.buffer) >= BUFFER_LIMIT:
        metrics.count("events_dropped")
        return
    _producer.put(Event(kind, subject, at, visitor))


def short_subject(key: str) -> str:
    """Return the subject of a short link's events."""
    return f"short:{key}"


def visitor(address: str, agent: str, *, at: datetime) -> str:
    """Return what tells visitors of one day apart: a hash with a salt of its own each day.

    Neither the address nor a visitor's ways over several days can be told from it.
    """
    text = f"{address}\0{agent}".encode(errors="surrogateescape")
    return blake2b(text, digest_size=8, key=_salt(at.date())).hexdigest()


@lru_cache(maxsize=4)
def _salt(day: date) -> bytes:
    """All processes derive the same salt, which is not kept anywhere."""
    text = f"analytics.visitor:{day.isoformat()}:{settings.SECRET_KEY}"
    return blake2b(text.encode()).digest()


@asynccontextmanager
async def producing() -> AsyncIterator[None]:
    """Flush this process's events and metrics until left; then all accepted are in the stream.

    Leaving takes no longer than what SHUTDOWN_GRACE leaves after requests (at least 1 s).
    """
    _producer.start()
    try:
        yield
    finally:
        spare = (settings.SHUTDOWN_GRACE - settings.REQUEST_GRACE).total_seconds()
        deadline = time.monotonic() + max(spare, 1.0)
        _producer.hurry_up()
        while not _producer.is_idle() and time.monotonic() < deadline:  # noqa: ASYNC110 (a thread)
            await asyncio.sleep(0.01)
        _producer.hurry.clear()
        _producer.tell_loss()


_APPEND = Script("""
-- KEYS: stream, last batch of this producer.
-- ARGV: number of this batch, limit of the stream, then kind, subject, at, visitor of each event.
-- Returns 1 when the events are in the stream, 0 when it is full.
if redis.call('GET', KEYS[2]) == ARGV[1] then return 1 end
if redis.call('XLEN', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
for i = 3, #ARGV, 4 do
  redis.call('XADD', KEYS[1], '*', 'kind', ARGV[i], 'subject', ARGV[i + 1],
    'at', ARGV[i + 2], 'visitor', ARGV[i + 3])
end
redis.call('SET', KEYS[2], ARGV[1], 'EX', 3600)
return 1
""")


class _Producer:
    """The events of this process on their way, and the thread that sends them."""

    def __init__(self) -> None:
        self.buffer: deque[Event] = deque()
        self.hurry = threading.Event()  # set: send without waiting for more
        self._id = uuid.uuid4().hex
        self._number = 0  # of the batch under way
        self._under_way: list[Event] = []
        self._sending = threading.Lock()
        self._starting = threading.Lock()
        self._filled = threading.Event()
        self._thread: threading.Thread | None = None
        self._metrics_due = 0.0  # monotonic
        self._is_away = False

    def put(self, event: Event) -> None:
        self.buffer.append(event)
        if not self._filled.is_set():
            self._filled.set()
        if self._thread is None:
            self.start()

    def start(self) -> None:
        """Start the thread if there is none; the process's orderly end flushes as well."""
        with self._starting:
            if self._thread is not None:
                return
            self._thread = threading.Thread(target=self._run, name="events", daemon=True)
            self._thread.start()
            # Unlike atexit this is also run at the end of a forked worker.
            Finalize(None, self.flush_at_exit, exitpriority=100)

    def hurry_up(self) -> None:
        """Have the thread send at once what there is, until `hurry` is cleared."""
        self.hurry.set()
        self._filled.set()

    def is_idle(self) -> bool:
        """Whether nothing waits and nothing is under way."""
        if self.buffer or not metrics.is_flushed() or not self._sending.acquire(blocking=False):
            return False
        try:
            return not self.buffer and not self._under_way
        finally:
            self._sending.release()

    def tell_loss(self) -> None:
        """Log how many events are lost with the process."""
        if lost := len(self.buffer) + len(self._under_way):
            logger.error("Redis is out of reach: %d events are lost", lost)

    def flush_at_exit(self) -> None:
        """Send what there is, once; logs what could not be sent."""
        if self.is_idle():
            return
        self._metrics_due = 0.0
        if self._sending.acquire(timeout=_EXIT):
            self._sending.release()
            self._flush()
        self.tell_loss()

    def _run(self) -> None:
        pause = FLUSH_EVERY
        while True:
            self._filled.wait(FLUSH_EVERY if self.hurry.is_set() else _IDLE)
            self.hurry.wait(pause)  # lets a batch gather, or Redis come back
            self._filled.clear()
            if self._flush():
                pause = FLUSH_EVERY
            else:
                pause = min(2 * pause, _LONGEST_PAUSE)
                self._filled.set()
                time.sleep(FLUSH_EVERY)

    def _flush(self) -> bool:
        """Send all there is, and what was counted; returns whether that went well."""
        try:
            with self._sending:
                is_sent = self._send_events()
                if self.hurry.is_set() or time.monotonic() >= self._metrics_due:
                    metrics.flush(client())
                    self._metrics_due = time.monotonic() + _IDLE
        except redis.RedisError as error:
            if not self._is_away:
                logger.warning("Events wait for Redis: %s", error)
            self._is_away = True
            return False
        except Exception:
            # One that can't be written down must not hold up all that follow.
            logger.exception("A batch of %d events is dropped", len(self._under_way))
            metrics.count("events_dropped", len(self._under_way))
            self._under_way.clear()
            return True
        if self._is_away:
            logger.info("Redis takes events again")
        self._is_away = False
        return is_sent

    def _send_events(self) -> bool:
        while self._under_way or self.buffer:
            if not self._under_way:
                self._number += 1
                while self.buffer and len(self._under_way) < BATCH:
                    self._under_way.append(self.buffer.popleft())
            args: list[str | int] = [self._number, STREAM_LIMIT]
            for kind, subject, at, who in self._under_way:
                args += (kind.value, subject, int(at.timestamp() * 1000), who)
            if not _APPEND.call(client(), [STREAM, f"x:producer:{self._id}"], *args):
                return False
            self._under_way.clear()
        return True


_producer = _Producer()


def _forget() -> None:
    """Start anew in a forked child: what the parent has accepted, the parent sends."""
    global _producer
    _producer = _Producer()


os.register_at_fork(after_in_child=_forget)
