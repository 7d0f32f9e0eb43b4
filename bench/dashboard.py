"""The dashboard's first byte with 1 M targets and 10 M results, from a production web process.

Requests `/`, signed in and on one connection, in turn with `/livez`, an empty view, so that other
loads slow both equally. Meanwhile the counts are recomputed as often as they are while people
watch. A fifth of the targets have their own host, the others share 1,000; results span ten days. In
each of the last 72 hours, one host in fifty failed or was slow. Then requests other pages, one by
one.
"""

import http.client
import statistics
import time
from datetime import timedelta

import psycopg
from _wrk import web
from harness import postgres, report, sized, valkey

TARGETS = sized(1_000_000, toy=1_000)
RESULTS = sized(10_000_000, toy=5_000)
REQUESTS = sized(400, toy=10)
PAGES = (  # their first byte must arrive within PATIENCE
    *("/hosts", "/hosts?sort=slow", "/hosts?sort=targets", "/hosts?q=h7", "/hosts?q=nothing"),
    *("/hosts?state=asleep", "/hosts?state=queued", "/hosts?sort=name&page=400"),
    *("/hosts/h5.example", "/outages", "/trends"),
)
PATIENCE = 150  # ms
PACE = 0.02  # seconds between two requests

LOAD = """
SET session_replication_role = replica;  -- without checking foreign keys
INSERT INTO targets_target (id, url, canonical_url, host, created_at, pinned, paused, condition,
    state, failures, next_check_at, state_changed_at, last_reason, moved_to,
    version, heads, flags, recent)
SELECT gen_random_uuid(), url, url, split_part(url, '/', 3), at, true, false, '', state, 0,
    CASE state WHEN 'dead' THEN NULL ELSE now() + (n % 800000 - 1000) * interval '1 second' END,
    at, '', '', 1, 0, '[]', ''
FROM (
    SELECT n, now() - interval '30 days' + n * interval '1 second' AS at,
        'https://h' || CASE n % 5 WHEN 0 THEN n ELSE n % 1000 END || '.example/page/' || n AS url,
        CASE WHEN n % 50 = 0 THEN 'dead' WHEN n % 50 = 1 THEN 'potentially_dead'
             WHEN n % 50 = 2 THEN 'pending' ELSE 'alive' END AS state
    FROM generate_series(1, {targets}) n
) rows;
INSERT INTO targets_reference (target_id, object_id, created_at)
SELECT id, 'object', created_at FROM targets_target WHERE canonical_url LIKE '%7';
INSERT INTO hosts_slot (is_alias, key, not_before, leased_host, leased_for, check_ready_at)
SELECT false, host, min(created_at), '', '', min(next_check_at) FROM targets_target GROUP BY host;
INSERT INTO hosts_host (name, slot_id, check_at)
SELECT key, id, check_ready_at FROM hosts_slot;
INSERT INTO targets_transition (id, target_id, kind, from_state, to_state, at, payload, position)
SELECT gen_random_uuid(), id, 'state', 'alive', state, created_at,
    json_build_object('url', url, 'failures', 3, 'error', json_build_object('message', 'Gone.')),
    row_number() OVER (ORDER BY created_at)
FROM targets_target WHERE state IN ('dead', 'potentially_dead');
INSERT INTO checker_tally (minute, part, checks, failures)
SELECT date_trunc('minute', now()) - n * interval '1 minute', part, 350, 9
FROM generate_series(0, 1500) n, generate_series(1, 2) part;
INSERT INTO checker_hosttally (hour, host, failures, inconclusive, slow, slow_ms)
SELECT date_trunc('hour', now()) - hour * interval '1 hour', name, n % 7, 0, n % 3, n % 3 * 4000
FROM (SELECT name, row_number() OVER (ORDER BY id) AS n FROM hosts_host) hosts,
    generate_series(0, 71) hour WHERE n % 50 = hour % 50;
CREATE TEMPORARY TABLE numbered AS
SELECT id, row_number() OVER (ORDER BY created_at) AS n FROM targets_target;
INSERT INTO checker_checkresult (target_id, checked_at, outcome, reason, status_code, latency_ms,
    attempts, final_url, redirects, moved_to, flags, evidence)
SELECT id, now() - interval '10 days' + i * (interval '10 days' / {results}),
    CASE WHEN random() < 0.03 THEN 'failure' ELSE 'success' END, '', 200, (random() * 300)::int, 1,
    '', '[]', '', '[]', '{{}}'
FROM generate_series(1, {results}) i JOIN numbered ON n = 1 + i * 7919::bigint % {targets};
"""
SECONDARY = """
SELECT indexname, indexdef FROM pg_indexes
WHERE tablename IN ('targets_target', 'checker_checkresult') AND indexdef NOT LIKE '%UNIQUE%'
"""


