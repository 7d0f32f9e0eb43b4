"""Digests: which events are sent immediately, wait or cancel out, and when a digest is sent."""

import json
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from notify import digest_queue, message_texts
from notify.digest_queue import next_time_at
from notify.models import Channel, Delivery, DeliveryState, GatheredEvent, Gathering, When
from outbox.event_kinds import EventKind
from outbox.models import Event
from tests.conftest import NOW
from tests.notify.conftest import channel, death, fact, recovery, subscription
from tests.notify.test_fan_out import fan_out

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


@pytest.fixture(autouse=True)
def _times(settings):
    settings.NOTIFY_QUIET, settings.NOTIFY_LONGEST = 10 * MINUTE, 60 * MINUTE


@pytest.fixture
def grouped(letterbox):
    return subscription(channel(), "dead", "alive", grouped=True)


def messages():
    """Return the events of each message: one id, or those of a digest."""
    found = []
    for one in Delivery.objects.order_by("number"):
        digest = json.loads(one.body)["data"].get("event_ids")
        found.append(digest or str(one.message_id))
    return found


def ids(*events):
    return [str(one.pk) for one in events]


def test_a_hosts_first_event_is_sent_at_once_and_the_others_in_one_message(grouped):
    deaths = [death("a.example") for _ in range(100)]

    fan_out()
    assert messages() == ids(deaths[0])
    assert digest_queue.close_due(now=NOW + 9 * MINUTE) == 0
    assert digest_queue.close_due(now=NOW + 10 * MINUTE) == 1

    assert messages() == [str(deaths[0].pk), ids(*deaths[1:])]
    assert not Gathering.objects.exists()
    assert not GatheredEvent.objects.exists()
    assert digest_queue.close_due(now=NOW + 60 * MINUTE) == 0


def test_each_host_has_its_own_first_message(grouped):
    deaths = [death(host) for host in ("a.example", "b.example", "a.example")]
    fan_out()
    assert messages() == ids(deaths[0], deaths[1])


def test_a_message_that_cannot_be_composed_delays_no_other(grouped, monkeypatch):
    for host in ("a.example", "a.example", "b.example", "b.example"):
        death(host)
    fan_out()
    said = message_texts.digest_content

    def content(rows, **more):
        if "a.example" in rows[0].payload["url"]:
            raise ValueError("no words")
        return said(rows, **more)

    monkeypatch.setattr(message_texts, "digest_content", content)
    assert digest_queue.close_due(now=NOW + 10 * MINUTE) == 2
    digests = Delivery.objects.order_by("number")[2:]
    assert {one.state for one in digests} == {DeliveryState.REFUSED, DeliveryState.WAITING}
    assert not Gathering.objects.exists()


def test_digests_that_cannot_be_sent_are_retried_last(grouped, monkeypatch):
    for host in ("a.example", "a.example", "b.example", "b.example"):
        death(host)
    fan_out()
    broken = Gathering.objects.get(host="a.example")
    close = digest_queue._close

    def fail_once(one, **more):
        if one.pk == broken.pk:
            raise ValueError("broken")
        close(one, **more)

    monkeypatch.setattr(digest_queue, "_BATCH_SIZE", 1)
    monkeypatch.setattr(digest_queue, "_close", fail_once)
    now = NOW + 10 * MINUTE
    assert [digest_queue.close_due(now=now) for _ in range(3)] == [0, 1, 0]
    assert Gathering.objects.get() == broken

    monkeypatch.setattr(digest_queue, "_close", close)
    assert digest_queue.close_due(now=now + MINUTE) == 1


def test_each_further_event_prolongs_the_wait_up_to_the_longest(grouped):
    deaths = [death("a.example")]
    fan_out()
    for number in range(1, 8):
        deaths.append(death("a.example"))
        fan_out(after=number, now=NOW + 9 * number * MINUTE)
        assert digest_queue.close_due(now=NOW + min(9 * number + 9, 59) * MINUTE) == 0
    assert digest_queue.close_due(now=NOW + 60 * MINUTE) == 1
    assert messages()[1] == ids(*deaths[1:])


