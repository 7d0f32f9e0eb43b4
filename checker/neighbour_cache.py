"""The responses to made-up neighbours: one request a week for each folder with several targets.

They are cached in the process, and in Valkey for all processes. Without Valkey, no request is made.
Source: docs/verdicts.md, *same for all*.
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

MAX_AGE = 7 * 24 * 3600  # seconds for which a response is remembered
MIN_TARGETS = 3  # in a folder; with fewer, no neighbour is requested
# Seconds until the next lookup of a folder that has fewer targets, or whose neighbour is being
# requested, because that request may fail.
_RETRY_AFTER = 3600
_MIN_INTERVAL = 0.1  # seconds between a process's lookups, because each queries the database
_PAUSE_AFTER_FAILURE = 60.0  # seconds without lookups after a failure of Valkey
_MAX_FOLDERS = 20_000  # folders in a process's cache
_KEY = "neighbour:"  # followed by the folder's digest

InDatabase = Callable[[Callable[[], bool]], Awaitable[bool]]


class FolderMemory:
    """A process's cache of folders; bounded. Times are monotonic seconds."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._fingerprints: dict[int, tuple[str, float]] = {}  # with expiry, by hash; oldest first
        self._clock = clock
        self._next_look_up = 0.0

    def may_look_up(self) -> bool:
        """Return whether a folder may be looked up now; if so, the next must wait _MIN_INTERVAL."""
        now = self._clock()
        if now < self._next_look_up:
            return False
        self._next_look_up = now + _MIN_INTERVAL
        return True

    def pause(self) -> None:
        """Prevent lookups for a minute."""
        self._next_look_up = self._clock() + _PAUSE_AFTER_FAILURE

    def clear(self) -> None:
        """Forget everything."""
        self._fingerprints.clear()
        self._next_look_up = 0.0

    def recall(self, folder: str) -> str | None:
        """Return the cached fingerprint for a folder, or None."""
        fingerprint, until = self._fingerprints.get(hash(folder), (None, 0.0))
        return fingerprint if self._clock() < until else None

    def remember(self, folder: str, fingerprint: str, *, seconds: float = MAX_AGE) -> None:
        """Cache the fingerprint for a folder for `seconds`."""
        key = hash(folder)
        self._fingerprints.pop(key, None)
        self._fingerprints[key] = (fingerprint, self._clock() + seconds)
        if len(self._fingerprints) > _MAX_FOLDERS:
            del self._fingerprints[next(iter(self._fingerprints))]


MEMORY = FolderMemory()  # belongs to the process, which outlives its workers


class FolderCache:
    """One worker's access to the caches. `in_database` runs a function in its database thread."""

    def __init__(self, *, in_database: InDatabase, memory: FolderMemory = MEMORY) -> None:
        self._in_database = in_database
        self._memory = memory

    async def look_up(self, folder: str) -> str:
        """Return the `fingerprint` of the response for a made-up neighbour in the folder.

        Returns ASK if nobody has requested a neighbour in the last week: the caller should. Returns
        an empty string if there is nothing to compare with: the folder has too few targets, another
        request is in progress or has no fingerprint, Valkey or the database is unavailable, or this
        process has just looked up another folder.
        """
        fingerprint = self._memory.recall(folder)
        if fingerprint is not None:
            return fingerprint
        if not settings.REDIS_URL or not self._memory.may_look_up():
            return ""
        try:
            return await self._look_up_shared(folder)
        except redis.RedisError:
            self._memory.pause()
            return ""
        except DatabaseError:
            logger.exception("The targets of a folder could not be counted")
            return ""

    async def remember(self, folder: str, fingerprint: str) -> None:
        """Cache the fingerprint of the folder's made-up neighbour, in Valkey, too, if possible."""
        self._memory.remember(folder, fingerprint)
        try:
            with scripts.BREAKER.around_call():
                await async_client().set(_key(folder), fingerprint, ex=MAX_AGE)
        except redis.RedisError:
            self._memory.pause()

    async def _look_up_shared(self, folder: str) -> str:
        with scripts.BREAKER.around_call():
            fingerprint = await async_client().get(_key(folder))
        if fingerprint is not None:
            fingerprint = fingerprint.decode() if isinstance(fingerprint, bytes) else fingerprint
            if fingerprint != ASK:
                self._memory.remember(folder, fingerprint)
                return fingerprint
        is_first = False
        if fingerprint is None and await self._in_database(lambda: has_several_targets(folder)):
            with scripts.BREAKER.around_call():
                key = _key(folder)
                is_first = bool(await async_client().set(key, ASK, ex=_RETRY_AFTER, nx=True))
        self._memory.remember(folder, "", seconds=_RETRY_AFTER)
        return ASK if is_first else ""


def has_several_targets(folder: str) -> bool:
    """Return whether at least MIN_TARGETS targets have this prefix; read no more."""
    # Both conditions use an index: PostgreSQL's for LIKE, SQLite's in byte order.
    in_folder = Q(canonical_url__startswith=folder)
    if connection.vendor == "sqlite":
        end = folder[:-1] + chr(ord(folder[-1]) + 1)
        in_folder = Q(canonical_url__gte=folder, canonical_url__lt=end)
    return len(Target.objects.filter(in_folder).values_list("pk")[:MIN_TARGETS]) == MIN_TARGETS


def _key(folder: str) -> str:
    return _KEY + hashlib.blake2b(folder.encode(), digest_size=12).hexdigest()
