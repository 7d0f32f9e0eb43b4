"""Readers that send events elsewhere as messages, for example to a broker."""

import time
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import ClassVar

from outbox.models import Event
from outbox.readers import Progress, Reader, Refusal

WINDOW_BYTES = 4 * 1024 * 1024  # a window of this size or more takes no further event
_OVERHEAD = 128  # maximum overhead of a message on the wire, without key, value and headers


@dataclass(frozen=True, slots=True)
class Message:
    """An event, or a part of one, as it is sent."""

    key: bytes  # the key of its target; messages with the same key stay in order
    value: bytes
    headers: list[tuple[str, bytes]] = field(default_factory=list)

    @property
    def size(self) -> int:
        """An upper bound of the number of bytes on the wire."""
        headers = sum(len(name) + len(value) + 10 for name, value in self.headers)
        return len(self.key) + len(self.value) + headers + _OVERHEAD


class MessageReader(Reader):
    """Sends the messages of several events at once, at most one event per target.

    Therefore, an event is never sent before the previous event of its target has been acknowledged,
    and can't overtake a failed one.
    """

    # Errors by which a message is refused permanently: its event is set aside.
    refusals: ClassVar[tuple[type[Exception], ...]] = ()

    @abstractmethod
    def encode(self, event: Event) -> list[Message]:
        """Return the messages of a numbered event, at least one, all with its target's key.

        After any exception, the event is set aside.
        """

    @abstractmethod
    def send(self, messages: Sequence[Message]) -> list[Exception | None]:
        """Send all messages at once; return, for each of them, None if it was accepted, or its
        error.

        In one call, only messages of the same event have the same key. Raises errors that affect
        all messages.
        """

    def read(self, events: Sequence[Event], *, renew: Callable[[], object]) -> Progress:
        """Send the first events, as many as may be sent together; return the progress."""
        window = list(self._window(events))
        to_send = [message for _, messages, _ in window for message in messages]
        errors = iter(self._send_all(to_send, renew))
        refusals: list[Refusal] = []
        position = 0
        for event, messages, reason in window:
            position = event.position or 0
            error = next(filter(None, list(islice(errors, len(messages)))), None)
            if error is not None and not isinstance(error, self.refusals):
                return Progress(to=position - 1, refusals=refusals, failure=error)
            if reason or error is not None:
                refusals.append((event, describe(error) if error else reason))
        return Progress(to=position, refusals=refusals)

    def _window(self, events: Sequence[Event]) -> Iterator[tuple[Event, list[Message], str]]:
        """Yield the events to send together, each with its messages or the reason for a refusal.

        Ends before a second event of a target, and once WINDOW_BYTES are reached.
        """
        keys: set[bytes] = set()
        size = 0
        for event in events:
            messages: list[Message] = []
            reason = ""
            try:
                messages = self.encode(event)
            except self.refusals as error:
                reason = describe(error)
            except Exception as error:  # noqa: BLE001 (another attempt would fail, too)
                reason = f"The event could not be encoded: {describe(error)}"
            if messages and messages[0].key in keys:
                return
            keys.update(message.key for message in messages)
            size += sum(message.size for message in messages)
            yield event, messages, reason
            if size >= WINDOW_BYTES:
                return

    def _send_all(
        self, messages: Sequence[Message], renew: Callable[[], object]
    ) -> list[Exception | None]:
        """Send all messages, then each refused message by itself, because another message may have
        been the cause; return the errors as `send` does.

        Second attempts start only within a third of a lease. After that, the remaining messages get
        a TimeoutError, and wait for the next call of `read`.
        """
        errors = self.send(messages) if messages else []
        deadline = time.monotonic() + self.lease.total_seconds() / 3
        for index, error in enumerate(errors):
            if isinstance(error, self.refusals) and len(messages) > 1:
                if time.monotonic() > deadline:
                    errors[index] = TimeoutError(
                        "refused together with other messages; not yet retried on its own"
                    )
                    continue
                renew()
                errors[index] = self.send([messages[index]])[0]
        return errors


def describe(error: Exception) -> str:
    """Return the error on one line that begins with its type."""
    name, text = type(error).__name__, str(error)
    return (text if text.startswith(name) else f"{name}: {text}")[:500]
