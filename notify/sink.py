"""The sink by which channels hear of all that is in the outbox: it puts each event before them.

One sink for all channels: its leader reads the outbox once. What happens then, each at its own
pace, is the matter of `notify.sending`.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta

from foundation.database.clock import database_now
from notify import fanning, sending
from notify.matching import parts
from targets.models import Transition
from targets.sinks.base import EventSink, Message

NAME = "notify"


class NotifySink(EventSink):
    """Puts rows of the outbox before the channels that want them. Only the database can fail."""

    name = NAME
    sees_all = True
    leads_idle = False

    @property
    def timeout(self) -> timedelta:
        """Two seconds, though many channels may take longer: two at once do no harm."""
        return timedelta(seconds=2)

    def encode(self, transition: Transition) -> list[Message]:
        """Return one message: its place. Each has a key of its own, for the order is kept here."""
        return [Message(transition.pk.bytes, str(transition.position).encode())]

    def send(
        self, messages: Sequence[Message], *, meanwhile: Callable[[], object] | None = None
    ) -> list[Exception | None]:
        """Put them before all channels; raises DatabaseError."""
        first, last = int(messages[0].value), int(messages[-1].value)
        rows = Transition.objects.numbered().filter(position__gte=first, position__lte=last)
        after = first - 1
        for part in parts(rows):
            if fanning.fan_out(part, after=after, now=database_now()):
                sending.wake()
            after = part[-1].position or after
        if meanwhile is not None:
            meanwhile()
        return [None] * len(messages)


def instances() -> Iterator[NotifySink]:
    """Yield the one there is."""
    yield NotifySink()
