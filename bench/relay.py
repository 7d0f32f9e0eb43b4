"""Relays committed events to a real Kafka broker, compared with a bare kafka-python producer.

Both run in this process, alternately and several times, with the same settings, messages and
broker, which nothing else uses. The relay numbers the events, reads them, makes CloudEvents of
them, waits for acknowledgements and moves its position on a durable PostgreSQL; the peer sends
prepared bytes and waits for its last acknowledgement.
"""

import os
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

from harness import leave_out, postgres, report, sized

EVENTS = sized(10_000, toy=200)
ROUNDS = sized(3, toy=1)

warnings.filterwarnings("ignore", category=DeprecationWarning)


def main() -> None:
    from tests.kafka.broker import RealBroker, UnavailableError

    with tempfile.TemporaryDirectory(prefix="linkwatch-bench-") as folder:
        try:
            broker = RealBroker(Path(folder))
        except UnavailableError as error:
            leave_out(f"there is no Kafka: {error}")
        try:
            broker.start()
            os.environ["KAFKA_TOPIC"] = broker.make_topic()
            with postgres(KAFKA_BOOTSTRAP_SERVERS=broker.address, KAFKA_START="start"):
                run()
        finally:
            broker.stop()


def run() -> None:
    make_events()
    relayed, numbered, bare = [], [], []
    for _ in range(ROUNDS):
        numbering, total = relay_all()
        numbered.append(EVENTS / numbering)
        relayed.append(EVENTS / total)
        bare.append(EVENTS / send_all(encoded_events()))
    best = {"relay": max(relayed), "numbering": max(numbered), "bare": max(bare)}
    report(
        "relay",
        {"relay, events/s": best["relay"], "numbering alone, events/s": best["numbering"]},
        peer={"bare kafka-python producer, events/s": best["bare"]},
        ratio={"relay to a bare producer": best["relay"] / best["bare"]},
        goal={"relay to a bare producer": "≥ 0.5"},
    )


def make_events() -> None:
    """Commit EVENTS deaths of as many targets, ten references each."""
    from django.utils import timezone

    from outbox.models import Event
    from targets.models import Target

    now = timezone.now()
    targets = [
        Target(
            url=f"https://h{n}.example/page",
            canonical_url=f"https://h{n}.example/page",
            host=f"h{n}.example",
            created_at=now,
            state_changed_at=now,
        )
        for n in range(EVENTS)
    ]
    Target.objects.bulk_create(targets, batch_size=1000)
    Event.objects.bulk_create(
        (
            Event(
                target=target,
                from_state="potentially_dead",
                to_state="dead",
                at=now,
                payload=payload(target),
            )
            for target in targets
        ),
        batch_size=1000,
    )


def payload(target: Any) -> dict[str, Any]:
    from targets import event_payload

    change = event_payload.manual_change(target, previous="potentially_dead")
    error = {"kind": "connect", "status_code": None, "message": "The server cannot be reached."}
    referrers = [event_payload.Referrer(f"document-{n}", None) for n in range(10)]
    return event_payload.payload(change, referrers=referrers, error=error)


def relay_all() -> tuple[float, float]:
    """Relay all events from the beginning; return the seconds for numbering and in total."""
    from outbox import relay
    from outbox.kafka import KafkaReader
    from outbox.models import Cursor, Event

    Event.objects.update(position=None)
    Cursor.objects.all().delete()
    feeder = relay.Feeder(KafkaReader())
    start = time.perf_counter()
    while relay.number_events():
        pass
    numbering = time.perf_counter() - start
    while feeder.feed():
        pass
    total = time.perf_counter() - start
    feeder.close()
    assert Cursor.objects.get().position == EVENTS
    return numbering, total


def encoded_events() -> list[Any]:
    from outbox.kafka import KafkaReader
    from outbox.models import Event

    return [KafkaReader().encode(row)[0] for row in Event.objects.in_feed()]


def send_all(messages: list[Any]) -> float:
    """Send messages as fast as a producer takes them; return the seconds until the last
    acknowledgement."""
    from django.conf import settings

    from outbox import kafka

    producer = kafka._connect()
    start = time.perf_counter()
    futures = [
        producer.send(settings.KAFKA_TOPIC, key=each.key, value=each.value, headers=each.headers)
        for each in messages
    ]
    for future in futures:
        future.get(timeout=60)
    seconds = time.perf_counter() - start
    producer.close(timeout=0)
    return seconds


if __name__ == "__main__":
    main()
