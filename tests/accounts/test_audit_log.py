"""Actors, ownership, and the audit log of changes."""

from datetime import timedelta
from types import SimpleNamespace
from urllib.parse import quote

import pytest
from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.test import Client, RequestFactory
from knox.models import AuthToken
from rest_framework.test import force_authenticate
from rest_framework.views import APIView

from accounts import audit_log, rights, tokens
from accounts.actors import DEPLOYMENT, Actor, actor_of
from accounts.models import Invitation, Trace, TracedThing
from accounts.roles import Role
from accounts.tasks import delete_old_traces
from shortener import services
from shortener.models import ShortURL
from targets.services import accept_url
from tests.conftest import NOW
from tests.factories import SnippetFactory

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
def test_users_see_the_objects_of_permitted_owners(people, who, known):
    url = "https://example.com/"
    requested = [
        services.NewLink(long_url=url, canonical=accept_url(url), key=key)
        for key in ("nobodys", "members", "operators")
    ]
    services.create(requested, now=NOW)
    for name in ("member", "operator"):
        ShortURL.objects.filter(pk=f"{name}s").update(owner=people[name])
    actor = Actor(people[who]) if who else DEPLOYMENT
    assert set(actor.reach(ShortURL.objects.all()).values_list("pk", flat=True)) == known
    owners = dict(ShortURL.objects.values_list("pk", "owner_id"))
    assert {key for key, owner in owners.items() if actor.reaches(owner)} == known


def test_people_own_the_objects_that_they_create_and_programs_do_not(people):
    assert Actor(people["member"]).owner == people["member"]
    assert Actor(people["operator"]).owner == people["operator"]
    assert Actor(people["service"]).owner is None
    assert DEPLOYMENT.owner is None


def test_a_token_is_named_in_the_audit_log_by_its_name_or_prefix(people):
    def sent_with(token):
        request = RequestFactory().get("/")
        force_authenticate(request, people["member"], token)
        return APIView().initialize_request(request)

    assert actor_of(sent_with(None)) == Actor(people["member"], "")
    tokens.create(people["member"], name="laptop")
    assert actor_of(sent_with(tokens.tokens_of(people["member"]).get())).token == "laptop"
    old, _ = AuthToken.objects.create(user=people["member"])
    assert actor_of(sent_with(old)).token == old.token_key


def test_an_entry_says_who_changed_what(people):
    by = Actor(people["member"], "laptop")
    audit_log.write(by, "change", "short link", ["abc"], now=NOW, fields={"tags", "disabled"})
    trace = audit_log.entries_about("short link", "abc").get()
    assert (trace.user, trace.user_name, trace.token) == (people["member"], "member", "laptop")
    assert (trace.action, trace.subject, trace.amount) == ("change", "abc", 1)
    assert (trace.at, trace.fields) == (NOW, ["disabled", "tags"])
    assert str(trace) == "member changed short link abc"
    people["member"].delete()
    trace.refresh_from_db()
    assert (trace.user, trace.user_name) == (None, "member")


@pytest.mark.parametrize(
    ("action", "past_tense"),
    [("create", "created"), ("revive", "revived"), ("pin", "pinned"), ("withdraw", "withdrew")],
)
def test_an_entry_describes_the_action_in_the_past_tense(action, past_tense):
    assert Trace(action=action).past_tense == past_tense


@pytest.mark.parametrize(
    ("action", "kind", "fields", "own_page_summary"),
    [
        ("create", "snippet", [], "created it"),
        ("pause", "target", ["paused"], "paused it"),
        ("undo", "target", [], "undid a repair"),
        ("cancel", "batch", [], "canceled it"),
        ("change", "alias", ["hosts"], "changed the hosts of the alias"),
        ("delete", "alias", [], "deleted the alias"),
        ("clear", "target", ["note"], "cleared the note"),
        ("accept", "target", ["accept"], "accepted the result"),
        ("register", "reference", [], "added a reference"),
        ("register", "target", [], "added it"),
        ("unregister", "reference", [], "removed a reference"),
        ("check", "target", [], "requested a check"),
        ("change", "short link", ["long_url"], "changed the destination"),
        ("change", "snippet", ["tags", "team", "title"], "changed the tags, team and title"),
    ],
)
def test_an_entry_on_the_page_of_its_object_is_a_sentence(action, kind, fields, own_page_summary):
    assert Trace(action=action, kind=kind, fields=fields).own_page_summary == own_page_summary


