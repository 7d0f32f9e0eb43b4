"""Reading links fast: from this process's memory, then Redis, then the database.

`short:{key}` is the entry of a key (see `foundation.valkey.cache_aside`). Messages on the channel
`short:forget` are keys, separated by spaces, that every process must forget.

Each read compares `expires_at` with the database's clock, even for a cached link; reads never
delete. An entry outlives the end of its link by TOMBSTONE_LIFE, as a tombstone: a viral link that
expires costs the database nothing for an hour. Source: docs/requirements.md#expiry-reads,
#expiry-tombstones.
"""

import asyncio
import json
import logging
import threading
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Iterable,
    Iterator,
    Sequence,
)
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TypeVar, cast

from django.db import InterfaceError, OperationalError, transaction

from analytics import counters
from analytics.stream import short_subject
from foundation.breaker import Breaker
from foundation.cancelling import cancel
from foundation.database.clock import DatabaseClock, nanoseconds, steady
from foundation.database.thread_pool import in_thread
from foundation.per_loop import PerLoop
from foundation.valkey import cache_aside, metrics
from foundation.valkey.cache_aside import TOMBSTONE_LIFE, CacheHit, Entry, Gone, Key, Missing
from foundation.valkey.clients import client
from foundation.valkey.invalidation import MAX_COMMIT_DELAY, Invalidation
from foundation.valkey.pubsub import PubSubSubscription
from outbox.models import Event
from shortener.destinations import SCHEMES, location
from shortener.local_cache import LocalCache
from shortener.models import LinkState, Reason, RetiredKey, ShortURL
from targets.models import Target
from targets.state import State

logger = logging.getLogger(__name__)
T = TypeVar("T")

CHANNEL = "short:forget"
MAX_WAIT = 5.0  # seconds for the database; then it counts as unavailable
NOTICE_LIFE = 1_000_000_000  # ns in the local cache, for a link with a notice
# In an entry: the destination is dead; redirect to its copy. 0.2.0 reads it as true.
_TO_COPY = "archive"
_MEASURE_INTERVAL = 30.0  # seconds
_BATCH_SIZE = 100  # keys per load
_MAX_LOADS = 2  # in progress at once: a hanging load does not block all others


class DatabaseUnavailableError(Exception):
    """The database was recently unavailable, so it was not queried."""


@dataclass(frozen=True, slots=True)
class LinkRedirect:
    """A redirect: its destination, when it ends (ns since 1970), and whether visits are limited."""

    location: bytes
    until: int | None
    is_limited: bool


@dataclass(frozen=True, slots=True)
class RedirectOrNotice(LinkRedirect):
    """A redirect, instead of which people get a notice while the destination is dead (`is_dead`).

    It stays in the local cache for NOTICE_LIFE only, and is not kept while the destination is dead.
    `wants_copy`: everybody is redirected to a copy of the dead destination, if there is one.
    """

    is_dead: bool
    wants_copy: bool = False


Outcome = LinkRedirect | Gone | Missing

CLOCK = DatabaseClock()
LOCAL_CACHE: LocalCache[Outcome] = LocalCache()
DATABASE = Breaker(
    "The database",
    failures=(OperationalError, InterfaceError),
    open_error=DatabaseUnavailableError,
)
# The errors of reads from the database.
DATABASE_ERRORS: tuple[type[Exception], ...] = (DatabaseUnavailableError, *DATABASE.failures)


def entry_key(key: str) -> Key:
    """Return the Redis keys of the entry of `key`."""
    return Key(f"short:{key}")


async def follow(key: str) -> Outcome:
    """Return the outcome for `key`; a key that is not cached may raise one of DATABASE_ERRORS."""
    local = LOCAL_CACHE.get(key)
    if local is not None:
        metrics.count("cache_hits")
        return local
    generation = LOCAL_CACHE.generation
    cached = await cache_aside.look(entry_key(key))
    if cached is None:
        fill = partial(cache_aside.fill_async, entry_key(key), partial(_loads(), key))
        answer = await _await_database(fill)
    else:
        answer = cache_aside.counted_hit(cached)
    # In this order, so that no link lasts longer than it may.
    steady_now, now = steady(), CLOCK.now()
    outcome = judge(answer.entry, now)
    if isinstance(outcome, Gone):
        LOCAL_CACHE.keep(key, outcome, generation=generation, until=None)
    elif isinstance(outcome, LinkRedirect) and not (outcome.is_limited or is_dead(outcome)):
        until = None if outcome.until is None else steady_now + outcome.until - now
        if isinstance(outcome, RedirectOrNotice):
            notice_end = steady_now + NOTICE_LIFE
            until = min(notice_end, until or notice_end)
        LOCAL_CACHE.keep(key, outcome, generation=generation, until=until)
    return outcome


