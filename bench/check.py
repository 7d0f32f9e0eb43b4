"""Check 20,000 targets on 2,000 loopback hosts, results persisted, against bare fetch loops.

The peers fetch the same URLs from the same nginx in the same minute and keep nothing: aiohttp in
one process without reuse of connections, linkinator (where npm is there to bring it), and lychee,
where LYCHEE is the path of its program. BENCH_DATABASE=sqlite: on SQLite, with one process.
"""

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
from harness import (
    IS_TOY,
    answer,
    debian_program,
    postgres,
    report,
    send_line,
    sized,
    sqlite,
    wait_for_port,
)

from tests.ports import free_port

HOSTS = [f"127.20.{n // 250}.{n % 250 + 1}" for n in range(sized(2000, toy=20))]
TARGETS_PER_HOST = 10
CONCURRENCY = 256
LINKINATOR_LINKS = 4000
IS_SQLITE = os.environ.get("BENCH_DATABASE") == "sqlite"
PROCESSES = 1 if IS_SQLITE else 2
LARGE = 30 * 1024  # characters of a large page

NGINX = """
daemon off; worker_processes 1; pid {folder}/pid; error_log stderr crit;
events {{ worker_connections 8192; }}
http {{
    access_log off; keepalive_timeout 0;
    client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};
    uwsgi_temp_path {folder}; scgi_temp_path {folder};
    server {{
        {listens}
        location = /index.html {{ root {folder}; }}
        location /large/ {{ default_type text/html; alias {folder}/large.html; }}
        location ~ ^/away/([0-9.]+)/ {{ return 302 http://$1:$server_port/; }}
        location / {{ default_type text/html; return 200 "<title>hello</title>"; }}
    }}
}}
"""

SHIFT = """
import django, json, resource, sys
django.setup()
from checker.worker import run_worker
print("ready", flush=True)
sys.stdin.readline()
before = resource.getrusage(resource.RUSAGE_SELF)
report = run_worker(length=None, should_stop=lambda: False)
used = resource.getrusage(resource.RUSAGE_SELF)
cpu = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
print(
    json.dumps({"checks": report.checks, "cpu": cpu, "rss_mb": used.ru_maxrss / 1024}), flush=True
)
"""


@dataclass(frozen=True)
class Run:
    """What shifts did until nothing was due."""

    checks: int
    rate: float  # checks/s
    cpu_ms: float  # of a check, in the shifts
    database_ms: float  # of a check, in PostgreSQL
    rss_mb: float  # of the largest shift


