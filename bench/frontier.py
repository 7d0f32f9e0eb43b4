"""Reserves and releases hosts, alternately with url-frontier on RocksDB.

Both hold each host as its own queue; several concurrent clients take batches and return them, due
immediately. url-frontier (of crawler-commons, 2.6) is built from its source by Maven;
URL_FRONTIER_JAR names the jar of its service with its dependencies. Without the jar or Java, the
bench is skipped. Unlike PostgreSQL, the peer does not wait for its disk; its client is a warm
Java process. Processor time includes servers and clients; on a shared machine, it is more reliable
than the rates.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

import psutil
import psycopg
from harness import ROOT, leave_out, postgres, read_line, report, send_line, sized, wait_for_port
from reserve import LOAD, fill

from tests.ports import free_port

HERE = Path(__file__).parent
SIZE = sized(10_000, toy=1_000)
BATCHES = [10, 100, 500]
CLIENTS = 4
WARM_UP = sized(12.0, toy=1.0)  # seconds for the peer, whose compiler needs them
TURN = sized(3.0, toy=0.5)
TURNS = sized(3, toy=1)

CLIENT = """
import sys
import django
django.setup()
from reserve import rate, reserve_and_release
batch = int(sys.argv[1])
reserve_and_release(batch)
print("ready", flush=True)
for line in sys.stdin:
    print(rate(lambda: reserve_and_release(batch), seconds=float(line)), flush=True)
"""


@contextmanager
def client(*command: str | Path) -> Iterator["subprocess.Popen[str]"]:
    """Run a client that reports when it is ready, and writes a rate for each number of seconds."""
    environment = os.environ | {"PYTHONPATH": f"{HERE}:{ROOT}"}
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    )
    try:
        read_line(process)
        yield process
    finally:
        process.communicate()


@contextmanager
def frontier(jar: str) -> Iterator[tuple[int, int]]:
    """Run url-frontier in a temporary folder; yield its port and its process id."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="linkwatch-bench-") as folder:
        server = subprocess.Popen(
            f"java -Xmx2G -jar {jar} -h 127.0.0.1 -p {port} rocksdb.path={folder}/rocksdb".split(),
            stdout=subprocess.DEVNULL,
            cwd=folder,
        )
        try:
            wait_for_port("127.0.0.1", port, seconds=60)
            yield port, server.pid
        finally:
            server.terminate()
            server.wait()


class Figures(NamedTuple):
    """The figures of a turn, or the medians of some turns."""

    rate: float  # hosts a second
    work: float  # processor seconds per 1,000 hosts


class Side(NamedTuple):
    """Clients, and the process id of their server."""

    clients: Sequence["subprocess.Popen[str]"]
    server: int

    def take_turn(self, seconds: float = TURN) -> Figures:
        before = self._processor_time()
        for process in self.clients:
            send_line(process, f"{seconds}")
        hosts_a_second = sum(float(read_line(process)) for process in self.clients)
        spent = self._processor_time() - before
        return Figures(hosts_a_second, spent / (hosts_a_second * seconds) * 1000)

    def _processor_time(self) -> float:
        server = psutil.Process(self.server)
        processes = [server, *server.children(), *(psutil.Process(c.pid) for c in self.clients)]
        return float(sum(sum(process.cpu_times()[:2]) for process in processes))


def run(jar: str, batch: int, filler: psycopg.Connection) -> tuple[Figures, Figures]:
    """Return the median figures of Linkwatch and of url-frontier with this batch size."""
    fill(filler, LOAD.format(size=SIZE))
    postmaster = psutil.Process(filler.info.backend_pid).ppid()
    with ExitStack() as stack:
        start = stack.enter_context
        ours = Side(
            [start(client(sys.executable, "-c", CLIENT, str(batch))) for _ in range(CLIENTS)],
            postmaster,
        )
        port, server = start(frontier(jar))
        numbers = map(str, (port, SIZE, batch, CLIENTS))
        java = HERE / "peers" / "FrontierClient.java"
        theirs = Side([start(client("java", "-cp", jar, java, *numbers))], server)
        theirs.take_turn(WARM_UP)
        turns = [(ours.take_turn(), theirs.take_turn()) for _ in range(TURNS)]
    our_figures, their_figures = (
        Figures(*map(median, zip(*side, strict=True))) for side in zip(*turns, strict=True)
    )
    return our_figures, their_figures


def main() -> None:
    jar = os.environ.get("URL_FRONTIER_JAR")
    if jar is None or shutil.which("java") is None:
        leave_out("URL_FRONTIER_JAR or Java is not there")
    figures: dict[str, float] = {}
    peer: dict[str, float] = {}
    ratio: dict[str, float] = {}
    with postgres() as url, psycopg.connect(url, autocommit=True) as filler:
        for batch in BATCHES:
            ours, theirs = run(jar, batch, filler)
            for rows, side in ((figures, ours), (peer, theirs)):
                rows[f"hosts/s, batch {batch}"] = side.rate
                rows[f"processor, s per 1,000 hosts, batch {batch}"] = side.work
            ratio[f"hosts/s, batch {batch}"] = ours.rate / theirs.rate
            ratio[f"processor of theirs to ours, batch {batch}"] = theirs.work / ours.work
    report("frontier", figures, peer=peer, ratio=ratio, goal={"hosts/s, batch 100": "≥ 3"})


if __name__ == "__main__":
    main()
