"""Fan-out: which channels get which events, once each, even after repetitions."""

import json
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import rights
from accounts.roles import Role
from notify import fanout, message_texts, services
from notify.models import Channel, ChannelState, Delivery, DeliveryState, Gathering, Subscription
from notify.reader import NotifyReader
from outbox import cursors
from outbox.models import Cursor, Event
from outbox.relay import Feeder
from tests.conftest import NOW
from tests.notify.conftest import channel, death, put, recovery, subscription

pytestmark = pytest.mark.django_db


def fan_out(after=0, now=NOW):
    rows = Event.objects.numbered().filter(position__gt=after)
    return put(list(rows), after=after, now=now)


def catch_up(until, now=NOW):
    while fanout.catch_up(until=until, now=now):
        pass


def reported(to):
    ids = (
        Delivery.objects.filter(channel=to).order_by("number").values_list("message_id", flat=True)
    )
    return [str(one) for one in ids]


def ids(*events):
    return [str(one.pk) for one in events]


@pytest.fixture
def ada(db):
    user = User.objects.create_user("ada")
    rights.assign(user, Role.MEMBER)
    return user


def test_a_new_deployment_reports_only_later_events():
    death()

    cursors.create_missing([NotifyReader()])

    assert Cursor.objects.get().position == 1


def test_each_matching_event_becomes_one_message_in_order(letterbox):
    hook = channel()
    subscription(hook)
    deaths = [death("a.example"), death("b.example"), death("a.example")]
    recovery(deaths[0])

    assert fan_out()

    assert reported(hook) == ids(*deaths)
    hook.refresh_from_db()
    assert (hook.position, hook.next_attempt_at) == (4, NOW)


def test_a_repeated_event_is_reported_once(letterbox):
    hook = channel()
    subscription(hook)
    death()
    fan_out()
    Delivery.objects.update(state=DeliveryState.DELIVERED)
    fan_out()
    Channel.objects.update(position=0)
    fan_out()
    assert len(reported(hook)) == 1


def test_an_event_that_two_subscriptions_of_a_channel_want_is_reported_once(letterbox):
    hook = channel()
    subscription(hook)
    subscription(hook, host="a.example")
    one = death("a.example")
    fan_out()
    assert reported(hook) == ids(one)


def test_channels_without_matching_events_advance_and_become_idle(letterbox):
    hook = channel()
    subscription(hook, "alive")
    death()
    fan_out()
    hook.refresh_from_db()
    assert (hook.position, hook.next_attempt_at) == (1, None)


def test_events_that_match_nobody_need_few_statements_and_no_read_of_subscriptions(
    letterbox, django_assert_max_num_queries
):
    for _ in range(20):
        subscription(channel())
    rows = [death(to_state="potentially_dead") for _ in range(20)]
    with django_assert_max_num_queries(5):
        assert not put(rows, after=0, now=NOW)
    assert set(Channel.objects.values_list("position", flat=True)) == {20}


def test_messages_to_members_have_their_own_references_and_those_to_operators_all(letterbox, ada):
    hers, ours = channel(owner=ada), channel()
    for one in (hers, ours):
        subscription(one)
    death(references=["hers", "others"], owners=[ada.pk, None])
    fan_out()
    said = {
        one.channel_id: json.loads(one.body)["data"]["reference_ids"]
        for one in Delivery.objects.all()
    }
    assert said == {hers.pk: ["hers"], ours.pk: ["hers", "others"]}


def test_users_who_may_not_sign_in_get_nothing(letterbox, ada):
    hers = channel(owner=ada)
    subscription(hers)
    ada.is_active = False
    ada.save()
    death(references=["hers"], owners=[ada.pk])
    fan_out()
    assert reported(hers) == []


@pytest.mark.parametrize(
    "state", [ChannelState.UNCONFIRMED, ChannelState.PAUSED, ChannelState.DISABLED]
)
def test_a_disabled_channel_keeps_its_position(letterbox, state):
    hook = channel(state=state)
    subscription(hook)
    death()
    fan_out()
    hook.refresh_from_db()
    assert (reported(hook), hook.position) == ([], 0)


def test_a_change_of_a_subscription_applies_from_the_next_event(letterbox):
    hook = channel()
    made = subscription(hook, host="b.example")
    death("a.example")
    fan_out()
    services.change_subscription(made.id, {"host": "a.example"}, now=NOW)
    second = death("a.example")
    fan_out(after=1)
    services.unsubscribe(made.id, now=NOW)
    death("a.example")
    fan_out(after=2)
    assert reported(hook) == ids(second)


