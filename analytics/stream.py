"""Sends events about snippets and short links to a stream, off the hot path.

`view` and `emit` put events into bounded buffers; a thread sends them to the stream every
FLUSH_EVERY. It folds views into one entry per subject and second, with their number and visitors
(ADR 20): a request pays for one tuple. Visits to short links also have a referrer, a device and a
country (ADR 29). No event is sent twice, even if a response from Redis is lost: each batch has a
number that the script remembers. While Redis is unavailable, or the stream is full because no
worker runs, the buffers fill; then the newest events are dropped and counted (`events_dropped`), so
that accepted events are not lost. If Redis is full, cached entries are dropped first. A killed
process loses the events in its buffers, usually those of the last FLUSH_EVERY; a process that stops
properly loses only those that Redis does not accept in time. Source:
docs/requirements.md#snippets-views, #operation-shutdown.
"""

import asyncio
import logging
import os
import threading
import time
import uuid
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Sequence
from contextlib import asynccontextmanager
from datetime import date, datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from hashlib import blake2b
from multiprocessing.util import Finalize
from pathlib import Path
from typing import NamedTuple

import redis
from django.conf import settings

from analytics import visit_dimensions
from analytics.visit_dimensions import MAX_REFERRER
from foundation import loops
from foundation.net.countries import Countries
from foundation.valkey import eviction, metrics
from foundation.valkey.clients import client
from foundation.valkey.scripts import Script

logger = logging.getLogger(__name__)

STREAM = "x:events"
WAITING = "x:waiting"  # the number of views and other events in the stream that are not counted
STREAM_LIMIT = 1_000_000  # events that may wait; the stream accepts no more
BUFFER_LIMIT = 50_000  # views, and as many other events, in the memory of one process
BATCH_SIZE = 500  # entries
MAX_VISITORS = 1_000  # per entry, because Lua can't unpack more than a few thousand
MAX_AGENT = 512  # bytes; longer agents would make the buffer large
_AGENT_BYTES = 256  # bytes of an agent that determine the kind of device
FLUSH_EVERY = 0.05  # seconds
_METRICS_PAUSE = 1.0  # seconds between flushes of metrics, even if there are no events
_MAX_PAUSE = 1.0  # seconds between attempts while Redis is unavailable
_ROOM_PAUSE = 10.0  # seconds between attempts to make room in a full Redis
_EXIT_TIMEOUT = 2.0  # seconds that an exiting process waits for Redis
_SHORT = "short:"


# Returns which of the given subjects must not be shown. Higher apps query the database.
HiddenFinder = Callable[[Collection[str]], Collection[str]]


def nothing_hidden(subjects: Collection[str]) -> Collection[str]:
    """Return no subjects: by default, all of them may be shown."""
    return ()


class ViewEventKind(StrEnum):
    """The kind of an event about a snippet or a short link."""

    VIEW = "view"  # a view of a snippet, or a visit to a short link
    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"  # permanently: the id is never used again


class ViewEvent(NamedTuple):
    """An entry of the stream."""

    kind: ViewEventKind
    subject: str  # a snippet's id, or `short:` and the key
    at: int  # milliseconds since 1970
    visitors: str = ""  # as `visitor` returns them, separated by commas
    n: int = 1  # number of views
    dimensions: str = ""  # of visits to a link, as `visit_dimensions.as_text` writes them


# Subject, address, agent, referrer, seconds since 1970.
View = tuple[str, str, bytes, bytes, int]


def view(subject: str, address: str, agent: bytes, referrer: bytes = b"") -> None:
    """Record a view of the subject now, or drop it if the buffer is full.

    Never blocks, never raises; safe from any thread. `agent` and `referrer` are the raw headers;
    `referrer` matters only for visits to links.
    """
    producer = _producer
    if len(producer.views) >= BUFFER_LIMIT:
        metrics.count("events_dropped")
        return
    producer.views.append(
        (subject, address, agent[:MAX_AGENT], referrer[:MAX_REFERRER], int(time.time()))
    )
    if not producer.filled.is_set():
        producer.wake()


