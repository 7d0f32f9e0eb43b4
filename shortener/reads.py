"""Reading links fast: this process's memory, then Redis, then the database, never more than needed.

    short:{key}        the entry of a key (see foundation.valkey.cache_aside)
    short:forget       channel: keys, separated by spaces, that every process is to forget

Whether a link has ended is judged on each read by its own `expires_at` and the database's clock,
whatever a cache says; no read deletes anything. An entry outlives its link's end by TOMBSTONE_LIFE
and is its tombstone then: a viral link that expires costs the database nothing for an hour.
Source: docs/requirements.md#expiry-reads, #expiry-tombstones.
"""

import asyncio
import json
import logging
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

import redis
from django.db import InterfaceError, OperationalError

from analytics import counters
from analytics.stream import short_subject
from foundation.breaker import Breaker
from foundation.cancelling import cancelled
from foundation.database.clock import DatabaseClock, nanoseconds, steady
from foundation.database.thread_pool import in_thread
from foundation.per_loop import PerLoop
from foundation.valkey import cache_aside, metrics
from foundation.valkey.cache_aside import TOMBSTONE_LIFE, CacheHit, Entry, Gone, Key, Missing
from foundation.valkey.channels import PubSubSubscription
from foundation.valkey.clients import client
from foundation.valkey.invalidation import LATE, Invalidation
from outbox.models import Event
from shortener.destinations import SCHEMES, location
from shortener.local_cache import LocalCache
from shortener.models import LinkState, Reason, RetiredKey, ShortURL
from targets.models import Target
from targets.state import State

logger = logging.getLogger(__name__)
T = TypeVar("T")

CHANNEL = "short:forget"
LONGEST_WAIT = 5.0  # seconds for the database; then it counts as out of reach
TELLING_LIFE = 1_000_000_000  # ns
_MEASURE_EVERY = 30.0  # seconds
_AT_ONCE = 100  # keys that one load asks for
_LOADS = 2  # under way at once: one that hangs does not hold up all others


class DatabaseAwayError(Exception):
    """The database was out of reach a moment ago, so it was not asked."""


@dataclass(frozen=True, slots=True)
class LinkRedirect:
    """Where a link leads, until when (ns since 1970), and whether its visits are limited."""

    location: bytes
    until: int | None
    is_limited: bool


@dataclass(frozen=True, slots=True)
class RedirectOrNotice(LinkRedirect):
    """A link of which people are told while its destination is dead.

    It is in the local cache for TELLING_LIFE only, and not at all while that is so.
    """

    is_gone: bool


Outcome = LinkRedirect | Gone | Missing

CLOCK = DatabaseClock()
LOCAL_CACHE: LocalCache[Outcome] = LocalCache()
DATABASE = Breaker(
    "The database",
    failures=(OperationalError, InterfaceError),
    open_error=DatabaseAwayError,
)
# What reading may raise.
AWAY: tuple[type[Exception], ...] = (DatabaseAwayError, *DATABASE.failures)


def entry_key(key: str) -> Key:
    """Return the names in Redis of what is known of `key`."""
    return Key(f"short:{key}")


async def follow(key: str) -> Outcome:
    """Return where `key` leads just now, if anywhere. Raises one of AWAY for what is not cached."""
    near = LOCAL_CACHE.get(key)
    if near is not None:
        metrics.count("cache_hits")
        return near
    generation = LOCAL_CACHE.generation
    found = await cache_aside.look(entry_key(key))
    if found is None:
        fill = partial(cache_aside.fill_soon, entry_key(key), partial(_loads(), key))
        answer = await _guarded(fill)
    else:
        answer = cache_aside.hit(found)
    at, now = steady(), CLOCK.now()  # in this order: what passes in between is the link's loss
    outcome = judge(answer.entry, now)
    if isinstance(outcome, Gone):
        LOCAL_CACHE.keep(key, outcome, generation=generation, until=None)
    elif isinstance(outcome, LinkRedirect) and not (outcome.is_limited or is_gone(outcome)):
        until = None if outcome.until is None else at + outcome.until - now
        if isinstance(outcome, RedirectOrNotice):
            until = min(at + TELLING_LIFE, until or at + TELLING_LIFE)
        LOCAL_CACHE.keep(key, outcome, generation=generation, until=until)
    return outcome


