"""Operational metrics of the deployment: the stream, its workers, and counters of all processes."""

from dataclasses import asdict, dataclass
from typing import Any, cast

import redis
from django.conf import settings

from analytics import dead_letters
from analytics.counters import LATENCY
from analytics.stream import STREAM, WAITING, ViewEventKind
from foundation.valkey import metrics

_MAX_IDLE = 30.0  # seconds since a worker last read; a worker reads at least once a second
_MAX_WAIT = 60.0  # seconds that an event may wait

COUNTERS = {  # counters that only grow, with their descriptions
    "cache_hits": "Reads served from the cache or from a web process's memory",
    "cache_misses": "Reads that loaded from the database",
    "cache_warm": "Reads that waited for a load by another reader",
    "rate_limit_denials": "Requests refused by a rate limit",
    "events_dropped": "Views and other events dropped before they reached the stream",
    "events_lost": "Views and other events trimmed from the stream before they were counted",
    "gone_pages": "Notices about dead destinations shown instead of redirects",
    "scan_references_ended": "References removed because a scan no longer found them",
    "icon_requests": "Requests for host icons",
    "archive_requests": "Requests to web archives for copies of dead pages",
    "archive_failures": "Requests to web archives that failed or were refused",
    "repaired_references": "References moved to their page's new address",
    "repairs_undone": "Accepted repairs that were undone",
    "copies_found": "Copies of dead pages found in web archives",
    "pages_offered": "Pages submitted to an archive to be saved",
    "pages_saved": "Pages saved by an archive",
    "adds_failed": "Additions that failed because a key had the wrong type",
}


@dataclass(frozen=True, slots=True)
class StreamState:
    """The state of the stream. Source: docs/requirements.md#snippets-metrics."""

    events_waiting: int  # views and other events in the stream not yet counted
    stream_length: int  # entries, counted or not: a subject's views of one second, or one event
    stream_pending: int  # entries delivered to a worker, not yet counted
    stream_backlog: int | None  # all uncounted entries; None if Redis does not know
    oldest_pending_seconds: float | None  # age of the oldest uncounted entry, if there is one
    workers: int  # workers that have read recently
    dead_letters: int


def stream(client: "redis.Redis") -> StreamState:
    """Return the state of the stream. Raises redis.RedisError."""
    length, dead = client.xlen(STREAM), client.xlen(dead_letters.KEY)
    waiting = max(0, int(cast("Any", client.get(WAITING)) or 0))
    try:
        groups = cast("list[Any]", client.xinfo_groups(STREAM))
    except redis.ResponseError:  # there is no stream yet
        groups = []
    name = settings.STREAM_GROUP
    group = next((group for group in groups if group["name"] == name.encode()), None)
    if group is None:
        return StreamState(waiting, length, 0, length, _age(client, "-"), 0, dead)
    pending, lag = group["pending"], group["lag"]
    first = cast("Any", client.xpending(STREAM, name))["min"] if pending else None
    start = f"({group['last-delivered-id'].decode()}" if first is None else first.decode()
    consumers = cast("list[Any]", client.xinfo_consumers(STREAM, name))
    return StreamState(
        events_waiting=waiting,
        stream_length=length,
        stream_pending=pending,
        stream_backlog=None if lag is None else pending + lag,
        oldest_pending_seconds=_age(client, start),
        workers=sum(1 for consumer in consumers if consumer["idle"] < _MAX_IDLE * 1000),
        dead_letters=dead,
    )


def _age(client: "redis.Redis", start: str) -> float | None:
    """Return the age in seconds, by Redis's clock, of the first entry from `start` on, or None."""
    entries = cast("list[Any]", client.xrange(STREAM, min=start, count=1))
    if not entries:
        return None
    seconds, microseconds = client.time()
    arrived = int(entries[0][0].partition(b"-")[0]) / 1000
    return round(max(0.0, seconds + microseconds / 1e6 - arrived), 3)


def read(client: "redis.Redis") -> dict[str, Any]:
    """Return the values of `/v1/metrics` and of the Prometheus metrics, by name.

    Raises redis.RedisError. Source: docs/requirements.md#snippets-metrics.
    """
    totals = metrics.totals(client)
    latency = cast("dict[bytes, bytes]", client.hgetall(LATENCY))
    last = latency.get(b"last_ms")
    return {
        **{name: totals.get(name, 0) for name in COUNTERS},
        "events_counted": {kind.value: totals.get(f"events_{kind}", 0) for kind in ViewEventKind},
        **asdict(stream(client)),
        "worker_latency_seconds": None if last is None else int(last) / 1000,
        "latency_seconds": int(latency.get(b"sum_ms", 0)) / 1000,
        "latency_events": int(latency.get(b"events", 0)),
        **metrics.gauges(client),
    }


def check(client: "redis.Redis", *, starting: bool) -> None:
    """Raise RuntimeError if an event has waited too long, or no worker reads the stream.

    While `starting`, workers may still be missing. Raises redis.RedisError.
    """
    state = stream(client)
    if (state.oldest_pending_seconds or 0) > _MAX_WAIT:
        raise RuntimeError(f"an event has waited for {state.oldest_pending_seconds:.0f} s")
    if not state.workers and not starting:
        raise RuntimeError("no worker is reading the stream")
