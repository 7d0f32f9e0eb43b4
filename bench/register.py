"""Registering URLs over HTTP: one by one against an empty DRF view, in bulk against bare COPY.

Both on the web stack of production, with a token, on a durable PostgreSQL. Single: CLIENTS
connections that each send the next POST, of a new URL, when they have the answer. Bulk: one
connection, 1,000 new URLs a request, HOSTS_PER_BULK new hosts among them; the peer copies rows as
these requests make them into the same table, with all its indexes, 1,000 a transaction, and
nothing else: no hosts, no validation, no JSON.
"""

import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import psycopg
from _server import Client, make_token, serve
from harness import postgres, report, sized

CLIENTS = 8
BULK = 1000
HOSTS_PER_BULK = 100
SECONDS = sized(3.0, toy=0.3)
ROUNDS = sized(2, toy=1)
_numbers = count()


def main() -> None:
    with postgres() as url, serve() as port, psycopg.connect(url, autocommit=True) as peer:
        client = Client(port, make_token())
        client.post("/v1/targets/bulk", bulk_body())
        columns, row = a_row(peer)
        work: dict[str, Callable[[], float]] = {
            "empty": lambda: together(lambda: client.post("/empty", body())),
            "new hosts": lambda: together(lambda: client.post("/v1/targets", body())),
            "known hosts": lambda: together(lambda: client.post("/v1/targets", body(hosts=50))),
            "bulk": lambda: BULK * rate(lambda: client.post("/v1/targets/bulk", bulk_body())),
            "copy": lambda: BULK * rate(lambda: copy_rows(peer, columns, row)),
        }
        rounds = [{name: step() for name, step in work.items()} for _ in range(ROUNDS)]
    best = {name: max(figures[name] for figures in rounds) for name in work}
    report(
        "register",
        {
            "POST on new hosts, requests/s": best["new hosts"],
            "POST on 50 hosts, requests/s": best["known hosts"],
            "bulk, targets/s": best["bulk"],
        },
        peer={"empty DRF view, requests/s": best["empty"], "COPY, rows/s": best["copy"]},
        ratio={
            "POST on new hosts to an empty view": best["new hosts"] / best["empty"],
            "POST on 50 hosts to an empty view": best["known hosts"] / best["empty"],
            "bulk to COPY": best["bulk"] / best["copy"],
        },
        goal={
            "POST on new hosts to an empty view": "≥ 0.5",
            "POST on 50 hosts to an empty view": "≥ 0.5",
            "bulk to COPY": "≥ 0.3",
        },
    )


def body(*, hosts: int | None = None) -> bytes:
    number = next(_numbers)
    host = f"n{number}" if hosts is None else f"k{number % hosts}"
    return json.dumps({"url": f"https://{host}.example/page/{number}"}).encode()


def bulk_body() -> bytes:
    batch = next(_numbers)
    urls = [f"https://h{n % HOSTS_PER_BULK}-{batch}.example/page/{n}?a=1" for n in range(BULK)]
    return json.dumps({"items": [{"url": url} for url in urls]}).encode()


def rate(step: Callable[[], None]) -> float:
    """Return how often a second `step` can be done, over SECONDS."""
    done, start = 0, time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        step()
        done += 1
    return done / (time.perf_counter() - start)


def together(step: Callable[[], None]) -> float:
    """Return the rate of CLIENTS threads that do `step`."""
    with ThreadPoolExecutor(CLIENTS) as pool:
        return sum(pool.map(lambda _: rate(step), range(CLIENTS)))


def a_row(peer: psycopg.Connection) -> tuple[list[str], dict[str, object]]:
    """Return the columns of the table of targets and a row that a bulk has made."""
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
