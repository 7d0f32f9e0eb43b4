"""Batches over the API: limits, bad input, visibility, and the callback."""

import json
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from knox.models import AuthToken

from accounts import tokens
from accounts.actors import Actor
from batches import ending, services
from batches.models import Batch, BatchItem
from foundation.database.clock import database_now
from foundation.ids import raw_id
from foundation.valkey.clients import client
from notify import callbacks, channel_leases
from notify.models import Channel, Delivery
from outbox.models import Event
from targets.canonical import canonicalize, url_to_fetch
from targets.models import Target, UnregisteredTarget
from tests.batches.asking import ask
from tests.factories import TargetFactory
from tests.targets.people import api_of, make_people

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("_empty_valkey")]
URL = "https://new.example/page"


@pytest.fixture
def _empty_valkey():
    """Empty Valkey, so that no earlier test has used up the limits."""
    client().flushdb()


@pytest.fixture
def people():
    return make_people()


@pytest.fixture
def member(people):
    return api_of(people["member"])


def post(api, *urls, **wanted):
    return api.post("/v1/batches", {"urls": list(urls), **wanted})


def test_known_and_fresh_results_are_answered_at_once(member):
    now = database_now()
    TargetFactory(url=URL, state="alive", recent="s", last_checked_at=now, is_internal=False)
    answer = post(member, URL, URL + "#part")
    assert answer.status_code == 201
    body = answer.json()
    assert (body["done"], body["counts"]["known"], body["secret"]) == (True, 2, None)
    assert [item["url"] for item in body["items"]] == [URL, URL + "#part"]
    assert [item["status"] for item in body["items"]] == ["known"] * 2


def test_unknown_urls_wait_and_are_read_in_pages(member):
    answer = post(member, *(f"https://h{n}.example/" for n in range(5)))
    assert answer.status_code == 202
    address = answer["Location"]
    assert answer.json()["counts"]["waiting"] == 5
    first = member.get(address + "?limit=3").json()
    rest = member.get(f"{address}?limit=3&page_token={first['next_page_token']}").json()
    hosts = [item["url"] for item in first["items"] + rest["items"]]
    assert hosts == [f"https://h{n}.example/" for n in range(5)]
    assert rest["next_page_token"] is None
    assert not Target.objects.exists()


@pytest.mark.parametrize(
    ("wanted", "status", "code"),
    [
        ({"urls": [URL] * 5001}, 400, "invalid"),
        ({"urls": ["x"] * 10_000}, 400, "invalid"),
        ({"urls": URL}, 400, "invalid"),
        ({"urls": [URL], "max_age": "36500d"}, 400, "invalid"),
        ({"urls": [URL], "wait": "1h"}, 400, "invalid"),
        ({"urls": [URL], "callback_url": "https://a.example/\0"}, 400, "invalid"),
        ({"urls": [URL], "callback_url": "https://user:word@a.example/"}, 400, "invalid"),
        ({"urls": [URL], "callback_url": "http://[::1]/"}, 400, "invalid"),
        ({"urls": [URL], "give_up": "0s"}, 400, "invalid"),
        ({"urls": [URL], "priority": "highest"}, 400, "invalid"),
        ({"urls": [URL], "callback_url": "http://127.0.0.1/hook"}, 400, "invalid"),
        ({"urls": [URL], "callback_url": "http://169.254.169.254/"}, 400, "invalid"),
        ({"urls": [URL], "callback_url": "ftp://a.example/"}, 400, "invalid"),
        ({"urls": [URL], "more": 1}, 400, "invalid"),
    ],
)
def test_bad_requests_are_refused_and_create_nothing(member, wanted, status, code):
    answer = member.post("/v1/batches", wanted)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert not Batch.objects.exists()
    assert not UnregisteredTarget.objects.exists()


def test_an_invalid_url_gets_its_error_in_place(member):
    odd = ["a\0b", "\ud800", 7, None, "x" * 9000, "http://10.0.0.1/", URL]
    answer = post(member, *odd[:1], *odd[2:])
    assert answer.status_code == 202
    items = answer.json()["items"]
    assert [item["status"] for item in items] == ["invalid"] * 5 + ["waiting"]
    codes = [item["error"]["code"] for item in items[:5]]
    assert codes == ["invalid_url"] * 4 + ["forbidden_url"]


