"""Operational metrics of all processes, such as cache hits: counted here, flushed to Redis.

Counting is an addition in memory, for the hottest paths; the thread of `analytics.stream` flushes
every second, in each process that runs it. A killed process loses the counts of that second.
"""

import json
import os
import socket
import threading
import uuid
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import cast

import redis

from foundation.valkey.scripts import ALSO_WHEN_FULL, Script

COUNTERS: set[str] = set()  # the names that apps declare (`foundation.app.App`)
GAUGES: set[str] = set()

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)  # seconds
_HTTP = "http"
_CLEANUP = "cleanup"

KEY = "counts"
_GAUGES = "gauges"
_GAUGE_LIFETIME = 15  # seconds that the gauges of a killed process remain

_lock = threading.Lock()
_counts: Counter[str] = Counter()
_gauges: dict[str, int] = {}
_flushed_gauges: dict[str, int] = {}
_process = ""
_tallies: "list[ResponseTally]" = []


def count(name: str, amount: int = 1) -> None:
    """Add to a metric. Never blocks on I/O; safe from any thread."""
    with _lock:
        _counts[name] += amount


def observe(route: str, status: int, seconds: float) -> None:
    """Count a response of this class of routes, and its duration. Never blocks on I/O."""
    count_names, total_name = _counter_names(route, status)
    with _lock:
        _counts[count_names[bisect_left(BUCKETS, seconds)]] += 1
        if seconds:
            _counts[total_name] += int(seconds * 1e6)


def count_cleanup(kind: str, deleted: int, seconds: float) -> None:
    """Count a run of a scheduled deletion. Never blocks on I/O."""
    with _lock:
        for name, value in (("runs", 1), ("rows", deleted), ("us", int(seconds * 1e6))):
            _counts[f"{_CLEANUP}:{kind}:{name}"] += value


def cleanups(totals: Mapping[str, int]) -> dict[str, tuple[int, int, float]]:
    """Return the runs of scheduled deletions, the rows that they deleted, and their seconds, by
    kind."""
    kinds = sorted({name.split(":")[1] for name in totals if name.startswith(f"{_CLEANUP}:")})
    return {
        kind: (
            totals.get(f"{_CLEANUP}:{kind}:runs", 0),
            totals.get(f"{_CLEANUP}:{kind}:rows", 0),
            totals.get(f"{_CLEANUP}:{kind}:us", 0) / 1e6,
        )
        for kind in kinds
    }


class ResponseTally:
    """A tally of very fast responses of one kind, counted by one thread without a lock.

    `flush` adds its count to those of `observe`, as responses in the first bucket, and to
    `extra_counter`.
    """

    def __init__(self, route: str, status: int, *, extra_counter: str) -> None:
        self.count = 0  # callers increment it
        self._names = (_counter_names(route, status)[0][0], extra_counter)
        self._folded = 0
        _tallies.append(self)

    def is_flushed(self) -> bool:
        return self.count == self._folded

    def forget(self) -> None:
        self._folded = self.count

    def fold(self) -> None:
        """Add the counts since the last call to the totals; the caller holds the lock."""
        count = self.count
        for name in self._names:
            _counts[name] += count - self._folded
        self._folded = count


@lru_cache(maxsize=1024)  # each request needs the names
def _counter_names(route: str, status: int) -> tuple[list[str], str]:
    """Return the names of the buckets' counts, and of the total microseconds."""
    name = f"{_HTTP}:{route}:{status}"
    return [f"{name}:{bucket}" for bucket in range(len(BUCKETS) + 1)], f"{name}:us"


