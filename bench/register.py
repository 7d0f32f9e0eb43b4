"""Registering URLs over HTTP: one by one, compared with an empty DRF view, and in bulk, compared
with bare COPY.

Both use the web stack of production, with a token, on a durable PostgreSQL. Single: CLIENTS
connections, each of which sends the next POST of a new URL after the response. Bulk: one
connection, 1,000 new URLs a request, HOSTS_PER_BULK new hosts among them; the peer copies such rows
into the same table, with all its indexes, 1,000 a transaction, and nothing else: no hosts, no
validation, no JSON. Import: `import_targets` with a file of such URLs.

Each rate comes with the processor time of one operation (a request, or a target for bulk, import
and COPY) in the process that performs it (web, or this one) and in PostgreSQL.
"""

import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import NamedTuple

import psycopg
from _server import Client, make_token, serve
from harness import cpu_seconds, postgres, postmaster, report, sized

CLIENTS = 8
BULK = 1000
HOSTS_PER_BULK = 100
IMPORTED = sized(30, toy=1)  # thousands of lines
SECONDS = sized(3.0, toy=0.3)
ROUNDS = sized(2, toy=1)
_numbers = count()


class Figures(NamedTuple):
    """The rate of a step, and the processor time of one operation in µs."""

    rate: float  # operations a second
    worker: float  # in the process that performs it
    database: float


def main() -> None:
    with (
        postgres() as url,
        serve() as (port, web),
        psycopg.connect(url, autocommit=True) as peer,
        temporary_file() as file,
    ):
        client = Client(port, make_token())
        client.post("/v1/targets/bulk", bulk_body())
        columns, row = example_row(peer)
        ours = os.getpid()
        work: dict[str, tuple[int, Callable[[], int]]] = {
            "empty": (web, lambda: run_in_threads(lambda: client.post("/empty", body()))),
            "new hosts": (web, lambda: run_in_threads(lambda: client.post("/v1/targets", body()))),
            "known hosts": (
                web,
                lambda: run_in_threads(lambda: client.post("/v1/targets", body(hosts=50))),
            ),
            "bulk": (
                web,
                lambda: BULK * repeat(lambda: client.post("/v1/targets/bulk", bulk_body())),
            ),
            "import": (ours, lambda: import_file(file)),
            "copy": (ours, lambda: BULK * repeat(lambda: copy_rows(peer, columns, row))),
        }
        rounds = [
            {name: measure(step, worker, postmaster(peer)) for name, (worker, step) in work.items()}
            for _ in range(ROUNDS)
        ]
    best = {name: max(figures[name] for figures in rounds) for name in work}
    print_report(best)


def measure(step: Callable[[], int], worker: int, database: int) -> Figures:
    """Run `step`, which returns its number of operations."""
    start, before = time.perf_counter(), (cpu_seconds(worker), cpu_seconds(database))
    count = step()
    after, seconds = (cpu_seconds(worker), cpu_seconds(database)), time.perf_counter() - start
    spent = [(end - begin) / count * 1e6 for begin, end in zip(before, after, strict=True)]
    return Figures(count / seconds, *spent)


def print_report(best: dict[str, Figures]) -> None:
    names = {
        "new hosts": "POST on new hosts",
        "known hosts": "POST on 50 hosts",
        "bulk": "bulk",
        "import": "import",
        "empty": "empty DRF view",
        "copy": "COPY",
    }
    lines = {
        key: {
            f"{name}, a second": best[key].rate,
            f"{name}, µs of its process": best[key].worker,
            f"{name}, µs of PostgreSQL": best[key].database,
        }
        for key, name in names.items()
    }
    peers = ("empty", "copy")
    ratios = {f"{names[key]} to an empty view": (key, "empty", "≥ 0.8") for key in list(names)[:2]}
    ratios |= {
        "bulk to COPY": ("bulk", "copy", "≥ 0.1"),
        "import to COPY": ("import", "copy", "≥ 0.15"),
    }
    report(
        "register",
        {line: value for key in names if key not in peers for line, value in lines[key].items()},
        peer={line: value for key in peers for line, value in lines[key].items()},
        ratio={line: best[key].rate / best[peer].rate for line, (key, peer, _) in ratios.items()},
        goal={line: goal for line, (_, _, goal) in ratios.items()},
    )


def body(*, hosts: int | None = None) -> bytes:
    number = next(_numbers)
    host = f"n{number}" if hosts is None else f"k{number % hosts}"
    return json.dumps({"url": f"https://{host}.example/page/{number}"}).encode()


def bulk_body() -> bytes:
    batch = next(_numbers)
    urls = [f"https://h{n % HOSTS_PER_BULK}-{batch}.example/page/{n}?a=1" for n in range(BULK)]
    return json.dumps({"items": [{"url": url} for url in urls]}).encode()


@contextmanager
def temporary_file() -> Iterator[str]:
    """Yield the path of a file that `import_file` fills."""
    with tempfile.TemporaryDirectory() as folder:
        yield str(Path(folder) / "targets.txt")


def import_file(file: str) -> int:
    """Import new URLs with the command; return their number."""
    from django.core.management import call_command

    lines = []
    for _ in range(IMPORTED):
        lines += [item["url"] for item in json.loads(bulk_body())["items"]]
    Path(file).write_text("\n".join(lines))
    with Path(os.devnull).open("w") as nowhere:
        call_command("import_targets", file, stdout=nowhere)
    return len(lines)


def repeat(step: Callable[[], None]) -> int:
    """Run `step` for SECONDS; return how many times it ran."""
    times, start = 0, time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        step()
        times += 1
    return times


def run_in_threads(step: Callable[[], None]) -> int:
    """Run `step` in CLIENTS threads for SECONDS; return how many times it ran."""
    with ThreadPoolExecutor(CLIENTS) as pool:
        return sum(pool.map(lambda _: repeat(step), range(CLIENTS)))


def example_row(peer: psycopg.Connection) -> tuple[list[str], dict[str, object]]:
    """Return the columns of the table of targets, and a row made by a bulk request."""
    cursor = peer.execute("SELECT * FROM targets_target ORDER BY created_at DESC LIMIT 1")
    columns = [column.name for column in cursor.description or ()]
    return columns, dict(zip(columns, cursor.fetchone() or (), strict=True))


def copy_rows(peer: psycopg.Connection, columns: list[str], row: dict[str, object]) -> None:
    import uuid_utils.compat

    batch = next(_numbers)
    with peer.cursor().copy(f"COPY targets_target ({', '.join(columns)}) FROM STDIN") as copy:
        for n in range(BULK):
            host = f"c{n % HOSTS_PER_BULK}-{batch}.example"
            url = f"https://{host}/page/{n}?a=1"
            new = {"id": uuid_utils.compat.uuid7(), "url": url, "canonical_url": url, "host": host}
            copy.write_row(list((row | new).values()))


if __name__ == "__main__":
    main()
