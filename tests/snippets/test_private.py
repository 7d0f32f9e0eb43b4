"""Private and unlisted snippets through every door, and the caches after a snippet becomes one."""

import asyncio
import http.client
import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.actors import Actor
from analytics import live_counts, views
from console.dashboard.summary import compute_summary
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from linkwatch import asgi
from snippets import services, snippet_cache
from snippets.models import Snippet
from tests.analytics.events import count_all, put, view
from tests.foundation.redis_servers import run
from tests.snippets.redis_contents import all_of_redis
from tests.snippets.requests import get
from tests.snippets.senders import session, token
from tests.snippets.servers import web
from tests.threads import client_of

pytestmark = pytest.mark.django_db(transaction=True)
SECRET, TITLE = "correct horse battery staple", "Hush"
NONE = "s_0000000000000000000000"


def make(by=None, **fields):
    values = {"content": SECRET, "title": TITLE, "tags": ["t"], "visibility": "private", **fields}
    who = {} if by is None else {"by": Actor(by)}
    return services.create(values, now=database_now(), **who).id


def change(snippet_id, **fields):
    services.update(snippet_id, fields, now=database_now())


# The requests through each door, and which way each takes: ahead of Django or through Django.
DOORS = {
    "page": ("/snippets/{}", {}),
    "JSON": ("/v1/snippets/{}", {}),
    "JSON by Django": ("/v1/snippets/{}", {"accept": "application/json; indent=1"}),
    "browsable": ("/v1/snippets/{}", {"accept": "text/html"}),
    "raw": ("/v1/snippets/{}/raw", {}),
    "raw by Django": ("/v1/snippets/{}/raw", {"content_length": "1"}),
    "metrics": ("/v1/snippets/{}/metrics", {}),
}
LOOKS = {name: door for name, door in DOORS.items() if name != "metrics"}


def ask(door, snippet_id, **how):
    path, special = DOORS[door]
    return get(path.format(snippet_id), **special, **how)


def without_limit(reply, snippet_id):
    """Return the response without the parts that differ by the snippet's id or by request."""
    headers = {
        name: value
        for name, value in reply.headers.items()
        if name not in ("ratelimit", "set-cookie", "vary", "x-request-id")
    }
    body = reply.body.replace(snippet_id.encode(), b"ID")
    body = body.replace(reply.headers["x-request-id"].encode(), b"REQUEST")
    return reply.status, headers, len(body) if b"csrf" in body.lower() else body


@pytest.fixture
def strangers(people):
    """The headers of all senders who must not know of ada's private snippet."""
    return {
        "nobody": {},
        "another": session(people["bob"]),
        "another's token": token(people["bob"]),
        "viewer": session(people["viewer"]),
        "program": token(people["service"]),
        "owner's token for links": token(people["ada"], "shortener"),
        "no session": {"cookie": "sessionid=x"},
        "no token": {"authorization": "Token nonsense"},
    }


@pytest.mark.usefixtures("threads")
@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("door", DOORS)
def test_a_private_snippet_does_not_exist_for_others(people, strangers, events, door, method):
    snippet_id = make(by=people["ada"])
    events.clear()
    for name, headers in strangers.items():
        for id_ in (snippet_id, NONE):
            ask(door, id_, method=method, **headers)  # the cache stores that nothing exists
        found = ask(door, snippet_id, method=method, **headers)
        none = ask(door, NONE, method=method, **headers)
        assert found.status == 404, name
        assert without_limit(found, snippet_id) == without_limit(none, NONE), name
    assert events == []
    assert SECRET.encode() not in all_of_redis()
    assert TITLE.encode() not in all_of_redis()


@pytest.mark.usefixtures("threads")
def test_an_expired_private_snippet_does_not_exist_either(people):
    snippet_id = make(by=people["ada"], expires_at=database_now())
    assert {ask(door, snippet_id).status for door in DOORS} == {404}
    mine = session(people["ada"])
    assert {ask(door, snippet_id, **mine).status for door in LOOKS} == {410}


@pytest.mark.usefixtures("threads")
@pytest.mark.parametrize("door", DOORS)
def test_its_owner_and_operators_see_it_without_an_event(people, events, door):
    snippet_id = make(by=people["ada"])
    events.clear()
    for headers in (
        session(people["ada"]),
        token(people["ada"]),
        token(people["ada"], "read"),
        token(people["ada"], "snippets"),
        session(people["operator"]),
    ):
        for _ in range(2):
            reply = ask(door, snippet_id, **headers)
            assert reply.status == 200
            if door != "metrics":
                assert SECRET.split()[0].encode() in reply.body
                assert reply.headers["cache-control"] == "private, no-store"
                assert reply.headers["x-robots-tag"] == "noindex"
                assert reply.headers["x-cache"] == "MISS"
    assert ask(door, snippet_id).status == 404
    assert events == []
    assert SECRET.encode() not in all_of_redis()


