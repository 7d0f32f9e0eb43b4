"""The answers to made-up neighbours: one request a week for each folder with several targets.

Cached in the process, and in Valkey for all processes. Without Valkey, none is requested. Source:
docs/verdicts.md, *same for all*.
"""

import hashlib
import logging
import time
from collections.abc import Awaitable, Callable

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import Q

from checker.engine.neighbours import ASK
from foundation.valkey import scripts
from foundation.valkey.clients import async_client
from targets.models import Target

logger = logging.getLogger(__name__)

LASTS = 7 * 24 * 3600  # seconds that an answer is remembered
FEWEST = 3  # targets of a folder whose neighbour is requested
_FEW_LASTS = 3600.0  # seconds until a folder with fewer is counted again
_BETWEEN = 0.1  # seconds between two lookups of a process, because each queries the database
_REST = 60.0  # seconds without lookups after a failure of Valkey
_REMEMBERED = 20_000  # folders
_KEY = "neighbour:"  # and the folder's digest

InDatabase = Callable[[Callable[[], bool]], Awaitable[bool]]


class FolderMemory:
    """A process's cache of folders; bounded. Times are monotonic seconds."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._known: dict[int, tuple[str, float]] = {}  # and expiry, by hash; oldest first
        self._clock = clock
        self._next_look_up = 0.0

    def may_look_up(self) -> bool:
        """Return whether a folder may be looked up now; if so, the next lookup must wait."""
        now = self._clock()
        if now < self._next_look_up:
            return False
        self._next_look_up = now + _BETWEEN
        return True

    def rest(self) -> None:
        """Prevent lookups for a minute."""
        self._next_look_up = self._clock() + _REST

    def clear(self) -> None:
        """Forget everything."""
        self._known.clear()
        self._next_look_up = 0.0

    def recall(self, folder: str) -> str | None:
        """Return the cached answer of a folder, or None."""
        known, until = self._known.get(hash(folder), (None, 0.0))
        return known if self._clock() < until else None

    def remember(self, folder: str, known: str, *, seconds: float = LASTS) -> None:
        """Cache a folder's answer for `seconds`."""
        key = hash(folder)
        self._known.pop(key, None)
        self._known[key] = (known, self._clock() + seconds)
        if len(self._known) > _REMEMBERED:
            del self._known[next(iter(self._known))]


MEMORY = FolderMemory()  # belongs to the process, which outlives its workers


class FolderCache:
    """The folders of one worker. `in_database` runs a function in the worker's thread."""

    def __init__(self, *, in_database: InDatabase, memory: FolderMemory = MEMORY) -> None:
        self._in_database = in_database
        self._memory = memory

    async def look_up(self, folder: str) -> str:
        """Return the `fingerprint` of the answer to a made-up neighbour in the folder.

        ASK: there is no answer from the last week, and the caller should get one. Empty: nothing to
        compare with, too few targets, no Valkey, or this process has just looked up another folder;
        a later check tries again.
        """
        known = self._memory.recall(folder)
        if known is not None:
            return known
        if not settings.REDIS_URL or not self._memory.may_look_up():
            return ""
        try:
            return await self._look_further(folder)
        except redis.RedisError:
            self._memory.rest()
            return ""
        except DatabaseError:
            logger.exception("The targets of a folder could not be counted")
            return ""

    async def remember(self, folder: str, fingerprint: str) -> None:
        """Cache the answer to a made-up neighbour in the folder, for all processes."""
        self._memory.remember(folder, fingerprint)
        try:
            with scripts.BREAKER.around_call():
                await async_client().set(_key(folder), fingerprint, ex=LASTS)
        except redis.RedisError:
            self._memory.rest()

    async def _look_further(self, folder: str) -> str:
        with scripts.BREAKER.around_call():
            known = await async_client().get(_key(folder))
        if known is not None:
            known = known.decode() if isinstance(known, bytes) else known
            self._memory.remember(folder, known)
            return known
        if not await self._in_database(lambda: has_several_targets(folder)):
            self._memory.remember(folder, "", seconds=_FEW_LASTS)
            return ""
        with scripts.BREAKER.around_call():
            is_first = await async_client().set(_key(folder), "", ex=LASTS, nx=True)
        self._memory.remember(folder, "")
        return ASK if is_first else ""


def has_several_targets(folder: str) -> bool:
    """Return whether at least FEWEST targets have this prefix; reads as many rows."""
    # Both use an index: PostgreSQL's for LIKE, SQLite's order of bytes.
    within = Q(canonical_url__startswith=folder)
    if connection.vendor == "sqlite":
        after = folder[:-1] + chr(ord(folder[-1]) + 1)
        within = Q(canonical_url__gte=folder, canonical_url__lt=after)
    return len(Target.objects.filter(within).values_list("pk")[:FEWEST]) == FEWEST


def _key(folder: str) -> str:
    return _KEY + hashlib.blake2b(folder.encode(), digest_size=12).hexdigest()
