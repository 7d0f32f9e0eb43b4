"""Tokens bound to hosts learn nothing of other URLs by lookups, batches or tools."""

from datetime import timedelta

import pytest
from rest_framework.test import APIClient

from accounts import tokens
from batches.models import Batch, BatchItem
from foundation.valkey.clients import client as valkey
from targets.models import Target, UnregisteredTarget
from tests.agents.asking import bearer, call
from tests.factories import DeadTargetFactory
from tests.notify.conftest import loopback_allowed as loopback_allowed
from tests.targets.people import api_of, make_people

pytestmark = pytest.mark.django_db
OURS, THEIRS = "http://ours.example/page", "http://theirs.example/page"
SENTENCE = "This token is limited to ours.example."


@pytest.fixture(autouse=True)
def _targets():
    valkey().flushdb()
    for url in (OURS, THEIRS):
        DeadTargetFactory(url=url, last_reason="http_404", recent="sfff")


@pytest.fixture
def people():
    return make_people()


def bound(user, scope, bounds=("ours.example",)):
    token = tokens.create(user, scope=scope, bounds=bounds)
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    return client


def test_a_look_up_reveals_nothing_about_urls_outside_the_bounds(people):
    client = bound(people["operator"], "lookups")
    answer = client.post("/v1/lookups", {"urls": [OURS, THEIRS, "http://unknown.example"]})
    inside, watched, unknown = answer.json()["results"]
    assert (inside["state"], inside["error"]) == ("dead", None)
    assert watched == unknown | {"url": THEIRS}
    assert (watched["known"], watched["canonical_url"]) == (False, None)
    assert watched["error"] == {
        "code": "outside_token_bounds",
        "message": SENTENCE,
        "details": {},
    }
    assert client.get("/v1/lookups", {"url": OURS}).json()["state"] == "dead"
    alone = client.get("/v1/lookups", {"url": THEIRS})
    assert (alone.status_code, alone.json()["message"]) == (403, SENTENCE)


@pytest.mark.parametrize(
    "columns",
    [
        {"is_internal": True},
        {"flags": ["accepted"]},
        {"instructions": {"headers": {"Cookie": "a=1"}}},
    ],
    ids=["ALLOW_NETWORKS", "accept", "headers"],
)
@pytest.mark.parametrize("who", ["operator", "viewer", "program"])
def test_a_bound_token_does_not_reveal_what_only_operators_made_visible(people, who, columns):
    Target.objects.filter(url=OURS).update(**columns)
    unbound = bound(people[who], "lookups", bounds=())
    assert unbound.get("/v1/lookups", {"url": OURS}).json()["known"]
    looked_up = bound(people[who], "lookups").get("/v1/lookups", {"url": OURS}).json()
    headers = bearer(people[who], scope="lookups", bounds=["ours.example"])
    for_agents = call("check_urls", {"urls": [OURS]}, **headers)[0]["results"][0]
    assert (looked_up["known"], looked_up["state"]) == (False, None)
    assert (for_agents["status"], for_agents.get("state")) == ("not_checked", None)
    if who != "viewer":  # viewers may not create batches
        [item] = bound(people[who], "batches").post("/v1/batches", {"urls": [OURS]}).json()["items"]
        assert (item["status"], item["known"], item["state"]) == ("waiting", False, None)
        assert UnregisteredTarget.objects.get().is_public


def test_a_batch_of_a_bound_token_reaches_no_network_that_is_reserved_for_operators(
    people, loopback_allowed
):
    client = bound(people["operator"], "batches", ["127.0.0.1"])
    url = "http://127.0.0.1:8000/"
    [item] = client.post("/v1/batches", {"urls": [url]}).json()["items"]
    assert item["error"]["code"] == "forbidden_url"
    refused = client.post("/v1/batches", {"urls": [OURS], "callback_url": url})
    assert (refused.status_code, list(refused.json()["details"])) == (400, ["callback_url"])