def emit(kind: ViewEventKind, subject: str, *, at: datetime) -> None:
    """Record an event other than a view, or drop it if the buffer is full.

    Never blocks, never raises; safe from any thread.
    """
    if len(_producer.buffer) >= BUFFER_LIMIT:
        metrics.count("events_dropped")
        return
    _producer.buffer.append(ViewEvent(kind, subject, int(at.timestamp() * 1000)))
    _producer.wake()


def short_subject(key: str) -> str:
    """Return the subject of a short link's events."""
    return f"{_SHORT}{key}"


def has_dimensions(subject: str) -> bool:
    """Return whether the subject is counted by hour and by dimension."""
    return subject.startswith(_SHORT)


@lru_cache(maxsize=32_768)
def visitor(address: str, agent: bytes, day: int) -> str:
    """Return a hash that distinguishes the visitors of one day.

    `day` is the number of days since 1970; each day has its own salt. The hash reveals neither the
    address nor a visitor's activity across days.
    """
    text = f"{address}\0{agent.decode('latin-1')}".encode(errors="backslashreplace")
    return blake2b(text, digest_size=8, key=_salt(day)).hexdigest()


@lru_cache(maxsize=4)
def _salt(day: int) -> bytes:
    """Return the day's salt. All processes derive the same one; it is not stored."""
    text = f"analytics.visitor:{date(1970, 1, 1) + timedelta(days=day)}:{settings.SECRET_KEY}"
    return blake2b(text.encode()).digest()


@lru_cache(maxsize=32_768)
def _visitor_of_link(address: str, agent: bytes, day: int) -> tuple[str, str, str]:
    """Return `visitor`, and the visitor's device and country ("" if countries are not counted)."""
    device = _device(agent)
    country = _countries.country_of(address) if _countries is not None else ""
    return visitor.__wrapped__(address, agent, day), device, country


@lru_cache(maxsize=4096)
def _device(agent: bytes) -> str:
    return visit_dimensions.device_of(agent[:_AGENT_BYTES].decode("latin-1"))


_countries: Countries | None = None


def reload_countries() -> None:
    """Load GEOIP_FILE if it has changed, and discard cached results of the previous file."""
    global _countries
    if not settings.GEOIP_FILE:
        _countries = None
        return
    if _countries is None:
        _countries = Countries(Path(settings.GEOIP_FILE))
    if _countries.reload_if_changed():
        _visitor_of_link.cache_clear()


class _Sum:
    """Views of one subject in one second."""

    __slots__ = ("kinds", "n", "visitors")

    def __init__(self) -> None:
        self.n = 0
        self.visitors: dict[str, None] = {}
        self.kinds: dict[visit_dimensions.VisitKind, int] = {}

    def event(self, subject: str, second: int) -> ViewEvent:
        encoded = visit_dimensions.as_text(self.kinds) if self.kinds else ""
        return ViewEvent(
            ViewEventKind.VIEW, subject, second * 1000, ",".join(self.visitors), self.n, encoded
        )


