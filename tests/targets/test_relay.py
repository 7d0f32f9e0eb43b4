"""Feeds a sink: one leader, a position that only acknowledgements move, and dead letters."""

from datetime import timedelta
from functools import partial
from unittest.mock import Mock
from uuid import uuid4

import pytest
from kafka.errors import InvalidRecordError, KafkaTimeoutError, MessageSizeTooLargeError

from foundation.database.clock import database_now
from outbox import cursors
from outbox.kafka import KafkaReader
from outbox.messages import Message
from outbox.models import Cursor, DeadLetter, Event
from outbox.relay import DeliveryError, Feeder, number_events
from tests.factories import CREATED_AT, DeadTargetFactory, TransitionFactory
from tests.threads import run_together

pytestmark = pytest.mark.django_db


class FakeSink(KafkaReader):
    """A Kafka whose broker accepts, rejects or fails by the event's id."""

    def __init__(self):
        super().__init__()
        self.calls: list[list[str]] = []
        self.errors: dict[str, Exception] = {}
        self.down: Exception | None = None
        self.closed = 0
        self.on_send = lambda: None

    def send(self, messages):
        if self.down:
            raise self.down
        self.calls.append([dict(one.headers)["ce_id"].decode() for one in messages])
        self.on_send()
        return [self.errors.get(event_id) for event_id in self.calls[-1]]

    def close(self):
        self.closed += 1

    @property
    def ids(self):
        return [event_id for call in self.calls for event_id in call]


@pytest.fixture
def broker():
    return FakeSink()


@pytest.fixture
def feeder(broker):
    Cursor.objects.create(name="kafka", position=0)
    return Feeder(broker)


def happen(count, **fields):
    """Number `count` more deaths; return the ids of their events in order."""
    rows = [TransitionFactory(**fields) for _ in range(count)]
    while number_events():
        pass
    return [str(row.pk) for row in sorted(rows, key=lambda row: (row.at, row.pk))]


def row():
    return Cursor.objects.get()


def feed_all(feeder):
    while feeder.feed():
        pass


def test_events_are_sent_in_order_and_the_position_follows(feeder, broker):
    ids = happen(5)
    feed_all(feeder)
    assert (broker.ids, row().position) == (ids, 5)
    assert row().last_sent_at is not None

    more = happen(2)
    feed_all(feeder)
    assert (broker.ids, row().position) == (ids + more, 7)


def test_transitions_that_are_not_events_are_skipped(feeder, broker):
    happen(3, to_state="alive")
    feed_all(feeder)
    assert (broker.calls, row().position, row().last_sent_at) == ([], 3, None)


def test_an_event_waits_for_the_one_before_it_of_its_target(feeder, broker):
    target = DeadTargetFactory()
    for number in range(3):
        TransitionFactory(target=target, at=CREATED_AT + timedelta(seconds=number))
    happen(1)
    feed_all(feeder)
    assert [len(call) for call in broker.calls] == [2, 1, 1]


def test_a_failure_keeps_the_position_before_it(feeder, broker):
    ids = happen(4)
    broker.errors[ids[2]] = KafkaTimeoutError("no answer")

    with pytest.raises(DeliveryError, match="no answer"):
        feeder.feed()

    assert row().position == 2
    assert row().last_error == "KafkaTimeoutError: no answer"
    broker.errors.clear()
    feed_all(feeder)
    assert broker.ids == [*ids, *ids[2:]]
    assert (row().position, row().last_error, row().last_error_at) == (4, "", None)


def test_a_sink_that_is_down_moves_nothing(feeder, broker):
    happen(1)
    broker.down = OSError("no route")
    with pytest.raises(DeliveryError, match="OSError: no route"):
        feeder.feed()
    assert (row().position, row().last_error) == (0, "OSError: no route")


def test_a_refused_event_is_set_aside_and_the_others_continue(feeder, broker):
    ids = happen(3)
    broker.errors[ids[1]] = MessageSizeTooLargeError("10 MB")

    feed_all(feeder)

    assert row().position == 3
    letter = DeadLetter.objects.get()
    assert (str(letter.transition_id), letter.sink_id) == (ids[1], "kafka")
    assert "10 MB" in letter.error
    assert broker.calls[1] == [ids[1]], "once more, alone"


def test_an_event_that_is_refused_again_is_set_aside_once(feeder, broker):
    ids = happen(2)
    broker.errors[ids[0]] = MessageSizeTooLargeError("10 MB")
    feed_all(feeder)
    Cursor.objects.update(position=0)  # set back by hand

    feed_all(feeder)

    assert (broker.ids.count(ids[1]), row().position) == (2, 2)
    assert str(DeadLetter.objects.get().transition_id) == ids[0]


