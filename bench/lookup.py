"""A lookup of 5,000 known URLs, compared with the bare statement that finds the same rows.

In one process, at 1 M targets on PostgreSQL, or with BENCH_DATABASE=sqlite on SQLite: ours is what
the view does (`look_up`, and its JSON), the peer one SELECT of the same columns and their JSON,
alternately. Then over HTTP, on the web stack of production.
"""

import json
import os
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

from _server import Client, make_token, serve
from harness import postgres, report, sized, sqlite, valkey

IS_SQLITE = os.environ.get("BENCH_DATABASE") == "sqlite"
TARGETS = sized(1_000_000, toy=2_000)
URLS = sized(5_000, toy=100)
ROUNDS = sized(25, toy=2)

COLUMNS = (
    "id, canonical_url, host, state, recent, last_checked_at, first_failed_at, last_status_code,"
    " last_reason, last_error, moved_to, flags, next_check_at, is_internal, paused, instructions"
)
BARE = {
    "postgresql": f"SELECT {COLUMNS} FROM targets_target WHERE canonical_url = ANY(%s)",
    "sqlite": f"SELECT {COLUMNS} FROM targets_target WHERE canonical_url IN"
    " (SELECT value FROM json_each(%s))",
}
FILL = {
    "postgresql": """
INSERT INTO targets_target (id, url, canonical_url, host, created_at, pinned, paused, condition,
    state, failures, next_check_at, state_changed_at, last_checked_at, last_status_code,
    last_reason, last_error, moved_to, version, heads, flags, recent)
SELECT gen_random_uuid(), url, url, split_part(url, '/', 3), at, true, false, '',
    CASE WHEN n % 10 = 0 THEN 'dead' ELSE 'alive' END, 0, at, at, at,
    CASE WHEN n % 10 = 0 THEN 404 ELSE 200 END,
    CASE WHEN n % 10 = 0 THEN 'http_404' ELSE '' END,
    CASE WHEN n % 10 = 0 THEN 'The server answered 404 Not Found.' END, '', 1, 0, '[]', 'sss'
FROM (
    SELECT 'https://h' || (n % 70000) || '.example/page/' || n AS url, n,
        now() - interval '30 days' + n / 3 * interval '1 second' AS at
    FROM generate_series(1, {targets}) n
) rows
""",
    "sqlite": """
INSERT INTO targets_target (id, url, canonical_url, host, created_at, pinned, paused, condition,
    state, failures, next_check_at, state_changed_at, last_checked_at, last_status_code,
    last_reason, last_error, moved_to, version, heads, flags, recent)
WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {targets})
SELECT lower(hex(randomblob(16))), 'https://h' || (n % 70000) || '.example/page/' || n,
    'https://h' || (n % 70000) || '.example/page/' || n, 'h' || (n % 70000) || '.example',
    '2026-01-01 00:00:00', 1, 0, '', CASE WHEN n % 10 = 0 THEN 'dead' ELSE 'alive' END, 0,
    '2026-01-01 00:00:00', '2026-01-01 00:00:00', '2026-01-01 00:00:00',
    CASE WHEN n % 10 = 0 THEN 404 ELSE 200 END, CASE WHEN n % 10 = 0 THEN 'http_404' ELSE '' END,
    CASE WHEN n % 10 = 0 THEN 'The server answered 404 Not Found.' END, '', 1, 0, '[]', 'sss'
FROM numbers
""",
}


def main() -> None:
    with valkey() as redis:
        database = sqlite if IS_SQLITE else postgres
        with database(REDIS_URL=redis, LOOKUP_LIMIT="999999/1s"):
            measure()


def measure() -> None:
    from django.db import connection

    from accounts.actors import DEPLOYMENT
    from foundation.database.clock import database_now
    from lookups.serializers import LookupsSerializer
    from lookups.url_status import look_up

    with connection.cursor() as cursor:
        cursor.execute(FILL[connection.vendor].format(targets=TARGETS))
        cursor.execute("ANALYZE")
    serializer, now = LookupsSerializer(), database_now()
    generator = random.Random(1)

    def ours(urls: list[str]) -> int:
        request: Any = serializer.run_validation({"urls": urls, "max_age": "4h"})
        results = look_up(request["urls"], max_age=request["max_age"], now=now, by=DEPLOYMENT)
        assert all(result["known"] for result in results)
        return len(json.dumps({"results": results}, ensure_ascii=False))

    def bare(urls: list[str]) -> int:
        parameter = json.dumps(urls) if connection.vendor == "sqlite" else urls
        with connection.cursor() as cursor:
            cursor.execute(BARE[connection.vendor], [parameter])
            names = [column[0] for column in cursor.description]
            results = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
        assert len(results) == len(urls)
        return len(json.dumps({"results": results}, ensure_ascii=False, default=str))

    times: dict[str, list[float]] = {"ours": [], "bare": [], "http": []}
    with serve() as (port, _):
        client = Client(port, make_token())

        def http(urls: list[str]) -> int:
            content = json.dumps({"urls": urls, "max_age": "4h"}).encode()
            return len(client.request("POST", "/v1/lookups", content))

        steps: dict[str, Callable[[list[str]], int]] = {"ours": ours, "bare": bare, "http": http}
        for number in range(ROUNDS + 2):
            numbers = generator.sample(range(1, TARGETS + 1), URLS)
            urls = [f"https://h{n % 70000}.example/page/{n}" for n in numbers]
            order = list(steps)
            generator.shuffle(order)  # the first one loads the rows
            for name in order:
                began = time.perf_counter()
                steps[name](urls)
                if number >= 2:
                    times[name].append(1000 * (time.perf_counter() - began))
    median = {name: statistics.median(values) for name, values in times.items()}
    limit = 3.0 if IS_SQLITE else 1.5
    report(
        "lookup",
        {
            "lookup and its JSON, median ms": median["ours"],
            "over HTTP, median ms": median["http"],
            "URLs": URLS,
            "targets": TARGETS,
        },
        peer={"one SELECT and its JSON, median ms": median["bare"]},
        ratio={"ours to the SELECT": median["ours"] / median["bare"]},
        goal={"ours to the SELECT": f"≤ {limit}"},
    )


if __name__ == "__main__":
    main()
