"""Invalidation of caches that heals itself: after each commit, and again until it went well.

A crash between a commit and its invalidation leaves an old value behind, and so does a Redis that
is out of reach. So a task invalidates each minute again all that has changed since the last time
that went well. That time is kept in the very Redis that it is about: one that comes back with what
it held an hour ago gets the changes of that hour. So is a replica that takes over, which may
not have heard the last: before this process reads from it (ADR 37).
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

from foundation.cancelling import cancelled
from foundation.database.clock import database_now
from foundation.database.thread_pool import in_thread
from foundation.valkey.clients import client
from foundation.valkey.resp import calls

logger = logging.getLogger(__name__)

LATE = timedelta(minutes=3)  # a change may become visible so long after the time that it bears
PAUSE = 0.5  # seconds between attempts of a process that knows that something is due
_AT_ONCE = 1000  # keys
_UNNOTED = timedelta(minutes=10)  # without any change need not be noted


class Invalidation:
    """What to forget of one kind of things, and which of them have changed.

    `forget` invalidates what is cached by these keys, and raises redis.RedisError; `changed_since`
    returns the keys of all that was changed or deleted at that time of the database or later.
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
        self._key = f"invalidated:{name}"  # until when all changes have been
        # Set: a change was not invalidated, or Redis may hold again what it held before one.
        self.is_due = threading.Event()

    @contextmanager
    def best_effort(self) -> Iterator[None]:
        """Let the block invalidate after a commit; what Redis does not get now it gets later."""
        try:
            yield
        except redis.RedisError as error:
            self.is_due.set()
            logger.warning("Changed %s have yet to be invalidated: %s", self.name, error)

    def repeat(self, now: datetime) -> int:
        """Invalidate again all that changed since the last time; returns how many keys.

        May run twice at once. Raises redis.RedisError.
        """
        last = cast("bytes | None", client().get(self._key))
        since = now if last is None else min(now, datetime.fromisoformat(last.decode()))
        changed, count = iter(self._changed_since(since - LATE)), 0
        while keys := list(islice(changed, _AT_ONCE)):
            self._forget(keys)
            count += len(keys)
        if count or last is None or now - since > _UNNOTED:
            client().set(self._key, now.isoformat())
        return count

    async def _tell(self) -> None:
        try:
            await in_thread(lambda: self.repeat(database_now()))
        except (AnyDatabaseError, OSError) as error:
            raise redis.ConnectionError("Nobody knows what this Redis has not heard.") from error

    @asynccontextmanager
    async def healing(self) -> AsyncIterator[None]:
        """Repeat at once what this process knows to be due; the task may take a minute for it.

        No server is asked by this event loop before it has got all changes.
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
            with calls().meet(self._tell):
                yield
        finally:
            await cancelled(task)
