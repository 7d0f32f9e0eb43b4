"""Shared by the benches of checks: targets, and the processes that check them."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
from _peers import CONCURRENCY
from harness import answer, postgres, send_line, sqlite

IS_SQLITE = os.environ.get("BENCH_DATABASE") == "sqlite"
PROCESSES = 1 if IS_SQLITE else 2

_SHIFT = """
import django, json, resource, sys
django.setup()
from checker.worker import run_worker
print("ready", flush=True)
sys.stdin.readline()
before = resource.getrusage(resource.RUSAGE_SELF)
report = run_worker(length=None, should_stop=lambda: False)
used = resource.getrusage(resource.RUSAGE_SELF)
cpu = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
failures = report.outcomes.get("failure", 0)
found = {"checks": report.checks, "failures": failures, "cpu": cpu}
print(json.dumps(found | {"rss_mb": used.ru_maxrss / 1024}), flush=True)
"""


@dataclass(frozen=True)
class CheckRun:
    """The work of checker workers until nothing was due."""

    checks: int
    rate: float  # checks/s
    cpu_ms: float  # of a check, in the workers
    database_ms: float  # of a check, in PostgreSQL
    rss_mb: float  # of the largest worker


@contextmanager
def checks(**settings: str) -> Iterator[None]:
    """Set up a database and Django for checks of loopback without delays."""
    os.environ.pop("REDIS_URL", None)
    database = sqlite if IS_SQLITE else postgres
    usual = {
        "ALLOW_NETWORKS": "127.0.0.0/8",
        "HOST_DELAY": "0s",
        "MAX_CONCURRENCY": str(CONCURRENCY),
    }
    opened: AbstractContextManager[object] = database(**usual | settings)
    with opened:
        yield


def register(wanted: list[str]) -> None:
    from foundation.database.clock import database_now
    from targets.canonical import canonicalize
    from targets.registration import Registration
    from targets.registration import register as register_batch

    for start in range(0, len(wanted), 1000):
        batch = wanted[start : start + 1000]
        register_batch(
            [Registration(url=url, canonical=canonicalize(url)) for url in batch],
            now=database_now(),
        )


def delete_targets() -> None:
    from targets.models import Target

    Target.objects.all().delete()


def make_due(hosts: list[str], *, as_planned: bool = False) -> None:
    """Make all targets due again; their pages are already known.

    `as_planned`: as if the planned time had come, so that checks may be conditional.
    """
    from foundation.database.clock import database_now
    from hosts import reservations
    from hosts.models import Purpose
    from targets.models import Target

    now = database_now()
    Target.objects.update(next_check_at=now)
    if as_planned:
        known = list(Target.objects.exclude(validators=None).only("validators"))
        for target in known:
            target.validators = (target.validators or {}) | {"due": int(now.timestamp())}
        Target.objects.bulk_update(known, ["validators"], batch_size=1000)
    reservations.schedule(dict.fromkeys(hosts, now), purpose=Purpose.CHECK, now=now)


def run_workers() -> CheckRun:
    """Run PROCESSES checker workers until nothing is due."""
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", _SHIFT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(PROCESSES)
    ]
    for worker in workers:
        answer(worker)
    start, database = time.perf_counter(), _database_cpu()
    for worker in workers:
        send_line(worker, "go")
    reports = [json.loads(answer(worker)) for worker in workers]
    spent = time.perf_counter() - start
    for worker in workers:
        worker.communicate()
    count = sum(one["checks"] for one in reports)
    assert sum(one["failures"] for one in reports) == 0, reports  # all pages exist
    return CheckRun(
        checks=count,
        rate=count / spent,
        cpu_ms=1000 * sum(one["cpu"] for one in reports) / count,
        database_ms=1000 * (_database_cpu() - database) / count,
        rss_mb=max(one["rss_mb"] for one in reports),
    )


def _database_cpu() -> float:
    """Return the seconds of processor time that PostgreSQL has used so far, 0 on SQLite."""
    if IS_SQLITE:
        return 0.0
    (pid_file,) = Path(os.environ["DATA_DIR"]).rglob("postmaster.pid")
    server = psutil.Process(int(pid_file.read_text().split()[0]))
    own: float = sum(server.cpu_times()[:4])  # with those of connections that have ended
    return own + sum(sum(connection.cpu_times()[:2]) for connection in server.children())
