"""Deliveries of the consumer group: which worker has which entries.

Source: docs/requirements.md#snippets-workers.
"""

from dataclasses import dataclass
from typing import Any, cast

import redis
from django.conf import settings

from analytics import dead_letters
from analytics.stream import STREAM, WAITING
from foundation.valkey import metrics
from foundation.valkey.scripts import ALSO_WHEN_FULL, Script

Entry = tuple[str, dict[bytes, bytes]]

CLAIM_AFTER = 15_000  # milliseconds after which the worker of an uncounted entry is presumed dead
MAX_DELIVERIES = 5  # an entry delivered this many times probably crashes its workers
_STALE_AFTER = 3_600_000  # milliseconds of silence after which a worker is forgotten
_TAKEOVER_SIZE = 100  # entries

_ENSURE = Script(
    ALSO_WHEN_FULL,
    "redis.call('XGROUP', 'CREATE', KEYS[1], ARGV[1], '0', 'MKSTREAM')",
)
_TAKE_OVER = Script(
    dead_letters.BURY,
    """
    -- KEYS: stream, dead letters, waiting.
    -- ARGV: group, consumer, CLAIM_AFTER, cursor, MAX_DELIVERIES, _TAKEOVER_SIZE.
    -- Takes over entries without counting a delivery: `redeliver` counts it.
    -- Returns the next cursor, the ids of entries to count, and how many entries were buried.
    local stream, dead, waiting = unpack(KEYS)
    local reply = redis.call('XAUTOCLAIM', stream, ARGV[1], ARGV[2], ARGV[3], ARGV[4],
      'COUNT', ARGV[6], 'JUSTID')
    local ready, buried = {}, 0
    for _, id in ipairs(reply[2]) do
      local pending = redis.call('XPENDING', stream, ARGV[1], id, id, 1)[1]
      if pending and pending[4] >= tonumber(ARGV[5]) then
        local reason, deliveries = 'delivered too often', pending[4]
        buried = buried + bury(stream, dead, waiting, ARGV[1], id, reason, deliveries)
      elseif pending then
        ready[#ready + 1] = id
      end
    end
    return {reply[1], ready, buried}
    """,
)
_UNDO_DELIVERY = Script(
    """
    -- KEYS: stream. ARGV: group, consumer, id. With JUSTID, XCLAIM counts no delivery of its own.
    local pending = redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[3], ARGV[3], 1)[1]
    if pending and pending[4] > 0 then
      redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, ARGV[3],
        'RETRYCOUNT', pending[4] - 1, 'JUSTID')
    end
    """
)
_TRIM = Script(
    """
    -- KEYS: stream, waiting, counts. ARGV: group.
    -- Trims counted entries: all before the oldest uncounted one, by whole nodes; without a LIMIT
    -- of 0, at most 10,000 at once. If no entry is uncounted, but events are waiting, another
    -- process trimmed these before they were counted: they are lost.
    local first = redis.call('XPENDING', KEYS[1], ARGV[1])[2]
    for _, group in ipairs(redis.call('XINFO', 'GROUPS', KEYS[1])) do
      local info = {}
      for i = 1, #group, 2 do info[group[i]] = group[i + 1] end
      if info['name'] == ARGV[1] and not first then
        first = info['last-delivered-id']
        if #redis.call('XRANGE', KEYS[1], '(' .. first, '+', 'COUNT', 1) == 0 then
          local lost = tonumber(redis.call('GETDEL', KEYS[2]) or 0)
          if lost > 0 then redis.call('HINCRBY', KEYS[3], 'events_lost', lost) end
        end
      end
    end
    return redis.call('XTRIM', KEYS[1], 'MINID', '~', first, 'LIMIT', 0)
    """
)
_FORGET = Script(
    """
    -- KEYS: stream. ARGV: group, age (ms), consumer that leaves or ''.
    -- Never removes a consumer with pending entries.
    for _, consumer in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])) do
      local info = {}
      for i = 1, #consumer, 2 do info[consumer[i]] = consumer[i + 1] end
      if info.pending == 0 and (info.idle > tonumber(ARGV[2]) or info.name == ARGV[3]) then
        redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], info.name)
      end
    end
    """
)


@dataclass(frozen=True, slots=True)
class Takeover:
    """Entries taken over from dead workers."""

    cursor: str  # where to continue; 0-0 at the end
    ids: list[str]  # of entries to count
    buried: int  # number of entries moved to the dead letters


def ensure_group(client: "redis.Redis") -> None:
    """Create stream and group if they do not exist. Raises redis.RedisError.

    A full Redis refuses the plain command even if they exist, but must be counted empty.
    """
    try:
        _ENSURE.call(client, [STREAM], settings.STREAM_GROUP)
    except redis.ResponseError as error:
        if "BUSYGROUP" not in str(error):
            raise


def read(client: "redis.Redis", consumer: str, *, limit: int, wait: int) -> list[Entry]:
    """Return up to `limit` new entries; an empty list if none arrives within `wait` milliseconds.

    Raises redis.RedisError.
    """
    response = client.xreadgroup(
        settings.STREAM_GROUP, consumer, {STREAM: ">"}, count=limit, block=wait
    )
    return _entries(cast("Any", response)[0][1]) if response else []


def take_over(client: "redis.Redis", consumer: str, cursor: str) -> Takeover:
    """Take over up to _TAKEOVER_SIZE entries of dead workers, from `cursor` on.

    Moves those that were delivered too often to the dead letters. Raises redis.RedisError.
    """
    keys = [STREAM, dead_letters.KEY, WAITING]
    args = (settings.STREAM_GROUP, consumer, CLAIM_AFTER, cursor, MAX_DELIVERIES, _TAKEOVER_SIZE)
    next_cursor, ids, buried = _TAKE_OVER.call(client, keys, *args)
    return Takeover(next_cursor.decode(), [id_.decode() for id_ in ids], buried)


def redeliver(client: "redis.Redis", consumer: str, entry_id: str) -> list[Entry]:
    """Return an entry that this worker has taken over, and count the delivery.

    Returns an empty list if the entry is no longer in the stream. Raises redis.RedisError.
    """
    return _entries(client.xclaim(STREAM, settings.STREAM_GROUP, consumer, 0, [entry_id]))


def undo_delivery(client: "redis.Redis", consumer: str, entry_id: str) -> None:
    """Do not count the last delivery of an entry that this worker has. Raises redis.RedisError."""
    _UNDO_DELIVERY.call(client, [STREAM], settings.STREAM_GROUP, consumer, entry_id)


def trim(client: "redis.Redis") -> None:
    """Trim counted entries only. Raises redis.RedisError.

    Entries that another process trimmed count as lost once the stream has no uncounted entries.
    """
    _TRIM.call(client, [STREAM, WAITING, metrics.KEY], settings.STREAM_GROUP)


def forget_consumers(client: "redis.Redis", *, leaving_consumer: str = "") -> None:
    """Remove consumers that stopped long ago, and `leaving_consumer`.

    Consumers with pending entries stay. Raises redis.RedisError.
    """
    _FORGET.call(client, [STREAM], settings.STREAM_GROUP, _STALE_AFTER, leaving_consumer)


def _entries(raw: Any) -> list[Entry]:
    return [(id_.decode(), fields) for id_, fields in raw if fields is not None]
