"""Clients for our own keys in Redis; each key's name has one owning module elsewhere.

Calls fail fast (redis.RedisError): what is kept in Redis is never worth a hanging request. A call
has one more attempt when its connection breaks, as that of a server that was restarted does. One
that was not answered in time has none: the wait would double, and Redis may have obeyed already.
"""

import asyncio
import os
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

import redis
import redis.asyncio
from django.conf import settings
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import NoBackoff
from redis.retry import Retry

TIMEOUT = 2.0  # seconds for a connection, and for an answer

_by_loop: "WeakKeyDictionary[asyncio.AbstractEventLoop, redis.asyncio.Redis]" = WeakKeyDictionary()


def client() -> "redis.Redis":
    """Return this process's blocking client; raises redis.ConnectionError without REDIS_URL."""
    return _client(_url(), os.getpid())


def async_client() -> "redis.asyncio.Redis":
    """Return the client of the running event loop; raises redis.ConnectionError as `client`."""
    loop = asyncio.get_running_loop()
    if loop not in _by_loop:
        _by_loop[loop] = redis.asyncio.Redis.from_url(
            _url(), retry=AsyncRetry(NoBackoff(), 1, (redis.ConnectionError,)), **_options()
        )
    return _by_loop[loop]


async def close_async_client() -> None:
    """Close the connections of the running event loop's client; a later call opens new ones."""
    open_client = _by_loop.pop(asyncio.get_running_loop(), None)
    if open_client is not None:
        await open_client.aclose()


@lru_cache(maxsize=1)
def _client(url: str, pid: int) -> "redis.Redis":
    """A forked child makes its own: connections can't be shared."""
    retry = Retry(NoBackoff(), 1, (redis.ConnectionError,))
    return redis.Redis.from_url(url, retry=retry, **_options())


def _options() -> dict[str, Any]:
    return {"socket_connect_timeout": TIMEOUT, "socket_timeout": TIMEOUT}


def _url() -> str:
    if not settings.REDIS_URL:
        raise redis.ConnectionError("REDIS_URL is not set, and no `up` runs on this DATA_DIR.")
    return settings.REDIS_URL
