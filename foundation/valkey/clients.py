"""Clients of Redis, a blocking one and one for coroutines; each key's name has one owning module.

Calls fail fast (redis.RedisError): what is kept in Redis is never worth a hanging request. A call
has one more attempt when its connection breaks, as that of a server that was restarted does. One
that was not answered in time has none: the wait would double, and Redis may have obeyed already.
"""

import os
from functools import lru_cache
from typing import Any

import redis
import redis.asyncio
from django.conf import settings
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import NoBackoff
from redis.retry import Retry

from foundation.per_loop import PerLoop

TIMEOUT = 2.0  # seconds for a connection, and for an answer


def client() -> "redis.Redis":
    """Return this process's blocking client; raises redis.ConnectionError without REDIS_URL."""
    return _client(_url(), os.getpid())


@lru_cache(maxsize=1)
def _client(url: str, pid: int) -> "redis.Redis":
    """A forked child makes its own: connections can't be shared."""
    retry = Retry(NoBackoff(), 1, (redis.ConnectionError,))
    return redis.Redis.from_url(url, retry=retry, **_options())


def _new_async_client() -> "redis.asyncio.Redis":
    retry = AsyncRetry(NoBackoff(), 1, (redis.ConnectionError,))
    return redis.asyncio.Redis.from_url(_url(), retry=retry, **_options())


# Returns the client of the running event loop; raises redis.ConnectionError as `client`.
async_client = PerLoop(_new_async_client)


async def close_async_client() -> None:
    """Close the connections of the running event loop's client; a later call opens new ones."""
    open_client = async_client.pop()
    if open_client is not None:
        await open_client.aclose()


def _options() -> dict[str, Any]:
    return {"socket_connect_timeout": TIMEOUT, "socket_timeout": TIMEOUT}


def _url() -> str:
    if not settings.REDIS_URL:
        raise redis.ConnectionError("REDIS_URL is not set, and no `up` runs on this DATA_DIR.")
    return settings.REDIS_URL
