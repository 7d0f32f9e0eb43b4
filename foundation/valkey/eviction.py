"""Makes room in a full Redis: drops cached entries in favor of data that only Redis has.

The bundled Valkey has a `maxmemory` and evicts nothing by itself (`noeviction`), because none of
its policies distinguishes cached entries from counts, a stream's batch number or locks, which also
expire. Instead, a process makes room when Redis rejects its page views (ADR 39).
"""

from typing import Any, cast

import redis

# Prefixes of cache entries (`cache_aside.Key`), whose source is the database.
CACHE_PREFIXES = (b"snippet:", b"meta:", b"short:")
_FREE_SHARE = 0.1  # of maxmemory
_SCAN_COUNT = 1000  # keys
_BATCH_SIZE = 100  # keys; with large entries, a bigger batch could empty a small cache


def make_room(client: "redis.Redis") -> int:
    """Drop cached entries until a tenth of the memory is free; return how many.

    Drops entries in no particular order, and none if there is no `maxmemory`. At worst, scans all
    keys. Raises redis.RedisError.
    """
    dropped, cursor = 0, 0
    while True:
        cursor, keys = cast("Any", client.scan(cursor, count=_SCAN_COUNT))
        cached = [key for key in keys if key.startswith(CACHE_PREFIXES)]
        for start in range(0, len(cached), _BATCH_SIZE):
            if not _is_memory_short(client):
                return dropped
            client.unlink(*(batch := cached[start : start + _BATCH_SIZE]))
            dropped += len(batch)
        if not cursor:
            return dropped


def _is_memory_short(client: "redis.Redis") -> bool:
    memory = cast("Any", client.info("memory"))
    return bool(memory["used_memory"] > (1 - _FREE_SHARE) * memory["maxmemory"] > 0)