def fold(views: Sequence[View]) -> Iterator[ViewEvent]:
    """Yield one entry per subject and second, or several for more than MAX_VISITORS visitors.

    No entry spans midnight, because no second does. Takes linear time; hashes are cached.
    """
    reload_countries()
    sums: dict[tuple[str, int], _Sum] = {}
    for (subject, address, agent, referrer, second), n in Counter(views).items():
        is_link = has_dimensions(subject)
        if is_link:
            visitor_id, device, country = _visitor_of_link(address, agent, second // 86_400)
        else:
            visitor_id = visitor(address, agent, second // 86_400)
        second_sum = sums.get((subject, second))
        if second_sum is None:
            second_sum = sums[subject, second] = _Sum()
        elif len(second_sum.visitors) >= MAX_VISITORS and visitor_id not in second_sum.visitors:
            yield second_sum.event(subject, second)
            second_sum = sums[subject, second] = _Sum()
        second_sum.n += n
        second_sum.visitors[visitor_id] = None
        if is_link:
            kind = visit_dimensions.referring_host(referrer), device, country
            second_sum.kinds[kind] = second_sum.kinds.get(kind, 0) + n
    for (subject, second), second_sum in sums.items():
        yield second_sum.event(subject, second)


@asynccontextmanager
async def producing() -> AsyncIterator[None]:
    """Flush this process's events and metrics during the block, and those pending at its end.

    The end takes at most SHUTDOWN_GRACE minus REQUEST_GRACE, or 1 s if that is longer; events that
    Redis does not accept in time are logged as lost.
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
        _producer.log_loss()


_APPEND = Script("""
-- KEYS: stream, last batch of this producer, waiting.
-- ARGV: number of this batch, STREAM_LIMIT, the number of views and other events in it, then kind,
-- subject, at, visitors, n and dimensions of each entry.
-- Returns 1 if the batch is in the stream, 0 if the stream is full.
if redis.call('GET', KEYS[2]) == ARGV[1] then return 1 end
if redis.call('XLEN', KEYS[1]) == 0 then redis.call('DEL', KEYS[3]) end
if tonumber(redis.call('GET', KEYS[3]) or 0) >= tonumber(ARGV[2]) then return 0 end
redis.call('INCRBY', KEYS[3], ARGV[3])
for i = 4, #ARGV, 6 do
  local fields = {'kind', ARGV[i], 'subject', ARGV[i + 1],
    'at', ARGV[i + 2], 'visitors', ARGV[i + 3], 'n', ARGV[i + 4]}
  if ARGV[i + 5] ~= '' then
    fields[11], fields[12] = 'dimensions', ARGV[i + 5]
  end
  redis.call('XADD', KEYS[1], '*', unpack(fields))
end
redis.call('SET', KEYS[2], ARGV[1], 'EX', 3600)
return 1
""")


class _StreamProducer:
    """The pending views and other events of this process, and the thread that sends them."""

    def __init__(self) -> None:
        self.views: list[View] = []  # requests append, the thread removes from the front
        self.buffer: deque[ViewEvent] = deque()
        self.filled = threading.Event()
        self.hurry = threading.Event()  # set: send without waiting for more
        self.ready: deque[ViewEvent] = deque()
        self._id = uuid.uuid4().hex
        self._number = 0  # of the batch in progress
        self._in_flight: list[ViewEvent] = []
        self._sending = threading.Lock()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._metrics_due = self._room_due = 0.0  # monotonic
        self._is_redis_down = False

    def wake(self) -> None:
        """Make the thread send within FLUSH_EVERY."""
        self.filled.set()
        if self._thread is None:
            self.start()

    def start(self) -> None:
        """Start the thread unless it runs; a normal exit of the process also flushes."""
        with self._starting:
            if self._thread is not None:
                return
            self._thread = loops.start(self._run, name="events")
            # Unlike atexit, this also runs at the end of a forked worker.
            Finalize(None, self.flush_at_exit, exitpriority=100)

    def hurry_up(self) -> None:
        """Make the thread send at once, until `hurry` is cleared."""
        self.hurry.set()
        self.filled.set()

    def is_idle(self) -> bool:
        """Return whether no event or metric is pending or being sent."""
        if self.views or self.buffer or not metrics.is_flushed():
            return False
        if not self._sending.acquire(blocking=False):
            return False
        try:
            return not self._unsent_count()
        finally:
            self._sending.release()

    def _unsent_count(self) -> int:
        """Return how many views and other events may not be in the stream yet."""
        entries = (*self._in_flight, *self.ready, *self.buffer)
        return len(self.views) + sum(entry.n for entry in entries)

    def log_loss(self) -> None:
        """Log how many events the process loses at exit, if any."""
        if lost := self._unsent_count():
            logger.error("Redis did not accept all events in time: %d events are lost", lost)

    def flush_at_exit(self) -> None:
        """Try once to send everything; log the number of events that could not be sent."""
        if self.is_idle():
            return
        self._metrics_due = 0.0
        if self._sending.acquire(timeout=_EXIT_TIMEOUT):
            self._sending.release()
            self._flush()
        self.log_loss()

    def _run(self) -> None:
        pause, since = FLUSH_EVERY, time.monotonic()
        while True:
            self.filled.wait(FLUSH_EVERY if self.hurry.is_set() else _METRICS_PAUSE)
            # Wait for views to accumulate, or for Redis to return; the pause includes the time that
            # sending took.
            self.hurry.wait(max(0.0, since + pause - time.monotonic()))
            self.filled.clear()
            since = time.monotonic()
            if self._flush():
                pause = FLUSH_EVERY
            else:
                pause, since = min(2 * pause, _MAX_PAUSE), time.monotonic()
                self.filled.set()
                time.sleep(FLUSH_EVERY)

    def _flush(self) -> bool:
        """Send all events, and metrics if they are due; return False to try again after a pause.

        Returns False if Redis is unavailable or full, or the stream is full. Drops a batch that
        can't be sent for another reason.
        """
        try:
            with self._sending:
                try:
                    is_sent = self._send_events()
                except redis.OutOfMemoryError:
                    is_sent = self._make_room() and self._send_events()
                if self.hurry.is_set() or time.monotonic() >= self._metrics_due:
                    metrics.flush(client())
                    self._metrics_due = time.monotonic() + _METRICS_PAUSE
        except redis.RedisError as error:
            if not self._is_redis_down:
                logger.warning("Events are waiting for Redis: %s", error)
            self._is_redis_down = True
            return False
        except Exception:
            # An event that can't be serialized must not hold up all others.
            lost = sum(entry.n for entry in self._in_flight)
            logger.exception("A batch of %d events is dropped", lost)
            metrics.count("events_dropped", lost)
            self._in_flight.clear()
            self.filled.set()
            return True
        if self._is_redis_down:
            logger.info("Redis is accepting events again")
        self._is_redis_down = False
        return is_sent

    def _make_room(self) -> bool:
        """Drop cached entries from a full Redis; return whether there is room now."""
        if time.monotonic() < self._room_due:
            return False
        if dropped := eviction.make_room(client()):
            logger.warning(
                "Redis is full: %d cached entries were dropped to make room for views", dropped
            )
            return True
        logger.error(
            "Redis is full, and no cached entries are left to drop: views wait in memory until "
            "the buffer is full, too; then new views are dropped"
        )
        self._room_due = time.monotonic() + _ROOM_PAUSE
        return False

    def _send_events(self) -> bool:
        """Send the events that are pending now; return False if the stream is full."""
        if not self._send_ready():
            return False
        self._gather()
        return self._send_ready()

    def _send_ready(self) -> bool:
        while self._in_flight or self.ready:
            if not self._in_flight:
                self._number += 1
                while self.ready and len(self._in_flight) < BATCH_SIZE:
                    self._in_flight.append(self.ready.popleft())
            event_count = sum(entry.n for entry in self._in_flight)
            args: list[str | int] = [self._number, STREAM_LIMIT, event_count]
            for entry in self._in_flight:
                args += entry
            keys = [STREAM, f"x:producer:{self._id}", WAITING]
            if not _APPEND.call(client(), keys, *args):
                return False
            self._in_flight.clear()
        return True

    def _gather(self) -> None:
        """Move the buffers' contents to `ready`, folded; requests may append meanwhile."""
        while self.buffer:
            self.ready.append(self.buffer.popleft())
        views = self.views[:]
        try:
            self.ready.extend(list(fold(views)))
        except Exception:
            # These views would fail again and hold up all others.
            logger.exception("%d views can't be folded and are dropped", len(views))
            metrics.count("events_dropped", len(views))
        finally:
            del self.views[: len(views)]


_producer = _StreamProducer()


def _reset_in_child() -> None:
    """Empty the buffers of a forked child: the parent sends the events that it accepted."""
    global _producer, _countries
    _producer, _countries = _StreamProducer(), None


os.register_at_fork(after_in_child=_reset_in_child)
