"""Four batches of 5,000 unknown URLs each on 2,000 hosts, compared with checks of as many targets.

Both run alternately with unknown pages, the same nginx and checker workers, and no delay.
BENCH_DATABASE=sqlite: on SQLite, with one process.
"""

import statistics
import time
from datetime import timedelta

from _checking import CheckRun, checks, register, run_workers
from _sites import nginx
from check import HOSTS, TARGETS_PER_HOST
from harness import report, sized

from tests.ports import free_port

BATCHES = 4
ROUNDS = sized(3, toy=1)


def make_batches(urls: list[str]) -> list[float]:
    """Make BATCHES of these URLs; return the seconds that each took."""
    from accounts.actors import DEPLOYMENT
    from batches import services
    from foundation.database.clock import database_now

    size, durations = len(urls) // BATCHES, []
    for start in range(0, len(urls), size):
        new = services.NewBatch(
            urls=urls[start : start + size],
            max_age=timedelta(days=1),
            give_up=timedelta(hours=1),
        )
        began = time.perf_counter()
        services.create(new, now=database_now(), by=DEPLOYMENT)
        durations.append(time.perf_counter() - began)
    return durations


def main() -> None:
    runs: dict[str, list[CheckRun]] = {"targets": [], "batches": []}
    with checks(BATCH_QUEUE="1000000"), nginx(HOSTS, free_port()) as sites:
        from batches import ending
        from batches.models import Batch, BatchItem

        register(sites.urls(1, "warm/"))
        run_workers()
        for number in range(ROUNDS):
            register(sites.urls(TARGETS_PER_HOST, f"targets{number}/"))
            runs["targets"].append(run_workers())
            durations = make_batches(sites.urls(TARGETS_PER_HOST, f"batches{number}/"))
            runs["batches"].append(run_workers())
            began = time.perf_counter()
            ending.look()
            ended = time.perf_counter() - began
            assert not BatchItem.objects.filter(state="waiting").exists()
            assert not Batch.objects.open().exists()
    rate = {name: statistics.median(run.rate for run in rounds) for name, rounds in runs.items()}
    cost = {name: statistics.median(run.cpu_ms for run in rounds) for name, rounds in runs.items()}
    report(
        "batch",
        {
            "checks/s of batches": rate["batches"],
            "CPU of one of those, ms, in the workers": cost["batches"],
            "checks in a run": runs["batches"][-1].checks,
            "s to make a batch": max(durations),
            "s to end them": ended,
        },
        peer={
            "checks/s of targets": rate["targets"],
            "CPU of one of those, ms, in the workers": cost["targets"],
        },
        ratio={"of the rate of targets": rate["batches"] / rate["targets"]},
        goal={"of the rate of targets": "≥ 0.9"},
    )


if __name__ == "__main__":
    main()
