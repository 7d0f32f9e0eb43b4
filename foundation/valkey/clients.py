"""Clients of Redis: a blocking one, and one for coroutines. Each key is named in only one module.

Calls fail fast (redis.RedisError): Redis is never worth a hanging request. A call is retried once
if its connection breaks, as after a restart of the server. A timeout is not retried: the wait
would double, and Redis may already have executed the command.

With Sentinels, each new connection goes to the current master. Connections to a server that is now
a replica, or still loading, are dropped, and the next ones go to the current master.
"""

import os
import socket
from functools import lru_cache
from typing import Any, cast

import redis
import redis.asyncio
import redis.asyncio.sentinel
import redis.sentinel
from django.conf import settings
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import NoBackoff
from redis.exceptions import MasterDownError
from redis.retry import Retry

from foundation.per_loop import PerLoop
from foundation.valkey.address import sentinels_in

TIMEOUT = 2.0  # seconds to connect, and to wait for a reply
_SENTINELS_TIMEOUT = 0.5  # seconds for each Sentinel: several may be unavailable
# Errors of a server that is not a master, or not yet a master; it has executed none of the
# commands.
NOT_MASTER_ERRORS = (redis.ReadOnlyError, MasterDownError, redis.BusyLoadingError)
# With these keep-alives, listeners notice within 11 s that the other end has vanished.
_KEEPALIVE = {socket.TCP_KEEPIDLE: 5, socket.TCP_KEEPINTVL: 2, socket.TCP_KEEPCNT: 3}


class _Connection(redis.sentinel.SentinelManagedConnection):
    """A connection to a master; closed after an error, like all other connections.

    redis-py would leave it open, even if the server hangs or the reply to an abandoned call is
    pending.
    """

    def read_response(self, *args: Any, **options: Any) -> Any:
        options.setdefault("disconnect_on_error", True)
        return super().read_response(*args, **options)


class _TLSConnection(_Connection, redis.sentinel.SentinelManagedSSLConnection):
    """A connection over TLS."""


def client() -> "redis.Redis":
    """Return this process's blocking client; raises redis.ConnectionError without REDIS_URL."""
    return client_of(_url())


def client_of(url: str) -> "redis.Redis":
    """Return this process's blocking client for this Redis."""
    return _client(url, os.getpid())


@lru_cache(maxsize=2)
def _client(url: str, pid: int) -> "redis.Redis":
    """Return the client; a forked child creates its own, because connections can't be shared."""
    retry = Retry(NoBackoff(), 1, (redis.ConnectionError, *NOT_MASTER_ERRORS))
    options = {**_options(url), "retry": retry}
    sentinels = sentinels_in(url)
    if sentinels is None:
        return redis.Redis.from_url(url, **options)
    sentinel_options = {
        **_sentinel_options(url),
        "retry": Retry(NoBackoff(), 0),
        **sentinels.sentinel_options,
    }
    options["connection_class"] = _TLSConnection if "ssl" in sentinels.options else _Connection
    sentinel: Any = redis.sentinel.Sentinel
    master: redis.Redis = sentinel(
        sentinels.addresses, sentinel_kwargs=sentinel_options
    ).master_for(sentinels.master, **{**options, **sentinels.options})
    return master


def _new_async_client() -> "redis.asyncio.Redis":
    url = _url()
    retry = AsyncRetry(NoBackoff(), 1, (redis.ConnectionError, *NOT_MASTER_ERRORS))
    options = {**_options(url), "retry": retry}
    sentinels = sentinels_in(url)
    if sentinels is None:
        return redis.asyncio.Redis.from_url(url, **options)
    sentinel_options = {**_sentinel_options(url), "retry": AsyncRetry(NoBackoff(), 0)}
    sentinel: Any = redis.asyncio.sentinel.Sentinel
    master: redis.asyncio.Redis = sentinel(
        sentinels.addresses, sentinel_kwargs={**sentinel_options, **sentinels.sentinel_options}
    ).master_for(sentinels.master, **{**options, **sentinels.options})
    return master


# Returns the client of the running event loop; raises redis.ConnectionError, as `client` does.
async_client = PerLoop(_new_async_client)


async def close_async_client() -> None:
    """Close the connections of the running event loop's client; a later call opens new ones."""
    open_client = async_client.pop()
    if open_client is not None:
        await open_client.aclose()
        sentinel = getattr(open_client.connection_pool, "sentinel_manager", None)
        if sentinel is not None:
            await sentinel.aclose()


def check_failover() -> bool:
    """Return whether there are Sentinels, after asking one whether they could replace the master.

    Raises redis.RedisError if they could not, because too few of them are available or the master
    has no replica, or if no Sentinel responds.
    """
    sentinels, pool = sentinels_in(_url()), cast("Any", client().connection_pool)
    if sentinels is None:
        return False
    error: redis.RedisError = redis.ConnectionError("There are no Sentinels.")
    for sentinel in list(pool.sentinel_manager.sentinels):
        try:
            sentinel.sentinel_ckquorum(sentinels.master)
            replicas = sentinel.sentinel_slaves(sentinels.master)
        except (redis.ConnectionError, redis.TimeoutError) as failure:
            error = failure
            continue
        if any(not (replica["is_sdown"] or replica["is_odown"]) for replica in replicas):
            return True
        raise redis.ResponseError("No replica is following the master.")
    raise error


def _options(url: str) -> dict[str, Any]:
    options: dict[str, Any] = {"socket_connect_timeout": TIMEOUT, "socket_timeout": TIMEOUT}
    if not url.startswith("unix:"):
        options["socket_keepalive_options"] = _KEEPALIVE
    return options


def _sentinel_options(url: str) -> dict[str, Any]:
    timeouts = ("socket_connect_timeout", "socket_timeout")
    return {**_options(url), **dict.fromkeys(timeouts, _SENTINELS_TIMEOUT)}


def _url() -> str:
    if not settings.REDIS_URL:
        raise redis.ConnectionError(
            "REDIS_URL is not set, and `up` is not running on this DATA_DIR."
        )
    return settings.REDIS_URL
