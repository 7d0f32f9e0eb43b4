"""Who acts, what is whose, and the traces of what was changed."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.test import RequestFactory
from knox.models import AuthToken
from rest_framework.test import force_authenticate
from rest_framework.views import APIView

from accounts import rights, tokens, traces
from accounts.actors import DEPLOYMENT, Actor, actor_of
from accounts.models import Trace, TracedThing
from accounts.roles import Role
from accounts.tasks import delete_old_traces
from shortener import services
from shortener.models import ShortURL
from targets.services import accept_url
from tests.conftest import NOW

pytestmark = pytest.mark.django_db


def person(name, role=None):
    user = User.objects.create_user(name)
    if role is not None:
        rights.assign(user, role)
    return user


@pytest.fixture
def people():
    return {
        "service": person("service"),
        "member": person("member", Role.MEMBER),
        "other": person("other", Role.MEMBER),
        "viewer": person("viewer", Role.VIEWER),
        "operator": person("operator", Role.OPERATOR),
    }


@pytest.mark.parametrize(
    ("who", "known"),
    [
        ("service", {"nobodys"}),
        ("member", {"members"}),
        ("other", set()),
        ("viewer", {"nobodys", "members", "operators"}),
        ("operator", {"nobodys", "members", "operators"}),
        (None, {"nobodys", "members", "operators"}),
    ],
)
def test_whose_things_somebody_knows_of(people, who, known):
    url = "https://example.com/"
    wishes = [
        services.Wish(long_url=url, canonical=accept_url(url), key=key)
        for key in ("nobodys", "members", "operators")
    ]
    services.create(wishes, now=NOW)
    for name in ("member", "operator"):
        ShortURL.objects.filter(pk=f"{name}s").update(owner=people[name])
    actor = Actor(people[who]) if who else DEPLOYMENT
    assert set(actor.reach(ShortURL.objects.all()).values_list("pk", flat=True)) == known
    owners = dict(ShortURL.objects.values_list("pk", "owner_id"))
    assert {key for key, owner in owners.items() if actor.reaches(owner)} == known


def test_people_own_what_they_make_and_programs_do_not(people):
    assert Actor(people["member"]).owner == people["member"]
    assert Actor(people["operator"]).owner == people["operator"]
    assert Actor(people["service"]).owner is None
    assert DEPLOYMENT.owner is None


def test_a_token_is_named_in_traces_by_its_name_or_how_it_begins(people):
    def sent_with(token):
        request = RequestFactory().get("/")
        force_authenticate(request, people["member"], token)
        return APIView().initialize_request(request)

    assert actor_of(sent_with(None)) == Actor(people["member"], "")
    tokens.make(people["member"], name="laptop")
    assert actor_of(sent_with(tokens.of(people["member"]).get())).token == "laptop"
    old, _ = AuthToken.objects.create(user=people["member"])
    assert actor_of(sent_with(old)).token == old.token_key


def test_a_trace_tells_who_did_what_to_what(people):
    by = Actor(people["member"], "laptop")
    traces.write(by, "change", "short link", ["abc"], now=NOW, fields={"tags", "disabled"})
    trace = traces.of("short link", "abc").get()
    assert (trace.user, trace.user_name, trace.token) == (people["member"], "member", "laptop")
    assert (trace.action, trace.subject, trace.amount) == ("change", "abc", 1)
    assert (trace.at, trace.fields) == (NOW, ["disabled", "tags"])
    assert str(trace) == "member: change short link abc"
    people["member"].delete()
    trace.refresh_from_db()
    assert (trace.user, trace.user_name) == (None, "member")


def test_one_trace_of_many_things_is_found_at_each(people):
    traces.write(Actor(people["other"]), "delete", "snippet", ["s_1", "s_2"], now=NOW)
    later = NOW + timedelta(seconds=1)
    traces.write(Actor(people["member"]), "change", "snippet", ["s_2"], now=later)
    assert [trace.amount for trace in traces.of("snippet", "s_1")] == [2]
    assert [trace.amount for trace in traces.of("snippet", "s_2")] == [1, 2]
    assert not traces.of("short link", "s_1").exists()


def test_a_change_that_is_undone_leaves_no_trace_nor_does_the_deployment(people):
    with transaction.atomic():
        traces.write(Actor(people["member"]), "create", "snippet", ["s_1"], now=NOW)
        transaction.set_rollback(True)
    traces.write(DEPLOYMENT, "create", "snippet", ["s_1"], now=NOW)
    traces.write(Actor(people["member"]), "delete", "snippet", [], now=NOW)
    assert not Trace.objects.exists()


def test_traces_are_kept_for_a_while(people, settings, monkeypatch):
    by = Actor(people["member"])
    settings.TRACES_RETENTION = timedelta(days=2)
    monkeypatch.setattr("accounts.tasks.database_now", lambda: NOW)
    monkeypatch.setattr("accounts.tasks._BATCH", 2)
    for days in (0, 1, 3, 4, 5):
        traces.write(by, "delete", "snippet", ["s_1", "s_2"], now=NOW - timedelta(days=days))
    assert delete_old_traces() == 3
    assert Trace.objects.count() == 2
    assert TracedThing.objects.count() == 4


def test_an_anonymous_visitor_is_no_actor():
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    with pytest.raises(TypeError):
        actor_of(request)
