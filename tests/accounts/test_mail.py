"""Mail through a real SMTP server on loopback: invitations, and links to set a new password."""

import re
from email import message_from_bytes, policy
from queue import Queue

import pytest
from aiosmtpd.controller import Controller
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from knox.models import AuthToken

from accounts import adapters, tokens
from accounts.models import Invitation
from accounts.passwords import MAX_EMAILS
from accounts.roles import Role
from foundation.database import thread_pool
from linkwatch.environment import mail_settings
from tests.ports import free_port

NEW = "another correct horse"


class _Letters:
    """A handler of aiosmtpd that keeps incoming mail; `refuses` makes it fail."""

    def __init__(self):
        self.kept, self.refuses = Queue(), False

    async def handle_DATA(self, server, session, envelope):  # noqa: N802 (aiosmtpd's name)
        if self.refuses:
            return "554 No thanks"
        self.kept.put(message_from_bytes(envelope.content, policy=policy.default))
        return "250 OK"


@pytest.fixture
def letters(settings):
    """Yield a mail server through which Linkwatch sends."""
    handler = _Letters()
    controller = Controller(handler, hostname="127.0.0.1", port=free_port())
    controller.start()
    url = f"smtp://127.0.0.1:{controller.port}"
    for name, value in mail_settings(url).items():
        setattr(settings, name, value)
    settings.EMAIL_URL = url
    settings.BASE_URL = "https://links.example"
    settings.DEFAULT_FROM_EMAIL = "linkwatch@links.example"
    yield handler
    wait_for_mails()  # or the next test gets the error of a connection to this server
    controller.stop()


@pytest.fixture
def threads(transactional_db, monkeypatch):
    """Threads that see the database: the product looks up addresses there after the answer."""
    monkeypatch.setitem(connection.settings_dict, "CONN_MAX_AGE", 0)
    yield
    thread_pool.close_connections()


def wait_for_mails():
    """Return when all mails requested so far are sent or refused."""
    thread_pool.submit(lambda: None)
    thread_pool.close_connections()  # after everything the threads have to do
    adapters._mail_executor.submit(lambda: None).result(timeout=30)


def link_in(letter, client, *, to):
    assert (letter["To"], letter["From"]) == (to, "linkwatch@links.example")
    found = re.search(r"https://links\.example(/\S+)", letter.get_content())
    return found[1]


def test_an_invitation_is_mailed_and_admits_one_person(letters, browser):
    page = browser.post("/account/invitations", {"role": "Members", "email": "a@example.org"})
    assert "emailed the link to a@example.org" in page.content.decode()
    letter = letters.kept.get(timeout=30)
    client = Client()
    link = link_in(letter, client, to="a@example.org")
    data = {"username": "ada", "password1": NEW, "password2": NEW}
    assert client.post(link, data).status_code == 302
    assert User.objects.get(username="ada").email == "a@example.org"


def test_a_refused_mail_is_reported_and_the_link_can_be_passed_on(letters, browser):
    letters.refuses = True
    page = browser.post("/account/invitations", {"role": "Members", "email": "a@example.org"})
    assert "could not be sent" in page.content.decode()
    assert page.context["link"] in page.content.decode()
    assert Invitation.objects.exists()


@pytest.mark.parametrize(
    "email", ["a@example.org\nBcc: b@example.org", "a@example.org, b@b.example"]
)
def test_no_other_recipient_can_be_added(letters, browser, email):
    browser.post("/account/invitations", {"role": "Members", "email": email})
    assert letters.kept.empty()
    assert not Invitation.objects.exists()


def reset(client, letters, email="somebody@example.org"):
    """Request a link, follow it, and return the address of the form for the new password."""
    assert client.post("/account/reset", {"email": email}).headers["Location"].endswith("/sent")
    link = link_in(letters.kept.get(timeout=30), client, to=email)
    response = client.get(link)
    return link, response.headers.get("Location", "")


def test_a_forgotten_password_is_set_again_by_a_link_that_works_once(
    threads, letters, somebody, client
):
    signed_in = somebody(Role.MEMBER)
    link, place = reset(client, letters)
    assert link.rpartition("-")[2] not in place  # the key is in no Referer
    done = client.post(place, {"password1": NEW, "password2": NEW}, follow=True)
    assert done.redirect_chain[-1][0] == "/sign-in"
    assert "Password changed" in done.content.decode()
    assert client.post("/sign-in", {"username": "somebody", "password": NEW}).status_code == 302
    assert signed_in.get("/account").status_code == 302  # the old session has ended
    again = Client()
    assert "has been used or has expired" in again.get(link).content.decode()


def test_a_weak_new_password_is_refused(threads, letters, somebody, client):
    somebody(Role.MEMBER)
    _, place = reset(client, letters)
    assert (
        'class="error"'
        in client.post(place, {"password1": "123", "password2": "123"}).content.decode()
    )


