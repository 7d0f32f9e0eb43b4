"""`GET /v1/snippets/{id}` over HTTP, 1 KiB and 64 KiB: cached, not cached, and a thousand at once.

The web process of production, on PostgreSQL and Valkey, views and rate limit counted, against the
least that a cached read can be: one GET in Redis by a bare ASGI callable on the same server. Both
are asked in turn by wrk over 32 connections, so that what else this machine does slows both alike;
misses by 4 connections, each id once; a thousand at once over two web processes.
"""

import asyncio
import re
import statistics
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from _wrk import Load, process, web, wrk
from harness import free_port, postgres, report, sized, valkey

SIZES = {"1 KiB": 1024, "64 KiB": 65536}
ROUNDS = sized(3, toy=1)
COLD = sized(2_000, toy=20)  # snippets of each size that are read once
AT_ONCE = sized(1_000, toy=50)


def main() -> None:
    with (
        valkey() as redis_url,
        postgres(REDIS_URL=redis_url, RATE_LIMIT="999999/1s"),
        web() as one,
        web() as other,
        bare() as peer,
    ):
        measure(one, other, peer)


def measure(one: int, other: int, peer: int) -> None:
    """Measure with two web processes and the peer, given by their ports; report."""
    figures: dict[str, float] = {}
    peers: dict[str, float] = {}
    ratio: dict[str, float] = {}
    for name, size in SIZES.items():
        ours, theirs = hits(one, peer, size)
        figures[f"HIT {name}, requests/s"] = middle(load.per_second for load in ours)
        figures[f"HIT {name}, p95 ms"] = middle(load.p95 for load in ours)
        peers[f"one GET in Redis, {name}, requests/s"] = middle(load.per_second for load in theirs)
        peers[f"one GET in Redis, {name}, p95 ms"] = middle(load.p95 for load in theirs)
        ratio[f"HIT {name}"] = middle(
            mine.per_second / bare.per_second for mine, bare in zip(ours, theirs, strict=True)
        )
        ratio[f"HIT {name}, p95 to 10 ms"] = figures[f"HIT {name}, p95 ms"] / 10
        figures[f"MISS {name}, p95 ms"] = misses(one, size).p95
        ratio[f"MISS {name}, p95 to 50 ms"] = figures[f"MISS {name}, p95 ms"] / 50
    loads = simultaneous(one, other)
    figures[f"loads for {AT_ONCE:,} simultaneous misses"] = loads
    ratio[f"loads for {AT_ONCE:,} simultaneous misses"] = loads
    goal = {name: "≥ 0.7" if name in map("HIT {}".format, SIZES) else "< 1" for name in ratio}
    goal[f"loads for {AT_ONCE:,} simultaneous misses"] = "1"
    report("snippet", figures, peer=peers, ratio=ratio, goal=goal)


def middle(values: Iterator[float]) -> float:
    return statistics.median(values)


def make(count: int, size: int) -> list[str]:
    """Make snippets of this size; returns their paths."""
    from django.db import connection

    from foundation.database.clock import database_now
    from snippets.models import Snippet

    now = database_now()
    rows = [
        Snippet(content="x" * size, size=size, created_at=now, updated_at=now) for _ in range(count)
    ]
    Snippet.objects.bulk_create(rows, batch_size=200)
    connection.close()
    return [f"/v1/snippets/{row.pk}" for row in rows]


def hits(port: int, peer: int, size: int) -> tuple[list[Load], list[Load]]:
    """Return the loads of our reads and of the peer's, in pairs; checks that views are counted."""
    from foundation.valkey.clients import client

    path = make(1, size)[0]
    wrk(port, [path], seconds=1)
    client().set(path, client().getrange(f"snippet:{path.rpartition('/')[2]}", 0, -1))
    wrk(peer, [path], seconds=1)
    ours, theirs = [], []
    for _ in range(ROUNDS):
        theirs.append(wrk(peer, [path]))
        before = views()
        ours.append(wrk(port, [path]))
        until_counted(before + ours[-1].requests)
    return ours, theirs


def views() -> int:
    """Return how many events came into the stream, or were dropped on the way."""
    from analytics.stream import STREAM
    from foundation.valkey import metrics
    from foundation.valkey.clients import client

    return int(client().xlen(STREAM)) + metrics.totals(client())["events_dropped"]


def until_counted(count: int) -> None:
    """Return once so many events are told of; wrk's last answers may be views it has not seen."""
    import time

    for _ in range(200):
        if views() >= count:
            return
        time.sleep(0.05)
    raise RuntimeError(f"{count - views()} views are not in the stream")


def misses(port: int, size: int) -> Load:
    return wrk(port, make(COLD, size), seconds=sized(30, toy=2), connections=4, once=True)


def simultaneous(*ports: int) -> int:
    """Return how many of simultaneous requests for one snippet, never read before, were loads."""
    path = make(1, 1024)[0]
    caches = asyncio.run(ask_at_once(ports, path))
    if sum(caches.values()) != AT_ONCE:
        raise RuntimeError(f"answers: {caches}")
    return caches["MISS"]


async def ask_at_once(ports: Sequence[int], path: str) -> Counter[str]:
    request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode()
    opened = [
        await asyncio.open_connection("127.0.0.1", ports[number % len(ports)])
        for number in range(AT_ONCE)
    ]
    for _, writer in opened:
        writer.write(request)
    answers = await asyncio.gather(*[reader.read() for reader, _ in opened])
    for _, writer in opened:
        writer.close()
    return Counter(
        found[1] for answer in answers for found in re.finditer(r"x-cache: (\w+)", answer.decode())
    )


@contextmanager
def bare() -> Iterator[int]:
    port = free_port()
    with process([sys.executable, "bench/_bare.py", str(port)], port):
        yield port


if __name__ == "__main__":
    main()
