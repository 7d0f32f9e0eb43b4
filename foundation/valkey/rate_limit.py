"""Rate limits per route and client, in Redis: sliding windows, and allowances that refill.

Each request is one atomic step, because separate commands would admit too many concurrent requests
and count refused ones. Source: docs/requirements.md#snippets-rate-limits.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings

from foundation.valkey import metrics, scripts
from foundation.valkey.clients import client
from foundation.valkey.scripts import ALSO_WHEN_FULL, CLOCK, Script

_IPV6_PREFIX_LENGTH = 64  # bits that identify a client
Rate = tuple[int, timedelta]  # the number of requests, and the period

# `admit(key, now, limit, window, member)` returns whether to admit (1 or 0), how many remain, and
# the ms until the oldest request leaves the window; `member` is a unique string.
ADMIT = """
local function admit(key, now, limit, window, member)
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now - window)
  local count, admitted = redis.call('ZCARD', key), 0
  if count < limit then
    redis.call('ZADD', key, now, member)
    redis.call('PEXPIRE', key, window)
    admitted, count = 1, count + 1
  end
  local oldest = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')
  return admitted, limit - count, oldest[2] + window - now
end
"""
_ADMIT = Script(
    CLOCK,
    ADMIT,
    "return {admit(KEYS[1], milliseconds(), tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3])}",
)

# Takes `amount` from the allowance of each key, which refills steadily; all or nothing. A key
# stores the time at which its allowance is full again.
_SPEND = Script(
    CLOCK,
    ALSO_WHEN_FULL,
    """
local now, limit, window = milliseconds(), tonumber(ARGV[1]), tonumber(ARGV[2])
local cost, full_at, latest = tonumber(ARGV[3]) * window / limit, {}, 0
for i, key in ipairs(KEYS) do
  full_at[i] = math.ceil(math.max(tonumber(redis.call('GET', key) or 0), now) + cost)
  latest = math.max(latest, full_at[i])
end
local missing = latest - now - window
if missing > 0 then return {0, 0, missing} end
for i, key in ipairs(KEYS) do
  redis.call('SET', key, full_at[i], 'PX', math.max(1, full_at[i] - now))
end
return {1, math.floor(-missing * limit / window), latest - now}
""",
)


@dataclass(frozen=True, slots=True)
class Admission:
    """Whether a request may pass, and how many more may pass.

    `reset` is the time until the oldest counted request leaves the window; see also `spend`.
    """

    admitted: bool
    remaining: int
    reset: int  # in seconds, ≥ 1

    @property
    def headers(self) -> dict[str, str]:
        """The response headers of draft-ietf-httpapi-ratelimit-headers-10, for RATE_LIMIT only."""
        limit, window = settings.RATE_LIMIT
        fields = {
            "RateLimit-Policy": f'"client";q={limit};w={int(window.total_seconds())}',
            "RateLimit": f'"client";r={self.remaining};t={self.reset}',
        }
        return fields if self.admitted else {**fields, "Retry-After": str(self.reset)}


def key_of(route: str, address: str) -> str:
    """Return the name in Redis of the window of a route and a client."""
    return f"rl:{route}:{client_identity(address)}"


@lru_cache(maxsize=4096)
def client_identity(address: str) -> str:
    """Return the identity under which a client is counted: for an IPv6 address, its /64.

    An IPv4-mapped address counts as IPv4; any other text is returned unchanged.
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return address
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(
        ip_network((int(parsed) >> _IPV6_PREFIX_LENGTH << _IPV6_PREFIX_LENGTH, _IPV6_PREFIX_LENGTH))
    )


def arguments(rate: Rate | None = None) -> tuple[int, int, str]:
    """Return the last arguments of `admit`: limit, window in ms, a new member."""
    limit, window = rate or settings.RATE_LIMIT
    return limit, int(window.total_seconds() * 1000), secrets.token_hex(8)


def admission(
    admitted: int, remaining: int, milliseconds: int, *, is_client: bool = True
) -> Admission:
    """Return the Admission for a reply of `admit` in Lua; count a denial of a client."""
    if not admitted and is_client:
        metrics.count("rate_limit_denials")
    reset = max(1, -(-milliseconds // 1000))
    return Admission(bool(admitted), max(0, remaining), reset)


async def admit_async(route: str, address: str) -> Admission:
    """Count one request of a client, from a coroutine; raises redis.RedisError as `admit` does."""
    return admission(*await _ADMIT.run([key_of(route, address)], *arguments()))


def admit(
    route: str, address: str, *, rate: Rate | None = None, is_client: bool = True
) -> Admission:
    """Count one request of a client, from a thread; `rate` replaces RATE_LIMIT.

    If `is_client` is False, `address` is a server that we send requests to, and denials do not
    appear in the metrics. Raises redis.RedisError if Redis is unavailable.
    """
    with scripts.BREAKER.around_call():
        reply = _ADMIT.call(client(), [key_of(route, address)], *arguments(rate))
        return admission(*reply, is_client=is_client)


def spend(route: str, clients: Sequence[str], amount: int, *, rate: Rate) -> Admission:
    """Take `amount` units, such as URLs, from the allowance of each of these clients.

    All or nothing; an `amount` above the limit is never admitted. `reset` is the time until a
    refused request would be admitted, or, after an admitted one, until all allowances are full.
    Raises redis.RedisError, as `admit` does.
    """
    keys = [key_of(route, address) for address in clients]
    with scripts.BREAKER.around_call():
        return admission(*_SPEND.call(client(), keys, *arguments(rate)[:2], amount))
