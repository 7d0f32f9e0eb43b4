"""Tokens of the API: created and revoked by their owners, named, scoped, expiring, and watched."""

import json
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from knox.models import AuthToken
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.test import APIClient

from accounts import own_data, tokens
from accounts import token_use as use
from accounts.authentication import TokenAuthentication
from accounts.models import Trace
from accounts.roles import Role
from foundation.models import TokenTerms
from tests.conftest import NOW

HOSTILE = "<script>alert(1)</script>\u202eabc"


def client_with(token):
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    return client


def make(client, **changes):
    data = {"name": "Backup", "scope": "read", "expires": "90"} | changes
    return client.post("/account/tokens", data)


@pytest.mark.parametrize("role", [*Role, None])
def test_everyone_who_signs_in_creates_tokens_and_sees_each_once(somebody, role):
    client = somebody(role)
    page = make(client)
    token = page.context["made"]
    assert token in page.content.decode()
    assert "no-store" in page.headers["Cache-Control"]
    again = client.get("/account/tokens").content.decode()
    assert token not in again
    assert "Backup" in again
    assert client_with(token).get("/v1/").status_code == 200
    terms = TokenTerms.objects.get()
    assert (terms.name, terms.scope, terms.last_used_at) == ("Backup", "read", None)
    assert timedelta(days=89) < AuthToken.objects.get().expiry - timezone.now() < timedelta(days=91)


def test_a_token_may_last_forever(somebody):
    make(somebody(Role.MEMBER), expires="never")
    assert AuthToken.objects.get().expiry is None


@pytest.mark.parametrize(
    "changes",
    [
        {"name": ""},
        {"name": "x" * 101},
        {"name": "a\0b"},
        {"scope": "all"},
        {"scope": ""},
        {"expires": "0"},
        {"expires": "-1"},
        {"expires": "9" * 30},
    ],
)
def test_invalid_requests_are_refused(somebody, changes):
    page = make(somebody(Role.MEMBER), **changes)
    assert 'class="error"' in page.content.decode()
    assert not AuthToken.objects.exists()


def test_a_hostile_name_is_shown_as_text(somebody):
    html = make(somebody(Role.OPERATOR), name=HOSTILE).content.decode()
    assert HOSTILE not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html


def test_the_number_of_a_users_tokens_is_limited(somebody, monkeypatch):
    monkeypatch.setattr(tokens, "MAX_TOKENS", 1)
    client = somebody(Role.MEMBER)
    make(client)
    assert "You already have 1 tokens. Revoke one first." in make(client).content.decode()
    assert AuthToken.objects.count() == 1


def test_users_revoke_their_own_tokens_only(somebody):
    mine, other = somebody(Role.MEMBER), somebody(Role.OPERATOR, "other")
    token = make(mine).context["made"]
    for client in (other, Client()):
        client.post("/account/tokens/revoke", {"key": token[:15]})
    assert client_with(token).get("/v1/targets").status_code == 200
    page = mine.post("/account/tokens/revoke", {"key": token[:15]}, follow=True)
    assert "Token revoked" in page.content.decode()
    assert client_with(token).get("/v1/targets").status_code == 401
    again = mine.post("/account/tokens/revoke", {"key": token[:15]}, follow=True)
    assert "no longer exists" in again.content.decode()


@pytest.mark.parametrize("key", ["", "a", "\0" * 15, "%", "x" * 5000])
def test_a_made_up_token_is_not_revoked(somebody, key):
    client = somebody(Role.MEMBER)
    make(client)
    client.post("/account/tokens/revoke", {"key": key})
    assert AuthToken.objects.exists()


def test_other_users_do_not_see_a_users_tokens(somebody):
    make(somebody(Role.MEMBER), name="Mine alone")
    assert (
        "Mine alone" not in somebody(Role.OPERATOR, "other").get("/account/tokens").content.decode()
    )
    assert Client().get("/account/tokens").status_code == 302


def test_an_expired_token_is_refused_and_stays_listed(somebody):
    client = somebody(Role.OPERATOR)
    token = make(client).context["made"]
    AuthToken.objects.update(expiry=timezone.now())
    assert client_with(token).get("/v1/targets").status_code == 401
    assert "Expired" in client.get("/account/tokens").content.decode()


def test_a_token_from_before_scopes_keeps_its_rights(operator, written):
    token = AuthToken.objects.create(operator, expiry=None)[1]
    client = client_with(token)
    assert client.post("/v1/targets", {"url": "http://a.example"}).status_code == 201
    assert written == []
    browser = Client()
    browser.force_login(operator)
    assert "No name" in browser.get("/account/tokens").content.decode()


def test_authentication_takes_one_statement(operator, written):
    client = client_with(tokens.create(operator, name="a", scope="read"))
    with CaptureQueriesContext(connection) as seen:
        assert client.get("/v1/").status_code == 200
        assert client.options("/v1/targets").status_code == 200
    assert len([query for query in seen if "knox_authtoken" in query["sql"]]) == 1


def test_a_token_comes_with_its_user_and_terms_or_none(operator):
    kept = tokens.create(operator, name="a", scope="read", lifetime=timedelta(days=1))
    bare = AuthToken.objects.create(operator)[1]
    for key, has_terms in ((kept, True), (bare, False)):
        with CaptureQueriesContext(connection) as seen:
            user, token = TokenAuthentication().authenticate_credentials(key.encode())
            terms = getattr(token, "terms", None)
            assert token.user is user
            assert (terms is not None) is has_terms
        assert len(seen) == 1
        row = AuthToken.objects.get(pk=token.pk)
        stored = [(operator, user), (row, token)] + ([(row.terms, terms)] if has_terms else [])
        for by_orm, read in stored:
            for field in by_orm._meta.concrete_fields:
                assert getattr(by_orm, field.attname) == getattr(read, field.attname), field
            assert not read._state.adding
    with pytest.raises(AuthenticationFailed):
        TokenAuthentication().authenticate_credentials(b"unknown")


