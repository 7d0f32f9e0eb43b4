"""The cost of operations at 1 k, 1 M and 10 M targets, on a tenth as many hosts: docs/scale.md.

Measures the CPU time of this process and of its PostgreSQL backend together, which other loads
hardly affect, and elapsed time where people wait. Rows are those that `import_targets` and a first
round of checks would have left; SQL creates them, because the import takes an hour for 10 M. Then,
at each size: targets are registered as the import does (1,000 a transaction), hosts reserved and
their checks recorded, pages listed, the dashboard built from an empty cache, and the oldest day of
results dropped. Every statement of these steps is run through EXPLAIN: none may scan a table that
grows.

Other sizes: bench/scale.py 1000 3000000
"""

import re
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
from harness import postgres, report, sized, valkey

SIZES = [int(size) for size in sys.argv[1:]] or sized(
    [1_000, 1_000_000, 10_000_000], toy=[200, 1_000]
)
ROUNDS = sized(5, toy=1)
PAGES = sized(30, toy=3)
DUE_HOSTS = sized(100, toy=20)  # with ten targets each: 1,000 checks a round
BULK = sized(1_000, toy=50)
DAYS = 3  # days of results
MAX_RESULTS = 2_000_000  # created at each size, one per target
GROWING = ("targets_target", "targets_reference", "checker_checkresult", "hosts_host", "hosts_slot")

TARGETS = """
INSERT INTO targets_target (id, url, canonical_url, host, created_at, pinned, paused, condition,
    state, failures, next_check_at, state_changed_at, last_checked_at, last_status_code,
    last_latency_ms, last_reason, moved_to, version, heads, flags, recent)
SELECT uuidv7(), url, url, split_part(url, '/', 3), at, true, false, '',
    CASE WHEN n % 50 = 0 THEN 'dead' WHEN n % 50 = 1 THEN 'potentially_dead' ELSE 'alive' END, 0,
    CASE WHEN n % 50 > 0 THEN now() + interval '1 day' + (n / 10 % 86400) * interval '1 s' END,
    at, at, 200, 80, '', '', 1, 0, '[]', ''
FROM (
    SELECT n, now() - interval '30 days' + n * interval '100 ms' AS at,
        'https://host' || n / 10 || '.example/articles/2026/page-' || n || '.html' AS url
    FROM generate_series({first}, {last}) n
) rows
"""
HOSTS = """
INSERT INTO hosts_slot (is_alias, key, not_before, leased_host, leased_for, check_ready_at)
SELECT false, 'host' || n || '.example', now(), '', '',
    now() + interval '1 day' + n % 86400 * interval '1 s'
FROM generate_series({first} / 10 + CASE WHEN {first} > 1 THEN 1 ELSE 0 END, {last} / 10) n;
INSERT INTO hosts_host (name, slot_id, check_at)
SELECT key, id, check_ready_at FROM hosts_slot ON CONFLICT DO NOTHING
"""
REFERENCES = """
INSERT INTO targets_reference (target_id, object_id, created_at)
SELECT id, 'object-' || right(canonical_url, 14), created_at FROM targets_target
WHERE canonical_url LIKE '%7.html' ON CONFLICT DO NOTHING
"""
RESULTS = """
INSERT INTO checker_checkresult (target_id, checked_at, outcome, reason, status_code, latency_ms,
    attempts, final_url, redirects, moved_to, flags, evidence)
SELECT id, %(midnight)s::timestamptz - (1 + random() * {seconds}) * interval '1 s', 'success', '',
    200, 80, 1, url, '[]', '', '[]', %(evidence)s
FROM targets_target TABLESAMPLE SYSTEM ({percent})
"""
EVIDENCE = {
    "condition": "evidence",
    "headers": {"server": "nginx", "content-type": "text/html; charset=utf-8"},
    "attempts": [
        {
            "method": "GET",
            "status": 200,
            "error": None,
            "detail": "",
            "latency_ms": 80,
            "address": "192.0.2.1",
            "dns_ms": 1.2,
            "connect_ms": 20.1,
            "tls_ms": 25.4,
            "first_byte_ms": 30.2,
        }
    ],
}
DUE = """
UPDATE targets_target SET next_check_at = now() - interval '1 s' WHERE host = ANY(%(hosts)s);
UPDATE hosts_host SET check_at = now() - interval '1 s' WHERE name = ANY(%(hosts)s);
UPDATE hosts_slot SET check_ready_at = now() - interval '1 s', not_before = now() - interval '1 s'
WHERE NOT is_alias AND key = ANY(%(hosts)s)
"""
_NODE = re.compile(rf"((?:\w+ )*Scan (?:using \w+ )?on (?:{'|'.join(GROWING)})\w*)")
_numbers = count()


