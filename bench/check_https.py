"""Checks 20,000 targets on 200 loopback hosts over TLS, against bare fetch loops.

First the engine alone, in this process and without a database, over TLS 1.2 and 1.3: the targets of
each host one after another, as a lease has them. Then the product, which stores results: without
delay (each page twice), with a short one, and with unchanged pages of 30 KiB that have an ETag. Of
these, it reports the bytes of HTTP per check: of the first, of the second, and of conditional
requests, which begin after five checks and one with a made-up ETag. BENCH_PRODUCT=none leaves the
product out.
"""

import asyncio
import gc
import os
import time
from dataclasses import replace
from pathlib import Path

from _checking import PROCESSES, CheckRun, checks, delete_targets, make_due, register, run_workers
from _peers import PeerRun, aiohttp_run, linkinator_run, lychee_run
from _sites import Sites, certificates, nginx
from harness import report, sized

from checker.engine.conditional_requests import MIN_SUCCESSES
from tests.ports import free_port

HOSTS = [f"127.21.{n // 250}.{n % 250 + 1}" for n in range(sized(200, toy=8))]
PER_HOST = sized(100, toy=3)
ENGINE_TARGETS = sized(40, toy=3)  # per host: in the engine alone, and by peers
DELAYED_PAGES = sized(10, toy=2)  # per host, with a delay between checks
LARGE_PAGES = sized(40, toy=3)  # per host, of 30 KiB
DELAY = "20ms"
KEEPALIVE = 60  # seconds
GOALS = {
    "of aiohttp with its pool": "≥ 0.5",
    "of aiohttp without its pool": "≥ 3",
}

_RUNS = {  # the check after MIN_SUCCESSES others has a made-up ETag
    0: "30 KiB, first",
    1: "30 KiB, again",
    MIN_SUCCESSES + 1: "30 KiB, unchanged",
    MIN_SUCCESSES + 2: "30 KiB, unchanged again",
}

Figures = dict[str, float]


def engine_run(sites: Sites, *, is_pooled: bool, folder: str = "") -> PeerRun:
    """Check ENGINE_TARGETS of each host in this process, all hosts at once; store no results.

    A few checks come first, to fill the caches as in a running worker. Pages in a `folder` are all
    checked once beforehand, so that the measured requests are conditional.
    """
    import uvloop

    from checker.engine.conditional_requests import Validators
    from checker.engine.fetch import probe
    from checker.engine.pooling import KeptConnections
    from checker.policies import fetch_policy
    from targets.state import Outcome

    validators: dict[str, Validators] = {}

    async def check_host(urls: list[str]) -> None:
        connections = KeptConnections(urls)
        policy = replace(fetch_policy(), connections=connections if is_pooled else None)
        for url in urls:
            connections.begin(url, delay=0.0)
            page = validators.get(url)
            result = await probe(url, policy=policy, validators=page)
            assert result.outcome is Outcome.SUCCESS, result
            assert not (page and page.etag) or result.status_code == 304, result
            if result.validators is not None:
                validators[url] = replace(result.validators, is_honest=True, is_current=True)
        connections.close()

    async def check_all(per_host: int) -> None:
        urls, count = sites.urls(per_host, folder), len(sites.hosts)
        await asyncio.gather(*(check_host(urls[n::count]) for n in range(count)))

    def check(per_host: int) -> None:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(check_all(per_host))

    if folder:
        validators.update(dict.fromkeys(sites.urls(ENGINE_TARGETS, folder), Validators()))
    check(ENGINE_TARGETS if folder else 1)
    gc.collect()
    start, before = time.perf_counter(), time.process_time()
    check(ENGINE_TARGETS)
    count = ENGINE_TARGETS * len(sites.hosts)
    cpu_ms = 1000 * (time.process_time() - before) / count
    return PeerRun(rate=count / (time.perf_counter() - start), cpu_ms=cpu_ms)


