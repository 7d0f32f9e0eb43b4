"""Snippets of users who have not signed in."""

from datetime import timedelta

import pytest

from foundation.valkey.clients import client as redis_client
from snippets import anonymous
from snippets.models import Snippet
from tests.snippets.senders import token

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]


def post(client, body, **headers):
    return client.post("/v1/snippets", body, content_type="application/json", **headers)


def test_anonymous_snippets_are_off_by_default(client):
    assert post(client, {"content": "x"}).status_code == 401
    assert not Snippet.objects.exists()


@pytest.fixture
def _allowed(settings):
    settings.ANONYMOUS_SNIPPETS = True
    settings.ANONYMOUS_SNIPPETS_LIMIT = (2, timedelta(hours=1))


@pytest.mark.usefixtures("_allowed")
def test_an_anonymous_snippet_has_no_owner_and_is_readable_by_address(client, people):
    answer = post(client, {"content": "x", "visibility": "unlisted", "max_views": 1})
    assert answer.status_code == 201
    assert Snippet.objects.get().owner is None
    path = answer["Location"]
    assert client.patch(path, {}, content_type="application/json").status_code == 401
    assert client.delete(path).status_code == 401
    assert client.post(f"{path}/reveal").json()["content"] == "x"


@pytest.mark.usefixtures("_allowed")
def test_an_anonymous_snippet_is_small_public_and_created_once(client, monkeypatch):
    monkeypatch.setattr(anonymous, "MAX_BYTES", 10)
    for body, code, fields in (
        ({"content": "é" * 6}, "content_too_large", ["content"]),
        ({"content": "x", "visibility": "private"}, "invalid", ["visibility"]),
        ({"content": "x", "for_everyone": True}, "invalid", ["for_everyone"]),
        ({"content": ""}, "invalid", ["content"]),
    ):
        answer = post(client, body).json()
        assert (answer["code"], list(answer["details"])) == (code, fields)
    answer = post(client, {"content": "x"}, headers={"Idempotency-Key": "k"})
    assert answer.json()["code"] == "invalid_idempotency_key"
    assert not Snippet.objects.exists()


@pytest.mark.usefixtures("_allowed")
def test_each_client_has_a_limit_and_rejected_snippets_do_not_count(client, people):
    post(client, {"content": ""})
    statuses = [post(client, {"content": "x"}).status_code for _ in range(3)]
    assert statuses == [201, 201, 429]
    refused = post(client, {"content": "x"})
    assert refused.json()["code"] == "rate_limited"
    assert int(refused["Retry-After"]) > 3000
    assert post(client, {"content": "x"}, REMOTE_ADDR="192.0.2.7").status_code == 201
    assert post(client, {"content": "x"}, headers=token(people["ada"])).status_code == 201
    assert redis_client().exists("rl:POST anonymous snippets:127.0.0.1")


@pytest.mark.usefixtures("_allowed")
def test_signed_in_users_still_need_the_right(client, people):
    assert post(client, {"content": "x"}, headers=token(people["viewer"])).status_code == 403
    wrong = {"authorization": "Token nonsense"}
    assert post(client, {"content": "x"}, headers=wrong).status_code == 401


@pytest.mark.usefixtures("_allowed")
def test_without_redis_no_anonymous_snippet_is_created(client, settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    answer = post(client, {"content": "x"})
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert int(answer["Retry-After"]) >= 1
    assert not Snippet.objects.exists()
