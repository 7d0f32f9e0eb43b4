"""Owners of links: access to a link, and its entries in the audit log."""

import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.test import Client
from rest_framework.test import APIClient

from accounts import audit_log, rights, tokens
from accounts.actors import Actor
from accounts.models import Trace
from accounts.roles import Role
from foundation.http.errors import ApiError
from shortener import services
from shortener.models import ShortURL
from targets.models import Reference
from tests.conftest import NOW
from tests.shortener.links import ShortURLFactory, make

pytestmark = pytest.mark.django_db
ALL = {"nobodys", "adas", "bobs"}
ROLES = {
    "ada": Role.MEMBER,
    "bob": Role.MEMBER,
    "viewer": Role.VIEWER,
    "operator": Role.OPERATOR,
    "service": None,
}


@pytest.fixture
def people():
    """Create two members, a viewer, an operator, and a program with all rights for links."""
    people = {name: User.objects.create_user(name) for name in ROLES}
    for name, role in ROLES.items():
        if role is not None:
            rights.assign(people[name], role)
    people["service"].user_permissions.add(
        *Permission.objects.filter(content_type__app_label="shortener")
    )
    return people


@pytest.fixture
def links(people):
    """A link of each member, and one that belongs to nobody; all with a tag."""
    for key, owner in (("nobodys", None), ("adas", "ada"), ("bobs", "bob")):
        make(key=key, tags=["t"], max_visits=5)
        ShortURL.objects.filter(pk=key).update(owner=people.get(owner))


@pytest.fixture
def as_(people):
    """Return a function that creates an API client for a user."""

    def as_(name):
        client = APIClient()
        client.force_authenticate(User.objects.get(username=name))
        return client

    return as_


def keys(response):
    return {row["key"] for row in response.json()["items"]}


KNOWN = [
    ("ada", {"adas"}),
    ("bob", {"bobs"}),
    ("viewer", ALL),
    ("operator", ALL),
    ("service", {"nobodys"}),
]


@pytest.mark.parametrize(("who", "known"), KNOWN)
@pytest.mark.parametrize(
    "query", ["", "tag=t", "host=a.example", "q=s", "tag=t&state=active", "url=https://a.example/x"]
)
def test_a_list_has_the_links_that_a_user_may_see(links, as_, who, known, query):
    assert keys(as_(who).get(f"/v1/urls?{query}")) == known


@pytest.mark.parametrize(("who", "known"), KNOWN)
@pytest.mark.parametrize("path", ["", "/metrics", "/qr.svg"])
def test_links_that_a_user_may_not_see_are_not_found(links, as_, who, known, path):
    for key in ALL:
        answer = as_(who).get(f"/v1/urls/{key}{path}")
        assert answer.status_code == (200 if key in known else 404), key
        if key not in known:
            assert answer.json() == as_(who).get(f"/v1/urls/none{path}").json()


@pytest.mark.parametrize(("who", "known"), KNOWN)
def test_users_change_links_that_they_may_see_and_change(links, as_, who, known):
    for key in sorted(ALL):
        expected = 403 if who == "viewer" else 200 if key in known else 404
        change = as_(who).patch(f"/v1/urls/{key}", {"disabled": True}, format="json")
        assert change.status_code == expected
        deletion = as_(who).delete(f"/v1/urls/{key}")
        assert deletion.status_code == (204 if expected == 200 else expected)
    left = set(ShortURL.objects.filter(disabled=False).values_list("pk", flat=True))
    assert left == (ALL if who == "viewer" else ALL - known)


@pytest.mark.parametrize(("who", "known"), KNOWN)
def test_a_bulk_deletes_no_link_of_somebody_else(links, as_, who, known):
    asked = [*sorted(ALL), "none"]
    answer = as_(who).post("/v1/urls/bulk/delete", {"keys": asked}, format="json")
    if who == "viewer":
        assert answer.status_code == 403
        return
    results = {row["key"]: row for row in answer.json()["results"]}
    assert {key for key, row in results.items() if row["status"] == 204} == known
    for key in ALL - known:
        assert results[key]["error"] == results["none"]["error"]
    assert set(ShortURL.objects.values_list("pk", flat=True)) == ALL - known


def test_a_deleted_link_is_not_found_for_anybody(links, as_):
    assert as_("ada").delete("/v1/urls/adas").status_code == 204
    assert {as_(who).get("/v1/urls/adas").status_code for who in ROLES} == {410}


@pytest.mark.parametrize(
    ("who", "owner"),
    [("ada", "ada"), ("operator", "operator"), ("service", None)],
)
def test_people_own_the_objects_that_they_create(as_, people, who, owner):
    body = {"long_url": "https://a.example/"}
    one = as_(who).post("/v1/urls", body, format="json").json()
    many = as_(who).post("/v1/urls/bulk", {"items": [body, body]}, format="json").json()
    made = [one, *(result["url"] for result in many["results"])]
    assert {row["owner"] for row in made} == {owner}
    assert as_("viewer").get(f"/v1/urls/{one['key']}").json()["owner"] == owner
    owners = {link.owner for link in ShortURL.objects.all()}
    assert owners == {people.get(owner)}


def test_a_viewer_creates_no_link(as_):
    body = {"long_url": "https://a.example/"}
    assert as_("viewer").post("/v1/urls", body, format="json").status_code == 403
    many = as_("viewer").post("/v1/urls/bulk", {"items": [body]}, format="json")
    assert many.status_code == 403