@pytest.mark.usefixtures("threads")
def test_a_private_page_gets_no_live_counts(people):
    snippet_id = make(by=people["ada"])
    assert b"data-live" not in ask("page", snippet_id, **session(people["ada"])).body
    change(snippet_id, visibility="unlisted")
    assert b"data-live" in ask("page", snippet_id).body


@pytest.mark.usefixtures("threads")
def test_private_snippets_of_programs_are_visible_to_programs_with_the_right(people):
    snippet_id = make()
    assert ask("JSON", snippet_id, **token(people["service"])).status == 200
    assert ask("JSON", snippet_id, **token(people["ada"])).status == 404
    people["service"].user_permissions.clear()
    assert ask("JSON", snippet_id, **token(people["service"])).status == 404


@pytest.mark.usefixtures("threads")
@pytest.mark.parametrize("fields", [{"visibility": "private"}, {"max_views": 1}])
def test_caches_are_cleared_at_once_when_a_snippet_becomes_private(people, fields):
    snippet_id = make(by=people["ada"], visibility="public")
    for door in DOORS:
        assert [ask(door, snippet_id).status for _ in range(2)] == [200, 200]
    assert ask("JSON", snippet_id).headers["x-cache"] == "HIT"
    assert SECRET.encode() in all_of_redis()

    change(snippet_id, **fields)

    assert SECRET.encode() not in all_of_redis()
    refused = [200, 409, 409, 409, 409, 409, 200] if "max_views" in fields else [404] * 7
    assert [ask(door, snippet_id).status for door in DOORS] == refused
    assert SECRET.encode() not in all_of_redis()

    change(snippet_id, visibility="public", max_views=None)

    assert {ask(door, snippet_id).status for door in DOORS} == {200}
    assert ask("JSON", snippet_id).headers["x-cache"] == "HIT"


@pytest.mark.usefixtures("threads")
def test_a_load_that_began_before_it_became_private_is_not_kept(people, monkeypatch):
    snippet_id = make(by=people["ada"], visibility="public")
    find = snippet_cache.find

    def find_late(id_):
        snippet = find(id_)
        monkeypatch.undo()
        change(id_, visibility="private")  # meanwhile, by another process
        return snippet

    monkeypatch.setattr(snippet_cache, "find", find_late)
    ask("JSON", snippet_id)
    assert SECRET.encode() not in all_of_redis()
    assert ask("JSON", snippet_id).status == 404


@pytest.mark.acceptance
def test_all_processes_are_notified_at_once_and_share_one_query(people, tmp_path):
    snippet_id = make(by=people["ada"], visibility="public")
    path = f"/v1/snippets/{snippet_id}"
    mine = session(people["ada"])

    def look(port, path, headers=None):
        there = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        there.request("GET", path, headers=headers or {})
        answer = there.getresponse()
        reported = answer.status, answer.headers["X-Cache"]
        answer.read()
        there.close()
        return reported

    with web(tmp_path) as one, web(tmp_path) as other:
        for port in (one, other):
            for door in (path, f"{path}/raw", f"/snippets/{snippet_id}"):
                assert look(port, door)[0] == 200
        assert look(other, path) == (200, "HIT")
        change(snippet_id, visibility="private")
        for port in (one, other):
            for door in (path, f"{path}/raw", f"/snippets/{snippet_id}"):
                assert look(port, door) == (404, None)
                assert look(port, door, mine) == (200, "MISS")

        def reveal(port, path):
            there = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            there.request("POST", f"{path}/reveal", headers={"Content-Length": "0"})
            answer = there.getresponse()
            reported = json.loads(answer.read())
            there.close()
            return reported.get("content") or reported["code"]

        for _ in range(5):
            once = f"/v1/snippets/{make(max_views=1, visibility='public')}"
            with ThreadPoolExecutor(2) as pool:
                reported = list(pool.map(reveal, (one, other), (once, once)))
            assert sorted(reported) == [SECRET, "used_up"]


@pytest.mark.usefixtures("threads")
@pytest.mark.parametrize("door", LOOKS)
def test_anyone_with_the_address_reads_an_unlisted_snippet_and_no_index_lists_it(people, door):
    listed = make(by=people["ada"], visibility="public")
    unlisted = make(by=people["ada"], visibility="unlisted")
    for _ in range(2):  # a miss and a hit
        assert ask(door, unlisted).headers["x-robots-tag"] == "noindex"
        assert "x-robots-tag" not in ask(door, listed).headers
    assert ask(door, unlisted, method="HEAD").headers["x-robots-tag"] == "noindex"
    change(unlisted, visibility="public")
    assert "x-robots-tag" not in ask(door, unlisted).headers