async def from_database(work: Callable[[], T]) -> T:
    """Return the result of `work`, which runs in a thread; raises one of DATABASE_ERRORS."""
    return await _await_database(lambda: in_thread(work))


async def _await_database(ask: Callable[[], Awaitable[T]]) -> T:
    with DATABASE.around_call():
        async with asyncio.timeout(MAX_WAIT):
            return await ask()


def judge(entry: Entry, now: int) -> Outcome:
    """Return the outcome of an entry at `now`, in ns of the database's time. Pure."""
    if not isinstance(entry, CacheHit):
        return entry
    destination, until, is_limited, *notice = json.loads(entry.payload)
    if _has_ended(until, now):
        return Gone(LinkState.EXPIRED)
    if not destination.startswith(SCHEMES):
        return Gone(LinkState.DISABLED)
    if notice:
        dead = notice[0]
        return RedirectOrNotice(
            destination.encode("ascii"), until, is_limited, bool(dead), dead == _TO_COPY
        )
    return LinkRedirect(destination.encode("ascii"), until, is_limited)


def judge_again(outcome: Outcome) -> Outcome:
    """Return Gone if the redirect has ended since it was judged, otherwise the outcome."""
    if isinstance(outcome, LinkRedirect) and _has_ended(outcome.until, CLOCK.now()):
        return Gone(LinkState.EXPIRED)
    return outcome


def _has_ended(until: int | None, now: int) -> bool:
    return until is not None and until <= now


def is_dead(outcome: Outcome) -> bool:
    """Return whether the destination is dead, so that people get a notice or a copy."""
    return isinstance(outcome, RedirectOrNotice) and outcome.is_dead


def wants_copy(outcome: Outcome) -> bool:
    """Return whether everybody should get a copy of the dead destination, if there is one."""
    return isinstance(outcome, RedirectOrNotice) and outcome.wants_copy


def load(keys: Collection[str]) -> dict[str, Entry]:
    """Return the entries of keys from the database, without changing anything.

    It runs one statement each for the time, the links, the retired keys among the others, and the
    dead destinations of links with a notice.
    """
    now = CLOCK.measure()
    links = ShortURL.objects.in_bulk(keys)
    others = [key for key in keys if key not in links]
    retired = RetiredKey.objects.in_bulk(others) if others else {}
    entries: dict[str, Entry] = {key: Gone(row.reason) for key, row in retired.items()}
    dead = _dead_among(link.target_id for link in links.values() if link.has_notice)
    entries |= {
        key: _entry(link, now, is_dead=link.has_notice and link.target_id in dead)
        for key, link in links.items()
    }
    return {key: entries.get(key, Missing()) for key in keys}


def _dead_among(ids: Iterable[str | None]) -> set[str]:
    """Return which of these targets are dead; without ids, run no query."""
    if not (target_ids := set(ids)):
        return set()
    dead = Target.objects.filter(pk__among=target_ids, state=State.DEAD)
    return set(dead.values_list("pk", flat=True))


def _entry(link: ShortURL, now: datetime, *, is_dead: bool) -> Entry:
    state = link.state(now)
    if state is not LinkState.ACTIVE:
        return Gone(state)
    try:
        destination = location(link.long_url)
    except ValueError:
        logger.exception(
            "The link %s does not redirect: its URL is not http or https, or is a short link of "
            "this deployment",
            link.key,
        )
        return Gone(LinkState.DISABLED)
    until, life = None, None
    if link.expires_at is not None:
        until = nanoseconds(link.expires_at)
        life = (link.expires_at - now).total_seconds() + TOMBSTONE_LIFE
    payload = [destination, until, link.visits_left is not None]
    if link.has_notice:
        payload.append(_TO_COPY if is_dead and link.archive_when_gone else is_dead)
    return CacheHit(json.dumps(payload).encode(), expires_in=life)


class _CombinedLoads:
    """Combines the queries of the coroutines of one event loop.

    Each key keeps its own lock and token in Redis (see `cache_aside`); only the query is shared.
    """

    def __init__(self) -> None:
        self._pending: list[tuple[str, asyncio.Future[Entry]]] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def __call__(self, key: str) -> "asyncio.Future[Entry]":
        """Return a future with the entry of `key`, or with the error of `load`."""
        loop = asyncio.get_running_loop()
        entry: asyncio.Future[Entry] = loop.create_future()
        self._pending.append((key, entry))
        if len(self._tasks) < _MAX_LOADS:
            # It starts in the next tick, with all the keys of this tick.
            self._tasks.add(loop.create_task(self._load()))
        return entry

    async def _load(self) -> None:
        while self._pending:
            batch, self._pending = self._pending[:_BATCH_SIZE], self._pending[_BATCH_SIZE:]
            entries: dict[str, Entry] = {}
            error: Exception | None = None
            try:
                entries = await in_thread(partial(load, {key for key, _ in batch}))
            except Exception as failure:  # noqa: BLE001 (every waiting caller gets it)
                error = failure
            for key, entry in batch:
                if entry.done():  # its caller was cancelled
                    continue
                if error is None:
                    entry.set_result(entries[key])
                else:
                    entry.set_exception(error)
        # Here rather than in a done callback: a key requested in between would start no task, and
        # never be loaded.
        self._tasks.discard(cast("asyncio.Task[None]", asyncio.current_task()))


