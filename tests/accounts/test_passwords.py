"""Changing the user's own password."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from knox.models import AuthToken

from accounts import tokens
from accounts.models import Trace
from accounts.roles import Role

pytestmark = pytest.mark.one_database

OLD, NEW = "correct horse", "another correct horse"


def change(client, *, old=OLD, new=NEW, again=NEW, **more):
    data = {"oldpassword": old, "password1": new, "password2": again, **more}
    return client.post("/account/password", data, follow=True)


def test_only_the_current_session_survives_the_change(somebody):
    client, elsewhere = somebody(Role.MEMBER), Client()
    elsewhere.force_login(User.objects.get())
    page = change(client)
    assert page.redirect_chain == [("/account", 302)]
    assert "Password changed" in page.content.decode()
    assert client.get("/account").status_code == 200
    assert elsewhere.get("/account").status_code == 302
    assert User.objects.get().check_password(NEW)


def test_api_tokens_end_with_the_old_password_unless_the_user_keeps_them(somebody):
    client = somebody(Role.MEMBER)
    form = client.get("/account/password").content.decode()
    assert re.search(r"<input[^>]*name=.end_tokens.[^>]* checked", form)
    made = tokens.create(User.objects.get(), name="backup")
    headers = {"Authorization": f"Token {made}"}
    page = change(client)
    assert "Your API tokens still work" in page.content.decode()
    assert Client().get("/v1/targets", headers=headers).status_code == 200
    page = change(client, old=NEW, new=OLD, again=OLD, end_tokens="on")
    assert "1 API token was revoked" in page.content.decode()
    assert Client().get("/v1/targets", headers=headers).status_code == 401
    trace = Trace.objects.get(action="revoke", kind="token")
    assert (trace.user_name, trace.subject) == ("somebody", made[:8])


def test_the_admin_has_no_other_page_for_the_password(somebody):
    client = somebody(Role.OPERATOR)
    data = {"old_password": OLD, "new_password1": NEW, "new_password2": NEW}
    page = client.post("/admin/password_change/", data, follow=True)
    assert page.redirect_chain == [("/account/password", 302)]
    assert User.objects.get().check_password(OLD)


def test_a_refused_password_ends_no_tokens(somebody):
    client = somebody(Role.MEMBER)
    tokens.create(User.objects.get())
    change(client, old="wrong", end_tokens="on")
    assert AuthToken.objects.exists()


@pytest.mark.parametrize(
    "changes", [{"old": "wrong"}, {"new": "1", "again": "1"}, {"again": "other"}, {"new": "\0" * 9}]
)
def test_a_wrong_or_weak_password_is_refused(somebody, changes):
    page = change(somebody(Role.MEMBER), **changes)
    assert 'class="error"' in page.content.decode()
    assert User.objects.get().check_password(OLD)


def test_attempts_are_counted(somebody, settings):
    settings.SIGN_IN_LIMIT = (1, timedelta(minutes=1))
    client = somebody(Role.MEMBER)
    assert change(client, old="wrong").status_code == 200
    page = change(client)
    assert (page.status_code, int(page.headers["Retry-After"]) <= 60) == (429, True)
    assert User.objects.get().check_password(OLD)


def test_changing_a_password_needs_a_session(client, db):
    assert change(client).redirect_chain[0][0] == "/sign-in?next=/account/password"