async def from_database(work: Callable[[], T]) -> T:
    """Return what `work` reads or writes, run in a thread; raises one of AWAY."""
    return await _guarded(lambda: in_thread(work))


async def _guarded(ask: Callable[[], Awaitable[T]]) -> T:
    with DATABASE.around_call():
        async with asyncio.timeout(LONGEST_WAIT):
            return await ask()


def judge(entry: Entry, now: int) -> Outcome:
    """Return what an entry means at `now`, in ns of the database's time. Pure."""
    if not isinstance(entry, CacheHit):
        return entry
    target, until, is_limited, *telling = json.loads(entry.payload)
    if until is not None and until <= now:
        return Gone(LinkState.EXPIRED)
    if not target.startswith(SCHEMES):
        return Gone(LinkState.DISABLED)
    if telling:
        return RedirectOrNotice(target.encode("ascii"), until, is_limited, *telling)
    return LinkRedirect(target.encode("ascii"), until, is_limited)


def is_gone(outcome: Outcome) -> bool:
    """Tell whether people are to be told that the destination is dead."""
    return isinstance(outcome, RedirectOrNotice) and outcome.is_gone


def load(keys: Collection[str]) -> dict[str, Entry]:
    """Return the entries of keys from the database; changes nothing there.

    Asks for the time, for the links in one statement, and in others for keys that are none and for
    destinations whose death is told.
    """
    now = CLOCK.measure()
    links = ShortURL.objects.in_bulk(keys)
    others = [key for key in keys if key not in links]
    retired = RetiredKey.objects.in_bulk(others) if others else {}
    entries: dict[str, Entry] = {key: Gone(row.reason) for key, row in retired.items()}
    dead = _dead(link.target_id for link in links.values() if link.tells_when_gone)
    entries |= {
        key: _entry(link, now, is_gone=link.tells_when_gone and link.target_id in dead)
        for key, link in links.items()
    }
    return {key: entries.get(key, Missing()) for key in keys}


def _dead(ids: Iterable[str | None]) -> set[str]:
    """Return which of these targets are dead; asks for none if there are none."""
    if not (asked := set(ids)):
        return set()
    dead = Target.objects.filter(pk__among=asked, state=State.DEAD)
    return set(dead.values_list("pk", flat=True))


def _entry(link: ShortURL, now: datetime, *, is_gone: bool) -> Entry:
    state = link.state(now)
    if state is not LinkState.ACTIVE:
        return Gone(state)
    try:
        target = location(link.long_url)
    except ValueError:
        logger.exception("The link %s is not followed: no web address, or one of ours", link.key)
        return Gone(LinkState.DISABLED)
    until, life = None, None
    if link.expires_at is not None:
        until = nanoseconds(link.expires_at)
        life = (link.expires_at - now).total_seconds() + TOMBSTONE_LIFE
    payload = [target, until, link.visits_left is not None]
    if link.tells_when_gone:
        payload.append(is_gone)
    return CacheHit(json.dumps(payload).encode(), expires_in=life)


class _Loads:
    """Keys that coroutines of one loop ask the database for: those that come together go together.

    Each keeps its own lock and token in Redis (see `cache_aside`): only the asking is shared.
    """

    def __init__(self) -> None:
        self._asked: list[tuple[str, asyncio.Future[Entry]]] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def __call__(self, key: str) -> "asyncio.Future[Entry]":
        """Return what will be the entry of `key`, or what `load` raises."""
        loop = asyncio.get_running_loop()
        entry: asyncio.Future[Entry] = loop.create_future()
        self._asked.append((key, entry))
        if len(self._tasks) < _LOADS:
            task = loop.create_task(self._load())  # in the next tick: others of this one go along
            self._tasks.add(task)
        return entry

    async def _load(self) -> None:
        while self._asked:
            batch, self._asked = self._asked[:_AT_ONCE], self._asked[_AT_ONCE:]
            found: dict[str, Entry] = {}
            error: Exception | None = None
            try:
                found = await in_thread(partial(load, {key for key, _ in batch}))
            except Exception as failure:  # noqa: BLE001 (it is told to all who wait)
                error = failure
            for key, entry in batch:
                if entry.done():  # its caller has gone
                    continue
                if error is None:
                    entry.set_result(found[key])
                else:
                    entry.set_exception(error)
        # Now, not when the loop comes to it: a key that is asked for until then would have no load.
        self._tasks.discard(cast("asyncio.Task[None]", asyncio.current_task()))