def test_the_last_use_is_written_once_a_minute_outside_the_request(operator, written, monkeypatch):
    client = client_with(tokens.create(operator, name="a"))
    with CaptureQueriesContext(connection) as seen:
        for _ in range(5):
            assert client.get("/v1/targets").status_code == 200
    assert not any("UPDATE" in query["sql"] for query in seen)
    assert len(written) == 1
    written[0]()
    at = TokenTerms.objects.get().last_used_at
    assert abs(timezone.now() - at) < timedelta(minutes=1)
    monkeypatch.setattr(use, "_noted", {})  # another process
    client.get("/v1/targets")
    assert len(written) == 1
    written[0]()  # a late process
    assert TokenTerms.objects.get().last_used_at == at
    TokenTerms.objects.update(last_used_at=at - timedelta(minutes=2))
    client.get("/v1/targets")
    written[1]()
    assert TokenTerms.objects.get().last_used_at >= at


def test_a_refused_request_does_not_count_as_use(operator, written):
    token = tokens.create(operator, scope="read")
    assert client_with(token).post("/v1/targets", {}).status_code == 403
    assert written == []


def test_the_memory_for_uses_is_bounded(operator, written, monkeypatch):
    monkeypatch.setattr(use, "_MAX_NOTED", 3)
    for _ in range(5):
        client_with(tokens.create(operator)).get("/v1/targets")
    assert len(use._noted) <= 3
    assert len(written) == 5


@pytest.mark.django_db(transaction=True)
def test_the_thread_writes_the_last_use(monkeypatch):
    monkeypatch.setattr(use, "_noted", {})
    user = User.objects.create_superuser("operator")
    seen = []

    def submit(work):
        seen.append(work)
        work()

    monkeypatch.setattr(use, "submit", submit)
    assert client_with(tokens.create(user)).get("/v1/targets").status_code == 200
    assert TokenTerms.objects.get().last_used_at is not None
    assert len(seen) == 1


def listed(capsys, *arguments):
    call_command("tokens", "list", *arguments)
    return [line.split("\t") for line in capsys.readouterr().out.splitlines()]


def test_the_command_lists_and_revokes(operator, capsys):
    call_command(
        *("create_token", "robot", "--name", "Nightly\nimport", "--scope", "targets"),
        *("--expires", "1d"),
    )
    token = capsys.readouterr().out.strip()
    tokens.create(operator, name="Other")
    header, *rows = listed(capsys)
    assert header[:4] == ["token", "user", "name", "scope"]
    assert [row[1:4] for row in rows] == [
        ["operator", "Other", "write"],
        ["robot", "Nightly import", "targets"],
    ]
    assert len(listed(capsys, "robot")) == 2
    assert client_with(token).get("/v1/targets").status_code == 200
    assert client_with(token).get("/v1/hosts").status_code == 403
    call_command("tokens", "revoke", token[:8])
    assert client_with(token).get("/v1/targets").status_code == 401
    with pytest.raises(CommandError, match="No token"):
        call_command("tokens", "revoke", token[:8])
    for short in ("", token[:7]):
        with pytest.raises(CommandError):
            call_command("tokens", "revoke", short)


def test_the_command_shows_no_control_characters_of_a_name(operator, capsys):
    tokens.create(operator, name="a\x1b[2Jb")
    assert listed(capsys)[1][2] == "a\ufffd[2Jb"


def test_a_whole_token_such_as_a_leaked_one_can_be_revoked(operator):
    token, other = (tokens.create(operator, name=name) for name in ("Leaked", "Other"))
    call_command("tokens", "revoke", token)
    assert client_with(token).get("/v1/targets").status_code == 401
    assert client_with(other).get("/v1/targets").status_code == 200


@pytest.mark.parametrize(
    "arguments",
    [
        ("--expires", "soon"),
        ("--scope", "all"),
        ("--name", "x" * 101),
        ("--expires", "-1d"),
    ],
)
def test_the_command_refuses_invalid_expiries(db, arguments):
    with pytest.raises(CommandError):
        call_command("create_token", "robot", *arguments)
    assert not User.objects.exists()


def test_a_token_for_look_ups_may_be_limited_to_hosts_and_urls(somebody):
    client = somebody(Role.MEMBER)
    page = make(client, scope="lookups", bounds=" Docs.example\nhttps://a.example/x/ ")
    assert "made" in page.context
    assert TokenTerms.objects.get().bounds == ["docs.example", "https://a.example/x"]
    listed = client.get("/account/tokens").content.decode()
    assert "Only URL lookups, limited to docs.example, https://a.example/x" in listed
    [exported] = json.loads("".join(own_data.pieces(User.objects.get(), now=NOW)))["tokens"]
    assert exported["bounds"] == ["docs.example", "https://a.example/x"]
    assert Trace.objects.get().fields == ["bounds"]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"scope": "write"},
            "Only tokens for batches of URLs or URL lookups can be limited to hosts or URLs.",
        ),
        ({"scope": "targets"}, "can be limited to hosts or URLs"),
        ({"scope": "lookups", "bounds": "a.example:80"}, "a.example:80: Must be a host without"),
        ({"scope": "lookups", "bounds": "a\0b"}, "Null characters"),
    ],
)
def test_invalid_bounds_are_refused_and_stay_in_the_form(somebody, changes, sentence):
    page = make(somebody(Role.MEMBER), **{"bounds": "a.example"} | changes)
    assert sentence in page.content.decode()
    assert page.context["form"]["bounds"].errors
    assert not AuthToken.objects.exists()
