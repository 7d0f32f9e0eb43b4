"""The second factor: codes of an app and recovery codes, and no access without them."""

import re
import time
from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import hotp_value
from django.contrib.auth.models import User
from django.test import Client

from accounts import two_step
from accounts.roles import Role
from foundation.valkey.clients import client as redis_client

pytestmark = pytest.mark.one_database

PASSWORD = "correct horse"
NOW = 1_800_000_000.0


@pytest.fixture(autouse=True)
def _clock(monkeypatch):
    """A clock that stands still within the 30 s of a code."""
    monkeypatch.setattr(time, "time", lambda: NOW)


def code_of(secret, *, period=0):
    return f"{hotp_value(secret, int(NOW // 30) + period):06}"


def turn_on(client):
    """Set up the second factor as on a phone; return its secret and the recovery codes."""
    page = client.get("/account/two-step")
    secret = page.context["secret"]
    assert "<svg" in page.content.decode()
    data = {"password": PASSWORD, "code": code_of(secret)}
    done = client.post("/account/two-step", data)
    return secret, done.context["codes"]


def start(client, password=PASSWORD, **query):
    data = {"username": "somebody", "password": password}
    return client.post("/sign-in", data, query_params=query)


def is_signed_in(client):
    return "_auth_user_id" in client.session


@pytest.fixture
def secured(somebody):
    """The secret and the recovery codes of a member with a second factor."""
    return turn_on(somebody(Role.MEMBER))


def test_a_password_alone_is_not_enough_to_sign_in(secured, client):
    secret, _ = secured
    assert start(client, next="/account/tokens").headers["Location"] == "/sign-in/code"
    assert not is_signed_in(client)
    assert client.get("/account").status_code == 302
    wrong = client.post("/sign-in/code", {"code": "000000"})
    assert "Wrong code" in wrong.content.decode()
    assert not is_signed_in(client)
    done = client.post("/sign-in/code", {"code": code_of(secret)})
    assert done.headers["Location"] == "/account/tokens"
    assert is_signed_in(client)


def test_a_code_is_valid_once(secured):
    secret, _ = secured
    for expected in (True, False):
        client = Client()
        start(client)
        client.post("/sign-in/code", {"code": code_of(secret)})
        assert is_signed_in(client) is expected


@pytest.mark.parametrize("period", [-2, -1, 1, 2])
def test_a_code_of_another_time_is_wrong(secured, client, period):
    start(client)
    client.post("/sign-in/code", {"code": code_of(secured[0], period=period)})
    assert not is_signed_in(client)


def test_each_recovery_code_is_valid_once(secured):
    _, codes = secured
    assert len(set(codes)) == 10
    for code, expected in ((codes[3], True), (codes[3], False), (codes[4], True)):
        client = Client()
        start(client)
        client.post("/sign-in/code", {"code": code})
        assert is_signed_in(client) is expected


@pytest.mark.parametrize(
    "code", ["", "\0", "\uff11\uff12\uff13\uff14\uff15\uff16", "x" * 500, "-1", "<script>"]
)
def test_malformed_codes_are_wrong(secured, client, code):
    start(client)
    page = client.post("/sign-in/code", {"code": code})
    assert page.status_code == 200
    assert not is_signed_in(client)


def test_nobody_can_try_codes_without_the_password(secured, client):
    for answer in (
        client.get("/sign-in/code"),
        client.post("/sign-in/code", {"code": code_of(secured[0])}),
    ):
        assert answer.headers["Location"] == "/sign-in"
    assert start(client, "wrong").status_code == 200
    assert client.get("/sign-in/code").status_code == 302


def test_attempts_on_an_account_are_limited_across_addresses(secured, settings):
    settings.SIGN_IN_LIMIT = (3, timedelta(minutes=1))
    redis_client().flushdb()
    pages = []
    for number in range(4):
        client = Client(REMOTE_ADDR=f"192.0.2.{number}")
        start(client)
        pages.append(client.post("/sign-in/code", {"code": "000000"}).content.decode())
    assert ["Too many attempts" in page for page in pages] == [False, False, False, True]


def test_the_second_factor_works_without_redis(secured, client, settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    start(client)
    client.post("/sign-in/code", {"code": code_of(secured[0])})
    assert is_signed_in(client)


@pytest.mark.parametrize("changes", [{"password": "wrong"}, {"code": "000000"}, {"code": ""}])
def test_two_factor_authentication_is_enabled_with_password_and_code(somebody, changes):
    client = somebody(Role.MEMBER)
    secret = client.get("/account/two-step").context["secret"]
    data = {"password": PASSWORD, "code": code_of(secret)} | changes
    page = client.post("/account/two-step", data)
    assert 'class="error"' in page.content.decode()
    assert not Authenticator.objects.exists()


def test_the_key_is_stable_during_setup_and_never_shown_afterwards(somebody):
    client = somebody(Role.MEMBER)
    keys = {client.get("/account/two-step").context["secret"] for _ in range(2)}
    assert len(keys) == 1
    secret, codes = turn_on(client)
    html = client.get("/account/two-step").content.decode()
    assert secret not in html
    assert not any(code in html for code in codes)


def test_two_factor_authentication_is_disabled_with_password_and_code(secured, somebody):
    _, codes = secured
    client = Client()
    client.force_login(User.objects.get())
    for data in ({"password": PASSWORD, "code": "0"}, {"password": "wrong", "code": codes[0]}):
        client.post("/account/two-step", data)
        assert two_step.is_on(User.objects.get())
    client.post("/account/two-step", {"password": PASSWORD, "code": codes[1]})
    assert not Authenticator.objects.exists()
    assert start(Client()).headers["Location"] == "/"


def test_an_operator_removes_the_second_step_of_a_user_without_a_phone(secured, browser):
    for kept in Authenticator.objects.all():
        address = f"/admin/mfa/authenticator/{kept.pk}/"
        assert secured[0] not in browser.get(f"{address}change/").content.decode()
        browser.post(f"{address}delete/", {"post": "yes"})
    assert start(Client()).headers["Location"] == "/"


def test_a_user_without_a_password_is_redirected(somebody):
    client = somebody(Role.MEMBER)
    user = User.objects.get()
    user.set_unusable_password()
    user.save()
    client.force_login(user)
    assert client.get("/account/two-step").headers["Location"] == "/account"


def test_the_qr_code_contains_user_and_key(somebody):
    client = somebody(Role.MEMBER)
    page = client.get("/account/two-step")
    assert re.search(r"<svg[^>]*>", page.content.decode())
    assert "no-store" in page.headers["Cache-Control"]
