"""Snippets that can be shown a limited number of times: only `reveal` shows them."""

import re
from datetime import timedelta

import pytest
from django.test import Client

from accounts.actors import Actor
from accounts.models import Trace
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from foundation.models import IdempotencyKey
from snippets import services, snippet_cache
from snippets.models import Snippet, SnippetVersion
from tests.conftest import NOW
from tests.snippets.redis_contents import all_of_redis
from tests.snippets.requests import get
from tests.snippets.senders import session, token
from tests.threads import run_together

pytestmark = pytest.mark.django_db(transaction=True)
SECRET = "correct horse battery staple"


def make(views=1, by=None, **fields):
    values = {"content": SECRET, "title": "Hush", "tags": ["hush"], "max_views": views, **fields}
    who = {} if by is None else {"by": Actor(by)}
    return services.create(values, now=database_now(), **who).id


def reveal(snippet_id, client=None, **headers):
    return (client or Client()).post(f"/v1/snippets/{snippet_id}/reveal", headers=headers)


def doors(snippet_id, **headers):
    """Return the responses to all requests for the snippet that don't reveal it."""
    path = f"/v1/snippets/{snippet_id}"
    return [
        get(f"/snippets/{snippet_id}", **headers),
        get(path, **headers),
        get(f"{path}/raw", **headers),
        get(path, accept="text/html", **headers),
        get(f"{path}/raw", query=b"x=1", **headers),
    ]


@pytest.mark.usefixtures("threads")
@pytest.mark.parametrize("visibility", ["public", "unlisted"])
def test_reads_show_that_a_snippet_exists_without_using_a_view(events, visibility):
    snippet_id = make(visibility=visibility)
    events.clear()
    for _ in range(2):
        page, *programs = doors(snippet_id)
        assert [reply.status for reply in (page, *programs)] == [200, 409, 409, 409, 409]
        for reply in (page, *programs):
            assert reply.headers["x-robots-tag"] == "noindex"
            for word in (SECRET, "Hush", "hush"):
                assert word.encode() not in reply.body
        assert b"view limit" in page.body
        assert page.headers["cache-control"] == "private, no-store"
    assert get(f"/snippets/{snippet_id}", method="HEAD").status == 200
    assert get(f"/v1/snippets/{snippet_id}", method="HEAD").status == 409
    reported = Client().get(f"/v1/snippets/{snippet_id}").json()
    assert reported["code"] == "must_be_revealed"
    assert reported["details"] == {
        "reveal": f"/v1/snippets/{snippet_id}/reveal",
        "max_views": 1,
        "views_left": 1,
        "expires_at": None,
    }
    assert events == []
    assert SECRET.encode() not in all_of_redis()
    assert reveal(snippet_id).json()["content"] == SECRET


@pytest.mark.usefixtures("threads")
def test_the_last_reveal_empties_the_snippet_and_its_versions(events):
    snippet_id = make(views=2)
    services.update(snippet_id, {"content": SECRET + "!"}, now=NOW)
    events.clear()

    first, second, third = [reveal(snippet_id) for _ in range(3)]

    assert [reply.status_code for reply in (first, second, third)] == [200, 200, 410]
    assert [reply.json()["views_left"] for reply in (first, second)] == [1, 0]
    assert [reply.json()["content"] for reply in (first, second)] == [SECRET + "!"] * 2
    assert first["Cache-Control"] == second["Cache-Control"] == "private, no-store"
    assert "X-Cache" not in first
    assert third.json()["code"] == "used_up"
    assert [reply.status for reply in doors(snippet_id)] == [410] * 5
    row = Snippet.objects.get()
    assert (row.content, row.size, row.views_left) == ("", 0, 0)
    assert not SnippetVersion.objects.exists()
    assert events == [("view", snippet_id)] * 2
    assert SECRET.encode() not in all_of_redis()


def test_parallel_reveals_get_exactly_the_number_of_views():
    for views in (1, 3):
        snippet_id = make(views=views)

        def look(snippet_id=snippet_id):
            try:
                shown = services.reveal(
                    snippet_id, get_actor=snippet_cache.nobody, now=database_now()
                )
            except ApiError as error:
                return error.code
            return shown.content

        found = run_together([look] * 6)
        assert sorted(found) == [SECRET] * views + ["used_up"] * (6 - views)
        assert Snippet.objects.get(pk=snippet_id).content == ""


def test_one_of_several_parallel_requests_gets_the_last_view():
    snippet_id = make()
    statuses = run_together([lambda: reveal(snippet_id).status_code] * 4)
    assert sorted(statuses) == [200, 410, 410, 410]


def test_anyone_with_the_address_may_reveal_a_snippet(people):
    for headers in ({}, session(people["bob"]), token(people["bob"]), {"authorization": "Token x"}):
        snippet_id = make(by=people["ada"], visibility="unlisted")
        guarded = Client(enforce_csrf_checks=True)
        assert reveal(snippet_id, guarded, **headers).json()["content"] == SECRET


def test_only_users_who_may_see_a_private_snippet_reveal_it(people):
    snippet_id = make(by=people["ada"], visibility="private", views=3)
    for headers in (
        {},
        session(people["bob"]),
        session(people["viewer"]),
        token(people["service"]),
        token(people["ada"], "read"),
        token(people["ada"], "shortener"),
    ):
        refused = reveal(snippet_id, **headers)
        none = reveal("s_0000000000000000000000", **headers)
        assert (refused.status_code, refused.content) == (404, none.content)
    forged = Client(enforce_csrf_checks=True)
    assert reveal(snippet_id, forged, **session(people["ada"])).status_code == 403
    assert Snippet.objects.get().views_left == 3
    for who, headers in (("ada", session(people["ada"])), ("operator", token(people["operator"]))):
        assert reveal(snippet_id, **headers).json()["content"] == SECRET
        assert Trace.objects.filter(action="reveal", user=people[who]).count() == 1


