"""Events to send, a consumer from another library, and the verdict on the messages that arrived."""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from confluent_kafka import Consumer, TopicPartition
from django.db import transaction

from outbox.models import Event
from targets.models import Target
from tests.factories import CREATED_AT, DeadTargetFactory, TransitionFactory

LEDGER: "dict[str, Verdict]" = {}


@dataclass(frozen=True, slots=True)
class Verdict:
    """The effects of a fault. Reordered: first read after a later event of its target."""

    events: int
    lost: int
    duplicated: int
    reordered: int
    foreign: int  # events that were never committed

    @property
    def is_sound(self) -> bool:
        return (self.lost, self.reordered, self.foreign) == (0, 0, 0)


def make_targets(count: int) -> list[Target]:
    return Target.objects.bulk_create(DeadTargetFactory.build() for _ in range(count))


def make_events(targets: Iterable[Target], *, rounds: int, start: int = 0) -> list[str]:
    """Commit `rounds` deaths of each target, numbered in `failures`; return their ids."""
    rows = [
        TransitionFactory.build(
            target=target,
            at=CREATED_AT + timedelta(seconds=number),
            payload={"target_id": target.id, "url": target.url, "failures": number},
        )
        for number in range(start, start + rounds)
        for target in targets
    ]
    with transaction.atomic():
        Event.objects.bulk_create(rows)
    return [str(row.id) for row in rows]


def make_and_roll_back(target: Target) -> None:
    """Write a death and roll it back."""
    with transaction.atomic():
        TransitionFactory(target=target, payload={"target_id": target.id, "failures": -1})
        transaction.set_rollback(True)


class Reader:
    """Reads a whole topic with librdkafka, or as a member of a consumer group."""

    def __init__(self, address: str, topic: str, *, group: str | None = None) -> None:
        self.topic = topic
        self.messages: list[Any] = []
        self.consumer = Consumer(
            {
                "bootstrap.servers": address,
                "group.id": group or "whole",
                "auto.offset.reset": "earliest",
                "enable.auto.commit": False,
                "reconnect.backoff.max.ms": 500,
                "log_level": 0,
            }
        )
        if group is None:
            partitions = self.consumer.list_topics(topic, timeout=60).topics[topic].partitions
            self.consumer.assign([TopicPartition(topic, number, 0) for number in partitions])
        else:
            self.consumer.subscribe([topic])

    def read(self) -> list[Any]:
        """Continue reading; return all messages read so far."""
        for message in self.consumer.consume(5000, timeout=0.1):
            if message.error() is None:
                self.messages.append(message)
        return self.messages

    def read_until(self, enough: Callable[[], object], *, within: float = 120.0) -> list[Any]:
        deadline = time.monotonic() + within
        while not enough():
            assert time.monotonic() < deadline, f"only {len(self.messages)} messages arrived"
            self.read()
        return self.messages

    def read_ids(self, ids: Iterable[str], *, within: float = 120.0) -> list[Any]:
        """Read until each of these events has been read, then read the rest of the topic."""
        missing = set(ids)
        done = 0

        def enough() -> bool:
            nonlocal done
            missing.difference_update(id_of(message) for message in self.messages[done:])
            done = len(self.messages)
            return not missing

        self.read_until(enough, within=within)
        return self.read_to_end()

    def read_to_end(self) -> list[Any]:
        """Read to the current end of each partition."""
        ends = {}
        for partition in self.consumer.assignment():
            _, ends[partition.partition] = self.consumer.get_watermark_offsets(
                partition, timeout=60
            )

        def at_end() -> bool:
            read = Counter(message.partition() for message in self.messages)
            return all(read[number] >= end for number, end in ends.items())

        return self.read_until(at_end)

    def __enter__(self) -> "Reader":
        return self

    def __exit__(self, *_: object) -> None:
        self.consumer.close()


def headers_of(message: Any) -> dict[str, bytes]:
    return dict(message.headers())


def id_of(message: Any) -> str:
    return headers_of(message)["ce_id"].decode()


def judge(fault: str, messages: Iterable[Any], *, committed: Iterable[str]) -> Verdict:
    """Return the verdict and add it to the table."""
    expected = set(committed)
    times: Counter[str] = Counter()
    newest: dict[bytes, int] = {}  # round by target
    reordered = 0
    for message in messages:
        event_id = id_of(message)
        times[event_id] += 1
        if times[event_id] == 1:
            said = json.loads(message.value())
            target = message.key()
            assert target.decode() == said["target_id"]
            reordered += said["failures"] < newest.get(target, 0)
            newest[target] = max(said["failures"], newest.get(target, 0))
    verdict = Verdict(
        events=len(expected),
        lost=len(expected - times.keys()),
        duplicated=times.total() - len(times),
        reordered=reordered,
        foreign=len(times.keys() - expected),
    )
    LEDGER[fault] = verdict
    return verdict