def main() -> None:
    figures: dict[str, dict[int, float]] = {}
    with (
        valkey() as redis_url,
        postgres(
            REDIS_URL=redis_url, HOST_DELAY="0s", MAX_CONCURRENCY="1000", RATE_LIMIT="100000/1m"
        ) as url,
        psycopg.connect(url, autocommit=True) as loader,
    ):
        previous = 0
        for size in SIZES:
            start = time.perf_counter()
            grow(loader, previous, size)
            previous = size
            print(f"{size:,} targets after {time.perf_counter() - start:.0f} s", flush=True)
            for name, value in measure(loader, size).items():
                figures.setdefault(name, {})[size] = value
                print(f"  {name:<52} {value:,.3f}", flush=True)
    first, last = SIZES[0], SIZES[-1]
    costs = {name: name.rpartition(",")[0] for name in figures if "CPU" in name or "µs" in name}
    report(
        "scale",
        {
            f"{name} at {_short(size)}": value
            for name, values in figures.items()
            for size, value in values.items()
        },
        peer={},
        ratio={
            f"{what}, {_short(last)} to {_short(first)}": figures[name][last] / figures[name][first]
            for name, what in costs.items()
        },
        goal={f"{what}, {_short(last)} to {_short(first)}": "≤ 1.5" for what in costs.values()},
    )


def _short(size: int) -> str:
    return f"{size // 1_000_000} M" if size >= 1_000_000 else f"{size / 1_000:g} k"


def grow(loader: psycopg.Connection, previous: int, size: int) -> None:
    """Add targets from `previous` to `size`, their hosts, references and results; count them."""
    from django.db import connection
    from psycopg.types.json import Jsonb

    from checker import partitions
    from foundation.database.clock import database_now
    from targets import counts

    now = database_now()
    partitions.make_ahead(now - timedelta(days=DAYS))
    partitions.make_ahead(now)
    connection.close()
    loader.execute("SET session_replication_role = replica")  # without checking foreign keys
    loader.execute("ALTER SYSTEM SET max_wal_size = '16GB'")
    loader.execute("SELECT pg_reload_conf()")
    loader.execute("SET maintenance_work_mem = '1GB'; SET synchronous_commit = off")
    with without_indexes(loader, "targets_target", "checker_checkresult"):
        ends = {"first": previous + 1, "last": size}
        loader.execute(TARGETS.format(**ends).encode())
        loader.execute(HOSTS.format(**ends).encode())
        loader.execute(REFERENCES.encode())
        loader.execute(
            RESULTS.format(
                seconds=86_400 * DAYS - 2, percent=100 * min(1, MAX_RESULTS / size)
            ).encode(),
            {
                "midnight": now.replace(hour=0, minute=0, second=0, microsecond=0),
                "evidence": Jsonb(EVIDENCE),
            },
        )
    loader.execute("VACUUM ANALYZE")
    loader.execute("CHECKPOINT")
    counts.recount()


@contextmanager
def without_indexes(loader: psycopg.Connection, *tables: str) -> Iterator[None]:
    """Drop the secondary indexes of these tables for the block, and recreate them afterwards."""
    indexes = loader.execute(
        "SELECT indexname, indexdef FROM pg_indexes"
        " WHERE tablename = ANY(%s) AND indexdef NOT LIKE '%%UNIQUE%%'",
        [list(tables)],
    ).fetchall()
    for name, _ in indexes:
        loader.execute(f'DROP INDEX "{name}"'.encode())
    yield
    for _, definition in indexes:
        loader.execute(definition.replace(" ON ONLY ", " ON ").encode())


