"""The fast path and Django give the same answers to the same requests."""

import asyncio
import json
import re
from datetime import timedelta
from ipaddress import ip_network
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.actors import Actor
from foundation.database.clock import database_now
from foundation.http.asgi import address_of
from foundation.models import Scope
from foundation.valkey import metrics
from linkwatch import asgi
from snippets import services
from snippets.reading import plain_read
from snippets.reads import nobody
from tests.conftest import NOW
from tests.factories import SnippetFactory
from tests.foundation.redis_servers import run
from tests.snippets.requests import ask, get
from tests.snippets.senders import session, token

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


def both_ways(monkeypatch, redis, path, **how):
    """Return the answers of the fast path and of Django to one request, each the first ever."""
    how = {"x_request_id": "one-id-for-both", **how}
    replies = []
    for find in (plain_read, None):
        monkeypatch.setitem(asgi.DOORS, "/v1/snippets/", asgi.Door("snippet", find))
        redis.flushdb()
        replies.append(get(path, **how))
    return replies


KINDS = ["found", "lasting", "expired", "missing", "too large", "malformed", "odd"]
WAYS: dict[str, dict[str, Any]] = {
    "plain": {},
    "json": {"accept": "application/json"},
    "many": {"accept": "application/json, text/plain, */*"},
    "indented": {"accept": "application/json; indent=4"},
    "html": {"accept": "text/html"},
    "browser": {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"},
    "image": {"accept": "image/png"},
    "image or any": {"accept": "image/png, */*"},
    "html or json": {"accept": "text/html, application/json"},
    "html or any": {"accept": "text/html, application/*, */*"},
    "loud html": {"accept": "TEXT/HTML, */*"},
    "loud json": {"accept": "APPLICATION/JSON"},
    "text or any": {"accept": "text/*, */*"},
    "some of each": {"accept": "text/*, application/*"},
    "plain text": {"accept": "text/plain"},
    "empty": {"accept": ""},
    "query": {"query": b"x=1&format=json"},
    "bad token": {"authorization": "Token nonsense"},
    "bad host": {"host": "evil.example"},
    "no host": {"host": "a b"},
    "head": {"method": "HEAD"},
    "put": {"method": "PUT"},
    "post": {"method": "POST"},
    "patch": {"method": "PATCH"},
    "delete": {"method": "DELETE"},
    "options": {"method": "OPTIONS"},
}


def without_secret(reply):
    """Return the answer without what differs each time on a page with a form."""
    headers = {name: value for name, value in reply.headers.items() if name != "set-cookie"}
    return reply._replace(headers=headers, body=re.sub(rb'"[0-9A-Za-z]{64}"', b'""', reply.body))


@pytest.mark.parametrize("raw", ["", "/raw"])
@pytest.mark.parametrize("way", WAYS)
def test_both_answer_alike(address, monkeypatch, redis, events, way, raw):
    for kind in KINDS:
        del events[:]
        fast, slow = both_ways(monkeypatch, redis, address(kind) + raw, **WAYS[way])
        assert without_secret(fast) == without_secret(slow), kind
        views = [event for event in events if event[0] == "view"]
        assert len(views) == (2 if fast.status == 200 and way not in ("head", "options") else 0)


@pytest.fixture
def guarded(people):
    """Return the address of snippets of ada's that are not for everybody, by their kind."""

    def make(**fields):
        fields = {"content": "x", "title": "Hush", **fields}
        return services.create(fields, now=database_now(), by=Actor(people["ada"])).id

    past = database_now() - timedelta(seconds=1)
    ids = {
        "unlisted": make(visibility="unlisted"),
        "private": make(visibility="private"),
        "private, expired": make(visibility="private", expires_at=past),
        "private, one look": make(visibility="private", max_views=1),
        "one look": make(max_views=1),
        "unlisted, three looks": make(visibility="unlisted", max_views=3),
        "one look, expired": make(max_views=1, expires_at=past),
        "used up": make(max_views=1),
    }
    services.reveal(ids["used up"], who=nobody, now=database_now())
    return {kind: f"/v1/snippets/{id_}" for kind, id_ in ids.items()}


@pytest.mark.parametrize("raw", ["", "/raw"])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_both_answer_alike_whoever_asks(guarded, people, monkeypatch, redis, events, method, raw):
    senders = {
        "nobody": {},
        "wrong": {"authorization": "Token nonsense", "cookie": "sessionid=x"},
        "odd": {"authorization": "Token a b"},
        "basic": {"authorization": "Basic YTpi"},
        "both": session(people["ada"]) | {"authorization": "Token nonsense"},
        "links only": token(people["ada"], Scope.SHORTENER),
        "to read": token(people["ada"], Scope.READ),
    }
    for name in people:
        senders |= {name: session(people[name]), f"{name}'s token": token(people[name])}
    shown = set()
    for who, headers in senders.items():
        for kind, path in guarded.items():
            del events[:]
            fast, slow = both_ways(monkeypatch, redis, path + raw, method=method, **headers)
            assert without_secret(fast) == without_secret(slow), (who, kind)
            if fast.status == 200:
                shown.add((who, kind))
            is_view = fast.status == 200 and kind == "unlisted" and method == "GET"
            assert len(events) == (2 if is_view else 0), (who, kind)
    knowing = {"ada", "ada's token", "to read", "both", "operator", "operator's token"}
    assert {who for who, kind in shown if kind == "private"} == knowing
    assert {kind for _, kind in shown} == {"private", "unlisted"}


def test_what_is_a_hit_is_the_same_body_again(address):
    path = address("found")
    first, second = get(path), get(path)
    assert (first.headers["x-cache"], second.headers["x-cache"]) == ("MISS", "HIT")
    assert first.body == second.body


def test_programs_are_answered_from_the_cache_whatever_else_they_would_take(address):
    usual = "application/json, text/plain, */*"  # of many clients in JavaScript
    caches = [get(address("found"), accept=usual).headers["x-cache"] for _ in range(2)]
    assert caches == ["MISS", "HIT"]


def test_raw_is_the_content_to_the_byte():
    content = "é\u2028\r\n\x7f\ttail"
    path = f"/v1/snippets/{SnippetFactory(content=content).id}/raw"
    assert [get(path).body, get(path).body] == [content.encode()] * 2
    assert get(path).headers["x-cache"] == "HIT"


def test_the_limit_is_one_on_both_ways(address, settings, monkeypatch, redis):
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


def test_of_sixty_at_once_exactly_thirty_pass(address, settings, events):
    settings.RATE_LIMIT = (30, timedelta(minutes=1))
    path = address("found")

    async def all_at_once():
        return await asyncio.gather(*[ask(path) for _ in range(60)])

    statuses = [reply.status for reply in run(all_at_once())]
    assert (statuses.count(200), statuses.count(429)) == (30, 30)
    assert len(events) == 30


def test_a_client_is_who_a_trusted_proxy_says(address, settings, redis):
    path = address("found")
    get(path, x_forwarded_for="198.51.100.7")
    assert redis.exists("rl:GET v1/snippets/<str:pk>:192.0.2.1")
    settings.TRUSTED_PROXIES = [ip_network("192.0.2.0/24")]
    get(path, x_forwarded_for="198.51.100.7")
    get(path, x_forwarded_for="198.51.100.8", accept="text/html")
    assert redis.exists("rl:GET v1/snippets/<str:pk>:198.51.100.7")
    assert redis.exists("rl:GET v1/snippets/<str:pk>:198.51.100.8")


def test_proxies_may_each_say_it_in_a_header_of_their_own(settings):
    settings.TRUSTED_PROXIES = [ip_network("192.0.2.0/24")]
    claims = [b"198.51.100.66", b"198.51.100.7", b"192.0.2.9"]
    scope = {"client": ("192.0.2.1", 1), "headers": [(b"x-forwarded-for", one) for one in claims]}
    assert address_of(scope) == "198.51.100.7"


def test_reads_are_counted_by_where_they_came_from(address, monkeypatch):
    counted = []  # what `metrics` holds, another test's producer may flush at any moment
    monkeypatch.setattr(metrics, "count", lambda name, amount=1: counted.append(name))
    for _ in range(3):
        get(address("found"))
    assert counted == ["cache_misses", "cache_hits", "cache_hits"]


def test_the_keys_are_those_of_the_design(address, redis):
    path = address("lasting")
    get(path)
    snippet_id = path.rpartition("/")[2]
    entry = json.loads(redis.get(f"snippet:{snippet_id}"))
    assert entry["payload"]["id"] == snippet_id
    assert redis.hget(f"meta:{snippet_id}", "size") == b"12"
    assert redis.pttl(f"snippet:{snippet_id}") == pytest.approx(86_400_000, abs=60_000)


def test_metrics_of_a_snippet_that_is_cached_need_no_look_at_its_row(address, client):
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

    monkeypatch.setattr("snippets.reads.find", fail)
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
