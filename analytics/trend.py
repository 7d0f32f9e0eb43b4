"""Popularity by forward decay: a view at time t adds 2^((t - L) / half-life).

L is the landmark, stored with its half-life next to the scores. The current value of a stored score
is the score divided by 2^((now - L) / half-life). Before doubles overflow, `rebase` moves the
landmark; its script is atomic, so no lock is needed. Source: docs/requirements.md#snippets-views.
"""

import math
from collections.abc import Mapping
from datetime import datetime
from typing import cast

import redis
from django.conf import settings

from foundation.valkey.scripts import Script

KEY = "trend"
BASE = "trend:base"
MAX_AGE = 64  # half-lives after which the landmark is moved; doubles hold over 1,000
FADED = 0.001  # lower current values are deleted: one view lasts ten half-lives
_MAX_EXPONENT = 1000.0  # 2^1024 overflows a double

_REBASE = Script("""
-- KEYS: trend, base. ARGV: now (s), half-life (s), MAX_AGE, FADED.
local base = redis.call('HMGET', KEYS[2], 'at', 'half_life')
if not base[1] then
  redis.call('HSET', KEYS[2], 'at', ARGV[1], 'half_life', ARGV[2])
  return 0
end
local age = (ARGV[1] - base[1]) / base[2]
local view_score = 2 ^ age
if view_score == math.huge then redis.call('DEL', KEYS[1])
else redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', '(' .. ARGV[4] * view_score) end
if age < tonumber(ARGV[3]) and tonumber(base[2]) == tonumber(ARGV[2]) then return 0 end
redis.call('ZUNIONSTORE', KEYS[1], 1, KEYS[1], 'WEIGHTS', 1 / view_score)
redis.call('HSET', KEYS[2], 'at', ARGV[1], 'half_life', ARGV[2])
return 1
""")


def rebase(client: "redis.Redis", *, now: datetime) -> bool:
    """Delete faded scores, and move the landmark if it is old or the half-life has changed.

    Without a landmark, only sets it to `now`. Returns whether an existing landmark was moved, which
    costs a pass over all scores. Raises redis.RedisError.
    """
    args = (now.timestamp(), settings.TREND_HALF_LIFE.total_seconds(), MAX_AGE, FADED)
    return bool(_REBASE.call(client, [KEY, BASE], *args))


def score(client: "redis.Redis", subject: str, *, now: datetime) -> float:
    """Return the popularity of one subject: its views, each halved every half-life.

    Rounded to three decimals; 0.0 for an unknown subject. Raises redis.RedisError.
    """
    stored = client.zscore(KEY, subject)
    return round((stored or 0.0) / _view_score(client, now), 3)


def top(
    client: "redis.Redis", limit: int, *, now: datetime, offset: int = 0
) -> list[tuple[str, float]]:
    """Return up to `limit` subjects with their scores, most popular first, after `offset` others.

    Raises redis.RedisError.
    """
    last = offset + limit - 1
    scores = cast("list[tuple[bytes, float]]", client.zrevrange(KEY, offset, last, withscores=True))
    view_score = _view_score(client, now)
    return [(subject.decode(), round(value / view_score, 3)) for subject, value in scores]


def _view_score(client: "redis.Redis", now: datetime) -> float:
    """Return the score that a view adds now; 1.0 without a landmark."""
    base = cast("Mapping[bytes, bytes]", client.hgetall(BASE))
    if not base:
        return 1.0
    age = (now.timestamp() - float(base[b"at"])) / float(base[b"half_life"])
    return math.exp2(min(age, _MAX_EXPONENT))