@contextmanager
def nginx(port: int) -> Iterator[Path]:
    """Serve a small page on every host; yields the folder that / index.html comes from."""
    with tempfile.TemporaryDirectory(prefix="linkwatch-bench-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        listens = "\n".join(f"listen {host}:{port} backlog=512;" for host in HOSTS)
        (folder / "nginx.conf").write_text(NGINX.format(folder=folder, listens=listens))
        links = "".join(f'<a href="{url}">x</a>' for url in urls(port)[:LINKINATOR_LINKS])
        (folder / "index.html").write_text(links)
        (folder / "large.html").write_text(large_page())
        program = debian_program("nginx", package="nginx-light")
        server = subprocess.Popen([program, "-c", folder / "nginx.conf", "-p", folder])
        try:
            wait_for_port(HOSTS[-1], port)  # the last that it listens on
            yield folder
        finally:
            server.terminate()
            server.wait()


def urls(port: int, folder: str = "") -> list[str]:
    """Each host's pages in turn, as a crawler would mix them."""
    numbers = range(TARGETS_PER_HOST)
    return [f"http://{host}:{port}/{folder}{n}" for n in numbers for host in HOSTS]


def large_page() -> str:
    """Return an article of 30 KiB with menus, scripts and running text."""
    menu = "".join(
        f'<li class="item"><a href="/section/{n}">Section {n}</a></li>' for n in range(120)
    )
    words = (f"<p>{' '.join(f'word{n}{k}' for k in range(40))}</p>" for n in range(1000))
    head = f"<title>The bridge of 1931 - Museum</title><script>{'x=1;' * 1000}</script>"
    page = f"<html lang=en><head>{head}</head><body><nav>{menu}</nav><h1>The bridge</h1>"
    while len(page) < LARGE:
        page += next(words)
    return f"{page}</body></html>"


def urls_half_redirected(port: int) -> list[str]:
    """As many others, of which every second redirects to another host."""
    found = []
    for n in range(TARGETS_PER_HOST):
        for number, host in enumerate(HOSTS):
            there = HOSTS[(number + 7 * n + 1) % len(HOSTS)]
            path = f"away/{there}/{n}" if n % 2 else f"stay/{n}"
            found.append(f"http://{host}:{port}/{path}")
    return found


def register(wanted: list[str]) -> None:
    from foundation.database.clock import database_now
    from targets.canonical import canonicalize
    from targets.registration import Registration
    from targets.registration import register as register_batch

    for start in range(0, len(wanted), 1000):
        batch = wanted[start : start + 1000]
        register_batch(
            [Registration(url=url, canonical=canonicalize(url)) for url in batch],
            now=database_now(),
        )


def delete_targets() -> None:
    from targets.models import Target

    Target.objects.all().delete()


def make_due() -> None:
    """Make all targets due once more, their pages known by now."""
    from foundation.database.clock import database_now
    from hosts import reservations
    from hosts.models import Purpose
    from targets.models import Target

    now = database_now()
    Target.objects.update(next_check_at=now)
    reservations.schedule(dict.fromkeys(HOSTS, now), purpose=Purpose.CHECK, now=now)


def database_cpu() -> float:
    """Return the seconds of processor time that PostgreSQL has used until now, 0 on SQLite."""
    if IS_SQLITE:
        return 0.0
    (pid_file,) = Path(os.environ["DATA_DIR"]).rglob("postmaster.pid")
    server = psutil.Process(int(pid_file.read_text().split()[0]))
    own: float = sum(server.cpu_times()[:4])  # with those of connections that have ended
    return own + sum(sum(connection.cpu_times()[:2]) for connection in server.children())


def run_workers() -> Run:
    """Run PROCESSES shifts until nothing is due."""
    shifts = [
        subprocess.Popen(
            [sys.executable, "-c", SHIFT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(PROCESSES)
    ]
    for shift in shifts:
        answer(shift)
    start, database = time.perf_counter(), database_cpu()
    for shift in shifts:
        send_line(shift, "go")
    reports = [json.loads(answer(shift)) for shift in shifts]
    spent = time.perf_counter() - start
    for shift in shifts:
        shift.communicate()
    checks = sum(one["checks"] for one in reports)
    return Run(
        checks=checks,
        rate=checks / spent,
        cpu_ms=1000 * sum(one["cpu"] for one in reports) / checks,
        database_ms=1000 * (database_cpu() - database) / checks,
        rss_mb=max(one["rss_mb"] for one in reports),
    )


def aiohttp_rate(wanted: list[str]) -> float:
    import aiohttp

    async def fetch_all() -> None:
        waiting = iter(wanted)
        connector = aiohttp.TCPConnector(force_close=True, limit=CONCURRENCY)
        async with aiohttp.ClientSession(connector=connector) as session:

            async def fetch() -> None:
                for url in waiting:
                    async with session.get(url) as response:
                        await response.read()

            await asyncio.gather(*(fetch() for _ in range(CONCURRENCY)))

    start = time.perf_counter()
    asyncio.run(fetch_all())
    return len(wanted) / (time.perf_counter() - start)


def linkinator_rate(port: int) -> float | None:
    """Return links/s of linkinator on a page of links, or None where npm cannot bring it."""
    npm = shutil.which("npm")
    if npm is None or IS_TOY:
        return None
    with tempfile.TemporaryDirectory() as folder:
        install = [npm, "install", "--silent", "--no-save", "--prefix", folder, "linkinator"]
        if subprocess.run(install, check=False, capture_output=True).returncode:
            return None
        page = f"http://{HOSTS[0]}:{port}/index.html"
        command = [f"{folder}/node_modules/.bin/linkinator", page, "--format", "json"]
        output = Path(folder) / "output.json"  # a file: it leaves before a pipe is read empty
        with output.open("w") as file:
            start = time.perf_counter()
            subprocess.run(
                [*command, "--concurrency", str(CONCURRENCY)],
                check=False,
                stdout=file,
                stderr=subprocess.DEVNULL,
                timeout=60,
            )
            spent = time.perf_counter() - start
        found = json.loads(output.read_text())["links"]
    links = [link for link in found if link["state"] == "OK"]
    return len(links) / spent


def lychee_rate(wanted: list[str]) -> float | None:
    """Return links/s of lychee on a list of these URLs, or None where nobody says where it is."""
    if not (program := os.environ.get("LYCHEE")):
        return None
    with tempfile.TemporaryDirectory() as folder:
        listed = Path(folder) / "links.txt"
        listed.write_text("\n".join(wanted))
        command = [program, "--no-progress", "--format", "json", "--max-retries", "0"]
        start = time.perf_counter()
        results = subprocess.run(
            [*command, "--max-concurrency", str(CONCURRENCY), listed],
            check=False,
            capture_output=True,
            timeout=60,
        )
        spent = time.perf_counter() - start
    successful: int = json.loads(results.stdout)["successful"]
    return successful / spent


def main() -> None:
    os.environ.pop("REDIS_URL", None)
    settings = {
        "ALLOW_NETWORKS": "127.0.0.0/8",
        "HOST_DELAY": "0s",
        "MAX_CONCURRENCY": str(CONCURRENCY),
    }
    port = free_port()
    wanted = urls(port)
    database = sqlite if IS_SQLITE else postgres
    with database(**settings), nginx(port):
        from checker.models import CheckResult

        register(wanted[: len(HOSTS)])
        small = run_workers()
        register(wanted[len(HOSTS) :])
        ours = run_workers()
        persisted = CheckResult.objects.count()
        make_due()
        again = run_workers()
        register(urls_half_redirected(port))
        redirected = run_workers()
        away = CheckResult.objects.exclude(redirects=[])
        followed = away.filter(outcome="success").count() / away.count()
        delete_targets()
        register(urls(port, "large/"))
        first_large = run_workers()
        make_due()
        large = run_workers()
        bare = aiohttp_rate(wanted)
        theirs = linkinator_rate(port)
        lychees = lychee_rate(wanted)
    ratio = {
        "of bare aiohttp": ours.rate / bare,
        "half redirect to other hosts, of plain": redirected.rate / ours.rate,
        "RSS at 20,000 to 2,000 targets": ours.rss_mb / small.rss_mb,
        "30 KiB pages to small ones, both known": large.rate / again.rate,
    }
    peer = {"aiohttp, GETs/s": bare}
    if theirs is not None:
        peer["linkinator, links/s"] = theirs
        ratio["of linkinator"] = ours.rate / theirs
    if lychees is not None:
        peer["lychee, links/s"] = lychees
        ratio["of lychee, which keeps nothing"] = ours.rate / lychees
    report(
        "check",
        {
            f"checks/s, {PROCESSES} processes, persisted": ours.rate,
            "CPU of a check, ms, in both": ours.cpu_ms,
            "CPU of a check, ms, in PostgreSQL": ours.database_ms,
            "checks in that run": ours.checks,
            "checks/s of the same pages again": again.rate,
            "CPU of one of those, ms, in both": again.cpu_ms,
            "checks/s of 30 KiB pages, seen first": first_large.rate,
            "checks/s of 30 KiB pages again": large.rate,
            "results persisted": persisted,
            "checks/s where half redirect": redirected.rate,
            "CPU of one of those checks, ms, in both": redirected.cpu_ms,
            "redirects followed at once": followed,
            "RSS of a process, MB (goal < 150)": ours.rss_mb,
        },
        peer=peer,
        ratio=ratio,
        goal={
            "of bare aiohttp": "≥ 1.0",
            "half redirect to other hosts, of plain": "≥ 0.7",
            "of linkinator": "≥ 2",
            "RSS at 20,000 to 2,000 targets": "flat",
            "30 KiB pages to small ones, both known": "≥ 0.7",
        },
    )


if __name__ == "__main__":
    main()