def test_a_change_of_the_owners_role_applies_from_the_next_event(letterbox, ada):
    hers = channel(owner=ada)
    subscription(hers, reference_prefix="x:")
    death(references=["x:1"])
    fan_out()
    rights.assign(ada, Role.OPERATOR)
    second = death(references=["x:1"])
    fan_out(after=1)
    rights.assign(ada, Role.MEMBER)
    death(references=["x:1"])
    fan_out(after=2)
    assert reported(hers) == ids(second)


def test_a_message_that_cannot_be_composed_does_not_stop_the_rest(letterbox, monkeypatch):
    hook = channel()
    subscription(hook)
    bad, good = death(), death()
    compose = letterbox.compose

    def fails(channel, content):
        if content.message_id == str(bad.pk):
            raise ValueError("no")
        return compose(channel, content)

    monkeypatch.setattr(letterbox, "compose", fails)
    fan_out()
    assert reported(hook) == ids(bad, good)
    first = Delivery.objects.order_by("number").first()
    assert (first.state, first.error) == (
        DeliveryState.REFUSED,
        "The message could not be composed: ValueError.",
    )


def test_a_channel_that_begins_in_the_past_catches_up_without_repeats_for_others(
    letterbox,
):
    late, early = channel(position=2), channel(position=5)
    for one in (late, early):
        subscription(one)
    deaths = [death() for _ in range(7)]
    put(deaths[5:], after=5, now=NOW)
    assert reported(late) == []
    catch_up(until=7)
    assert reported(late) == ids(*deaths[2:])
    assert reported(early) == ids(*deaths[5:])


def test_one_scan_catches_up_any_number_of_channels(letterbox, monkeypatch):
    """Reading the outbox takes as many statements for twenty channels as for two."""
    monkeypatch.setattr(fanout, "BATCH_SIZE", 4)
    for _ in range(10):
        death()

    def reads():
        with CaptureQueriesContext(connection) as found:
            catch_up(until=10)
        return sum('"targets_transition"."payload"' in one["sql"] for one in found)

    made = [channel(), channel(position=3)]
    for one in made:
        subscription(one)
    few = reads()
    assert all(len(reported(one)) == count for one, count in zip(made, (10, 7), strict=True))
    for number in range(20):
        subscription(channel(position=number % 4))
    assert reads() <= few


def test_a_channel_that_was_moved_concurrently_gets_nothing_twice(letterbox, monkeypatch):
    """Two relays run at once: the second finds that the first moved the channel."""
    hook = channel()
    subscription(hook)
    first, second = death(), death()
    write = fanout.write

    def after_another(batch, *, now):
        monkeypatch.undo()
        put([first], after=0, now=NOW)
        return write(batch, now=now)

    monkeypatch.setattr(fanout, "write", after_another)
    monkeypatch.setattr("notify.delivery_queue.kind_of", lambda name: letterbox)
    fan_out()
    assert reported(hook) == ids(first)
    catch_up(until=2)
    assert reported(hook) == ids(first, second)


def test_many_messages_are_composed_and_written_in_batches(letterbox, monkeypatch):
    monkeypatch.setattr(fanout, "_MAX_PAIRS", 3)
    hooks = [channel() for _ in range(5)]
    for one in hooks:
        subscription(one)
    deaths = [death() for _ in range(4)]
    fan_out()
    assert [reported(one) for one in hooks] == [ids(*deaths)] * 5


def test_events_older_than_three_days_are_counted_and_not_sent(letterbox):
    hook, bystander = channel(), channel()
    subscription(hook)
    subscription(bystander, "alive")
    for days in (9, 5, 4):
        death(at=NOW - timedelta(days=days))
    fresh = death(at=NOW - timedelta(days=2))
    catch_up(until=4)
    first, second = Delivery.objects.order_by("number")
    assert json.loads(first.body)["data"]["skipped"] == 3
    assert second.message_id == fresh.pk
    assert set(Channel.objects.values_list("position", flat=True)) == {4}
    assert reported(bystander) == []


def test_a_long_backlog_is_read_in_pages_without_server_side_cursors(letterbox, monkeypatch):
    """Behind a pooler, Django uses no cursors, so that a statement without a limit loads it all."""
    monkeypatch.setitem(connection.settings_dict, "DISABLE_SERVER_SIDE_CURSORS", True)
    monkeypatch.setattr(fanout, "BATCH_SIZE", 4)
    hook = channel()
    subscription(hook)
    for _ in range(10):
        death(at=NOW - timedelta(days=5))
    with CaptureQueriesContext(connection) as found:
        catch_up(until=10)
    reads = [one["sql"] for one in found if '"targets_transition"."payload"' in one["sql"]]
    assert len(reads) > 2
    assert [sql for sql in reads if "LIMIT" not in sql and "BETWEEN" not in sql] == []
    assert json.loads(Delivery.objects.get().body)["data"]["skipped"] == 10