def measure(loader: psycopg.Connection, size: int) -> dict[str, float]:
    """Return the figures at this size, by name."""
    figures: dict[str, float] = {}
    for name, (step, per) in operations(loader, size).items():
        step()  # once to warm up
        spent = [cost(step) for _ in range(ROUNDS)]
        cpu = statistics.median(cpu for cpu, _ in spent) / per
        wall = statistics.median(wall for _, wall in spent) / per
        if per > 1:
            figures[f"{name}, µs"] = 1e6 * cpu
        else:
            figures[f"{name}, ms of CPU"] = 1e3 * cpu
            figures[f"{name}, ms elapsed"] = 1e3 * wall
    figures["statements that scan a growing table"] = 0
    for name, (step, _) in operations(loader, size).items():
        for statement, nodes in plans_of(step).items():
            scans = [node for node in nodes if "Seq Scan" in node and is_large(node.split()[-1])]
            figures["statements that scan a growing table"] += bool(scans)
            print(
                f"{'SCAN' if scans else 'plan'} {name}: {statement[:200]} -> {'; '.join(nodes)}",
                flush=True,
            )
    figures |= drop_a_day(loader)
    figures |= disk(loader, size)
    return figures


def operations(
    loader: psycopg.Connection, size: int
) -> dict[str, tuple[Callable[[], object], int]]:
    """Return steps by operation, each with how many times it performs the operation."""
    from django.contrib.auth.models import User
    from rest_framework.test import APIClient

    from console.dashboard import summary
    from foundation.database.clock import database_now
    from status.stats import STATS, stats

    api = APIClient(SERVER_NAME="localhost")
    api.force_authenticate(User.objects.get_or_create(username="bench", is_superuser=True)[0])
    host = f"host{size // 20}.example"
    target = api.get(f"/v1/targets?limit=1&host={host}").json()["items"][0]["id"]
    due = [f"host{n * (size // 10) // DUE_HOSTS}.example" for n in range(DUE_HOSTS)]

    def pages(path: str) -> Callable[[], None]:
        def step() -> None:
            for _ in range(PAGES):
                assert api.get(path).status_code == 200

        return step

    def build() -> None:
        STATS.forget()
        summary.compute_summary(database_now())

    return {
        "register a target": (register, BULK),
        "check": (lambda: check(loader, due), 10 * DUE_HOSTS),
        "page of targets": (pages("/v1/targets?limit=50"), PAGES),
        "page of a state": (pages("/v1/targets?limit=50&state=alive"), PAGES),
        "page of a host": (pages(f"/v1/targets?limit=50&host={host}"), PAGES),
        "page of results": (pages(f"/v1/targets/{target}/results"), PAGES),
        "stats": (lambda: stats(database_now()), 1),
        "dashboard, nothing cached": (build, 1),
    }


def register() -> None:
    """Register BULK new URLs on a tenth as many new hosts."""
    from foundation.database.clock import database_now
    from targets.registration import Registration
    from targets.registration import register as register_batch
    from targets.services import accept_url

    batch = next(_numbers)
    urls = [f"https://new{n // 10}-{batch}.example/articles/page-{n}" for n in range(BULK)]
    new_targets = [Registration(url=url, canonical=accept_url(url)) for url in urls]
    register_batch(new_targets, now=database_now())


def check(loader: psycopg.Connection, hosts: list[str]) -> None:
    """Make these hosts due; then reserve them and record the checks of their targets."""
    from checker.claims import claim_due
    from checker.engine.fetch import Probe
    from checker.recording import Finding, record
    from foundation.database.clock import database_now
    from targets.state import Outcome

    for statement in DUE.split(";"):
        loader.execute(statement.encode(), {"hosts": hosts})
    seen: set[UUID] = set()
    while jobs := claim_due(50).jobs:
        now = database_now()
        findings = [
            Finding(
                token=job.lease.token,
                target_id=target.id,
                started_at=now,
                checked_at=now,
                probe=Probe(
                    outcome=Outcome.SUCCESS,
                    reason=None,
                    status_code=200,
                    latency_ms=80,
                    error=None,
                    attempts=1,
                    final_url=target.url,
                    evidence=EVIDENCE,
                ),
            )
            for job in jobs
            for target in job.targets
        ]
        seen |= {finding.target_id for finding in findings}
        record(findings, finished=[job.lease.token for job in jobs], delay=timedelta(0))
    if len(seen) < 9 * len(hosts):
        raise RuntimeError(f"Only {len(seen)} checks on {len(hosts)} hosts")


