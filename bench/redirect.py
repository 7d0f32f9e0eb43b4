"""`/s/{key}` over HTTP, cached and tracked, against nginx with `return 302`.

The web process of production, on PostgreSQL and Valkey, and nginx with one worker and the same
answer are asked in turn by wrk over 32 connections, so that what else this machine does slows both
alike. The least that this server can do (a bare ASGI callable that answers the same and counts
nothing) is asked as well: what of the distance to nginx is the server's, and what is ours. In the
end every visit that wrk saw must have been counted: an analytics worker takes them from the stream.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from _wrk import Load, process, web, wrk
from harness import ROOT, debian_program, free_port, postgres, report, sized, valkey

ROUNDS = sized(3, toy=1)
KEY = "bench"
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


def main() -> None:
    with (
        valkey() as redis_url,
        postgres(REDIS_URL=redis_url),
        web() as port,
        bare() as server,
        nginx() as peer,
    ):
        measure(port, server, peer)


def measure(port: int, server: int, peer: int) -> None:
    make_link()
    path = [f"/s/{KEY}"]
    for each in (port, server, peer):
        wrk(each, path, seconds=1)
    wait_until_calm()
    before = emitted()
    rounds = [(wrk(peer, path), wrk(server, path), ask(port, path)) for _ in range(ROUNDS)]
    theirs, least, ours = zip(*rounds, strict=True)
    asked = sum(load.requests for load in ours)
    uncounted = before + asked - count_all(before + asked)
    p95 = median(load.p95 for load in ours)
    report(
        "redirect",
        {
            "redirects/s": rate(ours),
            "p95, ms": p95,
            "visits": asked,
            "visits not counted in the end": max(0, uncounted),
        },
        peer={
            "nginx return 302, requests/s": rate(theirs),
            "bare ASGI callable, requests/s": rate(least),
        },
        ratio={
            "of nginx": median(
                o.per_second / t.per_second for o, t in zip(ours, theirs, strict=True)
            ),
            "of a bare callable": median(
                o.per_second / t.per_second for o, t in zip(ours, least, strict=True)
            ),
            "p95 to 10 ms": p95 / 10,
            "visits not counted in the end": max(0, uncounted),
        },
        goal={"of nginx": "≥ 0.5", "p95 to 10 ms": "< 1", "visits not counted in the end": "0"},
    )


def rate(loads: tuple[Load, ...]) -> float:
    return median(load.per_second for load in loads)


def ask(port: int, path: list[str]) -> Load:
    """Ask for redirects; what they leave behind is done before anybody else is measured."""
    load = wrk(port, path)
    wait_until_calm()
    return load


def make_link() -> None:
    from django.db import connection

    from foundation.database.clock import database_now
    from shortener.models import ShortURL

    ShortURL.objects.create(key=KEY, long_url=LONG_URL, created_at=database_now())
    connection.close()


def emitted() -> int:
    """Return how many visits are in the stream."""
    from analytics.stream import STREAM
    from foundation.valkey.clients import client

    return int(client().xlen(STREAM))


def wait_until_calm() -> None:
    """Return once no more visits come into the stream."""
    seen = -1
    while seen != (seen := emitted()):
        time.sleep(0.5)


def count_all(expected: int) -> int:
    """Let a worker count until it has `expected` visits or gets no further; return how many."""
    from analytics.stream import short_subject
    from foundation.valkey.clients import client

    name, counted = f"views:{short_subject(KEY)}", 0
    worker = subprocess.Popen([sys.executable, "manage.py", "run_analytics"], cwd=ROOT)
    deadline = time.monotonic() + 60
    try:
        while counted < expected and time.monotonic() < deadline:
            time.sleep(0.5)
            counted = int(client().get(name) or 0)
    finally:
        worker.terminate()
        worker.wait(timeout=30)
    return counted


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


if __name__ == "__main__":
    main()
