"""Reserve and release over queues of 1 k, 100 k and 1 M hosts, against bare queues of rows.

The peers do on one table (ts, host), the seed's host queue, in autocommitted batches of the same
size: `DELETE ... SKIP LOCKED RETURNING` alone, which forgets the hosts, and the same with an
`INSERT` that puts them back, which is what a reservation and its release do to a queue.

A reservation and its release write four row versions and some fifteen index entries per host (slot
and host, twice each) in two transactions, where a DELETE marks one row in one: about half of the
time is PostgreSQL's own, so that no way of sending these statements comes near the bare DELETE.
"""

import time
from collections.abc import Callable
from datetime import timedelta
from statistics import median

import psycopg
from harness import postgres, report

SIZES = {"1 k": 1_000, "100 k": 100_000, "1 M": 1_000_000}
# The smallest before and after the largest: the machine may have become slower meanwhile.
RUNS = ["1 k", "100 k", "1 k", "1 M", "1 k"]
BATCH = 100
SECONDS = 2.0
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


def rate(step: Callable[[], int]) -> float:
    """Return hosts per second: repeat `step`, which returns how many it did, for SECONDS."""
    done, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < SECONDS:
        count = step()
        if not count:
            break
        done += count
    return done / spent


def fill(connection: psycopg.Connection, load: str, size: int) -> None:
    connection.execute(load.format(size=size))
    connection.execute("VACUUM ANALYZE")
    connection.execute("CHECKPOINT")


def reserve_and_release() -> int:
    from hosts.models import Purpose
    from hosts.reservations import release, reserve
    from linkwatch.lib.dbtime import database_now

    leases = reserve(Purpose.CHECK, limit=BATCH, ttl=TTL, cap=10_000).leases
    after = database_now()
    return len(release({lease.token: after for lease in leases}, delay=timedelta(0)))


def main() -> None:
    runs: dict[str, list[tuple[float, float, float]]] = {label: [] for label in SIZES}
    with postgres() as url, psycopg.connect(url, autocommit=True) as peer:

        def take() -> int:
            return len(peer.execute(TAKE).fetchall())

        def take_and_put_back() -> int:
            hosts = [row[0] for row in peer.execute(TAKE)]
            peer.execute(PUT_BACK, [hosts])
            return len(hosts)

        for label in RUNS:
            size = SIZES[label]
            fill(peer, LOAD, size)
            reserve_and_release()
            ours = rate(reserve_and_release)
            fill(peer, LOAD_PEER, size)
            both = rate(take_and_put_back)
            fill(peer, LOAD_PEER, size)
            runs[label].append((ours, both, rate(take)))
    figures, putting_back, deleting = (
        {label: median(run[column] for run in runs[label]) for label in SIZES}
        for column in range(3)
    )
    ratio = {f"of bare DELETE, {label}": figures[label] / deleting[label] for label in SIZES}
    ratio |= {
        f"of DELETE and INSERT back, {label}": figures[label] / putting_back[label]
        for label in SIZES
    }
    ratio["cost at 1 M to cost at 1 k"] = figures["1 k"] / figures["1 M"]
    report(
        "reserve",
        {f"reserve + release, hosts/s, {label}": value for label, value in figures.items()},
        peer={f"DELETE, hosts/s, {label}": value for label, value in deleting.items()}
        | {f"DELETE and INSERT, hosts/s, {label}": value for label, value in putting_back.items()},
        ratio=ratio,
        goal={f"of bare DELETE, {label}": "≥ 0.5" for label in SIZES}
        | {"cost at 1 M to cost at 1 k": "≤ 1.5"},
    )


if __name__ == "__main__":
    main()
