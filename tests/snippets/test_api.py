"""Snippets over HTTP: accepted values, storage, search, changes and responses."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from accounts.rights import grant
from foundation.tags import normalize_tag
from foundation.valkey.clients import client as redis_client
from snippets.models import RemovedSnippet, Snippet
from tests.analytics.events import count_all, put, view
from tests.conftest import NOW
from tests.factories import SnippetFactory
from tests.threads import client_of


def create(api, **body):
    return api.post("/v1/snippets", {"content": "x", **body})


def test_a_snippet_is_stored_and_returned_completely(api):
    response = create(
        api, content=" é\n", title="One", language="Python", tags=["B  b", "a"], ttl="1h"
    )

    snippet = Snippet.objects.get()
    assert response.status_code == 201
    assert response.json() == {
        "id": snippet.id,
        "visibility": "public",
        "title": "One",
        "language": "python",
        "tags": ["a", "b b"],
        "size": 4,
        "created_at": snippet.created_at.isoformat().replace("+00:00", "Z"),
        "updated_at": snippet.updated_at.isoformat().replace("+00:00", "Z"),
        "expires_at": snippet.expires_at.isoformat().replace("+00:00", "Z"),
        "version": 1,
        "max_views": None,
        "views_left": None,
        "content": " é\n",
    }
    assert snippet.expires_at - snippet.created_at == timedelta(hours=1)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"content": ""}, "content"),
        ({"content": None}, "content"),
        ({"content": "a\0b"}, "content"),
        ({"title": "x" * 201}, "title"),
        ({"language": "no such language"}, "language"),
        ({"tags": ["x"] * 21}, "tags"),
        ({"tags": ["x" * 65]}, "tags"),
        ({"tags": [" "]}, "tags"),
        ({"tags": ["a\x07"]}, "tags"),
        ({"tags": "x"}, "tags"),
        ({"expires_at": "2020-01-01T00:00:00Z"}, "expires_at"),
        ({"expires_at": "2999-01-01T00:00:00Z"}, "expires_at"),
        ({"expires_at": "tomorrow"}, "expires_at"),
        ({"ttl": "0s"}, "ttl"),
        ({"ttl": "1h", "expires_at": "2027-01-01T00:00:00Z"}, "ttl"),
        ({"author": "me"}, "author"),
    ],
)
def test_invalid_values_of_a_snippet_are_reported_by_field(api, body, field):
    response = create(api, **body)
    assert (response.status_code, response.json()["code"]) == (400, "invalid")
    assert list(response.json()["details"]) == [field]
    assert not Snippet.objects.exists()


def test_content_is_bounded_by_its_bytes(api, settings):
    settings.SNIPPET_MAX_BYTES = 10
    assert create(api, content="é" * 5).status_code == 201
    response = create(api, content="é" * 5 + "x")
    assert (response.status_code, response.json()["code"]) == (413, "content_too_large")
    snippet_id = Snippet.objects.get().id
    assert api.patch(f"/v1/snippets/{snippet_id}", {"content": "x" * 11}).status_code == 413


def test_the_largest_content_fits_into_a_body_with_any_escaping(settings):
    largest = "\x01" * settings.SNIPPET_MAX_BYTES
    assert len(json.dumps({"content": largest, "title": "x" * 200})) <= settings.MAX_BODY_BYTES


def test_a_create_that_is_sent_twice_is_executed_once(api):
    key = {"HTTP_IDEMPOTENCY_KEY": "k"}
    first = api.post("/v1/snippets", {"content": "x", "ttl": "1h"}, **key)
    again = api.post("/v1/snippets", {"content": "x", "ttl": "1h"}, **key)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    assert api.post("/v1/snippets", {"content": "y"}, **key).status_code == 422


def test_a_change_affects_only_the_named_fields(api):
    snippet_id = create(api, title="One", tags=["a", "b"], ttl="1h").json()["id"]

    body = {"content": "longer", "tags": ["b", "c"]}
    response = api.patch(f"/v1/snippets/{snippet_id}", body)

    changed = response.json()
    assert response.status_code == 200
    assert (changed["content"], changed["size"], changed["tags"]) == ("longer", 6, ["b", "c"])
    assert (changed["title"], changed["expires_at"] is None) == ("One", False)
    assert changed["updated_at"] > changed["created_at"]
    assert (
        api.patch(f"/v1/snippets/{snippet_id}", {"expires_at": None}).json()["expires_at"] is None
    )
    assert Snippet.objects.get().tag_names == ["b", "c"]


def test_an_expired_snippet_can_be_revived_until_it_is_reaped(api):
    snippet = SnippetFactory(expires_at=NOW)
    address = f"/v1/snippets/{snippet.id}"
    assert (api.get(address).status_code, api.get(address).json()["code"]) == (410, "expired")
    assert api.get(f"{address}/raw").status_code == 410

    past = {"expires_at": "2026-03-01T12:00:00Z"}
    assert api.patch(address, past).status_code == 400
    assert api.patch(address, {"ttl": "1h"}).status_code == 200

    assert api.get(address).status_code == 200


@pytest.mark.parametrize("snippet_id", ["s_0000000000000000000000", "s_nonsense", "t_x", "x"])
def test_a_missing_snippet_is_a_404(api, snippet_id):
    address = f"/v1/snippets/{snippet_id}"
    for response in (
        api.get(address),
        api.get(f"{address}/raw"),
        api.patch(address, {"title": "x"}),
        api.delete(address),
    ):
        assert (response.status_code, response.json()["code"]) == (404, "not_found")


def test_a_deleted_snippet_is_recorded_for_a_while(api):
    snippet = SnippetFactory(expires_at=NOW)
    assert api.delete(f"/v1/snippets/{snippet.id}").status_code == 204
    assert not Snippet.objects.exists()
    assert RemovedSnippet.objects.get().id == snippet.id


def walk(api, **query):
    """Return the ids on all pages, requested two at a time."""
    found, token = [], None
    while True:
        more = {"page_token": token} if token else {}
        page = api.get("/v1/snippets", {"limit": 2, **query, **more}).json()
        found += [item["id"] for item in page["items"]]
        token = page["next_page_token"]
        if token is None:
            return found


def test_pages_by_tag_give_each_live_snippet_once_in_order(api):
    tagged = [create(api, tags=["Tag  One", "x"]).json()["id"] for _ in range(5)]
    untagged = create(api).json()["id"]
    expired = create(api, tags=["tag one"], ttl="1h").json()["id"]
    Snippet.objects.filter(pk=expired).update(expires_at=NOW)
    Snippet.objects.filter(pk__in=tagged[1:4]).update(created_at=Snippet.objects.first().created_at)

    assert sorted(walk(api)) == sorted([*tagged, untagged])
    assert walk(api, tag="TAG one") == tagged
    assert walk(api, tag="none") == []


def test_a_page_of_any_length_has_no_content_and_constant_cost(api):
    create(api, tags=["a"])
    counts = []
    for _ in range(2):
        for query in ({}, {"tag": "a"}):
            with CaptureQueriesContext(connection) as queries:
                page = api.get("/v1/snippets", query).json()
            counts.append(len(queries))
            assert page["items"][0]["tags"] == ["a"]
            assert "content" not in page["items"][0]
            assert not any('"content"' in query["sql"] for query in queries)
        for _ in range(10):
            create(api, tags=["a", "b"])
    assert counts[:2] == counts[2:]


@pytest.mark.parametrize("query", ["limit=0", "page_token=x", "tag=", "x=1", "tag=%00"])
def test_a_wrong_query_is_a_400(api, query):
    assert api.get(f"/v1/snippets?{query}").status_code == 400


def test_a_page_token_of_a_tag_is_valid_for_the_list_of_snippets(api):
    for _ in range(3):
        create(api, tags=["a"])
    token = api.get("/v1/snippets", {"tag": "a", "limit": 1}).json()["next_page_token"]
    assert len(api.get("/v1/snippets", {"page_token": token}).json()["items"]) == 2


def test_anybody_may_read_a_snippet_and_only_users_with_rights_may_change_it(api, client):
    snippet = SnippetFactory()
    address = f"/v1/snippets/{snippet.id}"
    wrong = {"HTTP_AUTHORIZATION": "Token nonsense"}
    assert client.get(address).status_code == 200
    assert client.get(address, **wrong).status_code == 200
    assert client.get(f"{address}/raw", **wrong).status_code == 200
    for response in (
        client.get("/v1/snippets"),
        client.post("/v1/snippets", {"content": "x"}, content_type="application/json"),
        client.patch(address, {}, content_type="application/json", **wrong),
        client.delete(address),
    ):
        assert response.status_code == 401
    reader = User.objects.create_user("reader")
    grant(reader, read_only=True)
    reader = User.objects.get(pk=reader.pk)
    assert client_of(reader).get("/v1/snippets").status_code == 200
    assert client_of(reader).post("/v1/snippets", {"content": "x"}).status_code == 403


def test_the_raw_text_is_never_executed(api):
    snippet = SnippetFactory(content="<script>alert('é')</script>")
    response = api.get(f"/v1/snippets/{snippet.id}/raw")
    assert response.content.decode() == snippet.content
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Security-Policy"] == "sandbox; default-src 'none'"


def test_the_browsable_api_shows_a_snippet(api):
    snippet = SnippetFactory(title="<b>bold</b>")
    response = api.get(f"/v1/snippets/{snippet.id}", HTTP_ACCEPT="text/html")
    assert response.status_code == 200
    assert b"<b>bold" not in response.content


@pytest.mark.django_db(transaction=True)
def test_changes_of_a_snippet_are_emitted_after_the_commit(api, events):
    snippet_id = create(api).json()["id"]
    address = f"/v1/snippets/{snippet_id}"
    api.patch(address, {"title": "New"})
    api.get(address)
    api.head(address)
    api.get(f"{address}/raw")
    api.delete(address)
    api.get(address)
    assert events == [(kind, snippet_id) for kind in ("create", "update", "view", "view", "delete")]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("change", ["patch", "delete"])
def test_a_write_invalidates_the_cache(api, redis, change):
    snippet_id = create(api).json()["id"]
    names = [f"snippet:{snippet_id}", f"meta:{snippet_id}", f"snippet:{snippet_id}:page"]
    names += [f"lock:{names[0]}", f"lock:{names[2]}"]
    for name in names:
        redis.set(name, "x")
    getattr(api, change)(f"/v1/snippets/{snippet_id}", {})
    assert redis.exists(*names) == 0


@pytest.mark.django_db(transaction=True)
def test_without_redis_writes_and_reads_continue(api, settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    snippet_id = create(api, ttl="1h").json()["id"]
    address = f"/v1/snippets/{snippet_id}"
    assert api.patch(address, {"title": "New"}).status_code == 200
    assert api.get(address).json()["title"] == "New"
    assert api.delete(address).status_code == 204


@pytest.mark.django_db
def test_every_route_has_its_own_limit_for_each_client(api, settings):
    settings.RATE_LIMIT = (2, timedelta(minutes=1))
    redis_client().flushdb()
    statuses = [api.get("/v1/snippets").status_code for _ in range(3)]
    refused = api.get("/v1/snippets")
    assert statuses == [200, 200, 429]
    assert refused.json()["code"] == "rate_limited"
    assert 1 <= int(refused["Retry-After"]) <= 60
    assert refused["RateLimit"].startswith('"client";r=0;t=')
    assert refused["RateLimit-Policy"] == '"client";q=2;w=60'
    assert api.get("/v1/targets").status_code == 200
    assert api.get("/v1/snippets", REMOTE_ADDR="192.0.2.7").status_code == 200
    assert api.get("/v1/health").status_code in (200, 503)
    assert "RateLimit" not in api.get("/livez")


@pytest.mark.any_database
@given(st.text(max_size=80))
def test_a_tag_is_normalized(text):
    tag = normalize_tag(text)
    assert normalize_tag(tag) == tag
    assert normalize_tag(f"  {text} ") == tag
    assert "  " not in tag


def test_times_come_from_the_database(api):
    before = datetime.now(UTC) - timedelta(minutes=1)
    assert create(api).json()["created_at"] > before.isoformat()


def test_metrics_of_a_snippet_are_views_and_visitors_by_day(api, client):
    snippet = SnippetFactory(expires_at=NOW)
    address = f"/v1/snippets/{snippet.id}/metrics"
    today = datetime.now(UTC)
    put(*(view(snippet.id, at=today, visitor=visitor) for visitor in ("a", "b", "a")))
    count_all()

    days = {"from": (today - timedelta(days=1)).date(), "to": today.date()}
    found = api.get(address, days).json()
    assert found.pop("trend_score") == pytest.approx(3, abs=0.01)
    assert found == {
        "id": snippet.id,
        "views": 3,
        "uniques_estimate": 2,
        "daily": [
            {"day": str(days["from"]), "views": 0, "uniques_estimate": 0},
            {"day": str(days["to"]), "views": 3, "uniques_estimate": 2},
        ],
    }
    assert api.get(address, {"from": "tomorrow"}).status_code == 400
    assert api.get("/v1/snippets/s_none/metrics").status_code == 404
    assert client.get(address, HTTP_AUTHORIZATION="Token nonsense").json()["views"] == 3
