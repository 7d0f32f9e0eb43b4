"""Reap 1 M expired links, against a bare loop of batched deletes, with redirects meanwhile.

The peer works on a table of the same columns and indexes, in autocommitted batches of the same
size, and does nothing else: `DELETE ... WHERE key IN (SELECT ... SKIP LOCKED LIMIT)`. The reaper
also retires each key (a row with an index entry), deletes tags, notes each batch, and makes room in
Redis. Redirects come from the web process of production, at a fixed pace, before and meanwhile.
"""

import asyncio
import time
from collections.abc import Callable
from statistics import quantiles

import psycopg
from _redirects import links, web
from harness import postgres, report

LINKS = 1_000_000
BATCH = 1000
PACE = 200  # redirects a second
CALM = 8.0  # seconds of redirects before

LOAD = """
INSERT INTO {table} (key, long_url, created_at, expires_at, earlier_visits, disabled)
SELECT 'key' || n, 'https://host' || n || '.example/page/' || n, now() - interval '3 days',
    now() - interval '2 days' + n * interval '1 ms', 0, false
FROM generate_series(1, {count}) n
"""
DELETE = """
DELETE FROM peer WHERE key IN (
    SELECT key FROM peer WHERE expires_at < now() ORDER BY expires_at LIMIT %s
    FOR UPDATE SKIP LOCKED
)
"""


def delete_all(connection: psycopg.Connection) -> float:
    """Return rows a second of the bare loop."""
    start = time.perf_counter()
    while connection.execute(DELETE, [BATCH]).rowcount:
        pass
    return LINKS / (time.perf_counter() - start)


def reap() -> float:
    """Return links a second of the reaper."""
    from datetime import timedelta

    from linkwatch.lib.dbtime import database_now
    from shortener import reaper

    start = time.perf_counter()
    run = reaper.run(now=database_now(), budget=timedelta(minutes=10))
    assert (run.deleted, run.error) == (LINKS, ""), run.error
    return LINKS / (time.perf_counter() - start)


async def paced(url: str, work: Callable[[], float] | None) -> tuple[float, float]:
    """Ask for redirects at PACE while `work` runs (or for CALM); returns p95 in ms and its rate."""
    import httpx

    times: list[float] = []
    task = asyncio.create_task(asyncio.to_thread(work) if work else asyncio.sleep(CALM, 0.0))
    async with httpx.AsyncClient() as client:

        async def ask() -> None:
            start = time.perf_counter()
            response = await client.get(url)
            assert response.status_code == 302
            times.append(time.perf_counter() - start)

        pending = set()
        due = time.perf_counter()
        while not task.done():
            pending.add(asyncio.create_task(ask()))
            due += 1 / PACE
            await asyncio.sleep(max(0, due - time.perf_counter()))
        await asyncio.gather(*pending)
    return quantiles(times, n=20)[-1] * 1000, await task


def main() -> None:
    with (
        postgres(CLEANUP_BATCH_SIZE=str(BATCH)) as url,
        psycopg.connect(url, autocommit=True) as peer,
        links() as key,
        web() as port,
    ):
        address = f"http://127.0.0.1:{port}/s/{key}"
        peer.execute("CREATE TABLE peer (LIKE shortener_shorturl INCLUDING ALL)")
        for table in ("peer", "shortener_shorturl"):
            peer.execute(LOAD.format(table=table, count=LINKS))
            peer.execute(f"VACUUM ANALYZE {table}")
        peer.execute("CHECKPOINT")
        bare = delete_all(peer)
        peer.execute("CHECKPOINT")
        calm, _ = asyncio.run(paced(address, None))
        busy, ours = asyncio.run(paced(address, reap))
    report(
        "reap",
        {"links/s": ours, "redirect p95 while reaping, ms": busy},
        peer={"bare DELETE, rows/s": bare, "redirect p95 before, ms": calm},
        ratio={"of the bare loop": ours / bare, "redirect p95": busy / calm},
        goal={"of the bare loop": "≥ 0.5", "redirect p95": "< 1.3"},
    )


if __name__ == "__main__":
    main()