def test_a_host_with_only_one_death_gets_no_closing_message(grouped):
    one = death("a.example")
    fan_out()
    assert digest_queue.close_due(now=NOW + 10 * MINUTE) == 1
    assert messages() == ids(one)


def test_after_the_closing_message_the_next_event_is_sent_at_once(grouped):
    death("a.example")
    fan_out()
    digest_queue.close_due(now=NOW + 10 * MINUTE)
    second = death("a.example")
    fan_out(after=1, now=NOW + 11 * MINUTE)
    assert messages()[-1] == str(second.pk)


def test_pages_that_died_and_recovered_meanwhile_are_not_reported(grouped):
    first, short, stays = (death("a.example") for _ in range(3))
    recovery(short)
    back = recovery(first)
    fan_out()
    digest_queue.close_due(now=NOW + 10 * MINUTE)
    assert messages() == [str(first.pk), ids(stays, back)]


def test_a_subscription_to_deaths_skips_pages_that_recovered(letterbox):
    subscription(channel(), "dead", grouped=True)
    _first, short, stays = (death("a.example") for _ in range(3))
    recovery(short)
    fan_out()
    digest_queue.close_due(now=NOW + 10 * MINUTE)
    assert messages()[1:] == [ids(stays)]


def test_if_all_events_cancel_out_nothing_is_sent(grouped):
    first = death("a.example")
    recovery(first)
    death("a.example", target=first.target)
    fan_out()
    digest_queue.close_due(now=NOW + 10 * MINUTE)
    assert messages() == ids(first)
    assert not Gathering.objects.exists()


def test_flags_cancel_out_by_name_and_attention_too(letterbox):
    subscription(channel(), "flags", "attention", when=When.HOURLY)
    target = death("a.example", kind=EventKind.FLAG_RAISED).target
    rows = [
        (EventKind.FLAG_RAISED, "login"),
        (EventKind.FLAG_RAISED, "parked"),
        (EventKind.FLAG_CLEARED, "login"),
        (EventKind.ATTENTION_NEEDED, None),
        (EventKind.ATTENTION_ENDED, None),
    ]
    made = []
    for kind, flag in rows:
        made.append(death("a.example", kind=kind, target=target, from_state="", to_state=""))
        made[-1].payload["flag"] = flag
        made[-1].save()
    fan_out(after=1)
    Channel.objects.update(position=1)
    fan_out(after=1)
    digest_queue.close_due(now=NOW + 60 * MINUTE)
    assert messages() == [ids(made[1])]


def test_a_copy_and_moved_references_of_a_page_do_not_cancel_out():
    kinds = [EventKind.ARCHIVED, EventKind.REPAIRED]
    rows = [Event(kind=kind, payload={"target_id": "t_1"}) for kind in kinds]
    assert digest_queue.without_cancelled(rows) == rows


def test_events_of_the_deployment_are_sent_at_once_and_separately(letterbox):
    subscription(channel(), "disk", grouped=True)
    facts = [fact(name="data", detail="It is nearly full.") for _ in range(2)]
    fan_out()
    assert messages() == ids(*facts)


def test_ending_links_share_a_digest_regardless_of_their_hosts(letterbox):
    subscription(channel(), "links", grouped=True)
    said = {"key": "a", "ends_at": "2026-03-02T00:00:00Z", "owner": None}
    ends = [
        fact(EventKind.LINK_ENDING, destination=f"http://{host}/", **said)
        for host in ("a.example", "b.example")
    ]
    fan_out()
    assert messages() == ids(ends[0])


def test_a_daily_digest_has_all_hosts_and_is_sent_at_its_hour(letterbox):
    subscription(channel(), when=When.HOURLY)
    deaths = [death("a.example"), death("b.example")]
    fan_out(now=NOW + 25 * MINUTE)
    assert not messages()
    assert digest_queue.close_due(now=NOW + 59 * MINUTE) == 0
    assert digest_queue.close_due(now=NOW + 60 * MINUTE) == 1
    assert messages() == [ids(*deaths)]


