"""Reserve and release hosts, side by side with url-frontier on RocksDB, in turns.

Both hold each host as a queue of its own; one client takes a batch and gives it back, due at once.
url-frontier (of crawler-commons, 2.6) is built from its source by Maven; URL_FRONTIER_JAR names
the jar of its service with all that it needs. Without that, or Java, this does nothing. The peer
does not wait for its disk, where PostgreSQL does; its client is of its own kind: Java, warm.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import psycopg
from harness import free_port, postgres, report, wait_for_port
from reserve import LOAD, fill, rate, reserve_and_release

SIZE = 10_000
BATCHES = [10, 100, 500]
WARM_UP = 12.0  # seconds of the peer's, whose compiler needs them
TURN = 2.0
TURNS = 3
CLIENT = Path(__file__).parent / "peers" / "FrontierClient.java"


@contextmanager
def frontier(jar: str) -> Iterator[int]:
    """Run url-frontier in a temporary folder; yields its port."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="linkwatch-bench-") as folder:
        server = subprocess.Popen(
            f"java -Xmx2G -jar {jar} -h 127.0.0.1 -p {port} rocksdb.path={folder}/rocksdb".split(),
            stdout=subprocess.DEVNULL,
            cwd=folder,
        )
        try:
            wait_for_port("127.0.0.1", port, seconds=60)
            yield port
        finally:
            server.terminate()
            server.wait()


@contextmanager
def client(jar: str, port: int, batch: int) -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(
        ["java", "-cp", jar, CLIENT, str(port), str(SIZE), str(batch)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        process.stdout.readline()  # it has put the hosts in
        peer_rate(process, WARM_UP)
        yield process
    finally:
        process.communicate()


def peer_rate(process: "subprocess.Popen[str]", seconds: float) -> float:
    process.stdin.write(f"{seconds}\n")
    process.stdin.flush()
    return float(process.stdout.readline())


def run(jar: str, batch: int, connection: psycopg.Connection) -> tuple[float, float]:
    """Return the median rates of ours and of the peer at this batch, in turns."""
    fill(connection, LOAD.format(size=SIZE))
    ours, peers = [], []
    with frontier(jar) as port, client(jar, port, batch) as peer:
        rate(lambda: reserve_and_release(batch), seconds=1)
        for _ in range(TURNS):
            ours.append(rate(lambda: reserve_and_release(batch), seconds=TURN))
            peers.append(peer_rate(peer, TURN))
    return median(ours), median(peers)


def main() -> None:
    jar = os.environ.get("URL_FRONTIER_JAR")
    if jar is None or shutil.which("java") is None:
        print("frontier: left out, as URL_FRONTIER_JAR or Java is not there")
        return
    with postgres() as url, psycopg.connect(url, autocommit=True) as connection:
        rates = {f"batch {batch}": run(jar, batch, connection) for batch in BATCHES}
    report(
        "frontier",
        {f"reserve + release, hosts/s, {label}": ours for label, (ours, _) in rates.items()},
        peer={f"url-frontier, hosts/s, {label}": peer for label, (_, peer) in rates.items()},
        ratio={label: ours / peer for label, (ours, peer) in rates.items()},
        goal={"batch 100": "≥ 3"},
    )


if __name__ == "__main__":
    main()
