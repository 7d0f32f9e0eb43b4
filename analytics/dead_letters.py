"""Dead letters: entries of the stream that can't be counted, kept in x:events:dead for operators.

A dead letter has the entry's own fields after three added ones: id, reason, deliveries.
Source: docs/requirements.md#snippets-workers.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import redis
from django.conf import settings

from analytics.stream import STREAM, STREAM_LIMIT, WAITING
from foundation.valkey.scripts import Script

KEY = "x:events:dead"
MAX_LETTERS = 100_000  # approximately; the oldest are dropped
_PAGE_SIZE = 500

# Shared with analytics.consumer_group. `views` returns the number of views in an entry; 1 if the
# entry has no valid number.
BURY = f"""
local function views(fields)
  for i = 1, #fields, 2 do
    local n = fields[i] == 'n' and tonumber(fields[i + 1]) or 0
    if n >= 1 and n <= {STREAM_LIMIT} then return math.floor(n) end
  end
  return 1
end

-- Moves an entry to the dead letters; returns 1, or 0 if it is not pending or no longer in the
-- stream.
local function bury(stream, dead, waiting, group, id, reason, deliveries)
  local entry = redis.call('XRANGE', stream, id, id)[1]
  if redis.call('XACK', stream, group, id) == 0 or not entry then return 0 end
  redis.call('DECRBY', waiting, views(entry[2]))
  redis.call('XADD', dead, 'MAXLEN', '~', {MAX_LETTERS}, '*',
    'id', id, 'reason', reason, 'deliveries', deliveries, unpack(entry[2]))
  return 1
end
"""
_BURY_ONE = Script(
    BURY,
    """
    -- KEYS: stream, dead letters, waiting. ARGV: group, id, reason.
    return bury(KEYS[1], KEYS[2], KEYS[3], ARGV[1], ARGV[2], ARGV[3], 1)
    """,
)
_RETRY = Script(
    BURY,
    """
    -- KEYS: stream, dead letters, waiting. ARGV: id. Appends the entry to the stream again.
    local letter = redis.call('XRANGE', KEYS[2], ARGV[1], ARGV[1])[1]
    if not letter then return 0 end
    local fields = {unpack(letter[2], 7)}
    redis.call('XADD', KEYS[1], '*', unpack(fields))
    redis.call('INCRBY', KEYS[3], views(fields))
    return redis.call('XDEL', KEYS[2], ARGV[1])
    """,
)


@dataclass(frozen=True, slots=True)
class DeadViewEntry:
    """A dead letter: an entry of the stream, and why it was not counted."""

    id: str  # of the dead letter: milliseconds since 1970, then a number
    reason: str
    deliveries: int
    fields: dict[str, str]  # of the entry, with its id in the stream as `id`

    @property
    def views(self) -> int:
        """The number of uncounted views or other events in the entry."""
        n = self.fields.get("n", "")
        return int(n) if n.isdecimal() and 0 < int(n) <= STREAM_LIMIT else 1


def bury(client: "redis.Redis", entry_id: str, reason: str) -> None:
    """Move a pending entry of the stream to the dead letters. Raises redis.RedisError."""
    _BURY_ONE.call(client, [STREAM, KEY, WAITING], settings.STREAM_GROUP, entry_id, reason)


def letters(client: "redis.Redis") -> Iterator[DeadViewEntry]:
    """Yield all dead letters, oldest first. Raises redis.RedisError."""
    start = "-"
    while page := cast("list[Any]", client.xrange(KEY, min=start, count=_PAGE_SIZE)):
        for id_, raw in page:
            fields = {_text(name): _text(value) for name, value in raw.items()}
            reason, deliveries = fields.pop("reason", ""), int(fields.pop("deliveries", "0"))
            yield DeadViewEntry(_text(id_), reason, deliveries, fields)
        start = f"({_text(page[-1][0])}"


def retry(client: "redis.Redis", letter_id: str) -> bool:
    """Append a dead letter's entry to the stream again; return False if there is no such letter.

    Raises redis.RedisError.
    """
    return bool(_RETRY.call(client, [STREAM, KEY, WAITING], letter_id))


def drop(client: "redis.Redis", letter_id: str) -> bool:
    """Delete a dead letter; return False if it does not exist. Raises redis.RedisError."""
    return bool(client.xdel(KEY, letter_id))


def _text(raw: bytes) -> str:
    return raw.decode(errors="replace")