def responses(totals: Mapping[str, int]) -> dict[tuple[str, str], tuple[list[int], float]]:
    """Return the number of responses per bucket and their total seconds, by route class and status.

    The last number counts responses that took longer than all of BUCKETS.
    """
    by_class: dict[tuple[str, str], tuple[list[int], float]] = {}
    for name, value in sorted(totals.items()):
        kind, *key = name.split(":")
        if kind != _HTTP:
            continue
        route, status, bucket = key
        counts, seconds = by_class.get((route, status), ([0] * (len(BUCKETS) + 1), 0.0))
        if bucket == "us":
            seconds = value / 1e6
        else:
            counts[int(bucket)] = value
        by_class[route, status] = counts, seconds
    return by_class


def set_gauge(name: str, value: int) -> None:
    """Set a gauge's value for this process; readers see the sum over all processes.

    A process that ends sets its gauges to 0; those of a killed process count for 15 s more.
    """
    _gauges[name] = value


def is_flushed() -> bool:
    """Return whether no counts and no changed gauges are pending."""
    return (
        not _counts and _gauges == _flushed_gauges and all(tally.is_flushed() for tally in _tallies)
    )


_ADD = Script(
    ALSO_WHEN_FULL,
    """
    -- KEYS: counts, processes with gauges, gauges of this process. ARGV: its name,
    -- life of its gauges (s), JSON: pairs of counts and of gauges.
    local counts, gauges = unpack(cjson.decode(ARGV[3]))
    for _, pair in ipairs(counts) do redis.call('HINCRBY', KEYS[1], pair[1], pair[2]) end
    for _, pair in ipairs(gauges) do redis.call('HSET', KEYS[3], pair[1], pair[2]) end
    if #gauges > 0 then
      redis.call('EXPIRE', KEYS[3], ARGV[2])
      redis.call('SADD', KEYS[2], ARGV[1])
    end
    """,
)


def flush(client: "redis.Redis") -> None:
    """Add the counts since the last flush to Redis, and renew this process's gauges.

    Raises redis.RedisError; the counts are then kept for the next flush.
    """
    with _lock:
        for tally in _tallies:
            if not tally.is_flushed():
                tally.fold()
        counts = dict(_counts)
        _counts.clear()
    gauges_now = dict(_gauges)
    if not counts and gauges_now == _flushed_gauges and not any(gauges_now.values()):
        return  # a gauge of 0 needs no renewal, so that an idle process writes nothing
    keys = [KEY, _GAUGES, f"{_GAUGES}:{_process}"]
    message = json.dumps([list(counts.items()), list(gauges_now.items())])
    try:
        _ADD.call(client, keys, _process, _GAUGE_LIFETIME, message)
    except redis.RedisError:
        with _lock:
            _counts.update(counts)
        raise
    _flushed_gauges.update(gauges_now)


def totals(client: "redis.Redis") -> dict[str, int]:
    """Return all counts by name; unused COUNTERS are 0. Raises redis.RedisError."""
    stored = cast("Mapping[bytes, bytes]", client.hgetall(KEY))
    counts = {name.decode(): int(value) for name, value in stored.items()}
    return dict.fromkeys(sorted(COUNTERS), 0) | counts


def gauges(client: "redis.Redis") -> dict[str, int]:
    """Return every gauge, summed over live processes. Raises redis.RedisError."""
    sums: Counter[str] = Counter(dict.fromkeys(GAUGES, 0))
    for process in cast("set[bytes]", client.smembers(_GAUGES)):
        own = cast("Mapping[bytes, bytes]", client.hgetall(f"{_GAUGES}:{process.decode()}"))
        if not own:
            client.srem(_GAUGES, process)
        sums.update({name.decode(): int(value) for name, value in own.items()})
    return dict(sums)


def _begin() -> None:
    """Start empty in a forked child: the parent flushes its own counts."""
    global _lock, _process
    _lock = threading.Lock()
    _process = f"{socket.gethostname()}-{os.getpid()}-{uuid.uuid4().hex[:8]}"
    _counts.clear()
    for tally in _tallies:
        tally.forget()
    _gauges.clear()
    _flushed_gauges.clear()


_begin()
os.register_at_fork(after_in_child=_begin)