_loads = PerLoop(_Loads)


async def use_one_visit(key: str) -> bool:
    """Count a visit of a link whose visits are limited; False if it has none left.

    Raises one of AWAY.
    """
    return await _or_forget(key, lambda: ShortURL.objects.use_one_visit(key, CLOCK.measure()))


async def has_visits(key: str) -> bool:
    """Tell whether a link whose visits are limited has any left; what is cached can't know.

    Raises one of AWAY.
    """
    return await _or_forget(
        key, lambda: ShortURL.objects.active(CLOCK.measure()).filter(pk=key).exists()
    )


async def _or_forget(key: str, look: Callable[[], bool]) -> bool:
    """Return what `look` finds in the database; where it finds nothing, so do all caches then."""
    if await from_database(look):
        return True
    await in_thread(lambda: forget([key]))
    return False


def forget(keys: Collection[str]) -> None:
    """Let every cache forget these keys, after a change was committed. Never raises.

    This process does so at once. While Redis is out of reach others wait for the end of what they
    have in the local cache; once it is back, `INVALIDATION` makes up for it.
    """
    with INVALIDATION.best_effort():
        invalidate(keys)


def invalidate(keys: Collection[str]) -> None:
    """Let every cache forget these keys; raises redis.RedisError if not all can be told."""
    try:
        cache_aside.invalidate(entry_key(key) for key in keys)
    finally:
        LOCAL_CACHE.drop(keys)
    client().publish(CHANNEL, " ".join(keys))


def forget_absence(keys: Collection[str]) -> None:
    """Let Redis forget these keys; enough for new ones, whose absence no process remembers."""
    with INVALIDATION.best_effort():
        cache_aside.invalidate(entry_key(key) for key in keys)


def forget_reaped(keys: Sequence[str]) -> None:
    """Make room in Redis, if it is there: what it knows of reaped links is true, but of no use."""
    with suppress(redis.RedisError):
        client().unlink(*(entry_key(key).entry for key in keys))
        counters.forget(client(), [short_subject(key) for key in keys])


def _changed_since(time: datetime) -> Iterator[str]:
    """Yield the keys of links that caches had to be told of; the reaped had ended before."""
    targets = Event.objects.targets_in_or_out_of(State.DEAD, since=time - LATE)
    for rows in (
        ShortURL.objects.filter(changed_at__gte=time),
        ShortURL.objects.telling(targets),
        RetiredKey.objects.filter(retired_at__gte=time, reason=Reason.DELETED),
    ):
        yield from rows.order_by().values_list("pk", flat=True).iterator()


INVALIDATION = Invalidation("short links", forget=invalidate, changed_since=_changed_since)


@asynccontextmanager
async def listening() -> AsyncIterator[None]:
    """Hear what other processes forget, and keep the database's time at hand, until left."""
    subscription = PubSubSubscription(CHANNEL, on_message=drop, on_connect=drop_all)
    time_keeper = asyncio.create_task(_keep_time())
    try:
        async with subscription.listening(), INVALIDATION.healing():
            yield
    finally:
        await cancelled(time_keeper)


def drop(data: bytes) -> None:
    """Drop the keys that another process has forgotten from this process's memory."""
    LOCAL_CACHE.drop(data.decode().split())


async def drop_all() -> None:
    """Drop all keys: messages may have been missed, and Redis may have lost what it was told."""
    LOCAL_CACHE.clear()
    INVALIDATION.is_due.set()


async def _keep_time() -> None:
    while True:
        with suppress(*AWAY):
            await from_database(CLOCK.measure)
        await asyncio.sleep(_MEASURE_EVERY)
