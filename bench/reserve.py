"""Reserves and releases hosts in queues of 1 k, 100 k and 1 M, compared with plain tables.

The peers use one table (ts, host) in autocommitted batches of the same size: one only runs `DELETE
... SKIP LOCKED RETURNING`, which drops the hosts; the other also inserts them again, as a
reservation and its release do. The last queue has 1 k separate hosts, and 100 k due hosts behind
one busy alias.

A reservation and its release write four row versions and about fifteen index entries per host (slot
and host, twice each) in two transactions, whereas a DELETE marks one row in one: most of the
time is spent in PostgreSQL, so no way to send these statements is nearly as fast as DELETE alone.

The rates come with the processor time of one host's reservation and release, in this process and in
PostgreSQL together.
"""

import os
import time
from collections.abc import Callable
from datetime import timedelta
from statistics import median

import psycopg
from harness import cpu_seconds, postgres, postmaster, report, sized

SIZES = {
    "1 k": 1_000,
    "100 k": sized(100_000, toy=1_000),
    "1 M": sized(1_000_000, toy=1_000),
}
ALIASED = sized(100_000, toy=1_000)
BUSY_ALIAS = "1 k and a busy alias"
# The smallest comes first and last, because the machine may have become slower meanwhile.
RUNS = ["1 k", "100 k", BUSY_ALIAS, "1 k", "1 M", "1 k", BUSY_ALIAS]
BATCH = 100
SECONDS = sized(2.0, toy=0.1)
TTL = timedelta(seconds=60)

LOAD = """
TRUNCATE hosts_host, hosts_slot RESTART IDENTITY;
INSERT INTO hosts_slot (id, is_alias, key, not_before, leased_host, leased_for, check_ready_at)
SELECT n, false, 'host' || n || '.example', now(), '', '',
    now() - interval '1 day' + n * interval '1 ms'
FROM generate_series(1, {size}) n;
INSERT INTO hosts_host (id, name, slot_id, check_at)
SELECT id, key, id, check_ready_at FROM hosts_slot;
"""
LOAD_ALIAS = """
INSERT INTO hosts_slot (id, is_alias, key, not_before, token, leased_until, leased_host, leased_for,
    check_ready_at, fetch_ready_at)
SELECT 0, true, 'one', now(), gen_random_uuid(), expiry, 'aliased1.example', 'check',
    expiry + interval '1 s', expiry + interval '1 s'
FROM (SELECT now() + interval '1 day' AS expiry) lease;
INSERT INTO hosts_host (id, name, slot_id, check_at)
SELECT 1000000 + n, 'aliased' || n || '.example', 0,
    now() - interval '2 day' + n * interval '1 ms'
FROM generate_series(1, {aliased}) n;
"""
LOAD_PEER = """
CREATE TABLE IF NOT EXISTS queue (ts timestamptz, host text, PRIMARY KEY (ts, host));
TRUNCATE queue;
INSERT INTO queue SELECT now() - interval '1 day' + n * interval '1 ms', 'host' || n || '.example'
FROM generate_series(1, {size}) n;
"""
TAKE = """
DELETE FROM queue WHERE (ts, host) IN (
    SELECT ts, host FROM queue WHERE ts <= now() ORDER BY ts LIMIT 100 FOR UPDATE SKIP LOCKED
) RETURNING host
"""
PUT_BACK = "INSERT INTO queue SELECT clock_timestamp(), unnest(%s::text[])"


def rate(step: Callable[[], int], *, seconds: float = SECONDS) -> float:
    """Return hosts per second: repeat `step`, which returns its number of hosts, for this
    duration."""
    hosts, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        count = step()
        if not count:
            break
        hosts += count
    return hosts / spent


def fill(connection: psycopg.Connection, load: str) -> None:
    """Load a queue, and finish PostgreSQL's maintenance of it."""
    connection.execute(load)
    connection.execute("VACUUM ANALYZE")
    connection.execute("CHECKPOINT")


def reserve_and_release(batch: int = BATCH) -> int:
    from foundation.database.clock import database_now
    from hosts.models import Purpose
    from hosts.reservations import release, reserve

    leases = reserve(Purpose.CHECK, limit=batch, ttl=TTL, cap=10_000, now=database_now()).leases
    after = database_now()
    return len(
        release({lease.token: after for lease in leases}, delay=timedelta(0), now=database_now())
    )


def take(connection: psycopg.Connection) -> int:
    return len(connection.execute(TAKE).fetchall())


def take_and_put_back(connection: psycopg.Connection) -> int:
    hosts = [row[0] for row in connection.execute(TAKE)]
    connection.execute(PUT_BACK, [hosts])
    return len(hosts)


def run(label: str, peer: psycopg.Connection) -> tuple[float, float, float, float]:
    """Return the rates of ours, of the peer that puts hosts back, and of the one that forgets them.

    Also returns the processor time of ours, in µs per host.
    """
    size = SIZES.get(label, 1_000)
    alias = LOAD_ALIAS.format(aliased=ALIASED) if label == BUSY_ALIAS else ""
    fill(peer, LOAD.format(size=size) + alias)
    reserve_and_release()
    start, before = time.perf_counter(), cpu_seconds(os.getpid(), postmaster(peer))
    ours = rate(reserve_and_release)
    spent = cpu_seconds(os.getpid(), postmaster(peer)) - before
    cost = spent / (ours * (time.perf_counter() - start)) * 1e6
    fill(peer, LOAD_PEER.format(size=size))
    putting_back = rate(lambda: take_and_put_back(peer))
    fill(peer, LOAD_PEER.format(size=size))
    return ours, putting_back, rate(lambda: take(peer)), cost


def main() -> None:
    runs: dict[str, list[tuple[float, float, float, float]]] = {label: [] for label in RUNS}
    with postgres() as url, psycopg.connect(url, autocommit=True) as peer:
        for label in RUNS:
            runs[label].append(run(label, peer))
    figures, putting_back, deleting, costs = (
        {label: median(run[column] for run in runs[label]) for label in runs} for column in range(4)
    )
    ratio = {f"of bare DELETE, {label}": figures[label] / deleting[label] for label in SIZES}
    ratio |= {
        f"of DELETE and INSERT back, {label}": figures[label] / putting_back[label]
        for label in SIZES
    }
    ratio["cost at 1 M to cost at 1 k"] = costs["1 M"] / costs["1 k"]
    ratio["cost with a busy alias to without"] = costs[BUSY_ALIAS] / costs["1 k"]
    report(
        "reserve",
        {f"reserve + release, hosts/s, {label}": value for label, value in figures.items()}
        | {f"reserve + release, µs of CPU, {label}": value for label, value in costs.items()},
        peer={f"DELETE, hosts/s, {label}": deleting[label] for label in SIZES}
        | {f"DELETE and INSERT, hosts/s, {label}": putting_back[label] for label in SIZES},
        ratio=ratio,
        goal=dict.fromkeys(
            ["cost at 1 M to cost at 1 k", "cost with a busy alias to without"], "≤ 1.2"
        ),
    )


if __name__ == "__main__":
    main()
