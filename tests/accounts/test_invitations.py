"""Invitations: who may create them, and that each admits one person, in time."""

from datetime import timedelta
from threading import Barrier, Thread

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from accounts import invitations
from accounts.actors import Actor
from accounts.models import Invitation
from accounts.rights import role_of
from accounts.roles import Role
from foundation.database.clock import database_now
from foundation.http.errors import ApiError

PASSWORD = "correct horse battery"


@pytest.fixture
def invite(operator):
    """Return a function that invites a person and returns the path of the link."""

    def invite(role=Role.MEMBER, *, now=None, email=""):
        now = now or database_now()
        _, secret = invitations.invite(role=role, email=email, by=Actor(operator), now=now)
        return f"/invitations/{secret}"

    return invite


def accept_invitation(client, link, username="ada", password=PASSWORD):
    data = {"username": username, "password1": password, "password2": password}
    return client.post(link, data)


def test_an_operator_invites_at_a_page_and_sees_the_link_once(browser, settings):
    settings.BASE_URL = "https://links.example"
    page = browser.post("/account/invitations", {"role": "Viewers", "email": "a@example.org"})
    link = page.context["link"]
    assert link.startswith("https://links.example/invitations/")
    assert link in page.content.decode()
    assert "no-store" in page.headers["Cache-Control"]
    again = browser.get("/account/invitations").content.decode()
    assert link not in again
    assert "Viewer" in again
    assert Invitation.objects.get().email == ""  # no mail is sent here
    assert Invitation.objects.get().secret_hash not in link


@pytest.mark.parametrize("role", Role)
def test_accepting_signs_in_with_the_invited_role(invite, client, role):
    link = invite(role)
    assert f"Your role will be {role.label}." in client.get(link).content.decode()
    assert accept_invitation(client, link).status_code == 302
    user = User.objects.get(username="ada")
    assert role_of(user) is role
    assert client.session["_auth_user_id"] == str(user.pk)
    assert Invitation.objects.get().accepted_by == user
    client.post("/sign-out")
    assert client.post("/sign-in", {"username": "ada", "password": PASSWORD}).status_code == 302


def test_an_invitation_link_works_once(invite, client):
    link = invite()
    accept_invitation(client, link)
    second = Client()
    assert second.get(link).status_code == 404
    response = accept_invitation(second, link, "eve")
    assert response.status_code == 404
    assert "has expired or has already been used or withdrawn" in response.content.decode()
    assert not User.objects.filter(username="eve").exists()


def test_an_expired_link_admits_nobody(invite, client):
    link = invite(now=database_now() - invitations.LIFETIME - timedelta(seconds=1))
    assert client.get(link).status_code == 404
    assert accept_invitation(client, link).status_code == 404
    assert not User.objects.filter(username="ada").exists()


def test_a_link_that_expires_while_the_form_is_filled_in_admits_nobody(invite, client):
    link = invite()
    assert client.get(link).status_code == 200
    Invitation.objects.update(expires_at=database_now())
    assert accept_invitation(client, link).status_code == 404


def test_a_withdrawn_link_admits_nobody(invite, browser, client):
    link = invite()
    pk = Invitation.objects.get().pk
    browser.post(f"/account/invitations/{pk}/withdraw")
    assert client.get(link).status_code == 404
    again = browser.post(f"/account/invitations/{pk}/withdraw", follow=True)
    assert "no longer pending" in again.content.decode()


def test_an_accepted_invitation_cannot_be_withdrawn(invite, browser, client):
    accept_invitation(client, invite())
    browser.post(f"/account/invitations/{Invitation.objects.get().pk}/withdraw")
    assert Invitation.objects.exists()


@pytest.mark.parametrize("secret", ["x", "%00", "a" * 5000, "%F0%9F%92%A9", "'--", "..%2f"])
def test_a_made_up_link_is_not_found(db, client, secret):
    assert client.get(f"/invitations/{secret}").status_code == 404


def test_a_made_up_link_does_not_reveal_whether_a_name_exists(operator, client):
    existing, other = (accept_invitation(client, "/invitations/x", n) for n in ("operator", "ada"))
    assert (existing.status_code, other.status_code) == (404, 404)
    assert "already exists" not in existing.content.decode()


@pytest.mark.parametrize(
    ("username", "password"),
    [
        ("operator", PASSWORD),
        ("<script>", PASSWORD),
        ("x" * 151, PASSWORD),
        ("", PASSWORD),
        ("a\0b", PASSWORD),
        ("ada", "123"),
        ("ada", "password"),
        ("ada", ""),
    ],
)
def test_a_bad_name_or_password_is_reported_and_the_link_stays_valid(
    invite, client, username, password
):
    link = invite()
    response = accept_invitation(client, link, username, password)
    assert response.status_code == 200
    assert 'class="error"' in response.content.decode()
    assert "<script>" not in response.content.decode().split("<main")[1]
    assert accept_invitation(client, link).status_code == 302


def test_attempts_are_counted_with_sign_ins(invite, client, settings):
    settings.SIGN_IN_LIMIT = (2, timedelta(minutes=1))
    link = invite()
    statuses = [accept_invitation(client, link, password="1").status_code for _ in range(3)]
    assert statuses == [200, 200, 429]
    assert client.post("/sign-in", {"username": "a", "password": "b"}).status_code == 429


@pytest.mark.parametrize("role", [Role.MEMBER, Role.VIEWER, None])
def test_only_operators_invite(somebody, invite, role):
    invite()
    pk = Invitation.objects.get().pk
    for client, status in ((somebody(role), 403), (Client(), 302)):
        assert client.get("/account/invitations").status_code == status
        assert client.post("/account/invitations", {"role": "Operators"}).status_code == status
        assert client.post(f"/account/invitations/{pk}/withdraw").status_code == status
    assert Invitation.objects.count() == 1


@pytest.mark.parametrize("data", [{"role": "Gods"}, {}, {"role": "Members", "email": "x"}])
def test_an_invitation_of_another_kind_is_refused(browser, settings, data):
    settings.EMAIL_URL = "smtp://127.0.0.1:1"
    assert "error" in browser.post("/account/invitations", data).content.decode()
    assert not Invitation.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_of_two_simultaneous_acceptances_one_succeeds(operator):
    _, secret = invitations.invite(
        role=Role.OPERATOR, email="", by=Actor(operator), now=database_now()
    )
    together, refused = Barrier(2), []

    def accept(name):
        try:
            together.wait()
            invitations.accept(secret, User(username=name), now=database_now())
        except ApiError as error:
            refused.append(error.code)
        finally:
            connection.close()

    threads = [Thread(target=accept, args=(name,)) for name in ("ada", "eve")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert refused == ["invitation_closed"]
    assert User.objects.filter(username__in=["ada", "eve"]).count() == 1
