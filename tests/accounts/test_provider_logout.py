"""Signing out here and at the OIDC provider, started by either side."""

import base64
import re
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from html import unescape
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
import requests
from cryptography.hazmat.primitives.asymmetric import rsa
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from accounts import back_channel_logout, oidc, provider_sign_ins
from accounts.models import ProviderSignIn
from accounts.sessions import SessionStore
from accounts.tasks import delete_ended
from foundation.database import thread_pool
from foundation.valkey import changes
from linkwatch.server.web_server import Http
from tests.accounts.provider import sign_in
from tests.console.sockets import OWN, Socket
from tests.console.test_target_page import register
from tests.doors import exchange, serve

PATH = "/sign-in/oidc/logout"
NESTED = base64.urlsafe_b64encode(b"[" * 12_000).decode() + ".e30.e30"


@pytest.fixture
def at_provider(provider, settings):
    """Let signing out continue at the provider."""
    settings.OIDC_SIGN_OUT = True
    provider.discovery = {"end_session_endpoint": f"{provider.issuer}/end"}
    return provider


def browser(**options):
    """Return a browser that has signed in at the provider."""
    client = Client(**options)
    assert sign_in(client).status_code == 302
    return client


def is_signed_in(client):
    return client.get("/account").status_code == 200


def log_out(token, **options):
    return Client(enforce_csrf_checks=True).post(PATH, {"logout_token": token}, **options)


def destination(response):
    """Return the address that a page redirects to without a click, and its query."""
    [address] = re.findall(
        r'http-equiv="refresh" content="0;url=([^"]+)"', response.content.decode()
    )
    return unescape(address).partition("?")[0], dict(parse_qsl(urlsplit(unescape(address)).query))


@pytest.mark.parametrize("path", ["/sign-out", "/admin/logout/"])
def test_signing_out_continues_at_the_provider_and_comes_back(at_provider, path):
    client = browser()
    response = client.post(path)
    assert response.status_code == 200
    assert not is_signed_in(client)
    assert "no-store" in response.headers["Cache-Control"]
    endpoint, query = destination(response)
    assert endpoint == f"{at_provider.issuer}/end"
    assert query["post_logout_redirect_uri"] == "https://links.example/sign-in/oidc/signed-out"
    assert (query["client_id"], query["id_token_hint"].count(".")) == ("linkwatch", 2)
    back = client.get("/sign-in/oidc/signed-out", {"state": query["state"]}, follow=True)
    assert back.redirect_chain == [("/sign-in", 302)]
    assert "You are signed out here and at" in back.content.decode()
    assert not ProviderSignIn.objects.exists()


@pytest.mark.parametrize("state", ["", "guessed", "a:b:c", "\0"])
def test_an_unknown_state_shows_no_details(provider, client, state):
    page = client.get("/sign-in/oidc/signed-out", {"state": state}, follow=True)
    assert page.redirect_chain == [("/sign-in", 302)]
    assert "You are signed out" not in page.content.decode()


def test_without_the_setting_or_an_endpoint_signing_out_ends_here(at_provider, settings):
    settings.OIDC_SIGN_OUT = False
    assert browser().post("/sign-out").headers["Location"] == "/sign-in"
    assert not ProviderSignIn.objects.exists()
    settings.OIDC_SIGN_OUT = True
    for endpoint in (None, 5, "javascript:alert(1)", "//x", "https://[", "https://x/" + "a" * 3000):
        at_provider.discovery = {"end_session_endpoint": endpoint}
        assert browser().post("/sign-out").headers["Location"] == "/sign-in"


def test_a_user_who_signed_in_by_password_signs_out_here(at_provider, client):
    browser()
    client.force_login(User.objects.get())
    assert client.post("/sign-out").headers["Location"] == "/sign-in"
    assert ProviderSignIn.objects.count() == 1


def test_an_endpoint_that_has_a_query_keeps_it(at_provider):
    at_provider.discovery = {"end_session_endpoint": f"{at_provider.issuer}/end?tenant=a&b=%22"}
    _, query = destination(browser().post("/sign-out"))
    assert (query["tenant"], query["b"], query["client_id"]) == ("a", '"', "linkwatch")