def main() -> None:
    with (
        valkey() as redis_url,
        postgres(REDIS_URL=redis_url, CHECKER_SHIFTS="0") as url,
    ):
        load(url)
        with web() as port:
            measure(port)
            measure_pages(port)


def load(url: str) -> None:
    """Fill the tables; indexes are made afterwards."""
    from checker import partitions
    from foundation.database.clock import database_now
    from targets import counts

    start = time.perf_counter()
    for days in (10, 3, 0):
        partitions.make_ahead(database_now() - timedelta(days=days))
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET maintenance_work_mem = '512MB'")
        connection.execute("SET work_mem = '256MB'")
        indexes = connection.execute(SECONDARY).fetchall()
        for name, _ in indexes:
            connection.execute(f'DROP INDEX "{name}"'.encode())
        connection.execute(LOAD.format(targets=TARGETS, results=RESULTS).encode())
        for _, definition in indexes:
            connection.execute(definition.replace(" ON ONLY ", " ON ").encode())
        connection.execute("VACUUM ANALYZE")
    counts.recount()
    print(f"loaded in {time.perf_counter() - start:.0f} s")


def session(name: str = "bench") -> str:
    """Return the cookie of a signed-in operator."""
    from django.contrib.auth.models import User
    from django.db import connection
    from django.test import Client

    client = Client()
    client.force_login(User.objects.create_superuser(name))
    connection.close()
    return f"sessionid={client.cookies['sessionid'].value}"


def measure(port: int) -> None:
    """Request the dashboard from the web process on this port once it has counted; report."""
    from console.dashboard.summary import SUMMARY
    from status.stats import STATS

    cookie = session()
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    first, _ = first_byte(client, "/", cookie)
    while SUMMARY.peek() is None:
        time.sleep(0.1)
    times: dict[str, list[float]] = {"/": [], "/livez": []}
    sizes: dict[str, int] = {}
    computed_at = set()
    for path in ["/", "/livez"] * (REQUESTS + 20):
        spent, sizes[path] = first_byte(client, path, cookie)
        times[path].append(spent)
        time.sleep(PACE)
        computed_at.add(cached.at if (cached := SUMMARY.peek()) else None)
    ours, bare = times["/"][20:], times["/livez"][20:]
    p95, peer = (1000 * statistics.quantiles(values, n=20)[-1] for values in (ours, bare))
    median = 1000 * statistics.median(ours)
    counts = STATS.peek()
    summary = SUMMARY.peek()
    assert counts
    assert summary
    assert summary.value["total"] == TARGETS
    report(
        "dashboard",
        {
            "first byte, median ms": median,
            "first byte, p95 ms": p95,
            "first byte of all, nothing counted yet, ms": 1000 * first,
            "page, bytes": sizes["/"],
            "counting all, s": counts.took,
            "a summary, s": summary.took,
            "summaries computed meanwhile": len(computed_at) - 1,
        },
        peer={
            "/livez, median ms": 1000 * statistics.median(bare),
            "/livez, p95 ms": peer,
        },
        ratio={"p95 to 200 ms": p95 / 200, "p95 to that of an empty view": p95 / peer},
        goal={"p95 to 200 ms": "< 1"},
    )


def measure_pages(port: int) -> None:
    """Request each of PAGES in turn; report."""
    from console.hosts.host_search import LARGEST

    cookie = session("pages")
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    first_byte(client, "/hosts?sort=targets", cookie)
    while LARGEST.peek() is None:
        time.sleep(0.1)
    pages = *PAGES, target_page()
    times: dict[str, list[float]] = {path: [] for path in pages}
    for path in pages * (REQUESTS // 4 + 5):
        times[path].append(first_byte(client, path, cookie)[0])
    p95 = {path: 1000 * statistics.quantiles(spent[5:], n=20)[-1] for path, spent in times.items()}
    report(
        "pages",
        {f"{path}, p95 ms": spent for path, spent in p95.items()},
        peer={},
        ratio={"slowest p95 to 150 ms": max(p95.values()) / PATIENCE},
        goal={"slowest p95 to 150 ms": "< 1"},
    )


def target_page() -> str:
    """Return the path of a page of a target that has checks."""
    from django.db import connection

    from checker.models import CheckResult

    result = CheckResult.objects.order_by("-checked_at").select_related("target")[:1].get()
    connection.close()
    return f"{result.target.get_absolute_url()}?span=month"


def first_byte(client: http.client.HTTPConnection, path: str, cookie: str) -> tuple[float, int]:
    """Return the seconds until the response began, and its size."""
    start = time.perf_counter()
    client.request("GET", path, headers={"Cookie": cookie})
    response = client.getresponse()
    response.read(1)
    spent = time.perf_counter() - start
    if response.status != 200:
        raise RuntimeError(f"{path}: {response.status}")
    return spent, 1 + len(response.read())


if __name__ == "__main__":
    main()
