"""The list of 100,000 short links as people see it: HTML, on the web stack of production.

A member owns nine tenths of them; an operator sees all. Measures the first page and searches for: a
part of a destination that 14 links have, one that no link has (limited by the time for a page), a
tag of a third of the links, a tag of 100 old links, and a state that no link has.
"""

import http.client
import statistics
import time

import psycopg
from _server import serve
from harness import postgres, report, sized, valkey

LINKS = sized(100_000, toy=300)
REQUESTS = sized(40, toy=3)
GOAL = 150.0  # ms

LOAD = """
INSERT INTO shortener_shorturl (key, long_url, host, created_at, disabled, version, when_gone,
    retargetable, end_told, earlier_visits, owner_id)
SELECT 'k' || n, 'https://' || host || '/some/path/of/a-page-' || n || '/with?x=' || n
    || '&utm_source=newsletter', host, now() - interval '30 days' + n / 3 * interval '1 second',
    false, 1, 'page', false, false, 0, CASE WHEN mod(n, 10) > 0 THEN %(owner)s END
FROM generate_series(1, %(links)s) n, LATERAL (SELECT 'h' || mod(n, 7000) || '.example') h (host)
"""
TAG = """
INSERT INTO shortener_tag (short_url_id, name, created_at)
SELECT key, %(name)s, created_at FROM shortener_shorturl
WHERE mod(substr(key, 2)::int, %(each)s) = 0 AND substr(key, 2)::int <= %(last)s
"""
PAGES = {
    "the first page": "",
    "part of a destination": "?q=H12.EXAMPLE",
    "nothing like it": "?q=nothing-like-this",
    "a tag of many": "?tag=often",
    "a tag of few": "?tag=seldom",
    "a state that none is in": "?state=used_up",
}


def main() -> None:
    with valkey() as redis, postgres(REDIS_URL=redis) as url, serve() as (port, _):
        cookies = {role: sign_in(role) for role in ("Members", "Operators")}
        owner = user_id("Members")
        with psycopg.connect(url, autocommit=True) as peer:
            peer.execute(LOAD, {"owner": owner, "links": LINKS})
            peer.execute(TAG, {"name": "often", "each": 3, "last": LINKS})
            peer.execute(TAG, {"name": "seldom", "each": 1, "last": 100})
            peer.execute("VACUUM ANALYZE shortener_shorturl, shortener_tag")
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        spent: dict[tuple[str, str], list[float]] = {}
        for number in range(REQUESTS + 3):
            for role, cookie in cookies.items():
                for name, query in PAGES.items():
                    seconds = page_seconds(connection, f"/links{query}", cookie)
                    if number >= 3:  # the first requests load templates and modules
                        spent.setdefault((role, name), []).append(1000 * seconds)
    p95 = {key: statistics.quantiles(times, n=20)[-1] for key, times in spent.items()}
    median = {key: statistics.median(times) for key, times in spent.items()}
    report(
        "links",
        {
            f"{role}, {name}, {what}, ms": value
            for what, figures in (("median", median), ("p95", p95))
            for (role, name), value in figures.items()
        },
        peer={},
        ratio={f"worst p95 to {GOAL:.0f} ms": max(p95.values()) / GOAL},
        goal={f"worst p95 to {GOAL:.0f} ms": "< 1"},
    )


def sign_in(role: str) -> str:
    """Return the cookie of a new user with this role."""
    from django.contrib.auth.models import User
    from django.test import Client

    from accounts.rights import assign
    from accounts.roles import Role

    user = User.objects.create_user(role)
    assign(user, Role(role))
    client = Client()
    client.force_login(user)
    return f"sessionid={client.cookies['sessionid'].value}"


def user_id(name: str) -> int:
    from django.contrib.auth.models import User

    pk: int = User.objects.get(username=name).pk
    return pk


def page_seconds(connection: http.client.HTTPConnection, path: str, cookie: str) -> float:
    """Return the seconds that a page takes."""
    start = time.perf_counter()
    connection.request("GET", path, headers={"Cookie": cookie})
    response = connection.getresponse()
    response.read()
    if response.status != 200:
        raise RuntimeError(f"{path}: {response.status}")
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