def test_an_old_link_does_not_work(threads, letters, somebody, client, settings):
    somebody(Role.MEMBER)
    settings.PASSWORD_RESET_TIMEOUT = -1
    link, place = reset(client, letters)
    assert place == ""
    assert "has expired" in client.get(link).content.decode()


@pytest.mark.parametrize("path", ["x-y", "1-" + "a" * 500, "zzzzzzzzzzzz-abc", "1-set-password"])
def test_a_made_up_link_sets_no_password(letters, somebody, client, path):
    somebody(Role.MEMBER)
    response = client.get(f"/account/reset/{path}")
    assert "has been used or has expired" in response.content.decode()


def test_an_unknown_address_gets_no_mail_and_the_same_answer(threads, letters, somebody, client):
    somebody(Role.MEMBER)
    responses = [
        client.post("/account/reset", {"email": email}, follow=True)
        for email in ("somebody@example.org", "nobody@example.org")
    ]
    assert responses[0].content == responses[1].content
    wait_for_mails()
    assert letters.kept.qsize() == 1


def test_known_and_unknown_addresses_cause_the_same_work_before_the_answer(
    threads, letters, somebody, client
):
    somebody(Role.MEMBER)
    statements = []
    for email in ("somebody@example.org", "nobody@example.org"):
        with CaptureQueriesContext(connection) as captured:
            client.post("/account/reset", {"email": email})
        statements.append([query["sql"] for query in captured])
    assert statements[0] == statements[1]
    assert not any("email" in statement for statement in statements[0])


def test_an_address_gets_few_mails_and_every_request_the_same_answer(
    threads, letters, somebody, settings
):
    settings.SIGN_IN_LIMIT = (1000, MAX_EMAILS[1])
    somebody(Role.MEMBER)
    somebody(Role.MEMBER, "other")
    most, _ = MAX_EMAILS
    spellings = ["somebody@example.org", "Somebody@Example.ORG"]
    answers = [
        Client(REMOTE_ADDR=f"192.0.2.{n}").post("/account/reset", {"email": spellings[n % 2]})
        for n in range(most + 3)
    ]
    assert {(answer.status_code, answer.headers["Location"]) for answer in answers} == {
        (302, "/account/reset/sent")
    }
    wait_for_mails()
    assert letters.kept.qsize() == most
    Client().post("/account/reset", {"email": "other@example.org"})
    wait_for_mails()
    assert letters.kept.qsize() == most + 1


@pytest.mark.parametrize(("data", "left"), [({"end_tokens": "on"}, 1), ({}, 3)])
def test_resetting_a_password_revokes_the_tokens_if_selected(
    threads, letters, somebody, client, data, left
):
    somebody(Role.MEMBER)
    somebody(Role.MEMBER, "other")
    for name in ("somebody", "somebody", "other"):
        tokens.create(User.objects.get(username=name))
    _, place = reset(client, letters)
    assert 'name="end_tokens"' in client.get(place).content.decode()
    page = client.post(place, {"password1": NEW, "password2": NEW, **data}, follow=True)
    sentence = "2 API tokens were revoked." if data else "Your API tokens still work."
    assert sentence in page.content.decode()
    assert AuthToken.objects.count() == left
    assert AuthToken.objects.filter(user__username="other").exists()


def test_an_unavailable_mail_server_fails_no_request(threads, letters, somebody, client, settings):
    somebody(Role.MEMBER)
    settings.EMAIL_PORT = free_port()
    assert client.post("/account/reset", {"email": "somebody@example.org"}).status_code == 302
    wait_for_mails()


def test_the_link_leads_to_base_url_for_any_requested_host(threads, letters, somebody, client):
    somebody(Role.MEMBER)
    client.post("/account/reset", {"email": "somebody@example.org"}, headers={"host": "testserver"})
    assert "testserver" not in letters.kept.get(timeout=30).get_content()


def test_without_mail_the_page_explains_what_operators_can_do(db, client):
    html = client.get("/account/reset").content.decode()
    assert "send email" in html
    assert "manage.py changepassword" in html
    assert "<form" not in html.split("<main")[1]
    assert client.post("/account/reset", {"email": "a@example.org"}).status_code == 200


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("smtp://mx.example", (None, 25, False, False)),
        ("smtps://u:p%40ss@mx.example", ("p@ss", 465, True, False)),
        ("smtp+tls://u:p@mx.example:2525", ("p", 2525, False, True)),
    ],
)
def test_valid_urls_of_mail_servers_are_parsed(url, expected):
    found = mail_settings(url)
    names = ("EMAIL_HOST_PASSWORD", "EMAIL_PORT", "EMAIL_USE_SSL", "EMAIL_USE_TLS")
    assert tuple(found[name] or None if name == names[0] else found[name] for name in names) == (
        expected
    )


@pytest.mark.parametrize("url", ["mx.example", "http://mx.example", "smtp://", "smtp://a:b@:x"])
def test_invalid_urls_of_mail_servers_are_rejected(url):
    with pytest.raises(ValueError):
        mail_settings(url)
