"""Results distributed over the workers of a Citus cluster, compared with its coordinator alone.

CITUS_URL names an empty database of a coordinator that has its workers (docs/scale.md says how);
without it, the bench is skipped. The peer is the same database before the results are spread. On
one machine that shows what spreading costs, not what it gains. Then each operation of the product
on results runs once; errors of PostgreSQL are reported. Everything that the bench creates remains.
"""

import os
import statistics
import time
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import psycopg
from harness import existing, leave_out, report, sized, valkey
from scale import check, register

TABLE = "checker_checkresult"
TARGETS = sized(20_000, toy=1_000)
ROUNDS = sized(5, toy=1)
HOSTS = sized(100, toy=10)  # of ten targets each, checked in a round
FAR = timedelta(days=30)  # from now: days without partitions
# A transaction prepares and commits in each shard that it writes to: with Citus's usual 32 shards a
# batch of results takes four times as long as with two for each of two workers.
SPREAD = (
    f"SELECT create_distributed_table('{TABLE}', 'target_id', shard_count := 4)",
    f"SELECT truncate_local_data_after_distributing_table('{TABLE}')",
)
WAL_BYTES = "SELECT (pg_current_wal_lsn() - '0/0'::pg_lsn)::text"
# Errors that the product handles, or features that it does without.
REFUSED = {
    "a foreign key to targets": f"ALTER TABLE {TABLE} ADD FOREIGN KEY (target_id)"
    " REFERENCES targets_target (id)",
    "a unique key without the target": f"CREATE UNIQUE INDEX ON {TABLE} (id, checked_at)",
    "another target for a result": f"UPDATE {TABLE} SET target_id = NULL",
    "results locked, of any target": f"SELECT id FROM {TABLE} LIMIT 1 FOR UPDATE SKIP LOCKED",
}


def main() -> None:
    url = os.environ.get("CITUS_URL") or leave_out("CITUS_URL names no coordinator")
    settings = {"HOST_DELAY": "0s", "MAX_CONCURRENCY": "1000", "RATE_LIMIT": "100000/1m"}
    with (
        valkey() as redis_url,
        existing(url, REDIS_URL=redis_url, **settings),
        psycopg.connect(url, autocommit=True) as loader,
    ):
        for _ in range(TARGETS // 1_000):
            register()
        alone = measure(loader)
        for statement in SPREAD:
            loader.execute(statement.encode())
        spread = measure(loader)
        for name, step in operations(loader).items():
            print(f"  {name:<48} {outcome(step)}", flush=True)
    report(
        "citus",
        spread,
        peer=alone,
        ratio={f"{name}, spread to alone": spread[name] / alone[name] for name in spread},
        goal={},
    )


def measure(loader: psycopg.Connection) -> dict[str, float]:
    """Return the figures of the database in its present state; times are medians of ROUNDS."""
    from django.contrib.auth.models import User
    from django.test import Client

    from status.prometheus import PRODUCT
    from targets.models import Target

    names = Target.objects.order_by("host").values_list("host", flat=True).distinct()
    hosts = list(names[:: max(1, len(names) // HOSTS)])
    target = Target.objects.filter(host=hosts[0])[0].pk
    browser = Client(SERVER_NAME="localhost")
    rights = {"is_superuser": True, "is_staff": True}
    browser.force_login(User.objects.get_or_create(rights, username="bench")[0])

    def page(path: str) -> Callable[[], None]:
        def step() -> None:
            PRODUCT.forget()
            assert browser.get(path).status_code == 200, path

        return step

    check(loader, hosts)  # makes today's partition, warms up
    loader.execute(b"CHECKPOINT")
    before, results = written_wal(loader), stored_results(loader)[0]
    duration = seconds(lambda: check(loader, hosts))
    results, before = stored_results(loader)[0] - results, written_wal(loader) - before
    figures = {
        "checks recorded a second, by one process": 10 * len(hosts) / duration,
        "WAL of a check, all machines, bytes": before / results,
        "page of a target's results, ms": 1e3 * seconds(page(f"/v1/targets/{target}/results")),
        "page of a target, ms": 1e3 * seconds(page(f"/targets/{target}")),
        "/metrics, nothing cached, ms": 1e3 * seconds(page("/metrics")),
        "the admin's list of results, ms": 1e3 * seconds(page("/admin/checker/checkresult/")),
    }
    results, size = stored_results(loader)
    return {**figures, "disk of a result, bytes": size / results}


def operations(loader: psycopg.Connection) -> dict[str, Callable[[], object]]:
    """Return the product's operations on results, and those that Citus refuses, by name."""
    from checker import partitions
    from checker.models import CheckResult
    from checker.witness_requests import CheckStart, answered_since
    from foundation.database.clock import database_now
    from targets import services
    from targets.models import Target

    now = database_now()
    target, other = Target.objects.filter(results__isnull=False)[:2]
    fields: Any = {"outcome": "success", "status_code": 200, "latency_ms": 1, "attempts": 1}
    CheckResult.objects.create(target=target, checked_at=now + FAR, **fields)
    CheckResult.objects.create(target=target, checked_at=now - 9 * FAR, **fields)
    start = CheckStart(host=target.host, url="", at=0.0, database_time=now - FAR)
    return {
        "days created from the default partition": lambda: partitions.make_ahead(now + FAR),
        "old results of the default partition": lambda: partitions.delete_results(
            now - FAR, limit=9
        ),
        "hosts claimed, checks recorded": lambda: check(loader, [other.host]),
        "a target deleted with its results": lambda: services.delete(target, force=True, now=now),
        "hosts that answered lately": lambda: len(answered_since(start)),
        **{name: partial(loader.execute, sql.encode()) for name, sql in REFUSED.items()},
        "a day dropped": lambda: len(partitions.drop(now + FAR)),
    }


def outcome(step: Callable[[], object]) -> str:
    """Perform an operation; return its duration or its error."""
    from django.db import DatabaseError

    start = time.perf_counter()
    try:
        returned = step()
    except (DatabaseError, psycopg.Error) as error:
        return f"refused: {str(error).splitlines()[0]}"
    return f"works: {returned}, {1e3 * (time.perf_counter() - start):.0f} ms"


def seconds(step: Callable[[], object]) -> float:
    """Return the seconds that a step takes, once warmed up."""
    step()
    spent = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        step()
        spent.append(time.perf_counter() - start)
    return statistics.median(spent)


def stored_results(loader: psycopg.Connection) -> tuple[float, float]:
    """Return the number of results, and their bytes with all indexes, wherever they are
    stored."""
    [(number,)] = loader.execute(f"SELECT count(*) FROM {TABLE}".encode())
    [(here,)] = loader.execute(
        f"SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree('{TABLE}')".encode()
    )
    [(away,)] = loader.execute(
        b"SELECT coalesce(sum(citus_total_relation_size(table_name)), 0) FROM citus_tables"
        b" WHERE table_name::text LIKE 'checker_checkresult_%'"
    )
    return float(number), float(here + away)


def written_wal(loader: psycopg.Connection) -> float:
    """Return the bytes of WAL that all machines have written so far."""
    here = loader.execute(WAL_BYTES.encode()).fetchall()
    there = loader.execute(b"SELECT result FROM run_command_on_workers(%s)", [WAL_BYTES]).fetchall()
    return sum(float(value) for (value,) in here + there)


if __name__ == "__main__":
    main()