def test_a_key_of_another_user_is_taken(links, as_):
    body = {"long_url": "https://a.example/", "key": "bobs"}
    answer = as_("ada").post("/v1/urls", body, format="json")
    assert (answer.status_code, answer.json()["code"]) == (409, "key_taken")


def test_the_watch_of_a_link_is_its_owners(people, as_):
    body = {"long_url": "https://a.example/", "key": "watched", "watch": True}
    assert as_("ada").post("/v1/urls", body, format="json").status_code == 201
    assert Reference.objects.get().owner == people["ada"]
    assert as_("ada").delete("/v1/urls/watched").status_code == 204
    assert not Reference.objects.exists()


def reported(key):
    return [
        (trace.user_name, trace.token, trace.action, trace.amount, trace.fields)
        for trace in audit_log.entries_about("short link", key)
    ]


def test_each_change_writes_an_audit_entry(links, as_, people):
    ada = as_("ada")
    body = {"long_url": "https://a.example/"}
    key = ada.post("/v1/urls", body, format="json").json()["key"]
    ada.patch(f"/v1/urls/{key}", {"tags": ["x"], "max_visits": 1}, format="json")
    ada.patch(f"/v1/urls/{key}", {}, format="json")
    as_("operator").delete(f"/v1/urls/{key}")
    assert reported(key) == [
        ("operator", "", "delete", 1, []),
        ("ada", "", "change", 1, ["max_visits", "tags"]),
        ("ada", "", "create", 1, []),
    ]


def test_a_bulk_writes_one_audit_entry_that_each_link_finds(as_, people):
    body = {"long_url": "https://a.example/"}
    many = as_("ada").post("/v1/urls/bulk", {"items": [body, {}, body]}, format="json").json()
    made = [row["url"]["key"] for row in many["results"] if row["status"] == 201]
    as_("ada").post("/v1/urls/bulk/delete", {"keys": [*made, "none"]}, format="json")
    assert Trace.objects.count() == 2
    for key in made:
        assert reported(key) == [("ada", "", "delete", 2, []), ("ada", "", "create", 2, [])]


def test_refused_changes_write_no_entry(links, as_):
    assert as_("ada").patch("/v1/urls/bobs", {"disabled": True}, format="json").status_code == 404
    assert as_("ada").delete("/v1/urls/bobs").status_code == 404
    as_("ada").post("/v1/urls/bulk/delete", {"keys": ["bobs"]}, format="json")
    as_("ada").post("/v1/urls", {"long_url": "https://a.example/", "key": "bobs"}, format="json")
    assert not Trace.objects.exists()


def test_an_audit_entry_names_the_token(people):
    secret = tokens.create(people["ada"], name="laptop")
    client = APIClient(headers={"authorization": f"Token {secret}"})
    body = {"long_url": "https://a.example/", "key": "mine"}
    assert client.post("/v1/urls", body, format="json").json()["owner"] == "ada"
    assert reported("mine") == [("ada", "laptop", "create", 1, [])]


def test_only_its_owner_revives_a_link(links, people):
    services.update("bobs", {"disabled": True}, now=NOW)
    with pytest.raises(ApiError) as refused:
        services.revive("bobs", now=NOW, by=Actor(people["ada"]))
    assert refused.value.code == "not_found"
    services.revive("bobs", now=NOW, by=Actor(people["bob"]))
    assert reported("bobs") == [("bob", "", "change", 1, ["disabled"])]


def in_admin(user):
    client = Client(headers={"accept": "text/html"})
    client.force_login(user)
    return client


def shown(client):
    return {link.pk for link in client.get("/admin/shortener/shorturl/").context["cl"].result_list}


def test_the_admin_shows_and_changes_permitted_objects(links, people):
    people["service"].is_staff = True
    people["service"].save()
    assert shown(in_admin(people["operator"])) == ALL
    assert shown(in_admin(people["viewer"])) == ALL
    clerk = in_admin(people["service"])
    assert shown(clerk) == {"nobodys"}
    path = "/admin/shortener/shorturl/adas/"
    assert clerk.get(path + "change/").status_code == 302  # to the index, as for a missing row
    clerk.post(path + "delete/", {"post": "yes"})
    chosen = {"action": "disable", "_selected_action": ["adas"], "confirmed": "yes"}
    clerk.post("/admin/shortener/shorturl/", chosen)
    assert not ShortURL.objects.get(pk="adas").disabled
    chosen["_selected_action"] = ["nobodys"]
    clerk.post("/admin/shortener/shorturl/", chosen)
    assert ShortURL.objects.get(pk="nobodys").disabled
    assert reported("nobodys") == [("service", "", "change", 1, ["disabled"])]


def test_operators_own_the_objects_that_they_create_in_the_admin(people):
    made = {"long_url": "https://a.example/", "key": "mine", "tags": "", "when_gone": "page"}
    answer = in_admin(people["operator"]).post("/admin/shortener/shorturl/add/", made)
    assert answer.status_code == 302
    assert services.get("mine").owner == people["operator"]
    assert reported("mine") == [("operator", "", "create", 1, [])]


@pytest.mark.parametrize(
    ("who", "index"), [("ada", "short_owner_page"), ("service", "short_nobodys_page")]
)
def test_a_page_of_a_users_links_is_an_index_range(people, who, index):
    ShortURLFactory.create_batch(300, owner=people["bob"])
    ShortURLFactory.create_batch(300)
    ShortURLFactory.create_batch(5, owner=people["ada"])
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    known = Actor(people[who]).reach(ShortURL.objects.all()).order_by("created_at", "pk")
    assert index in known.values_list("pk")[:51].explain()
