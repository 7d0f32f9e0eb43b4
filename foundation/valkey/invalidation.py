"""Self-healing invalidation of caches: after each commit, repeated until it succeeds.

A crash between a commit and its invalidation leaves an old value, as does an outage of Redis.
Therefore, every minute a task invalidates everything that changed since its last success. The time
of that success is stored in Redis itself: if Redis returns with data from an hour ago, the
invalidations of that hour are repeated. A replica that takes over may have missed the latest
ones; they are repeated before this process reads from it (ADR 37).
"""

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime, timedelta
from itertools import islice
from typing import cast

import redis
from django.db import Error as AnyDatabaseError

from foundation.cancelling import cancel
from foundation.database.clock import database_now
from foundation.database.thread_pool import in_thread
from foundation.valkey.clients import client
from foundation.valkey.resp import calls
from foundation.valkey.scripts import ALSO_WHEN_FULL, Script

logger = logging.getLogger(__name__)

MAX_COMMIT_DELAY = timedelta(minutes=3)  # a change may become visible this long after its timestamp
PAUSE = 0.5  # seconds between attempts of a process with pending invalidations
_BATCH_SIZE = 1000  # keys
_STORE_INTERVAL = timedelta(minutes=10)  # between writes of the time while nothing changes

# Must work even when Redis is full: otherwise, the same changes would be invalidated every minute.
_STORE = Script(ALSO_WHEN_FULL, "redis.call('SET', KEYS[1], ARGV[1])")


class Invalidation:
    """The invalidation of one kind of object, and the objects that have changed.

    `forget` invalidates the cache entries of these keys, and raises redis.RedisError;
    `changed_since` returns the keys of everything changed or deleted at that database time or
    later.
    """

    def __init__(
        self,
        name: str,
        *,
        forget: Callable[[list[str]], None],
        changed_since: Callable[[datetime], Iterable[str]],
    ) -> None:
        self.name = name
        self._forget = forget
        self._changed_since = changed_since
        self._key = f"invalidated:{name}"  # the time up to which changes have been invalidated
        # Set if a change was not invalidated, or if Redis may have old values again.
        self.is_due = threading.Event()

    @contextmanager
    def best_effort(self) -> Iterator[None]:
        """Run an invalidation in the block, after a commit; a failed one is repeated later."""
        try:
            yield
        except redis.RedisError as error:
            self.is_due.set()
            logger.warning("Changed %s have not been invalidated yet: %s", self.name, error)

    def repeat(self, now: datetime) -> int:
        """Invalidate everything that changed since the time stored in Redis; return how many keys.

        Begins MAX_COMMIT_DELAY before that time, or before `now` if no time is stored. May run
        concurrently. Raises redis.RedisError and database errors.
        """
        last = cast("bytes | None", client().get(self._key))
        since = now if last is None else min(now, datetime.fromisoformat(last.decode()))
        changed, count = iter(self._changed_since(since - MAX_COMMIT_DELAY)), 0
        while keys := list(islice(changed, _BATCH_SIZE)):
            self._forget(keys)
            count += len(keys)
        if count or last is None or now - since > _STORE_INTERVAL:
            _STORE.call(client(), [self._key], now.isoformat())
        return count

    async def _catch_up(self) -> None:
        try:
            await in_thread(lambda: self.repeat(database_now()))
        except (AnyDatabaseError, OSError) as error:
            raise redis.ConnectionError(
                "It is unknown which invalidations this Redis has missed."
            ) from error

    @asynccontextmanager
    async def healing(self) -> AsyncIterator[None]:
        """In the block, retry this process's failed invalidations at once, not only every minute.

        Calls of this event loop to a new server wait until it has caught up.
        """

        async def heal() -> None:
            while True:
                if self.is_due.is_set():
                    self.is_due.clear()
                    try:
                        await in_thread(lambda: self.repeat(database_now()))
                    except (redis.RedisError, AnyDatabaseError, OSError):
                        self.is_due.set()
                await asyncio.sleep(PAUSE)

        task = asyncio.create_task(heal())
        try:
            with calls().before_first_call(self._catch_up):
                yield
        finally:
            await cancel(task)
