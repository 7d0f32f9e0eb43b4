"""Reads of snippets: caching, counting and limits, and the identification of clients."""

import asyncio
import json
from datetime import timedelta
from ipaddress import ip_network

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from foundation.database.clock import database_now
from foundation.http.asgi import address_of
from foundation.valkey import metrics
from snippets import services
from tests.conftest import NOW
from tests.factories import SnippetFactory
from tests.foundation.redis_servers import run
from tests.snippets.requests import ask, get

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("threads")]


@pytest.fixture
def address():
    """Return the address of each kind of snippet."""
    ids = {
        "found": SnippetFactory(
            title="\u2028 é", content="</script>\u2028\U0001f600\r\n\t\"'\\", language="html"
        ).id,
        "lasting": SnippetFactory(expires_at=NOW + timedelta(days=3000)).id,
        "expired": SnippetFactory(expires_at=NOW).id,
        "missing": "s_0000000000000000000000",
        "too large": "s_zzzzzzzzzzzzzzzzzzzzzz",
        "malformed": "s_x",
        "odd": "s_00000000000000000000%0a",
    }
    return lambda name: f"/v1/snippets/{ids[name]}"


def test_a_hit_returns_the_same_body(address):
    path = address("found")
    first, second = get(path), get(path)
    assert (first.headers["x-cache"], second.headers["x-cache"]) == ("MISS", "HIT")
    assert first.body == second.body


def test_programs_are_answered_from_the_cache_regardless_of_their_accept_header(address):
    usual = "application/json, text/plain, */*"  # as many JavaScript clients send it
    caches = [get(address("found"), accept=usual).headers["x-cache"] for _ in range(2)]
    assert caches == ["MISS", "HIT"]


def test_a_program_that_asks_for_indented_json_gets_it(address):
    reply = get(address("found"), accept="application/json; indent=4, */*")
    assert reply.body.startswith(b'{\n    "id"')


def test_raw_is_exactly_the_content():
    content = "é\u2028\r\n\x7f\ttail"
    path = f"/v1/snippets/{SnippetFactory(content=content).id}/raw"
    assert [get(path).body, get(path).body] == [content.encode()] * 2
    assert get(path).headers["x-cache"] == "HIT"


def test_both_read_paths_share_one_limit(address, settings, monkeypatch, redis):
    settings.RATE_LIMIT = (3, timedelta(minutes=1))
    path = address("found")
    statuses = [get(path).status, get(path, accept="text/html").status, get(path).status]
    fast, slow = get(path), get(path, accept="application/json; indent=4")
    assert statuses == [200, 200, 200]
    assert (fast.status, slow.status) == (429, 429)
    assert set(fast.headers) == set(slow.headers)
    assert json.loads(fast.body)["code"] == json.loads(slow.body)["code"] == "rate_limited"
    assert fast.headers["retry-after"] == str(int(fast.headers["ratelimit"].rpartition("=")[2]))
    assert get(f"{path}/raw").status == 200


def test_exactly_thirty_of_sixty_concurrent_requests_pass(address, settings, events):
    settings.RATE_LIMIT = (30, timedelta(minutes=1))
    path = address("found")

    async def all_at_once():
        return await asyncio.gather(*[ask(path) for _ in range(60)])

    statuses = [reply.status for reply in run(all_at_once())]
    assert (statuses.count(200), statuses.count(429)) == (30, 30)
    assert len(events) == 30


def test_a_trusted_proxy_names_the_client(address, settings, redis):
    path = address("found")
    get(path, x_forwarded_for="198.51.100.7")
    assert redis.exists("rl:GET v1/snippets/<str:pk>:192.0.2.1")
    settings.TRUSTED_PROXIES = [ip_network("192.0.2.0/24")]
    get(path, x_forwarded_for="198.51.100.7")
    get(path, x_forwarded_for="198.51.100.8", accept="text/html")
    assert redis.exists("rl:GET v1/snippets/<str:pk>:198.51.100.7")
    assert redis.exists("rl:GET v1/snippets/<str:pk>:198.51.100.8")


def test_proxies_may_each_use_their_own_header(settings):
    settings.TRUSTED_PROXIES = [ip_network("192.0.2.0/24")]
    claims = [b"198.51.100.66", b"198.51.100.7", b"192.0.2.9"]
    scope = {"client": ("192.0.2.1", 1), "headers": [(b"x-forwarded-for", one) for one in claims]}
    assert address_of(scope) == "198.51.100.7"


def test_reads_are_counted_by_source(address, monkeypatch):
    counted = []  # not `metrics`, which another test's producer may flush at any moment
    monkeypatch.setattr(metrics, "count", lambda name, amount=1: counted.append(name))
    for _ in range(3):
        get(address("found"))
    assert counted == ["cache_misses", "cache_hits", "cache_hits"]


def test_the_redis_keys_match_the_design(address, redis):
    path = address("lasting")
    get(path)
    snippet_id = path.rpartition("/")[2]
    entry = json.loads(redis.get(f"snippet:{snippet_id}"))
    assert entry["payload"]["id"] == snippet_id
    assert redis.hget(f"meta:{snippet_id}", "size") == b"12"
    assert redis.pttl(f"snippet:{snippet_id}") == pytest.approx(86_400_000, abs=60_000)


def test_metrics_of_a_cached_snippet_do_not_read_its_row(address, client):
    path = address("lasting")

    def looks():
        with CaptureQueriesContext(connection) as queries:
            assert client.get(f"{path}/metrics").status_code == 200
        return sum('"snippets_snippet"' in query["sql"] for query in queries)

    assert looks() == 1
    get(path)
    assert looks() == 0
    services.delete(path.rpartition("/")[2], now=database_now())
    assert client.get(f"{path}/metrics").status_code == 404


def test_a_read_that_fails_is_a_500_in_the_envelope(address, monkeypatch):
    path = address("found")

    def fail(*_):
        raise RuntimeError("no database")

    monkeypatch.setattr("snippets.snippet_cache.find", fail)
    reply = get(path)
    assert (reply.status, json.loads(reply.body)["code"]) == (500, "server_error")


def test_without_redis_the_answers_are_the_same(address, settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert [get(address(kind)).status for kind in ("found", "expired", "missing")] == [
        200,
        410,
        404,
    ]
    assert get(address("found")).headers["x-cache"] == "MISS"
    assert "ratelimit" not in get(address("found")).headers