@pytest.mark.parametrize("snippet_id", ["s_" + "0" * 22, "s_" + "z" * 22, "x"])
def test_a_missing_snippet_cannot_be_revealed(snippet_id):
    assert reveal(snippet_id).status_code == 404


def test_an_expired_snippet_cannot_be_revealed(api):
    snippet_id = make(views=2)
    Snippet.objects.update(expires_at=NOW)
    assert reveal(snippet_id).json()["code"] == "expired"
    assert Snippet.objects.get().views_left == 2


def test_a_snippet_without_a_view_limit_is_revealed_as_well():
    snippet_id = make(views=None)
    assert [reveal(snippet_id).json()["content"] for _ in range(2)] == [SECRET] * 2


def test_reveals_are_limited_for_each_client(settings):
    settings.RATE_LIMIT = (2, timedelta(minutes=1))
    snippet_id = make(views=9)
    assert [reveal(snippet_id).status_code for _ in range(3)] == [200, 200, 429]
    assert Snippet.objects.get().views_left == 7


def test_answers_to_changes_neither_show_nor_store_the_content(api):
    body = {"content": SECRET, "max_views": 1}
    made = api.post("/v1/snippets", body, headers={"Idempotency-Key": "k"}).json()
    assert (made["content"], made["views_left"], made["size"]) == (None, 1, len(SECRET))
    assert SECRET not in IdempotencyKey.objects.get().body
    path = f"/v1/snippets/{made['id']}"
    assert api.patch(path, {"title": "T"}).json()["content"] is None
    assert api.patch(path, {"max_views": 5}).json()["views_left"] == 5
    assert api.patch(path, {"max_views": None}).json()["content"] == SECRET
    assert api.get(path).json()["content"] == SECRET
    assert api.patch(path, {"max_views": 1}).json()["content"] is None
    assert api.get(path).status_code == 409


def test_a_used_up_snippet_can_only_be_deleted(api):
    snippet_id = make()
    reveal(snippet_id)
    path = f"/v1/snippets/{snippet_id}"
    for changes in ({"max_views": None}, {"content": "x"}, {"ttl": "1d"}):
        assert api.patch(path, changes).json()["code"] == "used_up"
    assert api.delete(path).status_code == 204


@pytest.mark.parametrize("views", [0, -1, 1001, "x", True])
def test_the_number_of_views_has_bounds(api, views):
    answer = api.post("/v1/snippets", {"content": "x", "max_views": views})
    assert (answer.status_code, list(answer.json()["details"])) == (400, ["max_views"])


# The same for people, through a form


def show(snippet_id, client=None, **headers):
    return (client or Client()).post(f"/snippets/{snippet_id}/reveal", headers=headers)


@pytest.mark.usefixtures("threads")
def test_people_confirm_first_and_see_the_content_once(events):
    snippet_id = make(language="python")
    asked = get(f"/snippets/{snippet_id}")
    assert f'<form method="post" action="/snippets/{snippet_id}/reveal">'.encode() in asked.body
    assert "form-action 'self'" in asked.headers["content-security-policy"]
    assert Client().get(f"/snippets/{snippet_id}/reveal")["Location"] == f"/snippets/{snippet_id}"
    events.clear()
    page = show(snippet_id, Client(enforce_csrf_checks=True))
    assert page.status_code == 200
    assert (page["Cache-Control"], page["X-Robots-Tag"]) == ("private, no-store", "noindex")
    text = re.sub("<[^>]+>", "", page.content.decode())
    assert SECRET in text
    assert "That was the last view" in text
    assert 'property="og:description"' not in page.content.decode()
    again = show(snippet_id)
    assert again.status_code == 410
    assert SECRET.encode() not in again.content
    assert events == [("view", snippet_id)]
    assert SECRET.encode() not in all_of_redis()


def test_people_see_how_many_views_are_left():
    assert "2 views left" in show(make(views=3)).content.decode()


def test_a_private_snippet_is_shown_to_people_who_may_see_it(people):
    snippet_id = make(by=people["ada"], visibility="private", views=2)
    for headers in ({}, session(people["bob"]), session(people["viewer"])):
        assert show(snippet_id, **headers).status_code == 404
    assert SECRET in show(snippet_id, **session(people["ada"])).content.decode()
    assert Snippet.objects.get().views_left == 1


def test_a_page_of_another_site_uses_no_view(people):
    snippet_id = make(by=people["ada"], visibility="private", views=1)
    ada = session(people["ada"])
    for origin in ("http://other.testserver", "http://testserver:81", "null"):
        assert show(snippet_id, **ada, origin=origin).status_code == 404
    assert Snippet.objects.get().views_left == 1
    assert SECRET in show(snippet_id, **ada, origin="http://testserver").content.decode()


def test_reveals_on_pages_are_rate_limited(settings):
    settings.RATE_LIMIT = (1, timedelta(minutes=1))
    snippet_id = make(views=9)
    assert [show(snippet_id).status_code for _ in range(2)] == [200, 429]
