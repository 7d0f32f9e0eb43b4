"""A sink: a place where events go besides the feed. Each kind of them is one module like this.

`settings.SINKS` names the kinds, each with a function that yields the sinks there are of it now;
`run_relay` feeds each from a thread of its own. A new kind touches nothing else.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import ClassVar

from django.conf import settings
from django.utils.module_loading import import_string

from targets.models import Transition

_OVERHEAD = 128  # bytes of a message on the wire besides key, value and headers, at most


@dataclass(frozen=True, slots=True)
class Message:
    """An event, or a part of one, as a sink sends it."""

    key: bytes  # of its target: messages of one key keep their order
    value: bytes
    headers: list[tuple[str, bytes]] = field(default_factory=list)

    @property
    def size(self) -> int:
        """Its bytes on the wire, or some more."""
        headers = sum(len(name) + len(value) + 10 for name, value in self.headers)
        return len(self.key) + len(self.value) + headers + _OVERHEAD


class EventSink(ABC):
    """What the relay must know of a sink. Its position, lease and errors are in its row."""

    # Of its row: the kind, or `kind:id` where there may be several. At most 64 characters. Whoever
    # has the same name is the same sink, in any process.
    name: str
    connecting = False  # true while `send` waits for a connection and nothing is under way yet
    sees_all: ClassVar[bool] = False  # every transition, not only those into one of EVENT_STATES
    # Whether a relay renews its lease also while nothing is to be sent, so that a relay without its
    # configuration knows that it is not off. One that all relays have can do without, if it does
    # no harm that two relays may send the first event after a lull.
    leads_idle: ClassVar[bool] = True

    # Errors by which it refuses one message for good: that event is set aside.
    refusals: ClassVar[tuple[type[Exception], ...]] = ()
    # Errors by which it fails: all waits. Any other error does the same, but is a defect.
    failures: ClassVar[tuple[type[Exception], ...]] = (OSError,)

    @property
    def begins_at_start(self) -> bool:
        """Whether it gets all history when it is new, or only what happens from then on."""
        return False

    @property
    @abstractmethod
    def timeout(self) -> timedelta:
        """The longest that `send` can take; a relay that is silent for much longer is replaced."""

    @abstractmethod
    def encode(self, transition: Transition) -> list[Message]:
        """Return the messages of a numbered transition, one at least, all with its target's key.

        Raises one of `refusals`, or anything, for an event that makes none: it is set aside.
        """

    @abstractmethod
    def send(
        self, messages: Sequence[Message], *, meanwhile: Callable[[], object] | None = None
    ) -> list[Exception | None]:
        """Send all at once; return for each None once it is accepted for good, else the error.

        `meanwhile` is called once at most, while the messages are under way. Only messages of one
        event have the same key in one call. Raises whatever keeps all of them from being sent.
        """

    def close(self) -> None:  # noqa: B027 (most have nothing to let go of)
        """Let go of connections and of what is not sent yet; `send` may be called again."""


Kind = Callable[[], Iterable[EventSink]]


def kinds() -> dict[str, Kind]:
    """Return the kinds of sinks by name; raises ImportError for what is not there."""
    return {name: import_string(path) for name, path in settings.SINKS.items()}


def sinks_now() -> dict[str, EventSink]:
    """Return the sinks that are configured in this process now, by name."""
    return {sink.name: sink for kind in kinds().values() for sink in kind()}
