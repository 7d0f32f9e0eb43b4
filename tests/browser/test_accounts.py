"""Accounts in a browser: by keyboard, on a narrow screen, in light and dark."""

import os
import re
import time

import pytest
from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.totp.internal.auth import hotp_value
from django.contrib.auth.models import User
from django.test import Client
from knox.models import AuthToken
from playwright.sync_api import expect

from accounts.rights import assign
from accounts.roles import Role
from foundation.models import TokenTerms
from tests.browser.test_pages import TOO_WIDE
from tests.browser.test_snippet_page import picture

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]
PASSWORD = "correct horse"
LONG = "<b>" + "a-very-long-name-without-a-break" * 3


@pytest.fixture(scope="module", autouse=True)
def _database_during_playwright():
    """Let Django use the database although Playwright keeps an event loop in this thread."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    yield
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def member(live_server):
    """A member, with a password."""
    user = User.objects.create_user("ada", "ada@example.org", PASSWORD)
    assign(user, Role.MEMBER)
    return user


@pytest.fixture
def looked_at(violations):
    """Return a function that checks a page: wide and as narrow as possible, light and dark."""

    def looked_at(page, name):
        for scheme in ("light", "dark"):
            for width in (1200, 320):
                page.set_viewport_size({"width": width, "height": 800})
                page.emulate_media(color_scheme=scheme)
                picture(page, f"{name}-{scheme}-{width}")
                assert page.evaluate(TOO_WIDE) == [], (scheme, width)
                assert violations(page) == [], (scheme, width)

    return looked_at


def tab_to(page, name):
    """Press Tab until the element with this name has the focus."""
    for _ in range(60):
        at = page.evaluate(
            "() => { const at = document.activeElement; return "
            "(at.labels?.[0] ?? at).innerText ?? '' }"
        )
        if re.fullmatch(name, at.strip(), re.DOTALL):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"Tab does not lead to {name}")


def sign_in(page, live_server):
    expect(page.get_by_label("Name")).to_be_focused()
    page.keyboard.type("ada")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(live_server.url + "/account")


def test_a_member_signs_in_creates_a_token_and_revokes_it_by_keyboard(
    live_server, member, open_page, looked_at, settings
):
    settings.OIDC_ISSUER = "https://id.example.org/realms/all"
    page = open_page(
        live_server.url + "/sign-in?next=/account", viewport={"width": 320, "height": 640}
    )
    looked_at(page, "accounts-sign-in")
    page.set_viewport_size({"width": 320, "height": 640})
    sign_in(page, live_server)
    looked_at(page, "accounts-account")
    page.set_viewport_size({"width": 320, "height": 640})

    tab_to(page, r"API tokens\s+Let programs.*")
    page.keyboard.press("Enter")
    page.wait_for_url(live_server.url + "/account/tokens")
    tab_to(page, "What is it for\\?")
    page.keyboard.type(LONG)
    tab_to(page, "Access")
    page.keyboard.press("ArrowDown")
    tab_to(page, "Create token")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("Token created")
    token = page.locator(".secret code").first.inner_text()
    looked_at(page, "accounts-tokens")
    page.set_viewport_size({"width": 320, "height": 640})
    assert token.startswith(AuthToken.objects.get().token_key)
    assert TokenTerms.objects.get().scope == "read"
    assert (
        Client().get("/v1/targets", headers={"authorization": f"Token {token}"}).status_code == 200
    )

    tab_to(page, r"Revoke.*")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Token revoked")).to_be_visible()
    assert not AuthToken.objects.exists()


def test_an_operator_invites_a_member_who_then_signs_in(
    live_server, operator, open_page, looked_at, settings
):
    settings.BASE_URL = live_server.url
    client = Client()
    client.force_login(operator)
    cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value}
    state = {"cookies": [{**cookie, "domain": "localhost", "path": "/"}], "origins": []}
    page = open_page(live_server.url + "/account/invitations", storage_state=state)
    page.get_by_label("Role").select_option("Member")
    page.get_by_role("button", name="Invite").click()
    link = page.locator(".secret code").inner_text()
    looked_at(page, "accounts-invitations")
    guest = open_page(link, may_complain=True)  # this server has no WebSockets for the dashboard
    looked_at(guest, "accounts-acceptance")
    guest.get_by_label("Username").fill("grace")
    guest.get_by_label("Password", exact=True).fill("123")
    guest.get_by_label("Password confirmation").fill("123")
    guest.get_by_role("button", name="Create account").click()
    expect(guest.locator(".error").first).to_be_visible()
    looked_at(guest, "accounts-acceptance-wrong")
    guest.get_by_label("Password", exact=True).fill("another correct horse")
    guest.get_by_label("Password confirmation").fill("another correct horse")
    guest.get_by_role("button", name="Create account").click()
    guest.wait_for_url(live_server.url + "/")
    assert User.objects.get(username="grace").groups.get().name == Role.MEMBER


def test_the_pages_about_passwords_fit_and_are_readable(
    live_server, member, open_page, looked_at, settings
):
    page = open_page(live_server.url + "/account/reset")
    looked_at(page, "accounts-no-mail")
    settings.EMAIL_URL = "smtp://mx.example"
    page.reload()
    looked_at(page, "accounts-reset")
    looked_at(
        open_page(live_server.url + "/account/reset/1-used", status=404), "accounts-reset-used"
    )
    key = default_token_generator.make_token(member)
    page.goto(f"{live_server.url}/account/reset/{user_pk_to_url_str(member)}-{key}")
    expect(page.get_by_label("Revoke my API tokens too")).to_be_checked()
    looked_at(page, "accounts-new-password")
    page.goto(live_server.url + "/sign-in?next=/account")
    sign_in(page, live_server)
    page.get_by_role("link", name="Password").click()
    expect(page.get_by_label("Revoke my API tokens too")).to_be_checked()
    looked_at(page, "accounts-password")


def test_a_second_factor_is_set_up_and_requested(live_server, member, open_page, looked_at):
    page = open_page(live_server.url + "/sign-in?next=/account")
    sign_in(page, live_server)
    page.get_by_role("link", name="Two-factor authentication").click()
    looked_at(page, "accounts-two-step")
    secret = page.locator("main code").inner_text()

    def code():
        return f"{hotp_value(secret, int(time.time() // 30)):06}"

    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_label("Code", exact=True).fill(code())
    page.get_by_role("button", name="Turn on").click()
    expect(page.get_by_role("status")).to_contain_text("is on")
    looked_at(page, "accounts-recovery-codes")
    recovery = page.get_by_role("list", name="Recovery codes").get_by_role("listitem").first
    kept = recovery.inner_text()
    page.locator(".who summary").click()
    page.get_by_role("button", name="Sign out").click()
    page.goto(live_server.url + "/sign-in?next=/account")
    page.get_by_label("Name").fill("ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url(live_server.url + "/sign-in/code")
    looked_at(page, "accounts-code")
    page.get_by_label("Code", exact=True).fill(kept)
    page.keyboard.press("Enter")
    page.wait_for_url(live_server.url + "/account")