def engine_figures(protocol: str, folder: Path) -> tuple[Figures, Figures, Figures]:
    """Return figures, peers' figures and ratios of the engine alone."""
    from checker.worker import collect_garbage_rarely

    root = folder / "root.pem"
    with (
        nginx(
            HOSTS, free_port(), certificates=folder, protocol=protocol, keepalive=KEEPALIVE
        ) as sites,
        collect_garbage_rarely(),
    ):
        urls = sites.urls(ENGINE_TARGETS)
        aiohttp_run(sites.urls(1), root=root, is_pooled=True)  # as warm as the engine
        engine = engine_run(sites, is_pooled=True)
        unchanged = engine_run(sites, is_pooled=True, folder="large/")
        pooled = aiohttp_run(urls, root=root, is_pooled=True)
        fresh = engine_run(sites, is_pooled=False)
        unpooled = aiohttp_run(urls, root=root)
        others = {"lychee": lychee_run(urls), "linkinator": linkinator_run(sites, root=root)}
    figures = _label(
        {"engine": engine, "engine, 30 KiB unchanged": unchanged, "engine, nothing kept": fresh},
        protocol,
    )
    peers = {"aiohttp, pool": pooled, "aiohttp, no pool": unpooled}
    peers |= {name: run for name, run in others.items() if run is not None}
    ratio = {
        f"{protocol}, of aiohttp with its pool": engine.rate / pooled.rate,
        f"{protocol}, of aiohttp without its pool": engine.rate / unpooled.rate,
        f"{protocol}, CPU of aiohttp's with its pool": pooled.cpu_ms / engine.cpu_ms,
    }
    return figures, _label(peers, protocol), ratio


def _label(runs: dict[str, PeerRun], protocol: str) -> Figures:
    rates = {f"{protocol}, {name}: checks/s": run.rate for name, run in runs.items()}
    costs = {f"{protocol}, {name}: CPU of one, ms": run.cpu_ms for name, run in runs.items()}
    return rates | costs


def product_figures(folder: Path) -> Figures:
    """Return figures of the product, which stores results."""
    figures: Figures = {}
    with nginx(HOSTS, free_port(), certificates=folder, keepalive=KEEPALIVE) as sites:
        register(sites.urls(PER_HOST))
        figures |= _run_figures("small pages, first", run_workers())
        make_due(HOSTS)
        figures |= _run_figures("small pages, again", run_workers())
        delete_targets()
        os.environ["HOST_DELAY"] = DELAY
        register(sites.urls(DELAYED_PAGES, "delayed/"))
        figures |= _run_figures(f"delay of {DELAY}", run_workers())
        os.environ["HOST_DELAY"] = "0s"
        delete_targets()
    with nginx(
        HOSTS, free_port(), certificates=folder, keepalive=KEEPALIVE, is_logged=True
    ) as sites:
        register(sites.urls(LARGE_PAGES, "large/"))
        for number in range(MIN_SUCCESSES + 3):
            run = run_workers()
            requests, size = sites.take_traffic()
            if name := _RUNS.get(number):
                figures |= _run_figures(name, run)
                figures[f"{name}: bytes of HTTP a check"] = size / run.checks
                figures[f"{name}: requests a check"] = requests / run.checks
            make_due(HOSTS, as_planned=True)
    return figures


def _run_figures(name: str, run: CheckRun) -> Figures:
    return {
        f"{name}: checks/s, {PROCESSES} processes": run.rate,
        f"{name}: CPU of a check, ms": run.cpu_ms,
    }


def main() -> None:
    figures: Figures = {}
    peers: Figures = {}
    ratio: Figures = {}
    with certificates(HOSTS) as folder:
        os.environ["SSL_CERT_FILE"] = str(folder / "root.pem")
        with checks():
            for protocol in ("TLSv1.2", "TLSv1.3"):
                for part, more in zip(
                    (figures, peers, ratio), engine_figures(protocol, folder), strict=True
                ):
                    part.update(more)
            if os.environ.get("BENCH_PRODUCT") != "none":
                figures |= product_figures(folder)
    goals = {name: GOALS.get(name.partition(", ")[2], "none") for name in ratio}
    report("check_https", figures, peer=peers, ratio=ratio, goal=goals)


if __name__ == "__main__":
    main()