_loads = PerLoop(_CombinedLoads)


async def use_one_visit(key: str) -> bool:
    """Use one visit of a link with a visit limit; return False if the link is not active.

    Raises one of DATABASE_ERRORS; the visit is then not used, unless the wait ends during the
    commit.
    """
    wait_has_ended = threading.Event()

    def use() -> bool:
        with transaction.atomic():
            is_used = ShortURL.objects.use_one_visit(key, CLOCK.measure())
            if wait_has_ended.is_set():
                transaction.set_rollback(True)
        return is_used

    try:
        return await _check_or_forget(key, use)
    finally:
        wait_has_ended.set()


async def has_visits(key: str) -> bool:
    """Return whether a link with a visit limit is active and has visits left.

    Caches don't store this. Raises one of DATABASE_ERRORS.
    """
    return await _check_or_forget(
        key, lambda: ShortURL.objects.active(CLOCK.measure()).filter(pk=key).exists()
    )


async def _check_or_forget(key: str, check: Callable[[], bool]) -> bool:
    """Return the result of `check`, a query; if it is False, all caches forget the key."""
    if await from_database(check):
        return True
    await in_thread(lambda: forget([key]))
    return False


def forget(keys: Collection[str]) -> None:
    """Make every cache forget these keys, after a change has been committed. Never raises.

    This process forgets them immediately. While Redis is unavailable, other processes keep their
    local entries until these expire; `INVALIDATION` catches up when Redis is back.
    """
    with INVALIDATION.best_effort():
        invalidate(keys)


def invalidate(keys: Collection[str]) -> None:
    """Make every cache forget these keys; raises redis.RedisError if a cache may have missed it."""
    try:
        cache_aside.invalidate(entry_key(key) for key in keys)
    finally:
        LOCAL_CACHE.drop(keys)
    client().publish(CHANNEL, " ".join(keys))


def forget_absence(keys: Collection[str]) -> None:
    """Make Redis forget that these new keys were absent; processes do not remember absent keys."""
    with INVALIDATION.best_effort():
        cache_aside.invalidate(entry_key(key) for key in keys)


def forget_reaped(keys: Sequence[str]) -> None:
    """Delete the entries and counters of reaped links from Redis, and later their history.

    Raises redis.RedisError.
    """
    client().unlink(*(entry_key(key).entry for key in keys))
    counters.forget(client(), [short_subject(key) for key in keys])


def _changed_since(time: datetime) -> Iterator[str]:
    """Yield the keys that caches had to forget since `time`: not reaped links, which had ended."""
    targets = Event.objects.targets_that_entered_or_left(State.DEAD, since=time - MAX_COMMIT_DELAY)
    for rows in (
        ShortURL.objects.filter(changed_at__gte=time),
        ShortURL.objects.with_notice(targets),
        RetiredKey.objects.filter(retired_at__gte=time, reason=Reason.DELETED),
    ):
        yield from rows.order_by().values_list("pk", flat=True).iterator()


INVALIDATION = Invalidation("short links", forget=invalidate, changed_since=_changed_since)


@asynccontextmanager
async def listening() -> AsyncIterator[None]:
    """Receive the keys that other processes forget, and keep CLOCK up to date."""
    subscription = PubSubSubscription(CHANNEL, on_message=drop, on_connect=drop_all)
    time_keeper = asyncio.create_task(_keep_time())
    try:
        async with subscription.listening(), INVALIDATION.healing():
            yield
    finally:
        await cancel(time_keeper)


def drop(data: bytes) -> None:
    """Drop from the local cache the keys in a message from another process."""
    LOCAL_CACHE.drop(data.decode().split())


async def drop_all() -> None:
    """Drop all keys, because messages, or changes in Redis, may have been lost."""
    LOCAL_CACHE.clear()
    INVALIDATION.is_due.set()


async def _keep_time() -> None:
    while True:
        with suppress(*DATABASE_ERRORS):
            await from_database(CLOCK.measure)
        await asyncio.sleep(_MEASURE_INTERVAL)
