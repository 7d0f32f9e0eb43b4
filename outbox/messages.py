"""Readers that send events elsewhere, as messages: to a broker, or as a sink of 0.2.0 does."""

import time
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import ClassVar

from outbox.models import Event
from outbox.readers import Progress, Reader, Refusal

WINDOW_BYTES = 4 * 1024 * 1024  # under way at once
_OVERHEAD = 128  # most bytes of a message on the wire without key, value and headers


@dataclass(frozen=True, slots=True)
class Message:
    """An event, or a part of one, as it is sent."""

    key: bytes  # of its target: messages of one key keep their order
    value: bytes
    headers: list[tuple[str, bytes]] = field(default_factory=list)

    @property
    def size(self) -> int:
        """Its bytes on the wire, or some more."""
        headers = sum(len(name) + len(value) + 10 for name, value in self.headers)
        return len(self.key) + len(self.value) + headers + _OVERHEAD


class MessageReader(Reader):
    """Sends the messages of some events at once, of each target one event at most.

    So an event is never sent before the one before it of its target has been acknowledged, and
    what fails can't be overtaken.
    """

    # Errors by which one message is refused for good: that event is set aside.
    refusals: ClassVar[tuple[type[Exception], ...]] = ()

    @abstractmethod
    def encode(self, transition: Event) -> list[Message]:
        """Return the messages of a numbered event, one at least, all with its target's key.

        Raises one of `refusals`, or anything, for an event that makes none: it is set aside.
        """

    @abstractmethod
    def send(self, messages: Sequence[Message]) -> list[Exception | None]:
        """Send all at once; return for each None once it is accepted for good, else the error.

        Only messages of one event have the same key in one call. Raises whatever keeps all of them
        from being sent.
        """

    def read(self, events: Sequence[Event], *, renew: Callable[[], object]) -> Progress:
        """Send as many of the first events as may be under way together."""
        window = list(self._window(events))
        errors = iter(self._send_all([one for _, made, _ in window for one in made], renew))
        refusals: list[Refusal] = []
        position = 0
        for event, made, reason in window:
            position = event.position or 0
            error = next(filter(None, list(islice(errors, len(made)))), None)
            if error is not None and not isinstance(error, self.refusals):
                return Progress(to=position - 1, refusals=refusals, failure=error)
            if reason or error is not None:
                refusals.append((event, describe(error) if error else reason))
        return Progress(to=position, refusals=refusals)

    def _window(self, events: Sequence[Event]) -> Iterator[tuple[Event, list[Message], str]]:
        """Yield the first of these events, each with its messages or the reason why not."""
        keys: set[bytes] = set()
        size = 0
        for event in events:
            made: list[Message] = []
            reason = ""
            try:
                made = self.encode(event)
            except self.refusals as error:
                reason = describe(error)
            except Exception as error:  # noqa: BLE001 (it would be the same next time)
                reason = f"It makes no event: {describe(error)}"
            if made and made[0].key in keys:
                return
            keys.update(one.key for one in made)
            size += sum(one.size for one in made)
            yield event, made, reason
            if size >= WINDOW_BYTES:
                return

    def _send_all(
        self, messages: Sequence[Message], renew: Callable[[], object]
    ) -> list[Exception | None]:
        """Send all; what was refused once more, alone: it may have suffered for another.

        The second sending lasts a third of a lease at most; the rest is for the next time.
        """
        errors = self.send(messages) if messages else []
        deadline = time.monotonic() + self.lease.total_seconds() / 3
        for index, error in enumerate(errors):
            if isinstance(error, self.refusals) and len(messages) > 1:
                if time.monotonic() > deadline:
                    errors[index] = TimeoutError("refused with others, and not yet tried alone")
                    continue
                renew()
                errors[index] = self.send([messages[index]])[0]
        return errors


def describe(error: Exception) -> str:
    """Return the error in a line that begins with its kind."""
    name, text = type(error).__name__, str(error)
    return (text if text.startswith(name) else f"{name}: {text}")[:500]