def test_a_maximum_age_of_zero_repeats_recent_checks(member):
    now = database_now()
    target = TargetFactory(url=URL, last_checked_at=now, is_internal=False, next_check_at=None)
    answer = post(member, URL, max_age="0s")
    assert answer.json()["counts"]["waiting"] == 1
    target.refresh_from_db()
    assert target.next_check_at is not None


def test_a_url_that_is_too_long_only_as_it_is_fetched_is_accepted(member):
    long = "https://example.com/" + "é" * 338 + "/"
    assert (len(canonicalize(long).url), len(url_to_fetch(long))) == (2048, 2049)
    assert post(member, long, URL).status_code == 202
    assert set(UnregisteredTarget.objects.values_list("url", flat=True)) == {long, URL}


def test_a_url_repeated_five_thousand_times_is_checked_once(member):
    answer = post(member, *[URL] * 5000)
    assert answer.json()["counts"]["waiting"] == 5000
    assert UnregisteredTarget.objects.count() == 1


def test_limits_count_urls_of_a_member_and_refuse_the_whole_batch(member, settings):
    settings.BATCH_LIMIT = (3, timedelta(days=1))
    assert post(member, URL, URL).status_code == 202
    refused = post(member, URL, URL)
    assert refused.status_code == 429
    assert int(refused["Retry-After"]) > 0
    assert Batch.objects.count() == 1


@pytest.mark.parametrize("setting", ["BATCH_QUEUE", "BATCH_HOST_QUEUE"])
def test_a_full_queue_refuses_the_whole_batch(member, settings, setting):
    setattr(settings, setting, 3)
    assert post(member, URL, URL + "/2").status_code == 202
    refused = post(member, URL, URL + "/3")
    assert (refused.status_code, refused.json()["code"]) == (429, "rate_limited")
    assert refused["Retry-After"] == "60"
    assert Batch.objects.count() == 1
    assert BatchItem.objects.count() == 2
    assert UnregisteredTarget.objects.count() == 2


def test_a_batch_that_is_refused_or_repeated_does_not_count_against_the_limit(member, settings):
    settings.BATCH_LIMIT = (2, timedelta(days=1))
    settings.BATCH_QUEUE = 1

    def submit():
        headers = {"Idempotency-Key": "draft-7"}
        return member.post("/v1/batches", {"urls": [URL, URL]}, headers=headers)

    assert submit().status_code == 429
    settings.BATCH_QUEUE = 2
    first, second = submit(), submit()
    assert (first.status_code, second.status_code) == (202, 200)
    assert first.json()["id"] == second.json()["id"]


def test_a_batch_cancelled_midway_ends_without_a_callback(member):
    answer = post(member, URL, callback_url="https://cms.example/hook")
    assert member.delete(answer["Location"]).status_code == 204
    body = member.get(answer["Location"]).json()
    assert (body["state"], body["done"], body["counts"]["not_checked"]) == ("cancelled", True, 1)
    assert callbacks.queue_due(now=database_now()) == 0
    assert UnregisteredTarget.objects.get().next_check_at is None
    assert not Event.objects.exists()
    assert member.delete(answer["Location"]).status_code == 204


def test_an_idempotency_key_creates_one_batch(member):
    headers = {"Idempotency-Key": "draft-7"}
    body = {"urls": [URL], "callback_url": "https://cms.example/hook"}
    first, second = (member.post("/v1/batches", body, headers=headers) for _ in range(2))
    assert first.json()["id"] == second.json()["id"]
    assert first.json()["secret"].startswith("whsec_")
    assert second.json()["secret"] is None


def done(batch, *, at=None):
    BatchItem.objects.update(state="checked")
    ending.end(batch.pk, now=at or database_now())