def test_a_channel_that_is_past_the_old_events_is_not_moved_back_to_them(letterbox):
    far_behind, near = channel(), channel(position=4)
    for one in (far_behind, near):
        subscription(one)
    for days in (9, 5, 4):
        death(at=NOW - timedelta(days=days))
    death(at=NOW - timedelta(days=2))
    last = death(at=NOW - timedelta(days=1))
    fanout.catch_up(until=5, now=NOW)  # counts the old events
    assert dict(Channel.objects.values_list("pk", "position")) == {far_behind.pk: 3, near.pk: 4}
    catch_up(until=5)
    assert reported(near) == ids(last)
    assert Delivery.objects.filter(channel=far_behind).count() == 3  # the count, and two deaths


def test_an_invalid_old_event_delays_no_channel(letterbox):
    hook = channel()
    subscription(hook, reference_prefix="r")
    broken, _old = (death(references=["r1"], at=NOW - timedelta(days=5)) for _ in range(2))
    Event.objects.filter(pk=broken.pk).update(payload={"reference_ids": ["r"], "owners": [1, 2]})
    fresh = death(references=["r2"])
    catch_up(until=3)
    skipped, delivery = Delivery.objects.order_by("number")
    assert json.loads(skipped.body)["data"]["skipped"] == 1
    assert delivery.message_id == fresh.pk


def test_an_invalid_event_delays_no_other(letterbox, monkeypatch):
    """An event without a text gets a delivery with that error, and delays no other event."""
    hook = channel()
    subscription(hook)
    broken = death()
    Event.objects.filter(pk=broken.pk).update(payload={"reference_ids": ["a"], "owners": []})
    unknown = death()
    Event.objects.filter(pk=unknown.pk).update(kind="of_tomorrow")
    wordless, well = death(), death()
    said = message_texts.event_content

    def content(row, by, **more):
        if row.pk == wordless.pk:
            raise ValueError("no words")
        return said(row, by)

    monkeypatch.setattr(message_texts, "event_content", content)
    assert fan_out()
    assert reported(hook) == ids(broken, wordless, well)
    refused = Delivery.objects.filter(state=DeliveryState.REFUSED)
    assert {one.message_id for one in refused} == {broken.pk, wordless.pk}


def test_a_briefly_paused_channel_loses_no_event_of_a_batch(letterbox, monkeypatch):
    monkeypatch.setattr(fanout, "_MAX_PAIRS", 1)  # each event is written separately
    hook = channel()
    subscription(hook)
    deaths = [death(), death()]
    write, states = fanout.write, iter(["disabled", "active"])

    def meanwhile(*args, **kwargs):
        Channel.objects.update(state=next(states, "active"))
        return write(*args, **kwargs)

    monkeypatch.setattr(fanout, "write", meanwhile)
    fan_out()
    Channel.objects.update(state="active")
    catch_up(until=2)
    assert reported(hook) == ids(*deaths)


def test_a_subscription_deleted_during_composition_gets_no_digest(letterbox, monkeypatch):
    hook = channel()
    gone, kept = subscription(hook, grouped=True), subscription(hook, grouped=True)
    death()
    write = fanout.write

    def meanwhile(*args, **kwargs):
        Subscription.objects.filter(pk=gone.pk).delete()
        return write(*args, **kwargs)

    monkeypatch.setattr(fanout, "write", meanwhile)
    assert fan_out()
    assert Gathering.objects.get().subscription == kept


@pytest.mark.parametrize("catches_up", [False, True])
def test_events_with_many_references_are_read_in_small_batches(letterbox, monkeypatch, catches_up):
    monkeypatch.setattr("outbox.models.MAX_PAYLOAD_CHARACTERS", 10_000)
    hook = channel()
    subscription(hook)
    many, few = [f"wiki:{number}" for number in range(400)], ["x:1"]
    deaths = [death(references=some) for some in (few, few, many, many, few, many * 10, few)]
    read, compose = [], fanout.compose

    def counted(events, **kwargs):
        read.append(len(events))
        return compose(events, **kwargs)

    monkeypatch.setattr(fanout, "compose", counted)
    if catches_up:
        catch_up(until=7)
    else:
        Cursor.objects.create(name="notify", position=0, sees_all=True)
        feeder = Feeder(NotifyReader())
        while feeder.feed():
            pass
    assert read == [3, 2, 1, 1]
    assert reported(hook) == ids(*deaths)
    assert set(Channel.objects.values_list("position", flat=True)) == {7}