def test_an_event_refused_because_of_its_batch_is_not_set_aside(feeder, broker):
    ids = happen(3)
    for event_id in ids:
        broker.errors[event_id] = InvalidRecordError("bad batch")
    broker.on_send = lambda: broker.errors.pop(ids[2], None) if len(broker.calls) == 3 else None

    feed_all(feeder)

    assert {str(letter.transition_id) for letter in DeadLetter.objects.all()} == {ids[0], ids[1]}
    assert row().position == 3


def test_an_event_without_a_message_is_set_aside(feeder, broker):
    broken = happen(1, payload={"failures": 1})
    large = happen(1, payload={"target_id": "t_x", "error": {"message": "x" * 2_000_000}})
    feed_all(feeder)
    assert (broker.calls, row().position) == ([], 2)
    errors = {str(letter.transition_id): letter.error for letter in DeadLetter.objects.all()}
    assert "KeyError" in errors[broken[0]]
    assert "too large" in errors[large[0]]


@pytest.mark.parametrize(
    "payload", [{"target_id": bad} for bad in ("", None, 5, [])] + [[1], "s", {}], ids=str
)
def test_no_payload_blocks_the_sink(feeder, broker, payload):
    (poison,) = happen(1, payload=payload)
    ids = happen(1)
    feed_all(feeder)
    assert (broker.ids, row().position) == (ids, 2)
    assert str(DeadLetter.objects.get().transition_id) == poison

    DeadLetter.objects.update(send_again=True)
    feed_all(feeder)
    assert (broker.ids, DeadLetter.objects.get().send_again) == (ids, False)


def test_a_dead_letter_is_sent_again_only_when_asked(feeder, broker):
    ids = happen(1)
    broker.errors[ids[0]] = MessageSizeTooLargeError("too big")
    feed_all(feeder)
    feed_all(feeder)
    assert broker.ids == ids

    DeadLetter.objects.update(send_again=True)
    feed_all(feeder)
    letter = DeadLetter.objects.get()
    assert (broker.ids, letter.send_again) == (ids * 2, False)

    broker.errors.clear()
    DeadLetter.objects.update(send_again=True)
    feed_all(feeder)
    assert (broker.ids, DeadLetter.objects.count()) == (ids * 3, 0)


def test_a_dead_letter_waits_while_the_sink_fails(feeder, broker):
    transition = Event.objects.get(pk=happen(1)[0])
    feed_all(feeder)
    DeadLetter.objects.create(
        sink=row(), transition=transition, at=CREATED_AT, error="?", send_again=True
    )
    broker.errors[str(transition.pk)] = KafkaTimeoutError("no answer")
    with pytest.raises(DeliveryError):
        feeder.feed()
    assert DeadLetter.objects.get().send_again


def test_a_dead_letter_that_fails_delays_no_new_events(feeder, broker, monkeypatch):
    monkeypatch.setattr("outbox.relay.MAX_LOADED_EVENTS", 2)
    letter = Event.objects.get(pk=happen(1)[0])
    feed_all(feeder)
    DeadLetter.objects.create(
        sink=row(), transition=letter, at=CREATED_AT, error="?", send_again=True
    )
    broker.errors[str(letter.pk)] = KafkaTimeoutError("no answer")
    broker.calls.clear()
    ids = happen(6)

    feed_all(feeder)

    assert broker.calls == [ids[:2], [str(letter.pk)], ids[2:4], ids[4:]]
    assert (row().position, row().last_error) == (7, "")
    assert DeadLetter.objects.get().send_again


def test_events_read_ahead_do_not_overtake_a_failed_one(feeder, broker, monkeypatch):
    monkeypatch.setattr("outbox.relay.MAX_LOADED_EVENTS", 2)
    ids = happen(4)
    for failing in (0, 1):
        broker.errors = {ids[failing]: KafkaTimeoutError("no answer")}
        with pytest.raises(DeliveryError):
            feeder.feed()
        assert row().position == failing
    broker.errors = {}
    feed_all(feeder)
    assert broker.ids == [*ids[:2], *ids[:2], *ids[1:]]
    assert row().position == 4


class Producer:
    """Fails with the first of `errors`, one for each message."""

    def __init__(self, errors):
        self.errors, self.closed = errors, False

    def send(self, topic, **_):
        error = self.errors.pop(0) if self.errors else None
        return Mock(get=Mock(side_effect=error))

    def close(self, timeout):
        self.closed = True


@pytest.mark.parametrize("error", [KafkaTimeoutError("?"), MessageSizeTooLargeError("?")], ids=repr)
def test_after_any_error_the_next_send_uses_a_new_producer(monkeypatch, error):
    made = []

    def connect():
        made.append(Producer([None, None, error] if not made else []))
        return made[-1]

    monkeypatch.setattr("outbox.kafka._connect", connect)
    sink = KafkaReader()
    messages = [Message(b"t_1", b"{}", []), Message(b"t_2", b"{}", [])]
    assert sink.send(messages) == [None, None]
    assert sink.send(messages) == [error, None]
    assert sink.send(messages) == [None, None]
    assert sink.send(messages) == [None, None]
    assert [producer.closed for producer in made] == [True, False]


