"""`GET /v1/snippets/{id}` over HTTP, 1 KiB and 64 KiB: cached, not cached, and a thousand at once.

Compares the web process of production and the analytics worker, which count views and rate limits
on PostgreSQL and Valkey, with the minimum of a cached read: one GET in Redis by a bare ASGI
callable on the same server; and with haste-server on the same Valkey, if HASTE_SERVER is the path
of its `server.js`. wrk requests them in turn over 32 connections, so that other loads slow all
equally; the rate of hits comes with each process's time per hit. Misses are requested over 4
connections, each id once, and a thousand at once from two web processes.
"""

import asyncio
import json
import os
import re
import statistics
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from urllib.parse import urlsplit

from _cost import analytics, per_operation, processor_time
from _wrk import Load, process, web, wrk
from harness import postgres, report, sized, valkey

from tests.ports import free_port

SIZES = {"1 KiB": 1024, "64 KiB": 65536}
ROUNDS = sized(3, toy=1)
COLD = sized(2_000, toy=20)  # snippets of each size that are read once
AT_ONCE = sized(1_000, toy=50)


def main() -> None:
    with (
        valkey() as redis_url,
        postgres(REDIS_URL=redis_url, RATE_LIMIT="999999/1s"),
        web() as port,
        web() as second_port,
        analytics(),
        bare() as peer,
        haste(redis_url) as real_peer,
    ):
        measure(port, second_port, peer, real_peer)


def measure(port: int, second_port: int, peer: int, real_peer: int) -> None:
    """Measure with two web processes and the peers, given by their ports; report.

    `real_peer` is 0 where there is none.
    """
    figures: dict[str, float] = {}
    peers: dict[str, float] = {}
    ratio: dict[str, float] = {}
    for name, size in SIZES.items():
        ours, theirs, costs = hits(port, peer, size)
        for part in costs[0]:
            cost = median(each[part] for each in costs)
            if cost >= 0.5:
                figures[f"HIT {name}, us of {part}"] = cost
        figures[f"HIT {name}, requests/s"] = median(load.per_second for load in ours)
        figures[f"HIT {name}, p95 ms"] = median(load.p95 for load in ours)
        peers[f"one GET in Redis, {name}, requests/s"] = median(load.per_second for load in theirs)
        peers[f"one GET in Redis, {name}, p95 ms"] = median(load.p95 for load in theirs)
        ratio[f"HIT {name}"] = median(
            mine.per_second / bare.per_second for mine, bare in zip(ours, theirs, strict=True)
        )
        ratio[f"HIT {name}, p95 to 10 ms"] = figures[f"HIT {name}, p95 ms"] / 10
        if real_peer:
            pasted = wrk(real_peer, [paste(real_peer, size)])
            peers[f"haste-server, {name}, requests/s"] = pasted.per_second
        figures[f"MISS {name}, p95 ms"] = misses(port, size).p95
        ratio[f"MISS {name}, p95 to 50 ms"] = figures[f"MISS {name}, p95 ms"] / 50
    loads = simultaneous(port, second_port)
    figures[f"loads for {AT_ONCE:,} simultaneous misses"] = loads
    ratio[f"loads for {AT_ONCE:,} simultaneous misses"] = loads
    goal = {name: "≥ 0.7" if name in map("HIT {}".format, SIZES) else "< 1" for name in ratio}
    goal[f"loads for {AT_ONCE:,} simultaneous misses"] = "1"
    report("snippet", figures, peer=peers, ratio=ratio, goal=goal)


def median(values: Iterator[float]) -> float:
    return statistics.median(values)


def make_snippets(count: int, size: int) -> list[str]:
    """Make snippets of this size; return their paths."""
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


def hits(port: int, peer: int, size: int) -> tuple[list[Load], list[Load], list[dict[str, float]]]:
    """Return the loads of our reads and the peer's, in pairs, and the cost of ours.

    Checks that views are counted.
    """
    from foundation.valkey.clients import client

    path = make_snippets(1, size)[0]
    wrk(port, [path], seconds=1)
    client().set(path, client().getrange(f"snippet:{path.rpartition('/')[2]}", 0, -1))
    wrk(peer, [path], seconds=1)
    ours, theirs, costs = [], [], []
    for _ in range(ROUNDS):
        theirs.append(wrk(peer, [path]))
        before, began = views(path), processor_time()
        ours.append(wrk(port, [path]))
        until_counted(path, before + ours[-1].requests)
        costs.append(per_operation(began, ours[-1].requests))
    return ours, theirs, costs


def views(path: str) -> int:
    """Return the number of views of this snippet, including those that were dropped."""
    from foundation.valkey import metrics
    from foundation.valkey.clients import client

    counted = int(client().get(f"views:{path.rpartition('/')[2]}") or 0)
    return counted + metrics.totals(client())["events_dropped"]


def until_counted(path: str, count: int) -> None:
    """Return once this many views are counted; the last views may be missing in wrk's numbers."""
    for _ in range(600):
        if views(path) >= count:
            return
        time.sleep(0.1)
    raise RuntimeError(f"{count - views(path)} views are not counted")


def misses(port: int, size: int) -> Load:
    return wrk(port, make_snippets(COLD, size), seconds=sized(30, toy=2), connections=4, once=True)


def simultaneous(*ports: int) -> int:
    """Return how many of the simultaneous requests for one new snippet loaded it."""
    path = make_snippets(1, 1024)[0]
    caches = asyncio.run(request_at_once(ports, path))
    if sum(caches.values()) != AT_ONCE:
        raise RuntimeError(f"answers: {caches}")
    return caches["MISS"]


async def request_at_once(ports: Sequence[int], path: str) -> Counter[str]:
    request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode()
    opened = [
        await asyncio.open_connection("127.0.0.1", ports[number % len(ports)])
        for number in range(AT_ONCE)
    ]
    for _, writer in opened:
        writer.write(request)
    responses = await asyncio.gather(*[reader.read() for reader, _ in opened])
    for _, writer in opened:
        writer.close()
    return Counter(
        match[1] for text in responses for match in re.finditer(r"x-cache: (\w+)", text.decode())
    )


def paste(port: int, size: int) -> str:
    """Give haste-server a text of this size; return its path."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/documents", b"x" * size, method="POST"
    )
    with urllib.request.urlopen(request, timeout=10) as response:
        return f"/documents/{json.load(response)['key']}"


@contextmanager
def haste(redis_url: str) -> Iterator[int]:
    """Run haste-server on this Valkey, if HASTE_SERVER is set; yield its port or 0."""
    program, port = os.environ.get("HASTE_SERVER"), free_port()
    if not program:
        yield 0
        return
    redis = urlsplit(redis_url)
    settings = {
        "HOST": "127.0.0.1",
        "PORT": str(port),
        "STORAGE_TYPE": "redis",
        "STORAGE_HOST": "127.0.0.1",
        "STORAGE_PORT": str(redis.port),
        "RATELIMITS_NORMAL_TOTAL_REQUESTS": "100000000",
    }
    with process(["node", program], port, **settings):
        yield port


@contextmanager
def bare() -> Iterator[int]:
    port = free_port()
    with process([sys.executable, "bench/_bare.py", str(port)], port):
        yield port


if __name__ == "__main__":
    main()
