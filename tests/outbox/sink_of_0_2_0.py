"""A sink as written for 0.2.0: with the names of that release, and `encode` and `send`."""

from datetime import timedelta

from targets.events.payload import cloud_events
from targets.models import Transition  # type: ignore[attr-defined]
from targets.sinks.base import EventSink, Message

SENT: list[bytes] = []


class ListSink(EventSink):
    """Stores the events that it gets."""

    name = "list"
    begins_at_start = True
    timeout = timedelta(seconds=1)
    refusals = (ValueError,)

    def encode(self, transition: Transition) -> list[Message]:
        return [
            Message(event["subject"].encode(), event["id"].encode())
            for event in cloud_events(transition)
        ]

    def send(self, messages, *, meanwhile=None):
        SENT.extend(message.value for message in messages)
        if meanwhile is not None:
            meanwhile()
        return [None] * len(messages)


def instances():
    yield ListSink()