def connected(path, query, **headers):
    """Return a WebSocket's first message, and the subjects that the process then follows for it."""

    async def scenario():
        received, sent = asyncio.Queue(), asyncio.Queue()
        received.put_nowait({"type": "websocket.connect"})
        reported = {"host": "localhost", **headers}
        scope = {
            "type": "websocket",
            "path": path,
            "headers": [(name.encode(), value.encode()) for name, value in reported.items()],
            "query_string": query.encode(),
            "client": ("192.0.2.1", 1),
        }
        async with asyncio.timeout(60):
            task = asyncio.create_task(asgi.application(scope, received.get, sent.put))
            while (message := await sent.get())["type"] != "websocket.send":
                pass
            watched = live_counts.hub().watched()
            received.put_nowait({"type": "websocket.disconnect", "code": 1000})
            await task
        return json.loads(message["text"])["counts"], watched

    return run(scenario())


@pytest.mark.usefixtures("threads")
@pytest.mark.parametrize("path", ["/ws/live/", "/ws/dashboard/"])
def test_counts_of_an_unlisted_snippet_cannot_be_followed(people, redis, path):
    ids = {name: make(by=people["ada"], visibility=name) for name in ("public", "unlisted")}
    ids["private"] = make(by=people["ada"])
    for id_ in ids.values():
        redis.set(f"views:{id_}", 7)  # from when it was public
    redis.set("views:short:abc", 5)
    for who in ("ada", "operator") if path == "/ws/live/" else ("operator",):
        counts, watched = connected(
            path, f"ids={','.join(ids.values())},abc,{NONE}", **session(people[who])
        )
        assert counts == {
            ids["public"]: 7,
            ids["unlisted"]: 7,
            ids["private"]: 0,
            "abc": 5,
            NONE: 0,
        }
        assert set(watched) == {ids["public"], ids["unlisted"], "short:abc", NONE}


@pytest.mark.parametrize("spare", [0, 20])
def test_snippets_that_are_not_public_never_trend(people, monkeypatch, spare):
    monkeypatch.setattr(views, "_SPARE_SUBJECTS", spare)
    api = client_of(people["operator"])
    public = make(by=people["ada"], visibility="public", title="Seen")
    hidden = [
        make(by=people["ada"], visibility="unlisted"),
        make(by=people["ada"]),
        make(by=people["ada"], visibility="public", max_views=3),
    ]
    put(*[view(id_) for id_ in hidden for _ in range(3)], view(public, n=2), view("short:key"))
    count_all()
    for limit, expected in ((1, [public]), (10, [public, "short:key"])):
        items = api.get(f"/v1/trending?limit={limit}").json()["items"]
        assert [item["subject"] for item in items] == expected
    assert [one["id"] for one in compute_summary(database_now())["trending"]] == [public]


def test_public_metrics_and_lists_need_no_query_for_the_user(client):
    snippet_id = make(visibility="public")
    with CaptureQueriesContext(connection) as queries:
        for path in ("", "/raw", "/metrics"):
            assert client.get(f"/v1/snippets/{snippet_id}{path}").status_code == 200
    assert not any("auth_user" in query["sql"] for query in queries)


def test_the_rule_for_one_snippet_equals_the_rule_for_lists(people):
    """`may_be_read_by` and `visible_to` agree on who may read a private snippet."""
    for owner in (None, *people):
        snippet = Snippet.objects.get(pk=make(by=people.get(owner)))
        for who, user in people.items():
            by = Actor(type(user).objects.get(pk=user.pk))
            reached = Snippet.objects.visible_to(by).filter(pk=snippet.pk).exists()
            assert snippet.may_be_read_by(by) is reached, (owner, who)
        assert not snippet.may_be_read_by(None)
        assert snippet.may_be_read_by(Actor())


def test_users_who_may_not_see_a_snippet_may_not_change_it(people):
    snippet_id = make(by=people["ada"])
    for name in ("bob", "viewer", "service"):
        by = Actor(people[name])
        with pytest.raises(ApiError, match="no such"):
            services.update(snippet_id, {"title": "x"}, now=database_now(), by=by)
        answer = client_of(people[name]).delete(f"/v1/snippets/{snippet_id}")
        assert answer.status_code == (403 if name == "viewer" else 404)
    assert client_of(people["ada"]).delete(f"/v1/snippets/{snippet_id}").status_code == 204
    assert Client().get(f"/v1/snippets/{snippet_id}").status_code == 404