def cost(step: Callable[[], object]) -> tuple[float, float]:
    """Return the CPU seconds of a step, here and in the backend, and its elapsed seconds."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()
    times = Path(f"/proc/{pid}/schedstat")
    there, here, start = _on_cpu(times), time.process_time(), time.perf_counter()
    step()
    wall = time.perf_counter() - start
    return _on_cpu(times) - there + time.process_time() - here, wall


def _on_cpu(times: Path) -> float:
    return int(times.read_text().split()[0]) / 1e9


def plans_of(step: Callable[[], object]) -> dict[str, list[str]]:
    """Return how PostgreSQL reads growing tables in each statement of a step."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as captured:
        step()
    statements = {re.sub(r"'[^']*'(::\w+)?|\b\d+\b", "?", q["sql"]): q["sql"] for q in captured}
    plans = {}
    for shape, sql in statements.items():
        if not sql.startswith(("SELECT", "INSERT", "UPDATE", "DELETE", "WITH")):
            continue
        with connection.cursor() as cursor:
            cursor.execute("EXPLAIN " + sql)
            plan = "\n".join(line for (line,) in cursor.fetchall())
        nodes = dict.fromkeys(_NODE.findall(plan))
        if nodes:
            plans[shape] = list(nodes)
    return plans


def is_large(table: str) -> bool:
    """Whether this table has more than 800 pages."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_relation_size(%s) > 800 * 8192", [table])
        (large,) = cursor.fetchone()
    return bool(large)


def drop_a_day(loader: psycopg.Connection) -> dict[str, float]:
    """Drop the oldest day of results; return the cost and the number of results."""
    from checker import partitions
    from foundation.database.clock import database_now

    days = partitions.existing_days()
    results: dict[Any, int] = {}
    for day in days:
        row = loader.execute(f"SELECT count(*) FROM checker_checkresult_{day:%Y%m%d}".encode())
        results[day] = (row.fetchone() or (0,))[0]
    first = next(day for day in days if results[day])
    before = database_now().replace(hour=0, minute=0, second=0, microsecond=0)
    before -= timedelta(days=DAYS - 1)
    cpu, wall = cost(lambda: partitions.drop(before))
    return {
        "results of the day that is dropped": results[first],
        "drop a day, ms of CPU": 1e3 * cpu,
        "drop a day, ms elapsed": 1e3 * wall,
    }


def disk(loader: psycopg.Connection, size: int) -> dict[str, float]:
    """Return the bytes on disk per target, result and host, with all their indexes."""
    rows = loader.execute(
        "SELECT coalesce(parent.relname, child.relname), sum(pg_total_relation_size(child.oid)),"
        " sum(greatest(child.reltuples, 0))"
        " FROM pg_class child LEFT JOIN pg_inherits ON inhrelid = child.oid"
        " LEFT JOIN pg_class parent ON parent.oid = inhparent"
        " WHERE child.relkind = 'r' AND coalesce(parent.relname, child.relname) = ANY(%s)"
        " GROUP BY 1",
        [list(GROWING)],
    ).fetchall()
    each = {name: float(bytes_) / max(1.0, tuples) for name, bytes_, tuples in rows}
    return {
        "disk per target, bytes": each["targets_target"],
        "disk per result, bytes": each["checker_checkresult"],
        "disk per host, bytes": each["hosts_host"] + each["hosts_slot"],
        "total disk, MB": sum(float(row[1]) for row in rows) / 1e6,
    }


if __name__ == "__main__":
    main()
