"""Requests `/s/{key}` from the whole product: one key, many keys and agents, and uncached keys.

wrk sends requests over 32 connections to the web process, with the analytics worker, PostgreSQL
and Valkey as in production, and alternately to its peers, so that other load affects all: nginx
with one worker and `return 302`; the minimal redirect of this server (a bare ASGI callable with the
same response and no counts); and chhoto-url, a shortener in Rust, if CHHOTO_URL is the path of its
program. Each rate is reported with the processor time of every process for one request. Finally,
every visit that wrk saw must have been counted.
"""

import json
import os
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

from _cost import analytics, per_operation, processor_time
from _wrk import CONNECTIONS, Load, process, web, wrk
from harness import debian_program, postgres, report, sized, valkey

from tests.ports import free_port

ROUNDS = sized(3, toy=1)
KEYS = sized(1_000, toy=10)
AGENTS = sized(20_000, toy=20)
COLD = sized(20_000, toy=4_000)  # links of each round, more than can be requested once
PATIENCE = 5.0  # seconds for the worker to catch up
LONG_URL = "https://www.example.com/a/page?of=some&length=1"
NGINX = """
worker_processes 1;
daemon off;
error_log stderr crit;
pid {folder}/pid;
events {{ worker_connections 256; }}
http {{
  access_log off;
  client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};
  uwsgi_temp_path {folder}; scgi_temp_path {folder};
  server {{
    listen 127.0.0.1:{port};
    location / {{ add_header Cache-Control "private, no-store" always; return 302 {url}; }}
  }}
}}
"""


class Round(NamedTuple):
    """The results of wrk, and the µs of each process for a request."""

    load: Load
    cost: dict[str, float]


def main() -> None:
    with ExitStack() as running:
        redis_url = running.enter_context(valkey())
        running.enter_context(postgres(REDIS_URL=redis_url))
        ours = running.enter_context(web())
        running.enter_context(analytics())
        peers = {
            "nginx return 302": running.enter_context(nginx()),
            "bare ASGI callable": running.enter_context(bare()),
        }
        if program := os.environ.get("CHHOTO_URL"):
            peers["chhoto-url"] = running.enter_context(chhoto(program))
        measure(ours, peers)


def measure(port: int, peers: dict[str, int]) -> None:
    paths = [f"/s/{key}" for key in make_links("bench", KEYS)]
    steps: dict[str, Callable[[], Load]] = {
        "hot": partial(wrk, port, paths[:1]),
        "keys and agents": partial(wrk, port, paths, agents=AGENTS),
    }
    for name, peer in peers.items():
        steps[name] = partial(wrk, peer, paths[:1])
    chhoto_paths = [path.removeprefix("/s") for path in paths]
    if "chhoto-url" in peers:
        peer = peers["chhoto-url"]
        steps["chhoto-url"] = partial(wrk, peer, chhoto_paths[:1])
        steps["chhoto-url, keys and agents"] = partial(wrk, peer, chhoto_paths, agents=AGENTS)
    steps["cold"] = partial(request_once, port)
    wrk(port, paths, seconds=1)
    for name, peer in peers.items():
        wrk(peer, chhoto_paths if name == "chhoto-url" else paths, seconds=1)
    wait_until_counted(sys.maxsize)
    before = counted_visits()
    ours = ("hot", "keys and agents", "cold")
    rounds = [
        {name: measure_cost(step, is_ours=name in ours) for name, step in steps.items()}
        for _ in range(ROUNDS)
    ]
    visits = sum(each[name].load.requests for each in rounds for name in ours)
    report_rounds(rounds, ours, missed=max(0, before + visits - counted_visits()), visits=visits)


