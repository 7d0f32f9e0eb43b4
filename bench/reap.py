"""Reaps 1 M expired links during redirects, compared with a plain loop of batched deletes.

The peer works on a table of the same columns and indexes, in autocommitted batches of the same
size, alternately with the reaper, and only runs `DELETE ... WHERE key IN (SELECT ... LIMIT ... SKIP
LOCKED)`. The reaper also retires each key (a row with two index entries), deletes tags,
records each batch, and deletes cache entries. It runs in its own process; redirects come from the
web process of production, at a fixed pace, before and during the run.
"""

import http.client
import os
import subprocess
import sys
import time
from collections.abc import Callable
from operator import truediv
from statistics import median, quantiles

import psycopg
from _wrk import web
from harness import ROOT, postgres, report, sized, valkey

LINKS = sized(1_000_000, toy=2_000)
ROUNDS = sized(4, toy=1)  # in each, the peer and the reaper delete equal parts in turn
BATCH = 1000
PACE = 200  # redirects a second
CALM = sized(4.0, toy=0.5)  # seconds of redirects before each round
KEY = "bench"

# A quarter of the links ended ten days ago, one nine days ago, and so on.
LOAD = """
INSERT INTO shortener_shorturl (key, long_url, host, created_at, expires_at,
    earlier_visits, disabled, version, when_gone, retargetable, end_told)
SELECT substr(md5(n::text), 1, 12), 'https://host' || n || '.example/page/' || n,
    'host' || n || '.example',
    now() - interval '20 days',
    now() - interval '10 days' + n / {quarter} * interval '1 day' + n * interval '1 ms',
    0, false, 1, 'page', false, false
FROM generate_series(0, {count} - 1) n
"""
DELETE = """
DELETE FROM peer WHERE key IN (
    SELECT key FROM peer WHERE expires_at < now() - interval '{buffer}' ORDER BY expires_at
    LIMIT {batch} FOR UPDATE SKIP LOCKED
)
"""


def buffer(number: int) -> str:
    """Return the buffer time that makes this round's quarter due, and no later one."""
    return f"{9 - number}d12h"


def delete_all(connection: psycopg.Connection, number: int) -> float:
    """Return the rows per second that the bare loop deletes."""
    statement = DELETE.format(buffer=buffer(number), batch=BATCH)
    start, count = time.perf_counter(), 0
    while deleted := connection.execute(statement).rowcount:
        count += deleted
    if count != LINKS // ROUNDS:
        raise RuntimeError(f"deleted {count}")
    return count / (time.perf_counter() - start)


def reap(number: int) -> "subprocess.Popen[bytes]":
    """Start the reaper in a separate process, as it runs in production."""
    return subprocess.Popen(
        [sys.executable, "manage.py", "reap_expired"],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        env=os.environ | {"CLEANUP_BUFFER_TIME": buffer(number)},
    )


def reaper_rate() -> float:
    """Return the links per second that the reaper deletes."""
    from shortener.models import CleanupRun

    run = CleanupRun.objects.latest("pk")
    if (run.deleted, run.error) != (LINKS // ROUNDS, "") or run.finished_at is None:
        raise RuntimeError(f"reaped {run.deleted} {run.error}")
    return run.deleted / (run.finished_at - run.started_at).total_seconds()


def request_paced(port: int, is_over: Callable[[], bool]) -> float:
    """Request redirects at PACE until the reaper is done; return the 95th percentile in ms.

    Each is timed from its due time: waiting for the previous one means waiting for the server.
    """
    times: list[float] = []
    connection = http.client.HTTPConnection("127.0.0.1", port)
    due = time.perf_counter()
    while not is_over():
        time.sleep(max(0, due - time.perf_counter()))
        connection.request("GET", f"/s/{KEY}")
        if connection.getresponse().read() or connection.sock is None:
            raise RuntimeError("no redirect from an open connection")
        times.append(time.perf_counter() - due)
        due += 1 / PACE
    return quantiles(times, n=20)[-1] * 1000


def main() -> None:
    settings = {"CLEANUP_BATCH_SIZE": str(BATCH), "CLEANUP_MAX_DURATION": "10m"}
    with (
        valkey() as redis_url,
        postgres(REDIS_URL=redis_url, **settings) as url,
        psycopg.connect(url, autocommit=True) as peer,
        web() as port,
    ):
        measure(peer, port)


def measure(peer: psycopg.Connection, port: int) -> None:
    make_link()
    fill(peer)
    bare, ours, calm, busy = zip(*(one_round(peer, port, n) for n in range(ROUNDS)), strict=True)
    report(
        "reap",
        {"links/s": median(ours), "redirect p95 while reaping, ms": median(busy)},
        peer={"bare DELETE, rows/s": median(bare), "redirect p95 before, ms": median(calm)},
        ratio={
            "of the bare loop": median(map(truediv, ours, bare)),
            "redirect p95": median(map(truediv, busy, calm)),
        },
        goal={"of the bare loop": "≥ 0.5", "redirect p95": "< 1.3"},
    )


def fill(peer: psycopg.Connection) -> None:
    """Create both tables with the same rows; create indexes last, which takes half as long."""
    indexes = peer.execute(
        "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'shortener_shorturl' "
        "AND indexname NOT LIKE '%_pkey'"
    ).fetchall()
    for name, _ in indexes:
        peer.execute(f'DROP INDEX "{name}"')
    peer.execute(LOAD.format(count=LINKS, quarter=LINKS // ROUNDS))
    for _, definition in indexes:
        peer.execute(definition)
    peer.execute("CREATE TABLE peer AS SELECT * FROM shortener_shorturl")
    peer.execute("ALTER TABLE peer ADD PRIMARY KEY (key)")
    for name, definition in indexes:
        peer.execute(
            definition.replace("public.shortener_shorturl", "peer").replace(name, f"peer_{name}")
        )
    for table in ("peer", "shortener_shorturl"):
        peer.execute(f"VACUUM ANALYZE {table}")


def one_round(peer: psycopg.Connection, port: int, number: int) -> tuple[float, ...]:
    """Return the speeds of peer and reaper, and the p95 of redirects before and during the run."""
    peer.execute("CHECKPOINT")
    bare = delete_all(peer, number)
    end = time.perf_counter() + CALM
    calm = request_paced(port, lambda: time.perf_counter() > end)
    peer.execute("CHECKPOINT")
    reaper = reap(number)
    busy = request_paced(port, lambda: reaper.poll() is not None)
    return bare, reaper_rate(), calm, busy


def make_link() -> None:
    """Make the link that is followed during the run; it does not expire."""
    from django.db import connection

    from foundation.database.clock import database_now
    from shortener.models import ShortURL

    ShortURL.objects.create(key=KEY, long_url="https://example.com", created_at=database_now())
    connection.close()


if __name__ == "__main__":
    main()