@pytest.mark.parametrize("answer", [None, MessageSizeTooLargeError("too big")], ids=repr)
def test_an_answer_about_a_dead_letter_ends_an_error(feeder, broker, answer):
    test_a_dead_letter_waits_while_the_sink_fails(feeder, broker)
    assert row().last_error
    feeder._dead_letters_after = 0.0  # as if the pause were over
    broker.errors = dict.fromkeys(broker.errors, answer)
    feed_all(feeder)
    assert (row().last_error, row().last_error_at) == ("", None)
    assert DeadLetter.objects.count() == (answer is not None)


def test_a_refusal_ends_an_error(feeder, broker):
    (event_id,) = happen(1)
    broker.errors[event_id] = KafkaTimeoutError("no answer")
    with pytest.raises(DeliveryError):
        feeder.feed()
    broker.errors[event_id] = MessageSizeTooLargeError("too big")
    feed_all(feeder)
    assert (row().position, row().last_error, row().last_sent_at) == (1, "", None)


def test_a_second_relay_waits_for_the_lease(feeder, broker):
    other = FakeSink()
    second = Feeder(other)
    happen(1)
    feed_all(feeder)
    later = happen(1)
    assert (second.feed(), second.leads) == (False, False)

    Cursor.objects.update(leased_until=database_now() - timedelta(seconds=1))
    feed_all(second)
    assert (second.leads, other.ids, row().position) == (True, later, 2)
    assert (feeder.feed(), feeder.leads) == (False, False)

    second.close()
    happen(1)
    feed_all(feeder)
    assert row().position == 3


@pytest.mark.parametrize("timeout", [2, 10, 60])
def test_a_lease_outlasts_each_send(feeder, broker, settings, timeout):
    settings.KAFKA_TIMEOUT = timedelta(seconds=timeout)
    longest = 3 * settings.KAFKA_TIMEOUT + timedelta(seconds=1)
    left = []

    def use_up():
        now = database_now()
        left.append(row().leased_until - now)
        Cursor.objects.update(leased_until=now + left[-1] - longest)  # as if it had taken that long

    broker.on_send = use_up
    for event_id in happen(3):
        broker.errors[event_id] = InvalidRecordError("bad batch")
    feed_all(feeder)
    happen(1)
    feed_all(feeder)
    assert len(left) == 5
    assert min(left) > longest


def test_a_relay_that_lost_its_lease_sends_no_single_events(feeder, broker):
    for event_id in happen(2):
        broker.errors[event_id] = InvalidRecordError("bad batch")
    broker.on_send = lambda: Cursor.objects.update(
        token=uuid4(), leased_until=database_now() + timedelta(minutes=1)
    )
    assert not feeder.feed()
    assert (len(broker.calls), row().position) == (1, 0)


def test_a_relay_that_lost_its_lease_moves_no_position(feeder, broker):
    happen(2)
    usurper = uuid4()
    broker.on_send = lambda: Cursor.objects.update(token=usurper)

    assert not feeder.feed()

    assert (row().position, row().token, broker.closed) == (0, usurper, 1)


def test_a_relay_without_the_lease_sends_no_dead_letter(feeder, broker):
    ids = happen(1)
    feed_all(feeder)
    DeadLetter.objects.create(
        sink=row(), transition_id=ids[0], at=CREATED_AT, error="?", send_again=True
    )
    other = FakeSink()

    assert not Feeder(other).feed(), "nothing to do until it has the lease"

    assert (other.calls, DeadLetter.objects.count()) == ([], 1)


def test_a_new_sink_starts_at_the_end_or_where_configured(settings):
    happen(3)
    for start, position in (("end", 3), ("start", 0)):
        settings.KAFKA_START = start
        sink = FakeSink()
        sink.name = start
        assert cursors.acquire(sink, uuid4(), now=database_now()).position == position


def test_a_lease_set_by_a_clock_that_was_ahead_has_ended():
    happen(1)
    sink, new, now = FakeSink(), uuid4(), database_now()
    assert cursors.acquire(sink, uuid4(), now=now + timedelta(hours=1))
    assert cursors.acquire(sink, new, now=now).token == new


@pytest.mark.django_db(transaction=True)
def test_one_of_many_relays_that_start_at_once_feeds():
    happen(20)
    Cursor.objects.create(name="kafka", position=0)
    brokers = [FakeSink() for _ in range(4)]
    feeders = [Feeder(broker) for broker in brokers]
    run_together([partial(feed_all, feeder) for feeder in feeders])
    assert sorted(len(broker.ids) for broker in brokers) == [0, 0, 0, 20]
