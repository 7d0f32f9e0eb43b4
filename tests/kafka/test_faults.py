"""After any fault, every committed event arrives, in the order of its target."""

import os
import signal
import threading
from functools import partial

import pytest

from outbox.models import DeadLetter, Event
from tests.acceptance.processes import until
from tests.factories import DeadTargetFactory, TransitionFactory
from tests.kafka.judging import (
    Reader,
    headers_of,
    id_of,
    judge,
    make_and_roll_back,
    make_events,
    make_targets,
)
from tests.kafka.relays import (
    HASTY,
    dying_relay,
    failed_sends,
    position,
    relay,
    run_once,
    shorten_lease,
    sink,
)
from tests.threads import run_together

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.any_database
def test_a_relay_without_a_broker_numbers_events_and_sends_them_later(real_broker, tmp_path):
    topic = real_broker.make_topic()
    real_broker.stop()
    targets = make_targets(100)
    committed = make_events(targets, rounds=2)

    with relay(real_broker, topic, tmp_path, **HASTY):
        until(lambda: Event.objects.unnumbered().count() == 0)  # the feed continues without Kafka
        until(lambda: sink() and sink().last_error)
        assert (sink().position, sink().last_sent_at) == (0, None)
        real_broker.start()
        with Reader(real_broker.address, topic) as reader:
            messages = reader.read_ids(committed)
            until(lambda: position() == len(committed))

    found = judge("broker absent at start", messages, committed=committed)
    assert found.is_sound
    assert found.duplicated <= failed_sends(tmp_path) * len(targets)
    assert sink().last_error == ""


@pytest.mark.any_database
def test_a_broker_killed_during_5000_events_loses_none(real_broker, tmp_path):
    topic = real_broker.make_topic()
    targets = make_targets(1000)
    committed = make_events(targets, rounds=5)

    with relay(real_broker, topic, tmp_path, **HASTY) as process:
        until(position)
        process.send_signal(signal.SIGSTOP)  # without the stop, it may finish before the kill
        real_broker.stop(signal.SIGKILL)
        process.send_signal(signal.SIGCONT)
        if position() == len(committed):  # the relay had already finished
            committed += make_events(targets, rounds=1, start=5)
        until(lambda: sink().last_error)
        real_broker.start()
        with Reader(real_broker.address, topic) as reader:
            messages = reader.read_ids(committed)
            until(lambda: position() == len(committed))
            messages = reader.read_to_end()

    found = judge("broker killed -9 amid 5,000", messages, committed=committed)
    assert found.is_sound
    assert found.duplicated <= failed_sends(tmp_path) * len(targets)


@pytest.mark.parametrize(
    "point",
    ["before", "between", "within"],
    ids=["before the send", "between send and mark", "in a batch"],
)
def test_a_killed_relay_loses_none_and_repeats_unacknowledged_events(broker, tmp_path, point):
    topic = broker.make_topic()
    targets = make_targets(300)
    committed = make_events(targets, rounds=2)
    make_and_roll_back(targets[0])

    assert dying_relay(point, broker, topic, tmp_path) == -signal.SIGKILL
    assert position() == 0
    shorten_lease()
    make_and_roll_back(targets[1])
    committed += make_events(targets[:50], rounds=1, start=2)
    assert run_once(broker, topic, tmp_path) == (0, "")  # when the killed relay's lease has ended

    with Reader(broker.address, topic) as reader:
        found = judge(f"relay killed -9: {point}", reader.read_to_end(), committed=committed)
    assert found.is_sound
    if point == "before":
        assert found.duplicated == 0
    elif point == "between":
        assert found.duplicated == len(targets), "each of the first window, with its id"
    else:
        assert found.duplicated <= len(targets)


def test_one_of_two_relays_feeds_until_it_is_killed(broker, tmp_path):
    topic = broker.make_topic()
    targets = make_targets(400)
    committed: list[str] = []

    def write(part):
        for number in range(3):
            committed.extend(make_events(part, rounds=1, start=number))
            make_and_roll_back(part[0])

    with (
        relay(broker, topic, tmp_path, name="one") as one,
        relay(broker, topic, tmp_path, name="two") as two,
        Reader(broker.address, topic) as reader,
    ):
        run_together([partial(write, targets[n::4]) for n in range(4)])
        messages = reader.read_ids(committed)
        until(lambda: position() == len(committed))
        both = judge("two relays at once", messages, committed=committed)
        assert both.is_sound
        assert both.duplicated == 0

        before = sink().token
        logs = {"one": one, "two": two}
        (leader,) = [
            process
            for name, process in logs.items()
            if "feeds kafka" in (tmp_path / f"{name}.log").read_text()
        ]
        os.killpg(leader.pid, signal.SIGKILL)
        leader.wait()
        shorten_lease()
        committed += make_events(targets, rounds=2, start=3)
        messages = reader.read_ids(committed)
        until(lambda: position() == len(committed))
        assert sink().token != before
        after = judge("the leading relay killed -9", messages, committed=committed)
    assert after.is_sound
    assert after.duplicated <= len(targets)