def test_the_id_token_is_stored_encrypted_and_a_long_one_is_left_out(at_provider):
    client = browser()
    kept = ProviderSignIn.objects.get().id_token
    assert kept
    _, query = destination(client.post("/sign-out"))
    assert query["id_token_hint"] not in kept
    at_provider.claims["picture"] = "x" * 5000
    client = browser()
    assert ProviderSignIn.objects.get().id_token == ""
    assert "id_token_hint" not in destination(client.post("/sign-out"))[1]


def test_after_a_change_of_secret_key_the_hint_is_left_out(at_provider, settings):
    browser()
    known = ProviderSignIn.objects.get()
    settings.SECRET_KEY = "another secret key, for everything from now on"
    settings.SECRET_KEY_FALLBACKS = []
    address = provider_sign_ins.sign_out_url(known)
    assert "client_id=linkwatch" in address
    assert "id_token_hint" not in address


def test_the_provider_ends_all_sessions_of_a_subject(provider):
    clients = [browser(), browser()]
    provider.claims |= {"sub": "5678", "preferred_username": "grace"}
    other = browser()
    response = log_out(provider.logout_token(sub="1234"))
    assert (response.status_code, response.content) == (200, b"")
    assert "no-store" in response.headers["Cache-Control"]
    assert [is_signed_in(client) for client in (*clients, other)] == [False, False, True]
    assert Session.objects.count() == ProviderSignIn.objects.count() == 1


@pytest.mark.parametrize("subject", ["1234", None])
def test_the_provider_ends_one_session_by_its_sid(provider, subject):
    provider.claims["sid"] = "first"
    first = browser()
    provider.claims["sid"] = "second"
    second = browser()
    assert log_out(provider.logout_token(sub=subject, sid="first")).status_code == 200
    assert (is_signed_in(first), is_signed_in(second)) == (False, True)


def test_a_sid_of_another_subject_ends_nothing(provider):
    provider.claims["sid"] = "first"
    client = browser()
    assert log_out(provider.logout_token(sub="5678", sid="first")).status_code == 200
    assert is_signed_in(client)


def test_sessions_by_password_or_from_another_issuer_are_kept(provider, client):
    ended = browser()
    client.force_login(User.objects.get())
    elsewhere = browser()
    account = ProviderSignIn.objects.exclude(session_key=ended.session.session_key).get().account
    account.pk, account.provider = None, "https://other.example"
    account.save()
    ProviderSignIn.objects.filter(session_key=elsewhere.session.session_key).update(account=account)
    assert log_out(provider.logout_token()).status_code == 200
    assert [is_signed_in(one) for one in (ended, client, elsewhere)] == [False, True, True]


def test_a_repeated_logout_token_ends_no_later_session(provider):
    now = int(time.time())
    provider.faults = {"iat": now - 10}
    first = browser()
    token = provider.logout_token(iat=now - 5)
    assert log_out(token).status_code == 200
    assert not is_signed_in(first)
    provider.faults = {}
    second = browser()
    assert log_out(token).status_code == 200
    assert is_signed_in(second)


_EVENT = "http://schemas.openid.net/event/backchannel-logout"
_FAR = 10**11  # seconds: a time far in the future


@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "https://other.example"},
        {"iss": None},
        {"aud": "other"},
        {"aud": None},
        {"iat": None},
        {"iat": "soon"},
        {"iat": _FAR},
        {"iat": 1_700_000_000},
        {"iat": -(10**30)},
        {"exp": 1_700_000_000},
        {"jti": None},
        {"jti": ""},
        {"jti": 5},
        {"events": None},
        {"events": []},
        {"events": "x"},
        {"events": {}},
        {"events": {_EVENT: None}},
        {"nonce": "x"},
        {"sub": None},
        {"sub": "", "sid": ""},
        {"sub": 5},
        {"sid": ["x"]},
        {"sid": 5},
    ],
    ids=str,
)
def test_a_logout_token_that_is_not_valid_ends_nothing(provider, claims):
    client = browser()
    response = log_out(provider.logout_token(**claims))
    assert (response.status_code, response.json()["error"]) == (400, "invalid_request")
    assert "no-store" in response.headers["Cache-Control"]
    assert is_signed_in(client)


@pytest.mark.parametrize(
    "token", ["", "x", "a.b.c", "\0", "é.é.é", "a" * 20_000, "." * 16_000, NESTED]
)
def test_a_malformed_token_is_refused_without_a_request_to_the_provider(provider, token):
    assert log_out(token).status_code == 400
    assert provider.asked == []


