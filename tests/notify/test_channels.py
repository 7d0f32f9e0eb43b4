"""Channels and subscriptions in the API: create, change, send a test message; owners' rights."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission, User
from django.core.management import CommandError, call_command

from accounts.models import Trace
from accounts.rights import assign
from accounts.roles import Role
from foundation import kept_secrets as secrets
from foundation.database.clock import database_now
from notify import delivery_queue, fanout, redelivery
from notify.models import Channel, ChannelState, Delivery, DeliveryState, Subscription
from tests.factories import TransitionFactory
from tests.notify.conftest import death
from tests.notify.factories import ChannelFactory, DeliveryFactory, SubscriptionFactory
from tests.openapi import undescribed
from tests.threads import client_of

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]
HOOK = {"kind": "webhook", "name": "Wiki", "settings": {"url": "https://wiki.example/hook"}}


@pytest.fixture
def people():
    """Create two members, a viewer, an operator and a program, by name."""
    roles = {"ada": Role.MEMBER, "bob": Role.MEMBER, "vera": Role.VIEWER, "olga": Role.OPERATOR}
    found = {name: User.objects.create_user(name) for name in (*roles, "robot")}
    for name, role in roles.items():
        assign(found[name], role)
    return {name: User.objects.get(pk=user.pk) for name, user in found.items()}


@pytest.fixture
def ada(people):
    return client_of(people["ada"])


def send(client, method, path, body=None, *, status=200, **headers):
    """Assert the status of the response; return its body."""
    answer = getattr(client, method)(path, body, format="json", headers=headers)
    assert answer.status_code == status, answer.content
    return answer.json() if answer.content else None


def make(client, **changes):
    return send(client, "post", "/v1/channels", HOOK | changes, status=201)


def of(channel, rest=""):
    return f"/v1/channels/{channel['id']}{rest}"


def row_of(channel):
    return Channel.objects.get(pk=channel["id"])


# Creating


def test_a_webhook_has_a_secret_that_is_shown_once_and_kept_encrypted(ada, people):
    made = make(ada)
    assert made["secret"].startswith("whsec_")
    assert (made["owner"], made["state"]) == ("ada", "active")
    row = Channel.objects.get()
    assert secrets.decrypt(row.secret) == made["secret"]
    assert made["secret"] not in row.secret
    assert "secret" not in send(ada, "get", of(made))
    assert "secret" not in send(ada, "get", "/v1/channels")["items"][0]
    assert (Trace.objects.get().past_tense, Trace.objects.get().subject) == ("created", row.pk)


def test_a_repeated_create_makes_one_channel_and_does_not_show_its_secret_again(ada):
    headers = {"Idempotency-Key": "once"}
    first = send(ada, "post", "/v1/channels", HOOK, status=201, **headers)
    again = send(ada, "post", "/v1/channels", HOOK, **headers)
    assert again == {name: value for name, value in first.items() if name != "secret"}
    assert Channel.objects.count() == 1


def test_a_feed_has_secret_addresses_that_work_until_they_are_rotated(ada, client):
    feed = send(ada, "post", "/v1/channels", {"kind": "feed", "name": "Reader"}, status=201)
    former = feed["feed"]["atom"].removeprefix("http://localhost:8080")
    assert client.get(former).status_code == 200
    assert send(ada, "post", of(feed, "/rotate"))["feed"]["atom"] != feed["feed"]["atom"]
    assert client.get(former).status_code == 404


def test_the_former_secret_of_a_webhook_signs_for_a_day(ada):
    made = make(ada)
    rotated = send(ada, "post", of(made, "/rotate"))
    row = Channel.objects.get()
    assert rotated["secret"] != made["secret"]
    assert secrets.decrypt(row.secret) == rotated["secret"]
    assert secrets.decrypt(row.former_secret) == made["secret"]
    left = row.former_secret_until - database_now()
    assert timedelta(hours=23) < left <= timedelta(days=1)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"name": " \n\x07 "}, "name"),
        ({"settings": {"url": "http://127.0.0.1/hook"}}, "url"),
        ({"settings": {"url": "http://169.254.169.254/latest"}}, "url"),
        ({"settings": {"url": "ftp://a.example/"}}, "url"),
        ({"settings": {}}, "url"),
        ({"kind": "apprise", "settings": {"url": "json://127.0.0.1/"}}, "kind"),
        ({"kind": "pigeon"}, "kind"),
        ({"since": "2020-01-01T00:00:00Z"}, "since"),
        ({"deployment": True}, "deployment"),
        ({"colour": "red"}, "colour"),
    ],
    ids=str,
)
def test_invalid_values_of_a_channel_are_errors_next_to_their_field(ada, changes, field):
    refused = send(ada, "post", "/v1/channels", HOOK | changes, status=400)
    assert (refused["code"], list(refused["details"])) == ("invalid", [field])
    assert not Channel.objects.exists()


def test_a_channels_name_is_always_one_line(ada):
    name = "<script>\r\nBcc: all@evil.example\x00"
    assert make(ada, name=name)["name"] == "<script> Bcc: all@evil.example"


def test_the_number_of_channels_is_limited(ada, people, monkeypatch):
    monkeypatch.setattr("notify.services.MAX_CHANNELS", 1)
    make(ada)
    assert send(ada, "post", "/v1/channels", HOOK, status=409)["code"] == "too_many_channels"
    make(client_of(people["bob"]))  # of the owner's


def test_a_channel_begins_now_or_in_the_past(ada):
    now = database_now()
    for position in (1, 2, 3):
        TransitionFactory(position=position, at=now - timedelta(hours=3 - position))
    assert Channel.objects.get(pk=make(ada)["id"]).position == 3
    since = (now - timedelta(minutes=90)).isoformat()
    assert Channel.objects.get(pk=make(ada, since=since)["id"]).position == 1


# Owners


def test_members_see_their_own_channels_operators_all_and_programs_none(people):
    made = make(client_of(people["ada"]))
    for name, status in (("bob", 404), ("vera", 200), ("olga", 200), ("robot", 403)):
        send(client_of(people[name]), "get", of(made), status=status)
    everybody = {
        name: len(send(client_of(people[name]), "get", "/v1/channels")["items"])
        for name in ("ada", "bob", "vera", "olga")
    }
    assert everybody == {"ada": 1, "bob": 0, "vera": 1, "olga": 1}
    send(client_of(people["vera"]), "patch", of(made), {"name": "x"}, status=403)
    shown = send(client_of(people["vera"]), "get", of(made))["settings"]
    assert shown == {"url": "https://wiki.example/…"}  # the rest of the URL may be a secret


def test_operators_and_programs_with_the_rights_create_channels_of_the_deployment(people):
    made = make(client_of(people["olga"]), deployment=True)
    assert made["owner"] is None
    people["robot"].user_permissions.add(
        *Permission.objects.filter(content_type__app_label="notify")
    )
    robot = client_of(User.objects.get(username="robot"))
    assert make(robot)["owner"] is None
    assert send(robot, "get", of(made))["id"] == made["id"]
    send(robot, "get", of(make(client_of(people["ada"]))), status=404)


def test_channels_are_deleted_with_their_owner(ada, people):
    made = make(ada)
    DeliveryFactory(channel=row_of(made))
    send(ada, "post", "/v1/subscriptions", {"channel": made["id"], "what": ["dead"]}, status=201)
    people["ada"].delete()
    assert [kind.objects.count() for kind in (Channel, Subscription, Delivery)] == [0, 0, 0]


# Changing


def test_a_change_needs_the_version_that_the_user_saw(ada):
    made = make(ada)
    body = {"name": "Other"}
    assert send(ada, "patch", of(made), body, **{"If-Match": '"1"'})["version"] == 2
    refused = send(ada, "patch", of(made), body, status=412, **{"If-Match": '"1"'})
    assert refused["code"] == "version_mismatch"


def test_events_of_a_pause_are_sent_afterwards_for_three_days_at_most(people):
    olga, now = client_of(people["olga"]), database_now()
    made = make(olga)
    SubscriptionFactory(channel=row_of(made), grouped=False)
    assert send(olga, "patch", of(made), {"paused": True})["state"] == "paused"
    _, recent = (death(at=now - timedelta(days=days)) for days in (4, 2))
    fanout.catch_up(until=2, now=now)
    assert not Delivery.objects.exists()
    assert send(olga, "patch", of(made), {"paused": False})["state"] == "active"
    while fanout.catch_up(until=2, now=now):
        pass
    skipped, reported = Delivery.objects.order_by("number")
    assert "skipped" in skipped.subject
    assert reported.message_id == recent.pk


def test_an_enabled_channel_continues_with_waiting_messages(ada):
    made = make(ada)
    DeliveryFactory(channel=row_of(made), state=DeliveryState.WAITING)
    TransitionFactory(position=9)
    row = Channel.objects.get()
    delivery_queue.disable(row, "The receiver returned 410 Gone.", now=database_now())
    assert send(ada, "get", of(made))["reason"] == "The receiver returned 410 Gone."
    resumed = send(ada, "patch", of(made), {"paused": False})
    assert (resumed["state"], resumed["reason"]) == ("active", "")
    assert resumed["next_attempt_at"] is not None
    assert Channel.objects.get().position == 0  # no event is skipped


def test_a_deleted_channel_is_not_found(ada):
    made = make(ada)
    send(ada, "delete", of(made), status=204)
    send(ada, "get", of(made), status=404)
    assert [trace.action for trace in Trace.objects.order_by("pk")] == ["create", "delete"]


# Deliveries


def test_a_test_is_sent_and_listed(ada):
    made = make(ada)
    delivery = send(ada, "post", of(made, "/test"), status=202)
    assert (delivery["state"], delivery["type"]) == ("waiting", "linkwatch.test")
    [seen] = send(ada, "get", of(made, "/deliveries"))["items"]
    assert seen == delivery
    one = send(ada, "get", of(made, f"/deliveries/{delivery['number']}"))
    assert "This is a test message." in one["body"]


def test_tests_of_a_channel_are_rate_limited(ada):
    made = make(ada)
    for _ in range(redelivery.MAX_TESTS_PER_MINUTE):
        send(ada, "post", of(made, "/test"), status=202)
    refused = send(ada, "post", of(made, "/test"), status=429)
    assert refused["code"] == "rate_limited"


def test_a_new_address_is_tried_at_once(ada):
    made = make(ada)
    row = row_of(made)
    DeliveryFactory(channel=row, state=DeliveryState.WAITING)
    late = database_now() + timedelta(hours=1)
    Channel.objects.update(failing_since=row.created_at, attempts=9, next_attempt_at=late)
    send(ada, "patch", of(made), {"name": "Same", "settings": HOOK["settings"]})
    assert row_of(made).attempts == 9
    settings = {"url": "https://other.example/"}
    changed = send(ada, "patch", of(made), {"settings": settings})
    assert (changed["settings"], changed["failing_since"]) == (settings, None)
    assert row_of(made).next_attempt_at < late


def test_paused_and_passive_channels_send_nothing(ada):
    made = make(ada)
    send(ada, "patch", of(made), {"paused": True})
    assert send(ada, "post", of(made, "/test"), status=409)["code"] == "not_active"
    feed = send(ada, "post", "/v1/channels", {"kind": "feed", "name": "f"}, status=201)
    since = {"since": "2026-11-01T00:00:00Z"}
    for path, body in {
        "/v1/channels/{id}/test": None,
        "/v1/channels/{id}/redeliver": since,
        "/v1/channels/{channel_id}/deliveries/{number}/redeliver": None,
    }.items():
        sent = path.format(id=feed["id"], channel_id=feed["id"], number=1)
        answer = ada.post(sent, body, format="json")
        assert answer.json()["code"] == "no_deliveries"
        assert undescribed(answer, "post", path) == []


def test_deliveries_are_found_by_state_page_by_page_newest_first(ada):
    made = make(ada)
    rows = [DeliveryFactory(channel=row_of(made)) for _ in range(3)]
    DeliveryFactory(channel=row_of(made), state=DeliveryState.REFUSED)
    path = of(made, "/deliveries?state=delivered&limit=2")
    page = send(ada, "get", path)
    assert [one["number"] for one in page["items"]] == [rows[2].pk, rows[1].pk]
    rest = send(ada, "get", f"{path}&page_token={page['next_page_token']}")
    assert [one["number"] for one in rest["items"]] == [rows[0].pk]
    assert rest["next_page_token"] is None


def test_members_see_the_status_of_an_answer_and_operators_its_body(ada, people):
    made = make(ada)
    row = DeliveryFactory(channel=row_of(made), status_code=500, answer="root:x:0:0")
    path = of(made, f"/deliveries/{row.pk}")
    assert (send(ada, "get", path)["status_code"], send(ada, "get", path)["answer"]) == (500, None)
    looked_at = send(client_of(people["vera"]), "get", path)
    assert (looked_at["answer"], looked_at["body"]) == (None, None)
    assert send(client_of(people["olga"]), "get", path)["answer"] == "root:x:0:0"


def test_one_delivery_or_all_since_a_time_can_be_repeated(ada, people):
    made = make(ada)
    old = DeliveryFactory(channel=row_of(made))
    new = DeliveryFactory(channel=row_of(made), created_at=database_now())
    send(ada, "post", of(made, f"/deliveries/{old.pk}/redeliver"), status=202)
    old.refresh_from_db()
    assert old.state == DeliveryState.WAITING
    since = {"since": (database_now() - timedelta(hours=1)).isoformat()}
    assert send(ada, "post", of(made, "/redeliver"), since, status=202) == {"deliveries": 1}
    new.refresh_from_db()
    assert new.state == DeliveryState.WAITING
    bob = client_of(people["bob"])
    send(bob, "post", of(made, f"/deliveries/{old.pk}/redeliver"), status=404)
    send(ada, "get", of(made, "/deliveries/9999999999999999999999"), status=404)


# Subscriptions


def test_a_subscription_is_described_by_events_scope_and_time(ada):
    made = make(ada)
    requested = {"channel": made["id"], "what": ["alive", "dead", "dead"], "host": "*.Example.ORG."}
    requested |= {
        "when": "daily",
        "hour": 8,
        "time_zone": "Europe/Berlin",
        "reference_prefix": "wiki/",
    }
    reported = send(ada, "post", "/v1/subscriptions", requested, status=201)
    assert reported["what"] == ["dead", "alive"]
    assert reported["host"] == "example.org"
    path = f"/v1/subscriptions/{reported['id']}"
    assert send(ada, "get", path) == reported
    changed = send(ada, "patch", path, {"when": "at_once"}, **{"If-Match": '"1"'})
    assert changed == reported | {"when": "at_once", "version": 2}
    send(ada, "patch", path, {"when": "hourly"}, status=412, **{"If-Match": '"1"'})
    listed = send(ada, "get", f"/v1/subscriptions?channel={made['id']}")["items"]
    assert listed == [changed]
    send(ada, "delete", path, status=204)
    assert not Subscription.objects.exists()


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"what": []}, "what"),
        ({"what": ["everything"]}, "what"),
        ({"what": ["dead", "network"]}, "what"),  # the deployment's
        ({"owner": "bob"}, "owner"),
        ({"owner": "nobody-at-all"}, "owner"),
        ({"host": "a b"}, "host"),
        ({"when": "daily"}, "hour"),
        ({"when": "daily", "hour": 24}, "hour"),
        ({"time_zone": "../../etc/passwd"}, "time_zone"),
    ],
    ids=str,
)
def test_invalid_subscriptions_are_errors_next_to_their_field(ada, changes, field):
    requested = {"channel": make(ada)["id"], "what": ["dead"]} | changes
    refused = send(ada, "post", "/v1/subscriptions", requested, status=400)
    assert (refused["code"], list(refused["details"])) == ("invalid", [field])


def test_operators_are_notified_of_the_deployment_and_of_objects_of_others(people):
    olga = client_of(people["olga"])
    requested = {"channel": make(olga)["id"], "what": ["network", "dead"], "owner": "ada"}
    assert send(olga, "post", "/v1/subscriptions", requested, status=201)["owner"] == "ada"
    hers = make(client_of(people["ada"]))
    send(olga, "post", "/v1/subscriptions", requested | {"channel": hers["id"]}, status=400)


def test_another_users_channel_cannot_be_subscribed_or_changed(ada, people):
    made, bob = make(ada), client_of(people["bob"])
    reported = SubscriptionFactory(channel=row_of(made))
    requested = {"channel": made["id"], "what": ["dead"]}
    send(bob, "post", "/v1/subscriptions", requested, status=404)
    for method in ("get", "patch", "delete"):
        send(bob, method, f"/v1/subscriptions/{reported.pk}", {}, status=404)
    assert send(bob, "get", f"/v1/subscriptions?channel={made['id']}")["items"] == []


# The command


def test_the_command_lists_channels_and_sends_a_test(capsys, people):
    channel = ChannelFactory(name="Wiki\nx", owner=people["ada"])
    other = ChannelFactory(state=ChannelState.DISABLED, reason="Gone.\x1b[2J")
    call_command("notify", "test", channel.pk)
    call_command("notify", "list")
    sent, first, second = capsys.readouterr().out.splitlines()
    assert sent.endswith("is waiting for the relay to send it.")
    assert first == f"{channel.pk} webhook 'Wiki\\nx', owned by ada: active; 1 waiting"
    assert second.endswith("owned by the deployment: disabled: Gone.\ufffd[2J; 0 waiting")
    with pytest.raises(CommandError, match="disabled"):
        call_command("notify", "test", other.pk)
    with pytest.raises(CommandError, match="no such channel"):
        call_command("notify", "test", "c_x")
