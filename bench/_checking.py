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
from harness import postgres, read_line, send_line, sqlite

IS_SQLITE = os.environ.get("BENCH_DATABASE") == "sqlite"
PROCESSES = 1 if IS_SQLITE else 2

# Runs a checker worker after reading a line, and prints its figures.
_CODE = """
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
figures = {"checks": report.checks, "failures": failures, "cpu": cpu}
print(json.dumps(figures | {"rss_mb": used.ru_maxrss / 1024}), flush=True)
"""


@dataclass(frozen=True)
class CheckRun:
    """What checker workers did until nothing was due."""

    checks: int
    rate: float  # checks/s
    cpu_ms: float  # of a check, in the workers
    database_ms: float  # of a check, in PostgreSQL
    rss_mb: float  # of the largest worker


@contextmanager
def checks(**settings: str) -> Iterator[None]:
    """Set up a database and Django for checks of loopback hosts without delays."""
    os.environ.pop("REDIS_URL", None)
    database = sqlite if IS_SQLITE else postgres
    defaults = {
        "ALLOW_NETWORKS": "127.0.0.0/8",
        "HOST_DELAY": "0s",
        "MAX_CONCURRENCY": str(CONCURRENCY),
    }
    deployment: AbstractContextManager[object] = database(**defaults | settings)
    with deployment:
        yield


def register(urls: list[str]) -> None:
    from foundation.database.clock import database_now
    from targets.canonical import canonicalize
    from targets.registration import Registration
    from targets.registration import register as register_batch

    for start in range(0, len(urls), 1000):
        batch = urls[start : start + 1000]
        register_batch(
            [Registration(url=url, canonical=canonicalize(url)) for url in batch],
            now=database_now(),
        )


def delete_targets() -> None:
    from targets.models import Target

    Target.objects.all().delete()


def make_due(hosts: list[str], *, as_planned: bool = False) -> None:
    """Make all targets due again; their pages are known by now.

    `as_planned`: as if their planned times had come, so that checks may be conditional.
    """
    from foundation.database.clock import database_now
    from hosts import reservations
    from hosts.models import Purpose
    from targets.models import Target

    now = database_now()
    Target.objects.update(next_check_at=now)
    if as_planned:
        targets = list(Target.objects.exclude(validators=None).only("validators"))
        for target in targets:
            target.validators = (target.validators or {}) | {"due": int(now.timestamp())}
        Target.objects.bulk_update(targets, ["validators"], batch_size=1000)
    reservations.schedule(dict.fromkeys(hosts, now), purpose=Purpose.CHECK, now=now)


def run_workers() -> CheckRun:
    """Run PROCESSES checker workers until nothing is due."""
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", _CODE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(PROCESSES)
    ]
    for worker in workers:
        read_line(worker)
    start, database = time.perf_counter(), _database_cpu()
    for worker in workers:
        send_line(worker, "go")
    reports = [json.loads(read_line(worker)) for worker in workers]
    spent = time.perf_counter() - start
    for worker in workers:
        worker.communicate()
    count = sum(report["checks"] for report in reports)
    assert sum(report["failures"] for report in reports) == 0, reports  # all pages exist
    return CheckRun(
        checks=count,
        rate=count / spent,
        cpu_ms=1000 * sum(report["cpu"] for report in reports) / count,
        database_ms=1000 * (_database_cpu() - database) / count,
        rss_mb=max(report["rss_mb"] for report in reports),
    )


def _database_cpu() -> float:
    """Return the seconds of processor time that PostgreSQL has used so far, 0 on SQLite."""
    if IS_SQLITE:
        return 0.0
    (pid_file,) = Path(os.environ["DATA_DIR"]).rglob("postmaster.pid")
    server = psutil.Process(int(pid_file.read_text().split()[0]))
    own: float = sum(server.cpu_times()[:4])  # includes connections that have ended
    return own + sum(sum(connection.cpu_times()[:2]) for connection in server.children())
