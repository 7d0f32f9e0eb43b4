"""Operational metrics that all processes add to, such as cache hits: kept here, flushed to Redis.

Counting is an addition in memory, for the hottest paths; `analytics.stream` flushes every
second in each process that takes part in it. A process killed the hard way loses that second.
"""

import os
import socket
import threading
import uuid
from collections import Counter
from collections.abc import Mapping
from typing import Any, Literal, cast, get_args

import redis

Name = Literal[
    "cache_hits",
    "cache_misses",
    "cache_warm",
    "rate_limit_denials",
    "events_dropped",  # by a full buffer, before they reached the stream
]
Gauge = Literal["websocket_clients"]

KEY = "counts"
_GAUGES = "gauges"
_GAUGE_LIFETIME = 15  # seconds that a process's gauges outlive it when it is killed

_lock = threading.Lock()
_counts: Counter[str] = Counter()
_gauges: dict[str, int] = {}
_flushed_gauges: dict[str, int] = {}
_process = ""


def count(name: Name, amount: int = 1) -> None:
    """Add to a metric. Never blocks on I/O; safe from any thread."""
    with _lock:
        _counts[name] += amount


def set_gauge(name: Gauge, value: int) -> None:
    """Say how many there are in this process just now; readers see the sum over all processes.

    A process that ends sets its gauges to 0; one that is killed counts for 15 s more.
    """
    _gauges[name] = value


def is_flushed() -> bool:
    """Whether nothing waits here."""
    return not _counts and _gauges == _flushed_gauges


def flush(client: "redis.Redis") -> None:
    """Add what was counted since the last time to Redis, and renew this process's gauges.

    Raises redis.RedisError; what was counted is then kept for the next time.
    """
    with _lock:
        counts = dict(_counts)
        _counts.clear()
    gauges_now = dict(_gauges)
    if not counts and not gauges_now:
        return
    try:
        with client.pipeline(transaction=True) as pipe:
            for name, amount in counts.items():
                pipe.hincrby(KEY, name, amount)
            if gauges_now:
                key = f"{_GAUGES}:{_process}"
                pipe.hset(key, mapping=cast("dict[Any, Any]", gauges_now))
                pipe.expire(key, _GAUGE_LIFETIME)
                pipe.sadd(_GAUGES, _process)
            pipe.execute()
    except redis.RedisError:
        with _lock:
            _counts.update(counts)
        raise
    _flushed_gauges.update(gauges_now)


def totals(client: "redis.Redis") -> dict[str, int]:
    """Return every metric that was ever counted, all of `Name` besides. Raises redis.RedisError."""
    stored = cast("Mapping[bytes, bytes]", client.hgetall(KEY))
    found = {name.decode(): int(value) for name, value in stored.items()}
    return dict.fromkeys(get_args(Name), 0) | found


def gauges(client: "redis.Redis") -> dict[str, int]:
    """Return every gauge, summed over the processes that live. Raises redis.RedisError."""
    sums: Counter[str] = Counter(dict.fromkeys(get_args(Gauge), 0))
    for process in cast("set[bytes]", client.smembers(_GAUGES)):
        own = cast("Mapping[bytes, bytes]", client.hgetall(f"{_GAUGES}:{process.decode()}"))
        if not own:
            client.srem(_GAUGES, process)
        sums.update({name.decode(): int(value) for name, value in own.items()})
    return dict(sums)


def _begin() -> None:
    """Start with nothing: what the parent of a fork has counted, the parent will flush."""
    global _lock, _process
    _lock = threading.Lock()
    _process = f"{socket.gethostname()}-{os.getpid()}-{uuid.uuid4().hex[:8]}"
    _counts.clear()
    _gauges.clear()
    _flushed_gauges.clear()


_begin()
os.register_at_fork(after_in_child=_begin)
