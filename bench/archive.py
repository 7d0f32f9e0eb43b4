"""Copies of 100,000 dead targets: are budgets kept, is memory constant, are pages still fast?

Two processes query one archive on loopback; the requests in any period as long as the budget's are
counted. Measures the API's list and lookup of dead targets before, during and after the search for
copies, and pages of dead targets with and without a copy and a repair, alternately.
"""

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from _server import Client, make_token, serve
from harness import ROOT, postgres, report, sized, valkey

from tests.archives.archive_server import ArchiveServer, archive_server
from tests.archives.holdings import Holdings, Snapshot

TARGETS = sized(100_000, toy=1_000)
COUNT, SECONDS = sized((40, 4), toy=(8, 1))  # the budget, which two processes can spend
TURNS = sized(10, toy=4)  # budget periods
ROUNDS = sized(60, toy=5)
DIED = datetime(2026, 6, 1, tzinfo=UTC)
BODY = (
    b"<html><title>Harbour tides of the year</title><body><h1>Tides</h1><p>"
    + b"The tables list high water and low water for each quay of the harbour, by day and hour. "
    * 8
    + b"</p></body></html>"
)
COPY = b"/web/20260523000000/https://h.example/page/"
PLAIN, COPIED, REPAIRED = "alone", "with its copy", "with its copy and a repair"
LOAD = """
INSERT INTO targets_target (id, url, canonical_url, host, created_at, pinned, paused, condition,
    state, failures, first_failed_at, state_changed_at, last_checked_at, last_status_code,
    last_reason, last_error, moved_to, version, heads, flags, recent, is_internal, identity)
SELECT gen_random_uuid(), url, url, 'h.example', at, true, false, '', 'dead', 3, '2026-06-01Z',
    '2026-06-03Z', at, 404, 'http_404', 'The server answered 404 Not Found.', '', 1, 0, '[]',
    'sfff', false, '{identity}'
FROM (
    SELECT 'https://h.example/page/' || n AS url, timestamptz '2026-06-03Z' AS at
    FROM generate_series(1, {targets}) n
) rows
"""
# A process that queries archives as `run_tasks` does until its input ends, then prints its memory
# (bytes) after a third of its turns and at the end.
WORKER = """
import sys, threading, time
import django, psutil
django.setup()
from archives.tasks import ask_archives
over, sizes = threading.Event(), []
threading.Thread(target=lambda: (sys.stdin.read(), over.set()), daemon=True).start()
while not over.is_set():
    ask_archives()
    sizes.append(psutil.Process().memory_info().rss)
    time.sleep(0.05)
print(sizes[len(sizes) // 3], sizes[-1])
"""


class Endless(Holdings):
    """An archive that has a capture of every page."""

    def of(self, url: str) -> list[Snapshot]:
        return [Snapshot(at=DIED - timedelta(days=9), body=BODY)]


def main() -> None:
    with archive_server(Endless()) as archive, valkey() as redis:
        settings = {
            "ARCHIVES": f"cdx {archive.home}/cdx {archive.home}/web/",
            "ARCHIVE_LIMIT": f"{COUNT}/{SECONDS}s",
            "ALLOW_NETWORKS": "127.0.0.0/8",
            "LOOKUP_LIMIT": "999999/1s",
            "RATE_LIMIT": "999999/1s",
        }
        with postgres(REDIS_URL=redis, **settings), serve() as (port, _):
            token = make_token()
            # Each series has its own connection, because an idle one would be closed.
            measure(archive, lambda: api_times(Client(port, token)))


def measure(archive: ArchiveServer, measure_api: Callable[[], dict[str, float]]) -> None:
    from archives import copy_queue
    from foundation.database.clock import database_now
    from targets.models import CopyResult, TargetCopy

    fill()
    before = measure_api()
    began = time.perf_counter()
    while copy_queue.add_dead(now=database_now()):
        pass
    queued = TARGETS / (time.perf_counter() - began)
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER],
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    while not archive.asked:
        time.sleep(0.1)
    began = time.monotonic()
    during = measure_api()
    time.sleep(max(0.0, began + TURNS * (SECONDS + 1) - time.monotonic()))
    spans = (time.monotonic() - archive.asked[0][0]) / (SECONDS + 1)
    sizes = [tuple(map(int, worker.communicate()[0].split())) for worker in workers]
    after = measure_api()
    copies = TargetCopy.objects.filter(result=CopyResult.VERIFIED)
    verified = list(copies.values_list("pk", flat=True)[: 2 * ROUNDS])
    count = len(verified) // 2
    waiting = TargetCopy.objects.filter(result="").values_list("pk", flat=True)[:count]
    ids = {PLAIN: list(waiting), COPIED: verified[:count], REPAIRED: verified[count : 2 * count]}
    repair(ids[REPAIRED])
    shown = page_times(ids)
    page_ms, page_cpu = shown[REPAIRED]
    times = [at for at, _ in archive.asked]
    repeated = len(archive.asked) - len({path for _, path in archive.asked})
    busiest = max(
        sum(at <= other < at + SECONDS for other in times[n : n + 2 * COUNT])
        for n, at in enumerate(times)
    )
    report(
        "archive",
        {
            "dead targets": TARGETS,
            "queued, targets a second": queued,
            "copies found and verified": copies.count(),
            "requests in all": len(times),
            "requests made twice": repeated,
            f"most requests in any {SECONDS} s": busiest,
            f"budget of {SECONDS} s": COUNT,
            "memory of a process, MB": max(end for _, end in sizes) / 1e6,
        }
        | {f"a target's page, {kind}, p95 ms": total for kind, (total, _) in shown.items()}
        | {f"a target's page, {kind}, median CPU ms": cpu for kind, (_, cpu) in shown.items()}
        | {f"{name}, before, median ms": value for name, value in before.items()}
        | {f"{name}, meanwhile, median ms": value for name, value in during.items()},
        peer={},
        ratio={
            "most requests to the budget": busiest / COUNT,
            "requests to what the budget allows": len(times) / (COUNT * (int(spans) + 1)),
            "memory at the end to a third": max(end / third for third, end in sizes),
            "a target's page with both to 150 ms": page_ms / 150,
            "its CPU time to that of one without": page_cpu / shown[PLAIN][1],
            **{f"{name}, after to before": after[name] / before[name] for name in before},
        },
        goal={
            "most requests to the budget": "≤ 1",
            "memory at the end to a third": "≤ 1.1",
            "a target's page with both to 150 ms": "< 1",
            "its CPU time to that of one without": "≤ 1.2",
            **{f"{name}, after to before": "≤ 1.1" for name in before},
        },
    )


