"""Dead letters: entries of the stream that can't be counted, in x:events:dead for an operator.

A dead letter is the entry's own fields behind three of ours: its id, the reason, its deliveries.
Source: docs/requirements.md#snippets-workers.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import redis
from django.conf import settings

from analytics.stream import STREAM
from foundation.valkey.scripts import Script

KEY = "x:events:dead"
MOST = 100_000  # kept, about; the oldest make room
_PAGE = 500

# A function in Lua for this and for analytics.deliveries: moves an entry, if it is there.
BURY = f"""
local function bury(stream, dead, group, id, reason, deliveries)
  local entry = redis.call('XRANGE', stream, id, id)[1]
  if redis.call('XACK', stream, group, id) == 0 or not entry then return 0 end
  redis.call('XADD', dead, 'MAXLEN', '~', {MOST}, '*',
    'id', id, 'reason', reason, 'deliveries', deliveries, unpack(entry[2]))
  return 1
end
"""
_BURY_ONE = Script(
    BURY,
    """
    -- KEYS: stream, dead letters. ARGV: group, id, reason.
    return bury(KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[3], 1)
    """,
)
_RETRY = Script(
    """
    -- KEYS: stream, dead letters. ARGV: id. Gives the entry its place in the stream anew.
    local letter = redis.call('XRANGE', KEYS[2], ARGV[1], ARGV[1])[1]
    if not letter then return 0 end
    redis.call('XADD', KEYS[1], '*', unpack(letter[2], 7))
    return redis.call('XDEL', KEYS[2], ARGV[1])
    """
)


@dataclass(frozen=True, slots=True)
class DeadLetter:
    id: str  # of the dead letter: milliseconds since 1970, then a number
    reason: str
    deliveries: int
    fields: dict[str, str]  # of the event, with what it was called in the stream as `id`


def bury(client: "redis.Redis", entry: str, reason: str) -> None:
    """Move an entry of the stream to the dead letters. Raises redis.RedisError."""
    _BURY_ONE.call(client, [STREAM, KEY], settings.STREAM_GROUP, entry, reason)


def letters(client: "redis.Redis") -> Iterator[DeadLetter]:
    """Yield all dead letters, the oldest first. Raises redis.RedisError."""
    start = "-"
    while page := cast("list[Any]", client.xrange(KEY, min=start, count=_PAGE)):
        for id_, raw in page:
            fields = {_text(name): _text(value) for name, value in raw.items()}
            reason, deliveries = fields.pop("reason", ""), int(fields.pop("deliveries", "0"))
            yield DeadLetter(_text(id_), reason, deliveries, fields)
        start = f"({_text(page[-1][0])}"


def retry(client: "redis.Redis", letter: str) -> bool:
    """Put a dead letter's event back at the end of the stream; False when there is none.

    Raises redis.RedisError.
    """
    return bool(_RETRY.call(client, [STREAM, KEY], letter))


def drop(client: "redis.Redis", letter: str) -> bool:
    """Delete a dead letter for good; False when there is none. Raises redis.RedisError."""
    return bool(client.xdel(KEY, letter))


def _text(raw: bytes) -> str:
    return raw.decode(errors="replace")
