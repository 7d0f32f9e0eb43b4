"""Measures the processor time of each part of the product while all of it runs."""

import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psutil
from harness import ROOT

# The parts by a fragment of their processes' command lines.
_PARTS = {
    "run_web": "web",
    "run_analytics": "analytics",
    "valkey-server": "Valkey",
    "nginx": "nginx",
    "_redirect.py": "bare callable",
    "_bare.py": "bare callable",
    "chhoto": "chhoto-url",
    "haste": "haste-server",
}


def processor_time() -> dict[str, float]:
    """Return the seconds of processor time that each part started by this bench has used so far."""
    times: defaultdict[str, float] = defaultdict(float)
    for process in psutil.Process().children(recursive=True):
        line = " ".join(_command_of(process))
        part = next((name for mark, name in _PARTS.items() if mark in line), None)
        if part is not None:
            times[part] += _seconds(process)
    for process in _postgres():
        times["PostgreSQL"] += _seconds(process)
    return times


def _postgres() -> list[psutil.Process]:
    """Return the processes of this bench's server, which is not a child process."""
    pid = Path(os.environ["DATA_DIR"], "postgres", "postmaster.pid").read_text().split()[0]
    server = psutil.Process(int(pid))
    return [server, *server.children()]


def per_operation(before: Mapping[str, float], operations: int) -> dict[str, float]:
    """Return the µs that each part has used since `before`, per operation."""
    after = processor_time().items()
    return {name: (end - before.get(name, 0.0)) / max(1, operations) * 1e6 for name, end in after}


def _command_of(process: psutil.Process) -> list[str]:
    try:
        return list(process.cmdline())
    except psutil.Error:
        return []


def _seconds(process: psutil.Process) -> float:
    """Return the processor time of a process; 0 if it has ended."""
    try:
        times = process.cpu_times()
    except psutil.Error:
        return 0.0
    return float(times.user + times.system)


@contextmanager
def analytics() -> Iterator[None]:
    """Run the worker that counts views, until the end of the block."""
    worker = subprocess.Popen([sys.executable, "manage.py", "run_analytics"], cwd=ROOT)
    try:
        yield
    finally:
        worker.terminate()
        worker.wait(timeout=60)