def test_an_event_that_arrives_while_a_digest_closes_is_in_the_next_one(grouped, monkeypatch):
    deaths = [death("a.example"), death("a.example")]
    fan_out()
    digest_content = message_texts.digest_content

    def add_a_death_meanwhile(*args, **kwargs):
        monkeypatch.undo()
        deaths.append(death("a.example"))
        fan_out(after=2, now=NOW + 10 * MINUTE)
        return digest_content(*args, **kwargs)

    monkeypatch.setattr(message_texts, "digest_content", add_a_death_meanwhile)
    digest_queue.close_due(now=NOW + 10 * MINUTE)
    digest_queue.close_due(now=NOW + 20 * MINUTE)
    reported = [
        one
        for message in messages()
        for one in ([message] if isinstance(message, str) else message)
    ]
    assert reported == ids(*deaths)


def at(text, zone="UTC"):
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


@pytest.mark.parametrize(
    ("hour", "zone", "after", "expected"),
    [
        (8, "", "2026-03-01T07:59", "2026-03-01T08:00"),
        (8, "", "2026-03-01T08:00", "2026-03-02T08:00"),
        (8, "Asia/Tokyo", "2026-02-28T23:30", "2026-03-01T23:00"),
        # In Berlin, 2026-03-29 has no 02:00 to 03:00, so the message is sent at 03:00 there.
        (2, "Europe/Berlin", "2026-03-28T12:00", "2026-03-29T01:00"),
        (2, "Europe/Berlin", "2026-03-29T01:00", "2026-03-30T00:00"),
        # In Berlin, 2026-10-25 has 02:00 to 03:00 twice; the first one counts.
        (2, "Europe/Berlin", "2026-10-24T12:00", "2026-10-25T00:00"),
        (2, "Europe/Berlin", "2026-10-25T00:00", "2026-10-26T01:00"),
        (2, "Europe/Berlin", "2026-10-25T00:30", "2026-10-26T01:00"),
    ],
)
def test_a_daily_digest_is_sent_once_a_day_even_when_clocks_change(hour, zone, after, expected):
    assert next_time_at(hour, zone, after=at(after)) == at(expected)


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe"])
@pytest.mark.parametrize("hour", range(5))
def test_a_year_of_daily_digests_has_one_on_each_day(zone, hour):
    moment = at("2026-01-01T12:00", zone)
    days = []
    for _ in range(366):
        moment = next_time_at(hour, zone, after=moment)
        days.append(moment.astimezone(ZoneInfo(zone)).date())
    assert len(set(days)) == 366


def test_a_digests_subject_is_correct_for_any_listed_event(letterbox):
    """Only complete rows have the times and the number of checks."""
    subscription(channel(), "dead", "network", when=When.HOURLY)
    for _ in range(message_texts.MAX_LINES + 1):
        death("a.example")
    fact(
        EventKind.NETWORK_BACK,
        since="2026-03-01T12:01:00Z",
        until="2026-03-01T12:31:00Z",
        set_aside=12,
    )
    fan_out()
    digest_queue.close_due(now=NOW + 60 * MINUTE)
    assert Delivery.objects.get().subject == (
        "11 dead links on a.example; Linkwatch is online again after 30 minutes "
        "(2026-03-01 12:01 to 12:31 UTC)"
    )


def test_a_digest_of_many_events_does_not_read_all_payloads(grouped):
    """Complete rows are read only for the events that the digest lists."""
    references = [f"r{number}" for number in range(2000)]
    deaths = [death("a.example", references=references) for _ in range(30)]
    fan_out()
    with CaptureQueriesContext(connection) as found:
        digest_queue.close_due(now=NOW + 10 * MINUTE)
    column = '"targets_transition"."at", "targets_transition"."payload"'
    whole = [one["sql"] for one in found if column in one["sql"]]
    assert len(whole) == 1
    assert sum(one.pk.hex in whole[0].replace("-", "") for one in deaths) == message_texts.MAX_LINES
    (digest,) = messages()[1:]
    assert digest == ids(*deaths[1:])