def test_the_admin_shows_the_audit_log_in_words(admin_client):
    user = User.objects.get(username="admin")
    audit_log.write(
        Actor(user), "agree to saves", "user", [str(user.pk)], now=NOW, fields=["expires_at"]
    )
    page = admin_client.get("/admin/accounts/trace/").content.decode()
    entry = admin_client.get(f"/admin/accounts/trace/{Trace.objects.get().pk}/change/")

    assert "agreed to page saving" in page
    assert "Audit log entries" in page
    for words in ("agree to saves", "Amount", "Traces"):
        assert words not in page
    assert "expiry" in entry.content.decode()


@pytest.mark.parametrize(
    "kind", ["reference share", "subscription", "batch", "saves", "user", "reference"]
)
def test_the_admin_filters_the_audit_log_by_each_kind(admin_client, kind):
    Trace.objects.create(at=NOW, user_name="x", action="pause", kind=kind, subject="a", amount=1)

    page = admin_client.get("/admin/accounts/trace/").content.decode()

    assert f"?kind={quote(kind)}" in page.replace("+", "%20")


@pytest.mark.parametrize(
    ("action", "amount", "is_bulk"), [("delete", 3, True), ("delete", 1, False), ("undo", 2, False)]
)
def test_the_two_targets_of_a_repair_are_not_changed_in_bulk(action, amount, is_bulk):
    assert Trace(action=action, amount=amount).is_bulk is is_bulk


@pytest.mark.parametrize(
    ("action", "kind", "subject", "amount", "words"),
    [
        ("delete", "short link", "", 3, "deleted 3 short links"),
        ("change", "alias", "", 2, "changed 2 aliases"),
        ("repair", "target", "", 2, "moved references between 2 targets"),
        ("undo", "target", "", 2, "undid a repair involving 2 targets"),
        ("accept", "invitation", "7", 1, "accepted invitation"),
        ("accept", "target", "t_1", 1, "accepted the result for target"),
        ("register", "reference", "t_1", 1, "added a reference to target"),
        ("check", "target", "", 3, "requested a check of 3 targets"),
        ("free", "host", "a.example", 1, "ended the lease of host"),
        ("agree to saves", "user", "5", 1, "agreed to page saving "),
    ],
)
def test_an_entry_names_its_objects(action, kind, subject, amount, words):
    entry = Trace(action=action, kind=kind, subject=subject, amount=amount)
    assert f"{entry.past_tense} {entry.object}" == words


def test_several_ended_leases_are_in_the_plural():
    entry = Trace(action="free", kind="host", subjects=["a.example", "b.example"], amount=2)
    assert f"{entry.past_tense} {entry.object}" == "ended the leases of 2 hosts"
    assert entry.own_page_summary == "ended the leases"


def test_an_entry_about_many_objects_is_found_for_each(people):
    audit_log.write(Actor(people["other"]), "delete", "snippet", ["s_1", "s_2"], now=NOW)
    later = NOW + timedelta(seconds=1)
    audit_log.write(Actor(people["member"]), "change", "snippet", ["s_2"], now=later)
    assert [trace.amount for trace in audit_log.entries_about("snippet", "s_1")] == [2]
    assert [trace.amount for trace in audit_log.entries_about("snippet", "s_2")] == [1, 2]
    assert not audit_log.entries_about("short link", "s_1").exists()


def test_rolled_back_changes_and_the_deployment_write_no_entry(people):
    with transaction.atomic():
        audit_log.write(Actor(people["member"]), "create", "snippet", ["s_1"], now=NOW)
        transaction.set_rollback(True)
    audit_log.write(DEPLOYMENT, "create", "snippet", ["s_1"], now=NOW)
    audit_log.write(Actor(people["member"]), "delete", "snippet", [], now=NOW)
    assert not Trace.objects.exists()