def test_a_batch_checks_nothing_outside_the_bounds(people):
    client = bound(people["operator"], "batches")
    urls = ["http://ours.example/new", THEIRS, "http://theirs.example/new"]
    answer = client.post("/v1/batches", {"urls": urls})
    assert [item["status"] for item in answer.json()["items"]] == ["waiting", "invalid", "invalid"]
    assert answer.json()["items"][1]["error"]["message"] == SENTENCE
    assert UnregisteredTarget.objects.get().host == "ours.example"
    refused = BatchItem.objects.filter(state="invalid")
    assert set(refused.values_list("target_id", "canonical_url")) == {(None, "")}


@pytest.mark.parametrize("who", ["operator", "member", "program"])
def test_a_bound_token_sees_the_batches_that_it_created(people, who):
    user = people[who]
    other = api_of(user).post("/v1/batches", {"urls": [THEIRS]})["Location"]
    of_token = bound(user, "batches", ["theirs.example"]).post("/v1/batches", {"urls": [THEIRS]})
    client = bound(user, "batches")
    own = client.post("/v1/batches", {"urls": [OURS]})["Location"]
    listed = [item["id"] for item in client.get("/v1/batches").json()["items"]]
    assert [f"/v1/batches/{pk}" for pk in listed] == [own]
    assert client.get(own).status_code == 200
    for address in (other, of_token["Location"]):
        assert client.get(address).status_code == 404
        assert client.delete(address).status_code == 404
    assert api_of(user).get(own).status_code == 200
    assert Batch.objects.open().count() == 3


@pytest.mark.parametrize(
    ("scope", "path"), [("lookups", "/v1/lookups"), ("batches", "/v1/batches")]
)
def test_bound_tokens_share_an_allowance_separate_from_the_members(people, scope, path, settings):
    settings.LOOKUP_LIMIT = settings.BATCH_LIMIT = (3, timedelta(hours=1))
    user, body = people["member"], {"urls": [OURS, OURS]}
    clients = [bound(user, scope), bound(user, scope), api_of(user), api_of(user)]
    for number, client in enumerate(clients):
        client.defaults["REMOTE_ADDR"] = f"192.0.2.{number}"
    first, second, own, other = clients
    assert first.post(path, body).status_code < 300
    assert {first.post(path, body).status_code, second.post(path, body).status_code} == {429}
    assert own.post(path, body).status_code < 300
    assert {own.post(path, body).status_code, other.post(path, body).status_code} == {429}


def test_an_idempotency_key_of_another_token_replays_nothing(people):
    body, key = {"urls": [THEIRS]}, {"HTTP_IDEMPOTENCY_KEY": "one"}
    made = bound(people["member"], "batches", ["theirs.example"]).post("/v1/batches", body, **key)
    assert made.status_code == 202
    again = bound(people["member"], "batches").post("/v1/batches", body, **key)
    assert (again.status_code, again.json()["code"]) == (404, "not_found")


def test_agent_tools_reveal_nothing_about_urls_outside_the_bounds(people):
    headers = bearer(people["member"], scope="lookups", bounds=["ours.example"])
    answer, _ = call("check_urls", {"urls": [THEIRS, OURS]}, **headers)
    assert answer["results"][0] == {"error": SENTENCE}
    assert answer["results"][1]["url"] == OURS


def test_a_callback_is_sent_to_no_address_outside_the_bounds(people):
    client = bound(people["operator"], "batches")
    wanted = {"urls": ["http://ours.example/new"], "callback_url": "https://theirs.example/hook"}

    refused = client.post("/v1/batches", wanted)

    assert (refused.status_code, refused.json()["code"]) == (403, "outside_token_bounds")
    assert not Batch.objects.exists()
    wanted["callback_url"] = "https://ours.example/hook"
    assert client.post("/v1/batches", wanted).status_code == 202