def test_an_id_token_and_one_of_another_key_are_refused(provider):
    client = browser()
    provider.signing_key = rsa.generate_private_key(65537, 2048)
    assert log_out(provider.logout_token()).status_code == 400
    provider.signing_key, provider.algorithm = provider.key, "none"
    assert log_out(provider.logout_token()).status_code == 400
    assert is_signed_in(client)


def test_a_logout_token_is_accepted_only_in_a_posted_form(provider):
    client = browser()
    assert client.get(PATH).status_code == 405
    query = urlencode({"logout_token": provider.logout_token()})
    assert client.post(f"{PATH}?{query}").status_code == 400
    assert is_signed_in(client)


def test_keys_are_kept_and_requested_again_when_an_unknown_one_is_named(provider, monkeypatch):
    for _ in range(3):
        assert log_out(provider.logout_token()).status_code == 200
    assert provider.asked.count("/keys") == 1
    for _ in range(3):
        assert log_out(provider.logout_token(kid="two")).status_code == 400
    assert provider.asked.count("/keys") == 1
    monkeypatch.setattr(back_channel_logout, "_MIN_FETCH_INTERVAL", 0.0)
    assert log_out(provider.logout_token(kid="two")).status_code == 400
    assert provider.asked.count("/keys") == 2


def test_keys_are_kept_while_new_ones_cannot_be_fetched(provider, monkeypatch):
    assert log_out(provider.logout_token()).status_code == 200
    monkeypatch.setattr(back_channel_logout, "_MIN_FETCH_INTERVAL", 0.0)
    with monkeypatch.context() as away:
        away.setattr(oidc.Adapter, "signing_keys", _fail)
        assert log_out(provider.logout_token(kid="unknown")).status_code == 400
    monkeypatch.setattr(back_channel_logout, "_MIN_FETCH_INTERVAL", 10.0)

    assert log_out(provider.logout_token()).status_code == 200
    assert provider.asked.count("/keys") == 1


def _fail(adapter):
    raise requests.ConnectionError("The provider is away.")


def test_an_unavailable_provider_is_requested_only_occasionally(provider, settings):
    token = provider.logout_token()
    settings.OIDC_ISSUER = "http://127.0.0.1:9"
    for _ in range(2):
        response = log_out(token)
        assert response.status_code == 400


def test_refused_tokens_are_limited_and_valid_ones_are_not(provider, settings):
    settings.SIGN_IN_LIMIT = (2, timedelta(minutes=1))
    for _ in range(4):
        assert log_out(provider.logout_token()).status_code == 200
    assert [log_out("x").status_code for _ in range(3)] == [400, 400, 429]
    assert log_out("x").headers["Retry-After"]
    assert log_out(provider.logout_token()).status_code == 200


def test_without_a_provider_the_address_is_not_found(client, db):
    assert client.post(PATH, {"logout_token": "x"}).status_code == 404
    assert client.get("/sign-in/oidc/signed-out").status_code == 404


def test_a_new_password_keeps_the_sign_in_of_its_session(provider):
    client = browser()
    user = User.objects.get()
    user.set_password("correct horse")
    user.save()
    client = browser()
    form = {
        "oldpassword": "correct horse",
        "password1": "battery staple",
        "password2": "battery staple",
    }
    assert client.post("/account/password", form).status_code == 302
    assert is_signed_in(client)
    assert log_out(provider.logout_token()).status_code == 200
    assert not is_signed_in(client)


def test_a_new_secret_key_keeps_the_sign_in_of_a_session(provider, settings):
    client = browser()
    former = client.session.session_key
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another secret key, for everything from now on"
    assert is_signed_in(client)
    assert client.session.session_key != former
    assert log_out(provider.logout_token()).status_code == 200
    assert not is_signed_in(client)


def test_each_of_two_requests_that_change_the_key_at_once_keeps_the_sign_in(provider):
    sessions = loaded(browser(), 2)
    for session in sessions:
        session.cycle_key()
    found = ProviderSignIn.objects.values_list("session_key", flat=True)
    assert {session.session_key for session in sessions} < set(found)


def loaded(client, count):
    """Return the session that each of several requests of a browser has loaded."""
    sessions = [SessionStore(client.session.session_key) for _ in range(count)]
    assert all(session["_auth_user_id"] for session in sessions)
    return sessions


