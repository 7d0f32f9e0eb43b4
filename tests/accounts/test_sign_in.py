"""Signing in and out, and the security headers of every page."""

import re
from datetime import timedelta

import pytest
from django.http import HttpResponse
from django.test import Client

from foundation.breaker import Breaker
from foundation.http.csp import ContentSecurityPolicyMiddleware, nonce
from foundation.valkey import scripts
from foundation.valkey.clients import client as redis_client

pytestmark = pytest.mark.one_database

PASSWORD = "correct horse"


@pytest.fixture(autouse=True)
def _fresh_limits(monkeypatch):
    monkeypatch.setattr(scripts, "BREAKER", Breaker())
    redis_client().flushdb()


def sign_in(client, password=PASSWORD, **query):
    return client.post(
        "/sign-in", {"username": "operator", "password": password}, query_params=query
    )


def is_signed_in(client):
    return "_auth_user_id" in client.session


def test_the_right_password_leads_to_the_start_page(client, operator):
    response = sign_in(client)
    assert (response.status_code, response.headers["Location"]) == (302, "/")
    assert is_signed_in(client)


def test_a_wrong_password_is_reported_and_the_name_kept(client, operator):
    response = sign_in(client, "wrong")
    html = response.content.decode()
    assert "Wrong username or password" in html
    assert 'value="operator"' in html
    assert not is_signed_in(client)


@pytest.mark.parametrize(
    ("wanted", "place"),
    [
        ("/targets/t_1?page=2", "/targets/t_1?page=2"),
        ("https://evil.example/", "/"),
        ("//evil.example/", "/"),
        ("javascript:alert(1)", "/"),
        ("/\\evil.example", "/"),
    ],
)
def test_signing_in_redirects_to_our_own_pages_only(client, operator, wanted, place):
    assert sign_in(client, next=wanted).headers["Location"] == place


def _without_token(response):
    """Return a page without the values that differ each time."""
    return re.sub(r'(csrfmiddlewaretoken" value|nonce)="[^"]*"', "", response.content.decode())


def test_too_many_attempts_have_to_wait(client, operator, settings):
    settings.SIGN_IN_LIMIT = (2, timedelta(minutes=1))
    assert [sign_in(client, "wrong").status_code for _ in range(3)] == [200, 200, 429]
    refused = sign_in(client)  # the right password as well
    assert "Too many attempts" in refused.content.decode()
    assert _without_token(refused) == _without_token(sign_in(client, "wrong"))
    assert 1 <= int(refused.headers["Retry-After"]) <= 60
    assert not is_signed_in(client)
    assert client.get("/sign-in").status_code == 200
    assert sign_in(Client(REMOTE_ADDR="192.0.2.8")).status_code == 302


def test_signing_in_works_without_redis(client, operator, settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    assert sign_in(client).status_code == 302


def test_the_admin_and_the_api_have_the_same_sign_in(client, db):
    asked = client.get("/admin/targets/target/", follow=True)
    assert asked.redirect_chain[-1][0] == "/sign-in?next=%2Fadmin%2Ftargets%2Ftarget%2F"
    page = client.get("/v1/targets", headers={"accept": "text/html"}).content.decode()
    assert "/sign-in?next=/v1/targets" in page


def test_a_user_without_access_to_the_admin_sees_why_and_can_switch_accounts(
    client, django_user_model
):
    client.force_login(django_user_model.objects.create_user("guest"))
    html = client.get("/admin/", follow=True).content.decode()
    assert "You are signed in as guest. If this account can't open the page you want" in html


@pytest.mark.parametrize(
    ("issuer", "sentence"),
    [
        ("", "No account yet? Ask an operator to invite you."),
        (
            "https://id.example",
            'Sign in with <span class="url">id.example</span>, or ask an operator to invite you.',
        ),
    ],
)
def test_the_page_says_how_to_get_an_account(client, db, settings, issuer, sentence):
    settings.OIDC_ISSUER = issuer
    assert sentence in client.get("/sign-in").content.decode()


def test_signing_out_needs_a_post_and_ends_the_session(client, operator):
    client.force_login(operator)
    assert client.get("/sign-out").status_code == 405
    assert client.post("/sign-out").headers["Location"] == "/sign-in"
    assert not is_signed_in(client)


def test_a_form_from_another_site_is_refused(operator):
    client = Client(enforce_csrf_checks=True)
    page = client.post("/sign-in", {}, headers={"accept": "text/html"})
    assert (page.status_code, "reload the page" in page.content.decode()) == (403, True)
    assert client.post("/sign-in", {}).json()["code"] == "permission_denied"


def test_our_pages_load_and_run_only_our_own_files(client, db):
    page = client.get("/sign-in", headers={"host": "testserver"})
    assert page.headers["Content-Security-Policy"] == (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "font-src 'self'; connect-src 'self' ws://testserver wss://testserver; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
    strange = client.get("/sign-in", headers={"host": "testserver; script-src *"})
    assert strange.status_code == 400
    assert "script-src *" not in strange.headers.get("Content-Security-Policy", "")


def test_inline_code_requires_the_nonce_of_its_request(rf):
    seen = []

    def view(request):
        seen.append(str(nonce(request)["csp_nonce"]))
        assert str(nonce(request)["csp_nonce"]) == seen[-1]
        return HttpResponse("<script>")

    middleware = ContentSecurityPolicyMiddleware(view)
    for _ in range(2):
        policy = middleware(rf.get("/")).headers["Content-Security-Policy"]
        assert (
            f"script-src 'self' 'nonce-{seen[-1]}'; style-src 'self' 'nonce-{seen[-1]}'" in policy
        )
    assert seen[0] != seen[1]


@pytest.mark.parametrize("path", ["/admin/", "/v1/docs", "/v1/targets"])
def test_the_pages_of_libraries_have_a_policy_too(client, operator, path):
    client.force_login(operator)
    policy = client.get(path, headers={"accept": "text/html"}).headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'")
    assert "script-src 'self' 'unsafe-inline'" not in policy


def test_the_api_answers_programs_without_a_session(client, operator):
    client.force_login(operator)
    assert "Content-Security-Policy" not in client.get("/v1/targets").headers