def test_entries_are_deleted_after_their_retention(people, settings, monkeypatch):
    by = Actor(people["member"])
    settings.TRACES_RETENTION = timedelta(days=2)
    monkeypatch.setattr("accounts.tasks.database_now", lambda: NOW)
    monkeypatch.setattr("accounts.tasks._BATCH_SIZE", 2)
    for days in (0, 1, 3, 4, 5):
        audit_log.write(by, "delete", "snippet", ["s_1", "s_2"], now=NOW - timedelta(days=days))
    with monkeypatch.context() as stopping:
        stopping.setattr("foundation.shutdown._stop", SimpleNamespace(value=True))
        assert delete_old_traces() == 0
    assert delete_old_traces() == 3
    assert Trace.objects.count() == 2
    assert TracedThing.objects.count() == 4


def test_an_anonymous_visitor_is_not_an_actor():
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    with pytest.raises(TypeError):
        actor_of(request)


PASSWORD = "correct horse"


@pytest.fixture
def ada(somebody):
    """A member with a password, and the member's browser."""
    browser = somebody(Role.MEMBER, "ada")
    return User.objects.get(username="ada"), browser


def audit_entries():
    """Return the user, action, kind and fields of each entry, oldest first."""
    rows = Trace.objects.order_by("pk")
    return [(row.user_name, row.action, row.kind, row.subject, row.fields) for row in rows]


def test_creating_and_revoking_tokens_writes_entries(ada, browser):
    user, own = ada
    made = {"name": "laptop", "scope": "read", "expires": "7"}
    own.post("/account/tokens", made)
    own.post("/account/tokens", made)
    second, first = [tokens.audit_name(token) for token in tokens.tokens_of(user)]
    own.post("/account/tokens/revoke", {"key": first})
    own.post("/account/tokens/revoke", {"key": first})  # it is deleted
    digest = tokens.tokens_of(user).get().pk
    browser.post(f"/admin/knox/authtoken/{digest}/delete/", {"post": "yes"})
    assert audit_entries() == [
        ("ada", "create", "token", first, []),
        ("ada", "create", "token", second, []),
        ("ada", "revoke", "token", first, []),
        ("operator", "revoke", "token", second, []),
    ]


def test_inviting_withdrawing_and_accepting_write_audit_entries(browser, client):
    for _ in range(3):
        answer = browser.post("/account/invitations", {"role": "Members", "email": ""})
        link = answer.context["link"]
    third, second, first = [str(row.pk) for row in Invitation.objects.order_by("-pk")]
    browser.post(f"/account/invitations/{first}/withdraw")
    browser.post(f"/account/invitations/{first}/withdraw")
    browser.post(f"/admin/accounts/invitation/{second}/delete/", {"post": "yes"})
    chosen = {"username": "grace", "password1": "another horse", "password2": "another horse"}
    assert client.post("/invitations/" + link.rpartition("/")[2], chosen).status_code == 302
    made = [("operator", "create", "invitation", pk, []) for pk in (first, second, third)]
    assert audit_entries() == [
        *made,
        ("operator", "withdraw", "invitation", first, []),
        ("operator", "withdraw", "invitation", second, []),
        ("grace", "accept", "invitation", third, []),
    ]


def test_a_change_of_role_in_the_admin_writes_an_entry(ada, browser):
    user, _ = ada
    form = {"username": "ada", "email": "ada@example.org", "is_active": "on"}
    for role in ("Viewers", "Viewers"):  # only the first one is a change
        browser.post(f"/admin/auth/user/{user.pk}/change/", form | {"role": role})
    new = {"username": "new", "role": "Members", "usable_password": "true"}
    new |= {"password1": PASSWORD, "password2": PASSWORD}
    browser.post("/admin/auth/user/add/", new)
    browser.post(
        f"/admin/auth/user/{user.pk}/password/",
        {"password1": "another horse", "password2": "another horse", "usable_password": "true"},
    )
    browser.post(f"/admin/auth/user/{user.pk}/delete/", {"post": "yes"})
    assert audit_entries() == [
        ("operator", "change", "account", "ada", ["role"]),
        ("operator", "create", "account", "new", []),
        ("operator", "change", "account", "ada", ["password"]),
        ("operator", "delete", "account", "ada", []),
    ]


