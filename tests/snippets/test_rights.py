"""Owners of snippets: access to a snippet, and its entries in the audit log."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from accounts import audit_log
from accounts.actors import DEPLOYMENT, Actor
from accounts.models import Trace
from foundation.http.errors import ApiError
from snippets import services
from snippets.models import Snippet, Visibility
from tests.conftest import NOW
from tests.factories import SnippetFactory
from tests.threads import client_of

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]
OWNERS = {"nobody": None, "ada": "ada", "bob": "bob"}
# The snippets that a user may see, and may change with the right to do so; all of these are public.
REACHED = {
    "ada": {"ada"},
    "bob": {"bob"},
    "viewer": {"nobody", "ada", "bob"},
    "operator": {"nobody", "ada", "bob"},
    "service": {"nobody"},
}


def as_(name):
    return client_of(User.objects.get(username=name))


def make(people, name, **fields):
    owner = people.get(OWNERS[name])
    snippet = SnippetFactory(title=name, owner=owner, **fields)
    snippet.tags.create(name="t", created_at=snippet.created_at)
    return snippet.id


@pytest.fixture
def ids(people):
    """A public snippet of each member, and one that belongs to nobody; all with a tag."""
    return {name: make(people, name) for name in OWNERS}


def titles(response):
    return {row["title"] for row in response.json()["items"]}


@pytest.mark.parametrize("who", REACHED)
@pytest.mark.parametrize("query", ["", "tag=t"])
def test_a_list_has_the_snippets_that_a_user_may_see(ids, who, query):
    assert titles(as_(who).get(f"/v1/snippets?{query}")) == REACHED[who]


@pytest.mark.parametrize("fields", [{"visibility": v} for v in Visibility] + [{"max_views": 2}])
@pytest.mark.parametrize("query", ["", "tag=t"])
def test_unlisted_objects_are_in_lists_of_their_owner_and_operators_only(people, fields, query):
    for name in OWNERS:
        make(people, name, **fields, views_left=fields.get("max_views"))
    hidden = fields != {"visibility": Visibility.PUBLIC}
    for who, reached in REACHED.items():
        hides = hidden and who in ("viewer", "service")
        found = titles(as_(who).get(f"/v1/snippets?{query}"))
        assert found == (set() if hides else reached), who


@pytest.mark.parametrize("who", REACHED)
def test_users_change_snippets_that_they_may_see_and_change(ids, who):
    for name, id_ in ids.items():
        expected = 403 if who == "viewer" else 200 if name in REACHED[who] else 404
        answer = as_(who).patch(f"/v1/snippets/{id_}", {"language": "python"}, format="json")
        assert answer.status_code == expected
        deletion = as_(who).delete(f"/v1/snippets/{id_}")
        assert deletion.status_code == (204 if expected == 200 else expected)
        if expected == 404:
            none = as_(who).delete("/v1/snippets/s_0000000000000000000000")
            assert answer.json() == deletion.json() == none.json()
    left = set(Snippet.objects.filter(language="").values_list("title", flat=True))
    assert left == (set(OWNERS) if who == "viewer" else set(OWNERS) - REACHED[who])


@pytest.mark.parametrize("who", REACHED)
def test_a_bulk_deletes_no_snippet_of_somebody_else(ids, who):
    none = "s_0000000000000000000000"
    body = {"ids": [*ids.values(), none]}
    answer = as_(who).post("/v1/snippets/bulk/delete", body, format="json")
    if who == "viewer":
        assert answer.status_code == 403
        return
    results = {row["id"]: row for row in answer.json()["results"]}
    for name, id_ in ids.items():
        if name in REACHED[who]:
            assert results[id_] == {"id": id_, "status": 204}
        else:
            assert results[id_] == results[none] | {"id": id_}
    trace = Trace.objects.get()
    assert (trace.action, trace.amount) == ("delete", len(REACHED[who]))
    assert {audit_log.entries_about("snippet", ids[name]).count() for name in REACHED[who]} == {1}


def test_people_own_their_creations_and_each_change_is_logged(people):
    for who, owner in (("ada", "ada"), ("operator", "operator"), ("service", None)):
        made = as_(who).post("/v1/snippets", {"content": "x"}, format="json").json()
        path = f"/v1/snippets/{made['id']}"
        as_(who).patch(path, {"title": "T", "tags": ["t"]}, format="json")
        assert Snippet.objects.get(pk=made["id"]).owner == people.get(owner)
        as_(who).delete(path)
        reported = [
            (trace.user_name, trace.action, trace.fields)
            for trace in audit_log.entries_about("snippet", made["id"])
        ]
        changed = ["tags", "title"]
        assert reported == [(who, "delete", []), (who, "change", changed), (who, "create", [])]
    assert as_("viewer").post("/v1/snippets", {"content": "x"}, format="json").status_code == 403


def test_a_refused_change_writes_no_audit_entry(ids, people):
    ada = Actor(people["ada"])
    with pytest.raises(ApiError, match="no such"):
        services.update(ids["bob"], {"title": "x"}, now=NOW, by=ada)
    with pytest.raises(ApiError, match="no such"):
        services.delete(ids["bob"], now=NOW, by=ada)
    with pytest.raises(ApiError, match="read it again"):
        services.update(ids["ada"], {"title": "x"}, now=NOW, by=ada, version=7)
    assert services.delete_all([*ids.values(), "s_none"], now=NOW, by=ada) == {ids["ada"]}
    assert [trace.amount for trace in Trace.objects.all()] == [1]
    services.delete(ids["bob"], now=NOW, by=DEPLOYMENT)
    assert Trace.objects.count() == 1


def test_the_admin_applies_the_same_rights(ids, people, client):
    hidden = {
        make(people, "ada", visibility=Visibility.PRIVATE),
        make(people, "nobody", visibility=Visibility.UNLISTED),
        make(people, "bob", max_views=1, views_left=1),
    }
    people["service"].is_staff = True
    people["service"].save()
    shown = {"operator": {*ids.values(), *hidden}, "viewer": set(ids.values())}
    for who, expected in (shown | {"service": {ids["nobody"]}}).items():
        client.force_login(people[who])
        page = client.get(reverse("admin:snippets_snippet_changelist"))
        assert {row.pk for row in page.context["cl"].result_list} == expected
        for id_ in [*ids.values(), *hidden]:
            status = client.get(reverse("admin:snippets_snippet_change", args=[id_])).status_code
            assert (status == 200) is (id_ in expected)
    client.force_login(people["ada"])
    assert client.get(reverse("admin:snippets_snippet_changelist")).status_code == 302


def test_changes_in_the_admin_write_audit_entries(people, client):
    client.force_login(people["operator"])
    form = {"title": "A", "content": "x", "language": "", "tags": "", "visibility": "unlisted"}
    form |= {"max_views": "3", "expires_at_0": "", "expires_at_1": ""}
    client.post(reverse("admin:snippets_snippet_add"), form)
    snippet = Snippet.objects.get()
    assert (snippet.owner, snippet.visibility) == (people["operator"], Visibility.UNLISTED)
    assert (snippet.max_views, snippet.views_left) == (3, 3)
    address = reverse("admin:snippets_snippet_change", args=[snippet.pk])
    page = client.get(address).content.decode()
    assert 'name="content"' not in page  # it would be a view that is not counted
    client.post(address, form | {"title": "B"})
    client.post(reverse("admin:snippets_snippet_delete", args=[snippet.pk]), {"post": "yes"})
    assert [trace.action for trace in audit_log.entries_about("snippet", snippet.pk)] == [
        "delete",
        "change",
        "create",
    ]
    assert audit_log.entries_about("snippet", snippet.pk)[1].fields == ["title"]