def fill() -> None:
    from django.db import connection

    from checker.engine.page import read_page
    from checker.engine.page_identity import identify

    page = read_page(headers={"content-type": "text/html"}, body=BODY)
    assert page is not None
    identity = identify(page, url="https://h.example/page/1", certificate=None, known=None)
    with connection.cursor() as cursor:
        cursor.execute(LOAD.format(targets=TARGETS, identity=json.dumps(identity.as_json())))
        cursor.execute("ANALYZE")


def api_times(client: Client) -> dict[str, float]:
    """Return the median time (ms) of each request, sent alternately."""
    urls = json.dumps({"urls": [f"https://h.example/page/{n}" for n in range(1, 501)]}).encode()
    requests: dict[str, Callable[[], Any]] = {
        "list of 50": lambda: client.request("GET", "/v1/targets?state=dead&limit=50"),
        "lookup of 500": lambda: client.request("POST", "/v1/lookups", urls),
    }
    times: dict[str, list[float]] = {name: [] for name in requests}
    for number in range(ROUNDS + 2):
        for name, send in requests.items():
            began = time.perf_counter()
            send()
            if number >= 2:
                times[name].append(1000 * (time.perf_counter() - began))
    return {name: statistics.median(values) for name, values in times.items()}


def page_times(ids: dict[str, list[UUID]]) -> dict[str, tuple[float, float]]:
    """Return 95th percentile and median CPU time (ms) of pages of each kind of target.

    The pages are requested alternately. The CPU time is that of this process, not
    PostgreSQL's.
    """
    from django.contrib.auth.models import User
    from django.test import Client as Browser

    browser = Browser(SERVER_NAME="localhost")
    browser.force_login(User.objects.create_superuser("olga"))
    times: dict[str, list[tuple[float, float]]] = {kind: [] for kind in ids}
    for number, row in enumerate(zip(*ids.values(), strict=True)):
        for kind, id_ in zip(ids, row, strict=True):
            began, cpu = time.perf_counter(), time.process_time()
            response = browser.get(f"/targets/{id_}")
            if number >= 3:  # the first requests load templates
                spent = time.perf_counter() - began, time.process_time() - cpu
                times[kind].append((1000 * spent[0], 1000 * spent[1]))
            assert (COPY in response.content) == (kind != PLAIN), response.status_code
            assert (b"Undo the repair" in response.content) == (kind == REPAIRED)
    return {
        kind: (
            statistics.quantiles([total for total, _ in rows], n=20)[-1],
            statistics.median(cpu for _, cpu in rows),
        )
        for kind, rows in times.items()
    }


def repair(ids: list[UUID]) -> None:
    """Make a repaired reference for each of these targets."""
    from accounts.actors import DEPLOYMENT
    from foundation.database.clock import database_now
    from targets import repairs, writer
    from targets.models import Reference, Target
    from targets.state import State

    now = database_now()
    for id_ in ids:
        new = Target.objects.get(pk=id_)
        old = Target(url=f"{new.url}/old", canonical_url=f"{new.url}/old", host=new.host)
        old.created_at = old.state_changed_at = now
        old.state, old.moved_to = State.ALIVE, new.url
        writer.create([old])
        old._state.adding = False
        writer.add_references([Reference(target=old, object_id="doc", created_at=now)])
        # Temporarily, because a dead page can't replace another.
        writer.change([(new, {"state": State.ALIVE})])
        repairs.accept(old.pk, lambda _: None, now=now, by=DEPLOYMENT)
        new.refresh_from_db()
        writer.change([(new, {"state": State.DEAD})])


if __name__ == "__main__":
    main()