def test_deleting_several_accounts_at_once_writes_one_entry(people):
    browser = Client()
    browser.force_login(people["operator"])
    chosen = [people["member"].pk, people["other"].pk]
    data = {"action": "delete_selected", "_selected_action": chosen, "post": "yes"}
    browser.post("/admin/auth/user/", data)
    assert (
        audit_log.entries_about("account", "member").get()
        == audit_log.entries_about("account", "other").get()
    )
    assert not User.objects.filter(pk__in=chosen).exists()


def test_the_admin_refuses_to_delete_owners_of_objects_in_one_sentence(people):
    browser = Client()
    browser.force_login(people["operator"])
    for number in range(3):
        SnippetFactory(owner=people["member"], title=f"title {number}")
    chosen = [people["member"].pk, people["other"].pk]
    data = {"action": "delete_selected", "_selected_action": chosen, "post": "yes"}
    for address in (f"/admin/auth/user/{chosen[0]}/delete/", "/admin/auth/user/"):
        page = browser.post(address, data).content.decode()
        assert "3 snippets. Instead of deleting the account" in page
        assert "can't be deleted:" in page
        assert "protected related objects" not in page
        assert "title 0" not in page  # there may be a hundred thousand
    assert User.objects.filter(pk__in=chosen).count() == 2


def test_the_last_operator_cannot_be_deleted(people):
    browser, operator = Client(), people["operator"]
    browser.force_login(operator)
    page = browser.post(f"/admin/auth/user/{operator.pk}/delete/", {"post": "yes"})
    assert "There would be no operators left." in page.content.decode()
    User.objects.create_superuser("another")
    browser.post(f"/admin/auth/user/{operator.pk}/delete/", {"post": "yes"})
    assert not User.objects.filter(pk=operator.pk).exists()


def test_every_way_to_set_a_password_writes_an_entry(ada, client):
    user, own = ada
    data = {"oldpassword": "wrong", "password1": "another horse", "password2": "another horse"}
    own.post("/account/password", data)
    assert audit_entries() == []
    own.post("/account/password", data | {"oldpassword": PASSWORD})
    user.refresh_from_db()
    key = default_token_generator.make_token(user)
    address = f"/account/reset/{user_pk_to_url_str(user)}-"
    client.get(f"{address}{key}")
    new = {"password1": "a third horse", "password2": "a third horse"}
    assert client.post(f"{address}set-password", new).status_code == 302
    assert audit_entries() == 2 * [("ada", "change", "account", "ada", ["password"])]


def test_change_and_entry_are_written_together_or_not_at_all(ada, monkeypatch):
    user, own = ada

    def fail(*args, **kwargs):
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(audit_log, "write", fail)
    own.raise_request_exception = False
    answer = own.post("/account/tokens", {"name": "a", "scope": "read", "expires": "7"})
    assert (answer.status_code, tokens.tokens_of(user).count()) == (500, 0)
    data = {"oldpassword": PASSWORD, "password1": "another horse", "password2": "another horse"}
    assert own.post("/account/password", data).status_code == 500
    user.refresh_from_db()
    assert user.check_password(PASSWORD)


def test_users_see_the_newest_of_their_own_entries(ada, people):
    user, own = ada
    for number in range(25):
        at = NOW + timedelta(minutes=number)
        audit_log.write(Actor(user, "laptop"), "create", "snippet", [f"s_{number}"], now=at)
    audit_log.write(Actor(people["other"]), "create", "snippet", ["of-another"], now=NOW)
    audit_log.write(Actor(user), "delete", "snippet", ["s_1", "s_2"], now=NOW + timedelta(hours=1))
    html = own.get("/account").content.decode()
    assert "of-another" not in html
    assert "with the token" in html
    assert "Deleted 2 snippets" in html
    assert 'Created snippet <a class="url" href="/snippets/s_24/details">s_24</a>' in html
    assert "s_5<" not in html  # 20 are shown
