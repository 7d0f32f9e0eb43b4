"""Public lists that users create: the references that they show, to whom, and those that stay
hidden."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from accounts.actors import Actor
from accounts.models import Trace
from accounts.rights import assign
from accounts.roles import Role
from foundation.database.clock import database_now
from foundation.valkey.clients import client as redis_client
from hosts import services
from targets import public_list_pages, public_lists
from targets.models import PublicList, Reference, Target
from targets.public_targets import is_seen_by_all, seen_by_all
from targets.state import State
from tests.factories import TargetFactory

pytestmark = pytest.mark.django_db
SECRET = {"headers": {"Cookie": "s3cret"}}


@pytest.fixture(autouse=True)
def _nothing_cached(settings):
    settings.PUBLIC_LISTS = {"of-programs": "docs/"}
    redis_client().flushdb()
    public_list_pages._cached_summary.cache_clear()


def person(name, role):
    user = User.objects.create_user(name)
    assign(user, role)
    return User.objects.get(pk=user.pk)


@pytest.fixture
def ada():
    return person("ada", Role.MEMBER)


@pytest.fixture
def olga():
    return person("olga", Role.OPERATOR)


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def refer(owner, object_id, **fields):
    target = TargetFactory(**fields)
    Reference.objects.create(
        target=target, object_id=object_id, owner=owner, created_at=database_now()
    )
    return target


def send(user, method, path, body=None, *, status):
    answer = signed_in(user).generic(
        method, f"/v1/lists{path}", *((body, "application/json") if body else ())
    )
    assert answer.status_code == status, answer.content
    return answer.json() if answer.content else None


def badge(client, name):
    answer = client.get(f"/public/{name}.svg")
    return answer.content.decode() if answer.status_code == 200 else answer.status_code


def test_a_members_list_shows_its_own_references_and_no_others(client, ada):
    refer(ada, "docs/1", url="https://mine.example/", state=State.DEAD)
    refer(ada, "blog/1", url="https://blog.example/", state=State.DEAD)
    refer(None, "docs/2", url="https://nobodys.example/", state=State.DEAD)
    refer(person("grace", Role.MEMBER), "docs/3", url="https://hers.example/", state=State.DEAD)
    made = send(ada, "POST", "", '{"name": "handbook", "reference_prefix": "docs/"}', status=201)
    assert (made["owner"], made["url"]) == ("ada", "http://localhost:8080/public/handbook")
    text = client.get("/public/handbook").content.decode()
    assert "https://mine.example/" in text
    for other in ("blog", "nobodys", "hers"):
        assert f"{other}.example" not in text
    assert "1 link, 1 dead" in badge(client, "handbook")


def test_a_list_is_changed_and_ended_at_once(client, ada):
    refer(ada, "docs/1", state=State.ALIVE)
    send(ada, "POST", "", '{"name": "all"}', status=201)
    assert "1 link, none dead" in badge(client, "all")
    changed = send(ada, "PATCH", "/all", '{"reference_prefix": "blog/"}', status=200)
    assert (changed["reference_prefix"], changed["version"]) == ("blog/", 2)
    assert "0 links, none dead" in badge(client, "all")
    send(ada, "DELETE", "/all", status=204)
    assert badge(client, "all") == 404
    traces = Trace.objects.filter(kind="public list").order_by("pk").values_list("action", "fields")
    assert list(traces) == [("create", []), ("change", ["reference_prefix"]), ("delete", [])]


@pytest.mark.parametrize("name", ["all", "of-programs"])
def test_a_name_of_a_list_is_unique(ada, olga, name):
    send(olga, "POST", "", '{"name": "all"}', status=201)
    error = send(ada, "POST", "", f'{{"name": "{name}"}}', status=409)
    assert error["code"] == "name_taken"


@pytest.mark.parametrize("name", ["", "A", "a b", "ä", "a" * 65, "-a", "a/b"])
def test_a_name_of_a_list_is_valid_in_a_url(ada, name):
    assert "name" in send(ada, "POST", "", f'{{"name": "{name}"}}', status=400)["details"]


def test_a_list_has_a_page_of_its_own(ada):
    refused = send(ada, "POST", "", '{"name": "new"}', status=400)
    assert refused["details"]["name"] == [refused["message"]]
    page = signed_in(ada).post("/lists/new", {"name": "new"}).content.decode()
    assert "can&#x27;t be named “new”." in page
    assert not PublicList.objects.exists()


def test_only_operators_list_the_references_of_programs(client, ada, olga):
    refer(None, "docs/1", state=State.ALIVE)
    body = '{"name": "programs", "deployment": true}'
    assert "deployment" in send(ada, "POST", "", body, status=400)["details"]
    assert send(olga, "POST", "", body, status=201)["owner"] is None
    assert "1 link, none dead" in badge(client, "programs")
    send(ada, "DELETE", "/programs", status=404)


def test_an_owner_has_a_hundred_lists_at_most(ada, monkeypatch):
    monkeypatch.setattr(public_lists, "MAX_LISTS", 1)
    send(ada, "POST", "", '{"name": "one"}', status=201)
    refused = send(ada, "POST", "", '{"name": "two"}', status=409)
    assert (refused["code"], refused["message"]) == (
        "too_many_lists",
        "You already have 1 public lists; delete one first.",
    )


def test_a_list_ends_with_its_owners_account_or_right(client, ada):
    send(ada, "POST", "", '{"name": "all"}', status=201)
    assert "0 links" in badge(client, "all")
    assign(ada, Role.VIEWER)
    assert badge(client, "all") == 404
    assign(ada, Role.MEMBER)
    User.objects.filter(pk=ada.pk).update(is_active=False)
    assert badge(client, "all") == 404
    User.objects.filter(pk=ada.pk).delete()
    assert not PublicList.objects.exists()


@pytest.mark.parametrize("allowed", [[], ["10.0.0.0/8"]])
@pytest.mark.parametrize("is_internal", [True, False, None])
@pytest.mark.parametrize("own", [None, SECRET, {"accept": [403]}])
@pytest.mark.parametrize("of_host", [None, SECRET])
def test_no_list_shows_targets_that_only_allow_networks_or_secret_headers_made_visible(
    settings, client, allowed, is_internal, own, of_host
):
    settings.ALLOW_NETWORKS = allowed
    shown = (is_internal is False or (is_internal is None and not allowed)) and SECRET not in (
        own,
        of_host,
    )
    fields = {"is_internal": is_internal, "instructions": own, "state": State.DEAD}
    target = refer(None, "docs/1", url="https://intranet.example/", **fields)
    services.change(target.host, of_host or {}, now=database_now())
    assert is_seen_by_all(is_internal, own, of_host) is shown
    assert seen_by_all(Target.objects.all()).exists() is shown
    text = client.get("/public/of-programs").content.decode()
    assert ("intranet.example" in text) is shown
    assert ("No links in this list yet." in text) is not shown


def test_two_concurrent_creations_of_one_name_create_one_list(ada, olga):
    now = database_now()
    fields = {"name": "one", "reference_prefix": ""}
    public_lists.create_list(fields, now=now, by=Actor(ada))
    with pytest.raises(Exception, match="already a public list with this name"):
        public_lists.create_list(fields, now=now, by=Actor(olga))
    assert PublicList.objects.get().owner == ada


def test_the_pages_make_change_and_end_a_list(ada, olga):
    page = signed_in(ada)
    assert page.post("/lists/new", {"name": "Handbook"}).status_code == 200
    made = page.post("/lists/new", {"name": "handbook", "reference_prefix": "docs/"}, follow=True)
    assert "Anyone can now see this list." in made.content.decode()
    body = {"reference_prefix": "blog/", "version": "1"}
    page.post("/lists/handbook", body)
    assert PublicList.objects.get().prefix == "blog/"
    stale = page.post("/lists/handbook", body | {"reference_prefix": "x"}).content.decode()
    assert "This list was changed while you had it open." in stale
    listed = page.get("/lists").content.decode()
    assert "handbook" in listed
    assert "set in PUBLIC_LISTS" in listed
    operator = signed_in(olga)
    assert "owned by ada" in operator.get("/lists").content.decode()
    assert operator.post("/lists/handbook/end").status_code == 302
    assert not PublicList.objects.exists()


def test_requests_of_anonymous_visitors_for_missing_lists_are_counted(client, settings):
    settings.RATE_LIMIT = (2, settings.RATE_LIMIT[1])
    assert [client.get("/public/none").status_code for _ in range(3)] == [404, 404, 429]


def test_a_list_whose_owner_0_2_0_deleted_is_shown_to_nobody(client, ada):
    send(ada, "POST", "", '{"name": "all"}', status=201)
    PublicList.objects.update(owner_id=ada.pk + 1000)
    assert badge(client, "all") == 404
