"""The user's own data: exported whole, and deleted with the account, even after a kill."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.test import Client

from accounts import audit_log, deletion, tokens
from accounts.actors import Actor
from accounts.models import AccountDeletion, ReaderSettings, Team, TeamMember, Trace
from accounts.roles import Role
from accounts.tasks import delete_accounts
from batches.models import Batch
from foundation.http.errors import ApiError
from notify.models import Channel
from shortener.models import RetiredKey, ShortURL
from snippets.models import Snippet
from targets.models import PublicList, Reference, Target, TargetNote
from tests.batches.asking import ask
from tests.conftest import NOW
from tests.factories import ReferenceFactory, SnippetFactory, TargetFactory
from tests.shortener.links import ShortURLFactory, make

pytestmark = pytest.mark.django_db

PASSWORD = "correct horse"
HOSTILE = '</script>"\\\u2028'


@pytest.fixture
def ada(somebody, make_world):
    browser = somebody(Role.MEMBER, "ada")
    make_world(User.objects.get(username="ada"))
    return browser


@pytest.fixture
def make_world():
    """Return a function that lets a user own one object of each kind, and share a target."""

    def make_world(user):
        shared = TargetFactory(pinned=False)
        ReferenceFactory(target=shared, owner=user, object_id="ours")
        ReferenceFactory(target=shared, object_id="theirs")
        ReferenceFactory(owner=user, object_id=HOSTILE)
        TargetNote.objects.create(target=shared, text="I am on it", author=user, written_at=NOW)
        PublicList.objects.create(name=f"{user}-list", owner=user, created_at=NOW)
        link = make(key=f"{user}-link", watch=True, tags=["a"])
        ShortURL.objects.filter(pk=link.pk).update(owner=user)
        Reference.objects.filter(object_id=f"short:{link.pk}").update(owner=user)
        SnippetFactory(owner=user, content=HOSTILE)
        Channel.objects.create(kind="webhook", name="Mine", owner=user, created_at=NOW, position=0)
        team = Team.objects.create(name="Docs", created_at=NOW)
        TeamMember.objects.create(team=team, user=user)
        ReaderSettings.objects.create(user=user, zone="Europe/Berlin")
        tokens.create(user, name="laptop")
        return shared

    return make_world


def exported(browser):
    answer = browser.get("/account/export")
    assert answer["Content-Disposition"] == 'attachment; filename="linkwatch-account.json"'
    return json.loads(b"".join(answer.streaming_content))


def delete(browser, password=PASSWORD):
    return browser.post("/account/delete", {"password": password})


def owned_by(user):
    return [*deletion.count_owned([user])]


def test_an_export_has_all_data_of_the_user_and_no_secrets(ada, somebody):
    secret = tokens.create(User.objects.get(username="ada"), name="phone")

    found = exported(ada)

    assert found["account"]["username"] == "ada"
    assert found["account"]["teams"] == ["Docs"]
    assert {row["name"] for row in found["tokens"]} == {"laptop", "phone"}
    assert {row["id"] for row in found["references"]} == {"ours", HOSTILE, "short:ada-link"}
    assert found["short_links"][0]["tags"] == ["a"]
    assert found["snippets"][0]["content"] == HOSTILE
    assert [row["text"] for row in found["notes"]] == ["I am on it"]
    assert [row["name"] for row in found["channels"]] == ["Mine"]
    assert [row["name"] for row in found["public_lists"]] == ["ada-list"]
    assert secret not in json.dumps(found)
    assert PASSWORD not in json.dumps(found)


def test_an_export_has_all_pages_and_no_data_of_others(ada, somebody):
    user = User.objects.get(username="ada")
    ShortURLFactory.create_batch(1200, owner=user)
    ShortURLFactory.create_batch(3)

    keys = [row["key"] for row in exported(ada)["short_links"]]

    assert len(keys) == len(set(keys)) == 1201
    other = exported(somebody(Role.MEMBER, "bob"))
    assert not any(other[name] for name in ("references", "short_links", "snippets", "channels"))


def test_the_account_is_closed_at_once_and_deleted_by_the_next_run(ada, somebody):
    user = User.objects.get(username="ada")
    token = tokens.create(user, name="phone")
    shared = Target.objects.get(references__object_id="ours")
    elsewhere = Client()
    elsewhere.force_login(user)
    somebody(Role.OPERATOR, "olga")

    assert delete(ada, "wrong").status_code == 200
    assert User.objects.get(pk=user.pk).is_active
    assert delete(ada)["Location"] == "/sign-in"

    assert elsewhere.get("/account").status_code == 302
    headers = {"Authorization": f"Token {token}"}
    assert Client(headers=headers).get("/v1/targets").status_code == 401
    assert owned_by(user)
    assert delete_accounts() == 1
    assert not User.objects.filter(pk=user.pk).exists()
    for model in (AccountDeletion, ReaderSettings, TeamMember, PublicList, Channel, TargetNote):
        assert not model.objects.exists(), model
    assert not ShortURL.objects.exists()
    assert not Snippet.objects.exists()
    assert RetiredKey.objects.filter(key="ada-link").exists()
    assert [row.object_id for row in Reference.objects.all()] == ["theirs"]
    assert list(Target.objects.all()) == [shared]
    assert Team.objects.filter(name="Docs").exists()
    trace = Trace.objects.get(action="delete", kind="account")
    assert (trace.user_name, trace.user_id) == ("ada", None)


@pytest.mark.django_db(transaction=True)
def test_a_killed_run_is_continued_by_the_next(somebody, make_world, monkeypatch):
    """Each transaction in turn is the last one of a process."""
    somebody(Role.OPERATOR, "olga")
    monkeypatch.setattr(deletion, "BATCH_SIZE", 1)
    survived = 0
    while survived < 50:
        somebody(Role.MEMBER, f"ada{survived}")
        user = User.objects.get(username=f"ada{survived}")
        Team.objects.all().delete()
        make_world(user)
        deletion.request(user, now=NOW)
        turns = iter(range(survived))
        monkeypatch.setattr(
            deletion, "stop_requested", lambda turns=turns: next(turns, None) is None
        )
        ended = delete_accounts()
        monkeypatch.setattr(deletion, "stop_requested", lambda: False)
        assert ended or not User.objects.get(pk=user.pk).is_active
        assert bool(ended) is not User.objects.filter(pk=user.pk).exists()
        delete_accounts()
        assert not User.objects.filter(pk=user.pk).exists()
        assert not AccountDeletion.objects.exists()
        if ended:
            break
        survived += 1
    assert 3 < survived < 50


def test_data_of_a_late_request_is_deleted_by_the_next_run(ada, somebody, monkeypatch):
    user = User.objects.get(username="ada")
    somebody(Role.OPERATOR, "olga")
    deletion.request(user, now=NOW)
    assert deletion.delete_if_empty(user.pk) is False
    assert delete_accounts() == 1


def test_an_account_reopened_by_an_operator_is_kept(ada, somebody):
    user = User.objects.get(username="ada")
    somebody(Role.OPERATOR, "olga")
    deletion.request(user, now=NOW)
    User.objects.filter(pk=user.pk).update(is_active=True)

    assert delete_accounts() == 0
    assert deletion.delete_if_empty(user.pk) is False
    assert owned_by(user)
    assert not AccountDeletion.objects.exists()


@pytest.mark.parametrize("form", ["/account/people/{}", "/admin/auth/user/{}/change/"])
def test_an_account_that_is_reopened_and_closed_again_at_once_is_kept(ada, somebody, form):
    user = User.objects.get(username="ada")
    olga = somebody(Role.OPERATOR, "olga")
    deletion.request(user, now=NOW)
    fields = {"username": "ada", "role": Role.MEMBER.value}
    for data in (fields | {"is_active": "on"}, fields):
        assert olga.post(form.format(user.pk), data).status_code == 302
    assert not User.objects.get(pk=user.pk).is_active

    assert delete_accounts() == 0
    assert deletion.delete_if_empty(user.pk) is False
    assert owned_by(user)


def test_an_export_has_the_actions_under_former_usernames(ada):
    user = User.objects.get(username="ada")
    for n, name in enumerate(("ada", "ada.l", "ada")):
        user.username = name
        user.save()
        audit_log.write(Actor(user), "change", "user", [f"s{n}"], now=NOW + timedelta(hours=n))
    subjects = [entry["subjects"] for entry in exported(ada)["audit_log"]]
    assert all([f"s{n}"] in subjects for n in range(3))


def test_the_request_of_an_account_deleted_by_an_operator_is_removed(ada, somebody):
    AccountDeletion.objects.create(user_id=4711, requested_at=NOW)
    delete_accounts()
    assert not AccountDeletion.objects.exists()


def test_the_last_operator_cannot_close_their_account(somebody):
    olga = somebody(Role.OPERATOR, "olga")
    answer = delete(olga)
    assert b"This is the only operator." in answer.content
    with pytest.raises(ApiError):
        deletion.request(User.objects.get(username="olga"), now=NOW)


def test_a_user_without_a_password_must_sign_in_again_first(somebody):
    somebody(Role.OPERATOR, "olga")
    browser = somebody(Role.MEMBER, "ada")
    user = User.objects.get(username="ada")
    user.set_unusable_password()
    user.save()
    browser.force_login(user)
    assert b"sign in again" in browser.get("/account/delete").content
    browser.post("/account/delete")
    assert User.objects.get(username="ada").is_active


def test_the_page_says_what_happens_to_each_kind_of_data(ada):
    text = ada.get("/account/delete").content.decode()
    assert "<strong>3 references</strong>" in text
    assert "<strong>1 short link</strong>" in text
    assert "<strong>1 snippet</strong>" in text


def test_a_transaction_deletes_one_batch_because_it_may_have_5000_items(ada):
    user = User.objects.get(username="ada")
    for _ in range(3):
        ask("https://a.example/", by=Actor(user))

    app: Any = apps.get_app_config("batches")

    assert app.delete_owned(user.pk, now=NOW, limit=deletion.BATCH_SIZE) == 1
    assert Batch.objects.filter(owner=user).count() == 2
