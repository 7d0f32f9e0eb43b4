"""Readers receive the events of the outbox in order of position. Users know them as sinks.

`settings.SINKS` has the kinds, each with a function that yields its current readers; `run_relay`
runs each in its own thread. A new kind needs no other change. A reader that sends messages
elsewhere derives from `outbox.messages.MessageReader`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar

from django.conf import settings
from django.utils.module_loading import import_string

from outbox.models import Event

Refusal = tuple[Event, str]  # an event that a reader will never take, and why


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """A reader's progress with the events that it was given."""

    to: int  # all events up to this position were taken or refused
    refusals: Sequence[Refusal] = ()
    failure: Exception | None = None  # the error that stopped the reader
    # Writes the events' effects in this database, in the transaction that moves the cursor, so
    # exactly once. May raise StartOverError: the same events are read again.
    write: Callable[[], object] | None = None


class Reader(ABC):
    """A reader of the outbox. Its position, lease and errors are in its `Cursor`."""

    # The name of its cursor: the kind, or `kind:id` if there may be several. At most 64 characters.
    # Readers with the same name are the same reader, in any process.
    name: str
    connecting = False  # true while `read` waits for a connection and nothing is in progress yet
    # Whether the reader gets every event, not only changes into one of EVENT_STATES.
    sees_all: ClassVar[bool] = False
    # Whether its relay renews the lease while the reader is idle, so that a relay without its
    # configuration knows that the reader is not off. Not needed for a reader that all relays have,
    # if two relays may safely take the first event after a pause.
    leads_idle: ClassVar[bool] = True

    # Expected errors, after which events wait. Events also wait after other errors, but those are
    # defects.
    failures: ClassVar[tuple[type[Exception], ...]] = (OSError,)

    @property
    def begins_at_start(self) -> bool:
        """Whether a new reader gets the whole history instead of only later events."""
        return False

    @property
    @abstractmethod
    def timeout(self) -> timedelta:
        """The maximum time of `read` before it renews its lease."""

    @property
    def lease(self) -> timedelta:
        """The time of silence after which another relay takes over: twice `timeout`, plus two
        seconds."""
        return 2 * (self.timeout + timedelta(seconds=1))

    @abstractmethod
    def read(self, events: Sequence[Event], *, renew: Callable[[], object]) -> Progress:
        """Take the first of these numbered events, at least one; return the progress.

        `renew` makes sure that at least two thirds of the lease are left, or raises
        CursorLeaseLostError. Raises an error that prevents taking any event.
        """

    def close(self) -> None:  # noqa: B027 (most readers have nothing to close)
        """Close connections and drop work in progress; `read` may be called again."""


def configured_readers() -> dict[str, Reader]:
    """Return the readers that are configured in this process, by name.

    Raises ImportError for an invalid path in SINKS.
    """
    kinds: Iterable[Callable[[], Iterable[Reader]]] = map(import_string, settings.SINKS.values())
    return {reader.name: reader for kind in kinds for reader in kind()}
