"""Limits guesses by strangers: requests for missing items are limited, for existing ones never."""

from datetime import timedelta

import pytest

from accounts import invitations
from accounts.actors import DEPLOYMENT
from accounts.roles import Role
from foundation.database.clock import database_now
from foundation.valkey.clients import client as redis_client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture(autouse=True)
def _two_misses_an_hour(settings):
    redis_client().flushdb()
    settings.RATE_LIMIT = (2, timedelta(hours=1))


@pytest.mark.parametrize(
    "path",
    [
        "/invitations/guess",
        "/feeds/c_guess.atom",
        "/feeds/c_guess.json",
        "/confirm/guess",
        "/unsubscribe/guess",
        "/public/guess",
        "/public/guess.svg",
        "/account/reset/1-guess",
        "/v1/guess",
    ],
)
def test_guesses_are_limited(client, settings, path):
    settings.EMAIL_URL = "smtp://127.0.0.1:25"
    answers = [client.get(f"{path}{n}" if "." not in path else path) for n in range(4)]
    assert [answer.status_code for answer in answers] == [404, 404, 429, 429]
    assert 1 <= int(answers[-1].headers["Retry-After"]) <= 3600
    assert client.get(path, REMOTE_ADDR="192.0.2.9").status_code == 404


def test_a_client_over_the_limit_still_gets_existing_items(client, settings):
    settings.PUBLIC_LISTS = {"wiki": "wiki-"}
    _, secret = invitations.invite(role=Role.MEMBER, email="", by=DEPLOYMENT, now=database_now())
    statuses = [client.get("/public/guess").status_code for _ in range(3)]
    assert statuses == [404, 404, 429]
    assert client.get("/public/wiki").status_code == 200
    assert client.get(f"/invitations/{secret}").status_code == 200
    assert [client.get("/sign-in").status_code for _ in range(3)] == [200] * 3


def test_browsers_get_a_page_that_explains_the_limit(client):
    page = [client.get("/invitations/guess", headers={"accept": "text/html"}) for _ in range(3)][-1]
    assert page.status_code == 429
    assert "Too many requests" in page.content.decode()


def test_without_redis_nobody_is_limited(client, settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert {client.get("/public/guess").status_code for _ in range(4)} == {404}
