"""Readers get each event of the outbox, as the feed does. People know them as sinks.

`settings.SINKS` names the kinds, each with a function that yields the readers there are of it now;
`run_relay` has each read in a thread of its own. A new kind touches nothing else. One that sends
messages elsewhere begins with `outbox.messages.MessageReader`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar

from django.conf import settings
from django.utils.module_loading import import_string

from outbox.models import Event

Refusal = tuple[Event, str]  # an event that a reader will never take as it is, and why


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a reader got with the events that it was given."""

    to: int  # all events up to this position are taken or refused
    refusals: Sequence[Refusal] = ()
    failure: Exception | None = None  # what kept it from going further
    # Writes what the events cause in this database: called in the transaction that moves the
    # cursor, so it happens once. May raise StartOverError: the same events are read again.
    write: Callable[[], object] | None = None


class Reader(ABC):
    """What the relay must know of a reader. Its position, lease and errors are in its `Cursor`."""

    # Of its cursor: the kind, or `kind:id` where there may be several. At most 64 characters.
    # Readers of the same name are the same reader, in any process.
    name: str
    connecting = False  # true while `read` waits for a connection and nothing is under way yet
    sees_all: ClassVar[bool] = False  # every event, not only changes into one of EVENT_STATES
    # Whether a relay renews its lease also while nothing is to be read, so that a relay without
    # its configuration knows that it is not off. A reader that all relays have can do without, if
    # it does no harm that two relays may take the first event after a lull.
    leads_idle: ClassVar[bool] = True

    # Errors by which it fails: all waits. Any other error does the same, but is a defect.
    failures: ClassVar[tuple[type[Exception], ...]] = (OSError,)

    @property
    def begins_at_start(self) -> bool:
        """Whether it gets all history when it is new, or only what happens from then on."""
        return False

    @property
    @abstractmethod
    def timeout(self) -> timedelta:
        """The longest that `read` can take before it renews its lease."""

    @property
    def lease(self) -> timedelta:
        """How long it may be silent before another relay takes over: twice that."""
        return 2 * (self.timeout + timedelta(seconds=1))

    @abstractmethod
    def read(self, events: Sequence[Event], *, renew: Callable[[], object]) -> Progress:
        """Take the first of these numbered events, one at least; return how far that went.

        `renew` holds the lease for another `timeout`; it raises CursorLeaseLostError. Raises the
        error that keeps all events from being taken.
        """

    def close(self) -> None:  # noqa: B027 (most have nothing to let go of)
        """Let go of connections and of what is under way; `read` may be called again."""


def readers_now() -> dict[str, Reader]:
    """Return the readers that are configured in this process now, by name.

    Raises ImportError for a path that leads nowhere.
    """
    kinds: Iterable[Callable[[], Iterable[Reader]]] = map(import_string, settings.SINKS.values())
    return {reader.name: reader for kind in kinds for reader in kind()}