def test_signing_out_ends_the_session_under_each_of_its_keys(provider):
    client = browser()
    provider.claims["sid"] = "other"
    other = browser()
    first, second = loaded(client, 2)
    first.cycle_key()
    second.cycle_key()
    client.cookies["sessionid"] = first.session_key
    assert client.post("/sign-out").status_code == 302
    assert [row.pk for row in Session.objects.all()] == [other.session.session_key]


@pytest.mark.parametrize("ending", ["provider", "person"])
def test_an_ended_session_gets_no_new_key(provider, ending):
    client = browser()
    [session] = loaded(client, 1)
    if ending == "provider":
        log_out(provider.logout_token())
    else:
        client.post("/sign-out")
    session.cycle_key()
    assert "_auth_user_id" not in session
    assert not Session.objects.exists()


def test_a_session_by_password_gets_another_key_for_each_of_two_requests(client, django_user_model):
    client.force_login(django_user_model.objects.create_user("ada"))
    for session in loaded(client, 2):
        session.cycle_key()
    assert Session.objects.count() == 2


on_postgresql = pytest.mark.skipif(
    connection.vendor != "postgresql", reason="SQLite has one writer at a time"
)


def wait_for_a_lock():
    """Return once another connection waits for this one; fail after ten seconds."""
    waiting = "SELECT count(*) FROM pg_locks WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))"
    until = time.monotonic() + 10
    while time.monotonic() < until:
        with connection.cursor() as cursor:
            cursor.execute(waiting)
            if cursor.fetchone()[0]:
                return
        time.sleep(0.02)
    pytest.fail("No other connection waits for a lock.")


def and_close(task):
    """Run a task of another thread, then close its connection."""
    try:
        return task()
    finally:
        connection.close()


@on_postgresql
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("ending", ["provider", "person"])
def test_a_logout_waits_for_a_change_of_key_and_ends_the_new_session(provider, ending):
    client = browser()
    [session] = loaded(client, 1)
    token = provider.logout_token()
    ask = {"provider": lambda: log_out(token), "person": lambda: client.post("/sign-out")}[ending]
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            session.cycle_key()
            ended = pool.submit(and_close, ask)
            wait_for_a_lock()
        assert ended.result().status_code in {200, 302}
    assert not Session.objects.exists()
    assert not ProviderSignIn.objects.exists()


@on_postgresql
@pytest.mark.django_db(transaction=True)
def test_a_change_of_key_waits_for_a_concurrent_logout(provider):
    [session] = loaded(browser(), 1)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            provider_sign_ins.end(subject="1234", sid="", issued_at=timezone.now())
            changed = pool.submit(and_close, session.cycle_key)
            wait_for_a_lock()
        changed.result()
    assert "_auth_user_id" not in session
    assert not Session.objects.exists()
    assert not ProviderSignIn.objects.exists()


def test_sign_ins_are_deleted_with_their_sessions_and_accounts(provider):
    browser()
    lasting = browser()
    Session.objects.exclude(pk=lasting.session.session_key).delete()  # like 0.2.0
    assert delete_ended() == 1
    assert ProviderSignIn.objects.get().session_key == lasting.session.session_key
    User.objects.all().delete()
    assert not ProviderSignIn.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_open_pages_are_closed_at_once(provider, monkeypatch):
    """Valkey announces the end to each process; a request over a socket is refused as well."""
    monkeypatch.setitem(connection.settings_dict, "CONN_MAX_AGE", 0)
    client = browser()
    cookie = f"sessionid={client.cookies['sessionid'].value}"
    headers = [*OWN, (b"cookie", cookie.encode())]
    query = f"id={register('http://a.example/', reference_id='of-ada').pk}&span=day"
    body = urlencode({"logout_token": provider.logout_token()}).encode()
    head = [
        *(f"POST {PATH} HTTP/1.1", "Host: localhost", "Connection: close"),
        *("Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"),
    ]

    async def scenario(port):
        async with changes.listening(), Socket("/ws/target/", headers, query=query) as socket:
            await socket.message("page")
            answer = await exchange(port, "\r\n".join([*head, "", ""]).encode() + body)
            assert answer.startswith(b"HTTP/1.1 200 "), answer
            return await socket.closed()

    assert serve(Http, scenario) == 1008
    thread_pool.close_connections()
