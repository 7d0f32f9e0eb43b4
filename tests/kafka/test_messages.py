"""Events as another library's consumer reads them: CloudEvents in Kafka's binary mode."""

import json
from typing import Any

import pytest
from cloudevents.core.bindings.kafka import KafkaMessage, from_binary_event
from django.conf import settings

from outbox.relay import number_events
from tests.factories import ReferenceFactory, TargetFactory
from tests.kafka.judging import Reader, headers_of, make_events, make_targets
from tests.kafka.relays import HASTY, position, run_once
from tests.targets.test_events import ERROR, kill

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.any_database,
]


def test_a_death_arrives_as_a_cloud_event_in_binary_mode(broker, tmp_path, api):
    topic = broker.make_topic()
    target = TargetFactory(recheck_threshold=1)
    ReferenceFactory(target=target, object_id="größe 1")
    kill(target)

    assert run_once(broker, topic, tmp_path) == (0, "")

    with Reader(broker.address, topic) as reader:
        (message,) = reader.read_to_end()
    (shown,) = api.get("/v1/events").json()["items"]
    assert message.key().decode() == target.id
    assert headers_of(message) == {
        "ce_specversion": b"1.0",
        "ce_id": shown["id"].encode(),
        "ce_source": settings.BASE_URL.encode(),
        "ce_type": b"linkwatch.target.dead",
        "ce_subject": target.id.encode(),
        "ce_time": b"2026-03-01T12:00:00Z",
        "content-type": b"application/json",
    }
    event = from_binary_event(KafkaMessage(headers_of(message), message.key(), message.value()))
    data: Any = event.get_data()
    assert data == shown["data"]
    assert data["reference_ids"] == ["größe 1"]
    assert data["error"] == ERROR


def test_an_event_with_many_references_arrives_in_parts(broker, tmp_path):
    topic = broker.make_topic()
    target = TargetFactory(recheck_threshold=1)
    ids = [f"object-{n}" for n in range(2500)]
    for object_id in ids:
        ReferenceFactory.build(target=target, object_id=object_id)
    target.references.bulk_create(
        ReferenceFactory.build(target=target, object_id=object_id) for object_id in ids
    )
    kill(target)

    assert run_once(broker, topic, tmp_path) == (0, "")

    with Reader(broker.address, topic) as reader:
        messages = reader.read_to_end()
    parts = [(headers_of(one)["ce_part"], headers_of(one)["ce_parts"]) for one in messages]
    assert parts == [(b"1", b"3"), (b"2", b"3"), (b"3", b"3")]
    found = [json.loads(one.value())["reference_ids"] for one in messages]
    assert [len(chunk) for chunk in found] == [1000, 1000, 500]
    assert [object_id for chunk in found for object_id in chunk] == ids
    assert len({headers_of(one)["ce_id"] for one in messages}) == 3


def test_a_new_sink_starts_at_the_end_by_default(broker, tmp_path):
    topic = broker.make_topic()
    targets = make_targets(2)
    make_events(targets, rounds=1)
    number_events()

    assert run_once(broker, topic, tmp_path, KAFKA_START="end") == (0, "")
    assert position() == 2
    later = make_events(targets, rounds=1, start=1)
    assert run_once(broker, topic, tmp_path, KAFKA_START="end") == (0, "")

    with Reader(broker.address, topic) as reader:
        found = [headers_of(one)["ce_id"].decode() for one in reader.read_to_end()]
    assert sorted(found) == sorted(later)


def test_once_exits_with_1_and_the_reason_if_messages_remain(broker, tmp_path):
    make_events(make_targets(2), rounds=1)
    nobody = {"KAFKA_BOOTSTRAP_SERVERS": "127.0.0.1:1", "KAFKA_API_VERSION": "", **HASTY}

    status, said = run_once(broker, "any", tmp_path, **nobody)

    assert (status, position()) == (1, 0)
    assert "2 events pending, 0 set aside" in said