def report_rounds(
    rounds: list[dict[str, Round]], ours: tuple[str, ...], *, missed: int, visits: int
) -> None:
    figures: dict[str, float] = {"visits": visits, "visits not counted in the end": missed}
    peers: dict[str, float] = {}
    for name in rounds[0]:
        rows = figures if name in ours else peers
        rows[f"{name}, requests/s"] = median(each[name].load.per_second for each in rounds)
        for part in rounds[0][name].cost:
            cost = median(each[name].cost[part] for each in rounds)
            if cost >= 0.5:
                rows[f"{name}, us of {part}"] = cost
    total = median(sum(each["hot"].cost.values()) for each in rounds)
    p95 = median(each["hot"].load.p95 for each in rounds)
    ratio = {
        f"hot to {name}": median(
            each["hot"].load.per_second / each[name].load.per_second for each in rounds
        )
        for name in rounds[0]
        if name not in ours and "agents" not in name
    }
    ratio |= {
        "us in all to 30": total / 30,
        "p95 to 5 ms": p95 / 5,
        "visits not counted in the end": missed,
    }
    goal = {"hot to nginx return 302": "≥ 0.25", "hot to chhoto-url": "≥ 0.8"}
    goal |= {"us in all to 30": "≤ 1", "p95 to 5 ms": "< 1", "visits not counted in the end": "0"}
    report("redirect", figures, peer=peers, ratio=ratio, goal=goal)


def measure_cost(step: Callable[[], Load], *, is_ours: bool) -> Round:
    """Send requests; wait for their background work, which counts as their cost."""
    before, visits = processor_time(), counted_visits()
    load = step()
    if is_ours:
        wait_until_counted(visits + load.requests)
    return Round(load, per_operation(before, load.requests))


def request_once(port: int) -> Load:
    """Request new links, once each; raises RuntimeError if they run out."""
    paths = [f"/s/{key}" for key in make_links(f"cold{time.monotonic_ns()}", COLD)]
    load = wrk(port, paths, once=True)
    if load.requests > COLD - 2 * CONNECTIONS:
        raise RuntimeError(f"{COLD} cold links are too few")
    return load


def make_links(name: str, count: int) -> list[str]:
    """Make links; return their keys."""
    from django.db import connection

    from foundation.database.clock import database_now
    from shortener.models import ShortURL

    now, keys = database_now(), [f"{name}-{number}" for number in range(count)]
    ShortURL.objects.bulk_create(
        [ShortURL(key=key, long_url=LONG_URL, created_at=now) for key in keys], batch_size=1000
    )
    connection.close()
    return keys


def counted_visits() -> int:
    """Return the number of visits of links that have been counted."""
    from foundation.valkey.clients import client

    names = client().scan_iter("views:short:*", count=10_000)
    keys = [name for name in names if name.count(b":") == 2]  # not those of single days
    return sum(int(value or 0) for value in client().mget(keys)) if keys else 0


def wait_until_counted(visits: int) -> None:
    """Return once this many visits are counted, or the number no longer grows."""
    seen, since = counted_visits(), time.monotonic()
    while seen < visits and time.monotonic() - since < PATIENCE:
        time.sleep(0.2)
        if seen != (seen := counted_visits()):
            since = time.monotonic()
    time.sleep(0.5)


@contextmanager
def bare() -> Iterator[int]:
    port = free_port()
    with process([sys.executable, "bench/_redirect.py", str(port), LONG_URL], port):
        yield port


@contextmanager
def nginx() -> Iterator[int]:
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="linkwatch-bench-") as folder:
        configuration = Path(folder) / "nginx.conf"
        configuration.write_text(NGINX.format(folder=folder, port=port, url=LONG_URL))
        program = debian_program("nginx", package="nginx-light")
        with process([program, "-c", str(configuration), "-e", "stderr"], port):
            yield port


@contextmanager
def chhoto(program: str) -> Iterator[int]:
    """Run chhoto-url with the same links, below `/`."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="linkwatch-bench-") as folder:
        settings = {
            "CHHOTO_DB_URL": f"{folder}/urls.sqlite",
            "CHHOTO_LISTEN_ADDRESS": "127.0.0.1",
            "CHHOTO_LISTEN_PORT": str(port),
            "CHHOTO_PUBLIC_MODE": "Enable",
            "CHHOTO_REDIRECT_METHOD": "TEMPORARY",
            "CHHOTO_USE_WAL_MODE": "True",
            "RUST_LOG": "error",
        }
        with process([program], port, **settings):
            for number in range(KEYS):
                link = {"shortlink": f"bench-{number}", "longlink": LONG_URL}
                request = urllib.request.Request(
                    f"http://127.0.0.1:{port}/api/new", json.dumps(link).encode(), method="POST"
                )
                urllib.request.urlopen(request, timeout=10).close()
            yield port


if __name__ == "__main__":
    main()