def test_the_callback_is_one_delivery_with_the_id_of_the_batch(people):
    by = Actor(people["member"])
    batch = ask(URL, by=by, callback_url="https://cms.example/hook")
    done(batch)
    assert callbacks.queue_due(now=database_now()) == 1
    assert callbacks.queue_due(now=database_now()) == 0
    delivery = Delivery.objects.get()
    assert delivery.message_id == raw_id("batch", batch.pk)
    event = json.loads(delivery.body)
    assert (event["type"], event["subject"]) == ("linkwatch.batch.done", batch.pk)
    assert event["data"]["counts"]["checked"] == 1
    assert "owner" not in event["data"]
    channel = delivery.channel
    assert (channel.owner, channel.settings) == (by.user, {"url": "https://cms.example/hook"})
    assert channel_leases.due_kinds(now=database_now()) == ["webhook"]
    listed = api_of(people["member"]).get(f"/v1/channels/{channel.pk}/deliveries").json()
    assert [one["state"] for one in listed["items"]] == ["waiting"]
    batch.delete()
    assert not Channel.objects.exists()


def test_a_revoked_token_cancels_the_batch_and_its_callback(people):
    tokens.create(people["member"], lifetime=timedelta(days=1))
    token = AuthToken.objects.get()
    by = Actor(people["member"], token_digest=token.digest)
    waiting, called = (ask(URL, by=by, callback_url="https://cms.example/hook") for _ in range(2))
    BatchItem.objects.filter(batch=called).update(state="checked")
    ending.look()
    callbacks.queue_due(now=database_now())
    assert channel_leases.due_kinds(now=database_now()) == ["webhook"]
    token.delete()
    ending.look()
    assert channel_leases.due_kinds(now=database_now()) == []
    waiting.refresh_from_db()
    assert waiting.state == "cancelled"


def test_service_users_have_callbacks_until_they_are_closed(people):
    tokens.create(people["program"], lifetime=timedelta(days=1))
    by = Actor(people["program"], token_digest=AuthToken.objects.get().digest)
    batch = ask(URL, by=by, callback_url="https://a.example/")
    done(batch)
    assert callbacks.queue_due(now=database_now()) == 1
    assert Channel.objects.get().owner is None
    assert channel_leases.due_kinds(now=database_now()) == ["webhook"]
    User.objects.filter(pk=by.user.pk).update(is_active=False)
    assert channel_leases.due_kinds(now=database_now()) == []


def test_only_channels_of_the_owner_are_notified_that_a_batch_is_done(people):
    from notify import fanout
    from notify.models import Subscription

    made = {}
    for name in ("member", "other"):
        made[name] = Channel.objects.create(
            kind="feed", name=name, owner=people[name], created_at=database_now(), position=0
        )
        Subscription.objects.create(channel=made[name], created_at=database_now(), what=["batches"])
    done(ask(URL, by=Actor(people["member"])))
    Event.objects.update(position=1)
    events = list(Event.objects.all())
    fanout.write(fanout.compose(events, after=0, now=database_now()), now=database_now())
    delivery = Delivery.objects.get()
    assert (delivery.channel, delivery.subject) == (made["member"], "A batch of 1 URL is done")


def test_a_batch_is_not_found_for_others(people):
    batch = ask(URL, by=Actor(people["member"]))
    done(batch)
    Event.objects.update(position=1)
    for user in people.values():  # the feed has only changes of state
        assert api_of(user).get("/v1/events").json()["items"] == []
    other = api_of(people["other"])
    assert other.get(f"/v1/batches/{batch.pk}").status_code == 404
    assert other.delete(f"/v1/batches/{batch.pk}").status_code == 404
    assert other.get("/v1/batches").json()["items"] == []
    assert len(api_of(people["operator"]).get("/v1/batches").json()["items"]) == 1


def test_a_deleted_account_deletes_its_batches(people):
    batch = ask(URL, by=Actor(people["member"]), callback_url="https://cms.example/hook")
    done(batch)
    callbacks.queue_due(now=database_now())
    people["member"].delete()
    assert not Batch.objects.exists()
    assert not Channel.objects.exists()


def test_creation_takes_as_many_statements_for_many_urls_as_for_few(django_assert_max_num_queries):
    with django_assert_max_num_queries(40):
        ask(*(f"https://h{n}.example/{m}" for n in range(20) for m in range(20)))
    assert services.visible_batch(Batch.objects.get().pk, by=Actor()).items.count() == 400
