"""Makes room in a full Redis: drops cached entries in favour of data that exists only there.

The bundled Valkey has a `maxmemory` and evicts nothing by itself (`noeviction`), because none of
its policies distinguishes cached entries from counts, a stream's batch number or locks, which also
expire. Instead, a process whose views Redis rejects makes room (ADR 39).
"""

from typing import Any, cast

import redis

# Prefixes of cache entries (`cache_aside.Key`), whose source is the database.
CACHES = (b"snippet:", b"meta:", b"short:")
_FREE = 0.1  # share of maxmemory
_LOOKED_AT = 1000  # keys
_AT_ONCE = 100  # keys; more of large entries would empty a small cache


def make_room(client: "redis.Redis") -> int:
    """Drop cached entries until a tenth of the memory is free; return how many.

    Entries are chosen at random. At worst, scans all keys. Raises redis.RedisError.
    """
    dropped, cursor = 0, 0
    while True:
        cursor, keys = cast("Any", client.scan(cursor, count=_LOOKED_AT))
        cached = [key for key in keys if key.startswith(CACHES)]
        for start in range(0, len(cached), _AT_ONCE):
            if not _is_short(client):
                return dropped
            client.unlink(*(some := cached[start : start + _AT_ONCE]))
            dropped += len(some)
        if not cursor:
            return dropped


def _is_short(client: "redis.Redis") -> bool:
    memory = cast("Any", client.info("memory"))
    return bool(memory["used_memory"] > (1 - _FREE) * memory["maxmemory"] > 0)
