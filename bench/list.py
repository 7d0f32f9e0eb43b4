"""Pages of targets over HTTP at 1 M targets: page 1 compared with page 10,000, 50 per page.

Requests the pages alternately from the web stack of production, on one connection, so that other
load affects both. A tenth of the targets have a reference, and 4 of 7 hosts have only one target.
The token of page 10,000 is made from the row before it, as in the API.
"""

import base64
import json
import statistics
import time
from datetime import UTC

import psycopg
from _server import Client, make_token, serve
from harness import cpu_seconds, postgres, postmaster, report, sized

TARGETS = sized(1_000_000, toy=2_000)
LIMIT = 50
PAGE = sized(10_000, toy=20)
REQUESTS = sized(400, toy=10)

LOAD = """
INSERT INTO targets_target (id, url, canonical_url, host, created_at, pinned, paused, condition,
    state, failures, next_check_at, state_changed_at, last_reason, moved_to,
    version, heads, flags, recent)
SELECT gen_random_uuid(), url, url, split_part(url, '/', 3), at, true, false, '', 'alive', 0, at,
    at, '', '', 1, 0, '[]', ''
FROM (
    SELECT 'https://h' || (n % 700000) || '.example/page/' || n AS url,
        now() - interval '30 days' + n / 3 * interval '1 second' AS at
    FROM generate_series(1, {targets}) n
) rows;
INSERT INTO targets_reference (target_id, object_id, created_at)
SELECT id, 'object', created_at FROM targets_target WHERE canonical_url LIKE '%7';
"""


def main() -> None:
    with postgres() as url, serve() as (port, web), psycopg.connect(url, autocommit=True) as peer:
        peer.execute(LOAD.format(targets=TARGETS))
        peer.execute("VACUUM ANALYZE targets_target, targets_reference")
        client = Client(port, make_token())
        first, late = (
            f"/v1/targets?limit={LIMIT}",
            f"/v1/targets?limit={LIMIT}&page_token={token(peer)}",
        )
        times: dict[str, list[float]] = {first: [], late: []}
        before = cpu_seconds(web), cpu_seconds(postmaster(peer))
        for path in [first, late] * (REQUESTS + 10):
            times[path].append(seconds(client, path))
        after = cpu_seconds(web), cpu_seconds(postmaster(peer))
    pages = sum(map(len, times.values()))
    web_ms, database_ms = (
        1000 * (end - start) / pages for start, end in zip(before, after, strict=True)
    )
    spent = {"page 1": times[first][10:], f"page {PAGE:,}": times[late][10:]}
    p95 = {name: 1000 * statistics.quantiles(values, n=20)[-1] for name, values in spent.items()}
    median = {name: 1000 * statistics.median(values) for name, values in spent.items()}
    report(
        "list",
        {
            f"{name}, {what}, ms": figures[name]
            for name in spent
            for what, figures in (("median", median), ("p95", p95))
        }
        | {"a page, ms of the web process": web_ms, "a page, ms of PostgreSQL": database_ms},
        peer={},
        ratio={
            "median of page 10,000 to page 1": median[f"page {PAGE:,}"] / median["page 1"],
            "worse p95 to 50 ms": max(p95.values()) / 50,
        },
        goal={"median of page 10,000 to page 1": "≤ 1.3", "worse p95 to 50 ms": "< 1"},
    )


def token(peer: psycopg.Connection) -> str:
    """Return the token that page 9,999 ends with."""
    from foundation.ids import encode

    row = peer.execute(
        "SELECT created_at, id FROM targets_target ORDER BY created_at, id LIMIT 1 OFFSET %s",
        [(PAGE - 1) * LIMIT - 1],
    ).fetchone()
    assert row is not None
    time, id_ = row
    position = {"created_at": time.astimezone(UTC).isoformat(), "id": f"t_{encode(id_.int)}"}
    return base64.urlsafe_b64encode(json.dumps(position).encode()).decode()


def seconds(client: Client, path: str) -> float:
    """Return the seconds that a page takes."""
    start = time.perf_counter()
    page = json.loads(client.request("GET", path))
    spent = time.perf_counter() - start
    if len(page["items"]) != LIMIT:
        raise RuntimeError(f"{path}: {len(page['items'])} items")
    return spent


if __name__ == "__main__":
    main()
