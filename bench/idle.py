"""The cost of `make up` while nobody uses it: memory, processor time, and bytes written.

Memory is the proportional set size (PSS): shared memory counts once. Processor time is in per cent
of one core. Written bytes are those that the kernel counts for a process (`write_bytes`),
extrapolated to a day; tasks that run every 15 minutes appear only in a long enough measurement.
IDLE_SECONDS sets the duration. There is no peer: the ratios refer to the goals.
"""

import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import psutil
from harness import ROOT, report, sized

from tests.ports import free_port

SETTLE_SECONDS = sized(75.0, toy=2.0)  # until the tasks of the first minute have run
SECONDS = float(os.environ.get("IDLE_SECONDS", sized(900.0, toy=2.0)))
STARTS_WITHIN = 90.0  # seconds
MAX_PSS = 240e6  # bytes
MAX_CPU = 1.0  # per cent of a core
MAX_WRITTEN = 100e6  # bytes a day
DAY = 86400.0  # seconds


class Cost(NamedTuple):
    """The cost of a process so far."""

    name: str
    pss: int  # bytes, now
    cpu: float  # seconds
    written: int  # bytes


def main() -> None:
    """Print the cost of each process, and the total."""
    with tempfile.TemporaryDirectory(prefix="linkwatch-idle-") as folder, product(folder) as up:
        time.sleep(SETTLE_SECONDS)
        before = costs(up)
        time.sleep(SECONDS)
        after = costs(up)
    figures: dict[str, object] = {"processes": len(after)}
    pss = cpu = written = 0.0
    for pid, cost in after.items():
        first = before.get(pid, Cost(cost.name, 0, 0.0, 0))
        used = 100 * (cost.cpu - first.cpu) / SECONDS
        wrote = (cost.written - first.written) / SECONDS * DAY
        pss, cpu, written = pss + cost.pss, cpu + used, written + wrote
        figures[f"{cost.name} {pid}: MB of PSS"] = cost.pss / 1e6
        figures[f"{cost.name} {pid}: % of a core"] = used
        figures[f"{cost.name} {pid}: MB written a day"] = wrote / 1e6
    figures["all: MB of PSS"] = pss / 1e6
    figures["all: % of a core"] = cpu
    figures["all: MB written a day"] = written / 1e6
    report(
        "idle",
        figures,
        peer={},
        ratio={
            "PSS to 240 MB": pss / MAX_PSS,
            "processor time to 1 % of a core": cpu / MAX_CPU,
            "written to 100 MB a day": written / MAX_WRITTEN,
        },
        goal={
            "PSS to 240 MB": "<= 1",
            "processor time to 1 % of a core": "<= 1",
            "written to 100 MB a day": "<= 1",
        },
    )


@contextmanager
def product(folder: str) -> Iterator[psutil.Process]:
    """Run `manage.py up` with default settings, on its own port and data folder."""
    port = free_port()
    settings = {"DATA_DIR": f"{folder}/data", "HTTP_PORT": str(port)}
    inherited = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    with (Path(folder) / "log").open("w") as log:
        up = subprocess.Popen(
            [sys.executable, "manage.py", "up"],
            cwd=ROOT,
            env=inherited | settings,
            stdout=log,
            stderr=log,
        )
    try:
        _wait_for(f"http://127.0.0.1:{port}/readyz")
        yield psutil.Process(up.pid)
    finally:
        up.terminate()
        up.wait()


def _wait_for(url: str) -> None:
    deadline = time.monotonic() + STARTS_WITHIN
    while True:
        try:
            urllib.request.urlopen(url, timeout=5).close()
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)
        else:
            return


def costs(up: psutil.Process) -> dict[int, Cost]:
    """Return the cost so far of `up` and of each of its child processes."""
    costs_by_pid = {}
    for process in [up, *up.children(recursive=True)]:
        times, counters = process.cpu_times(), process.io_counters()
        name = "up" if process == up else process.name()
        written = counters.write_bytes
        pss = process.memory_full_info().pss
        costs_by_pid[process.pid] = Cost(name, pss, times.user + times.system, written)
    return costs_by_pid


if __name__ == "__main__":
    main()