@pytest.mark.any_database
def test_the_producer_waits_for_a_missing_topic(real_broker, tmp_path):
    topic = "not-made-yet"
    committed = make_events(make_targets(20), rounds=1)

    with relay(real_broker, topic, tmp_path, **HASTY):
        until(lambda: sink() and "not-made-yet" in sink().last_error)
        assert position() == 0
        assert not DeadLetter.objects.exists()
        real_broker.make_topic(topic)
        with Reader(real_broker.address, topic) as reader:
            messages = reader.read_ids(committed)

    found = judge("topic missing", messages, committed=committed)
    assert found.is_sound
    assert found.duplicated <= failed_sends(tmp_path) * 20


@pytest.mark.any_database
def test_a_message_too_large_is_set_aside_and_sent_again_when_asked(
    real_broker, tmp_path, client, operator
):
    topic = real_broker.make_topic(**{"max.message.bytes": "3000"})
    targets = make_targets(50)
    committed = make_events(targets, rounds=1)
    large = DeadTargetFactory()
    payload = {
        "target_id": large.id,
        "url": large.url,
        "failures": 0,
        "reference_ids": [f"object {n}" for n in range(500)],
    }
    set_aside = str(TransitionFactory(target=large, payload=payload).id)
    committed += make_events([*targets, large], rounds=1, start=1)
    client.force_login(operator)

    with relay(real_broker, topic, tmp_path), Reader(real_broker.address, topic) as reader:
        messages = reader.read_ids(committed)
        until(lambda: position() == len(committed) + 1)
        found = judge("message too large (others)", messages, committed=committed)
        letter = DeadLetter.objects.get()
        assert (str(letter.transition_id), letter.send_again) == (set_aside, False)
        assert "MessageSizeTooLarge" in letter.error

        real_broker.change_topic(topic, "max.message.bytes", "1000000")
        page = "/admin/outbox/deadletter/"
        assert b"MessageSizeTooLarge" in client.get(page).content
        again = {"action": "send_again_soon", "_selected_action": [letter.pk], "confirmed": "yes"}
        client.post(page, again)
        messages = reader.read_ids([set_aside])
        until(lambda: not DeadLetter.objects.exists())

    assert found.is_sound
    assert found.duplicated == 0
    assert len([message for message in messages if id_of(message) == set_aside]) == 1


def test_a_consumer_group_sees_the_order_of_each_target(broker, tmp_path):
    topic = broker.make_topic()
    targets = make_targets(60)
    committed: list[str] = []
    done = threading.Event()

    def write(part):
        for number in range(8):
            committed.extend(make_events(part, rounds=1, start=number))

    def read_along(reader):
        while not done.is_set():
            reader.read()
        return reader.messages

    with (
        relay(broker, topic, tmp_path),
        Reader(broker.address, topic, group="along") as first,
        Reader(broker.address, topic, group="along") as second,
        Reader(broker.address, topic) as whole,
    ):

        def write_all():
            try:
                run_together([partial(write, targets[n::4]) for n in range(4)])
                whole.read_ids(committed)
                until(
                    lambda: (
                        {id_of(one) for one in first.messages + second.messages} >= set(committed)
                    )
                )
            finally:
                done.set()

        *_, mine, others = run_together(
            [write_all, lambda: read_along(first), lambda: read_along(second)]
        )
    found = judge("a consumer group reading along", mine + others, committed=committed)
    assert found.is_sound
    assert all(headers_of(one)["ce_type"] == b"linkwatch.target.dead" for one in mine + others)


@pytest.mark.any_database
def test_a_broker_that_wants_a_password_over_tls_gets_it(real_broker, tmp_path):
    topic = real_broker.make_topic()
    committed = make_events(make_targets(3), rounds=1)
    secret = tmp_path / "password"
    secure = {
        "KAFKA_BOOTSTRAP_SERVERS": real_broker.secure_address,
        "KAFKA_SECURITY_PROTOCOL": "SASL_SSL",
        "KAFKA_SASL_MECHANISM": "PLAIN",
        "KAFKA_USERNAME": "linkwatch",
        "KAFKA_PASSWORD_FILE": str(secret),
        "KAFKA_CA_FILE": str(real_broker.ca_file),
    }

    def refused():
        """Whether the broker also gave a reason before it closed the connection."""
        status, said = run_once(real_broker, topic, tmp_path, **secure, **HASTY)
        assert (status, position()) == (1, 0)
        assert said.startswith("kafka: KafkaTimeoutError: no connection to the brokers ("), said
        assert "wrong" not in said
        return "SaslAuthenticationFailedError" in said

    secret.write_text("wrong")
    until(refused)

    secret.write_text("correct horse\n")
    assert run_once(real_broker, topic, tmp_path, **secure) == (0, "")
    with Reader(real_broker.address, topic) as reader:
        assert judge("SASL over TLS", reader.read_to_end(), committed=committed).is_sound
