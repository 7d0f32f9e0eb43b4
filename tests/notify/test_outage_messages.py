"""Outages of Linkwatch's own network are reported after a while, then their end, in one thread."""

import json
from datetime import timedelta
from email import message_from_string, policy

import pytest

from foundation.times import rfc3339
from notify import delivery_queue, digest_queue, fanout
from notify.models import Delivery, DeliveryState, Gathering, When
from outbox.event_kinds import EventKind
from outbox.models import Event
from tests.conftest import NOW
from tests.notify.conftest import channel, death, fact, subscription
from tests.notify.test_fan_out import fan_out

pytestmark = pytest.mark.django_db
SECOND = timedelta(seconds=1)


@pytest.fixture(autouse=True)
def _times(settings):
    settings.NOTIFY_OUTAGE_AFTER = 60 * SECOND
    settings.BASE_URL = "https://watch.example"


@pytest.fixture
def hook(letterbox):
    found = channel()
    subscription(found, "network", grouped=True)
    return found


def begin(at=NOW):
    data = {"since": rfc3339(at), "until": None, "reason": "dns", "set_aside": 0}
    row = fact(EventKind.NETWORK_DOWN, at=at, **data)
    fan_out(after=row.position - 1, now=at)
    return row


def end(begun, *, after):
    at = begun.at + after
    data = begun.payload | {"until": rfc3339(at), "set_aside": 7}
    row = fact(EventKind.NETWORK_BACK, at=at, **data)
    fan_out(after=row.position - 1, now=at)
    return row


def close(at):
    while digest_queue.close_due(now=at):
        pass


def messages(state=None):
    rows = Delivery.objects.order_by("number")
    return [one.message_id for one in (rows.filter(state=state) if state else rows)]


@pytest.mark.parametrize("grouped", [True, False])
def test_an_outage_is_reported_after_a_minute_and_then_its_end(letterbox, grouped):
    subscription(channel(), "network", grouped=grouped)
    begun = begin()
    close(NOW + 59 * SECOND)
    assert messages() == []

    close(NOW + 60 * SECOND)
    assert messages() == [begun.pk]
    Delivery.objects.update(state=DeliveryState.DELIVERED)

    ended = end(begun, after=300 * SECOND)
    close(NOW + 400 * SECOND)
    assert messages() == [begun.pk, ended.pk]
    assert not Gathering.objects.exists()
    assert [one.subject for one in Delivery.objects.order_by("number")] == [
        "Linkwatch has been offline since 2026-03-01 12:00 UTC",
        "Linkwatch is online again after 5 minutes (2026-03-01 12:00 to 12:05 UTC)",
    ]


def test_a_short_outage_is_not_reported(hook):
    begun = begin()
    end(begun, after=59 * SECOND)
    close(NOW + 90 * SECOND)
    assert messages() == []
    assert not Gathering.objects.exists()


def test_one_message_has_both_times_if_the_first_was_not_sent(hook):
    begun = begin()
    close(NOW + 60 * SECOND)
    ended = end(begun, after=300 * SECOND)
    assert messages(DeliveryState.WAITING) == [ended.pk]
    assert messages(DeliveryState.SKIPPED) == [begun.pk]


def test_one_message_has_both_times_if_no_relay_ran_meanwhile(hook):
    begun = begin()
    ended = end(begun, after=300 * SECOND)
    close(NOW + 400 * SECOND)
    assert messages() == [ended.pk]


def test_an_end_is_reported_to_all_who_got_the_report_of_the_start(hook):
    """The end may be found before the message is made, and recorded after it."""
    begun = begin()
    close(NOW + 60 * SECOND)
    Delivery.objects.update(state=DeliveryState.DELIVERED)
    ended = end(begun, after=59 * SECOND)
    assert messages() == [begun.pk, ended.pk]


def test_a_start_is_not_reported_after_an_end_that_arrived_while_it_was_composed(hook, monkeypatch):
    begun = begin()
    compose = delivery_queue.compose_delivery

    def slow(*values, **more):
        made = compose(*values, **more)
        monkeypatch.setattr(delivery_queue, "compose_delivery", compose)
        end(begun, after=59 * SECOND)
        return made

    monkeypatch.setattr(delivery_queue, "compose_delivery", slow)
    close(NOW + 60 * SECOND)
    assert messages() == []


def test_an_event_is_sent_once_despite_two_matching_subscriptions(hook):
    subscription(hook, "network", "dead")
    begun = begin()
    close(NOW + 60 * SECOND)
    assert messages() == [begun.pk]


def test_a_second_outage_has_its_own_minute(hook):
    first = begin()
    second_at = NOW + 20 * SECOND
    end(first, after=5 * SECOND)
    second = begin(second_at)
    close(NOW + 79 * SECOND)
    assert messages() == []
    close(NOW + 80 * SECOND)
    assert messages() == [second.pk]


def test_an_end_and_a_new_start_in_one_batch_reach_channels(hook):
    first = begin()
    later = NOW + 30 * SECOND
    fact(EventKind.NETWORK_BACK, at=later, **(first.payload | {"until": rfc3339(later)}))
    second = fact(EventKind.NETWORK_DOWN, at=later, **(first.payload | {"since": rfc3339(later)}))
    fan_out(after=first.position, now=later)
    close(NOW + 90 * SECOND)
    assert messages() == [second.pk]


def test_a_digest_has_an_outage_once_and_no_short_one(letterbox):
    subscription(channel(), "network", "dead", when=When.HOURLY)
    short = begin()
    end(short, after=5 * SECOND)
    long = begin(NOW + 100 * SECOND)
    ended = end(long, after=300 * SECOND)
    died = death()
    fan_out(after=died.position - 1)
    close(NOW + timedelta(hours=1))
    (digest,) = Delivery.objects.all()
    assert json.loads(digest.body)["data"]["event_ids"] == [str(ended.pk), str(died.pk)]


def test_a_channel_that_was_paused_meanwhile_gets_one_message(hook):
    hook.state = "paused"
    hook.save()
    begun = begin()
    ended = end(begun, after=300 * SECOND)
    hook.state = "active"
    hook.save()
    while fanout.catch_up(until=Event.objects.newest_position(), now=NOW + 400 * SECOND):
        pass
    close(NOW + 400 * SECOND)
    assert messages() == [ended.pk]


def test_mails_about_an_outage_are_one_thread():
    mail = channel(kind="mail", settings={"address": "ada@example.org"})
    subscription(mail, "network")
    begun = begin()
    close(NOW + 60 * SECOND)
    Delivery.objects.update(state=DeliveryState.DELIVERED)
    end(begun, after=300 * SECOND)
    first, last = (
        message_from_string(one.body, policy=policy.default)
        for one in Delivery.objects.order_by("number")
    )
    assert first["Message-ID"] == f"<{begun.pk}@watch.example>"
    assert (last["In-Reply-To"], last["References"]) == (first["Message-ID"],) * 2
    assert first["References"] is None


def test_the_setting_determines_the_events_and_may_be_empty(hook, settings):
    settings.NOTIFY_OUTAGE_AFTER = timedelta(0)
    begun = begin()
    close(NOW)
    assert messages() == [begun.pk]
