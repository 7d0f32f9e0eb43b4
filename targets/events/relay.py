"""The relay numbers committed transitions, then feeds each sink from the sink's own position."""

import logging
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from uuid import uuid4

from django.db import DatabaseError, connection, transaction
from kafka.errors import KafkaError

from foundation.database.clock import database_now
from targets.events import leases
from targets.events.leases import Refusal
from targets.events.payload import cloud_events
from targets.models import DeadLetter, Sink, Transition
from targets.sinks.kafka import MAX_MESSAGE_BYTES, REFUSALS, KafkaSink, Message, message

logger = logging.getLogger(__name__)

BATCH = 1000
WINDOW = 1000  # events under way at once
WINDOW_BYTES = 4 * 1024 * 1024
_LETTER_PAUSE = 30.0  # seconds that new events have for themselves after a letter failed
_NUMBERING_LOCK = 0x4C57_0001  # PostgreSQL advisory lock; SQLite has one writer at a time anyway


# bulk_update, the ORM's way, takes six times as long.
_NUMBER = """
    UPDATE targets_transition SET position = %s + fresh.place
    FROM (
        SELECT id, row_number() OVER (ORDER BY at, id) AS place
        FROM targets_transition WHERE position IS NULL ORDER BY at, id LIMIT %s
    ) AS fresh
    WHERE targets_transition.id = fresh.id
"""


@transaction.atomic
def number_transitions() -> int:
    """Give the next positions to at most BATCH transitions; returns how many got one.

    Only committed rows are seen, and the lock is held until the positions are committed: whoever
    has read up to position n will find every later one above n. Safe with several relays at once.
    """
    _lock_numbering()
    last = Transition.objects.newest_position()
    with connection.cursor() as cursor:
        cursor.execute(_NUMBER, [last, BATCH])
        return int(cursor.rowcount)


def _lock_numbering() -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_NUMBERING_LOCK])


class DeliveryError(Exception):
    """A sink could not be fed; its position and its events stay, so try again later."""


@dataclass(slots=True)
class _Window:
    """Events that are under way together: of each target one at most.

    So an event is never sent before the one before it of its target has been acknowledged, and
    what fails can't be overtaken.
    """

    start: int  # the position it begins behind
    end: int  # the position reached once all is accepted
    transitions: list[Transition] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    owners: list[Transition] = field(default_factory=list)  # of each message
    refusals: list[Refusal] = field(default_factory=list)
    targets: set[bytes] = field(default_factory=set)  # their keys
    size: int = 0  # bytes

    def add(self, transition: Transition) -> bool:
        """Take one more event; returns whether there was room for it."""
        if self.size >= WINDOW_BYTES:
            return False
        made = messages_of(transition)
        if isinstance(made, Refusal):
            self.refusals.append(made)
        elif made[0].key in self.targets:
            return False
        else:
            self.targets.add(made[0].key)
            self.messages += made
            self.owners += [transition] * len(made)
            self.size += sum(one.size for one in made)
        self.transitions.append(transition)
        self.end = transition.position or self.end
        return True


def messages_of(transition: Transition) -> list[Message] | Refusal:
    """Return an event's messages, or why it has none that a broker would take."""
    try:
        made = [message(event) for event in cloud_events(transition)]
        largest = max(one.size for one in made)
    except Exception as error:  # noqa: BLE001 (it would be the same next time)
        return Refusal(transition, f"It makes no event: {describe(error)}")
    if largest > MAX_MESSAGE_BYTES:
        return Refusal(transition, f"A message of {largest} bytes is too large.")
    return made


class Feeder:
    """Feeds one sink as long as it holds the sink's lease."""

    def __init__(self, name: str, sink: KafkaSink) -> None:
        self.name = name
        self.leads = False
        self._sink = sink
        self._token = uuid4()
        self._letters_from = 0.0  # by time.monotonic
        self._prepared: _Window | None = None  # what comes next, if the last one was accepted

    def feed(self) -> bool:
        """Send what is next; returns whether there may be more, False without the lease.

        Raises DeliveryError, with the reason kept in the sink's row, when the sink does not accept.
        """
        try:
            return self._send_all_kinds()
        except leases.LeaseLostError:
            logger.warning("Another relay feeds %s now", self.name)
            self._sink.close()
            return False
        except DatabaseError:
            raise
        except Exception as error:  # (kafka-python raises more than it says)
            if not isinstance(error, (KafkaError, OSError)):
                logger.exception("Feeding %s failed in an unexpected way", self.name)
            reason = describe(error)
            leases.note_error(self.name, self._token, reason, now=database_now())
            raise DeliveryError(reason) from error

    @property
    def is_connecting(self) -> bool:
        """Whether it waits for a connection: then nothing is under way."""
        return self._sink.connecting

    def close(self) -> None:
        """Stop feeding; another relay can take over at once."""
        self._sink.close()
        leases.release(self.name, self._token)

    def _send_all_kinds(self) -> bool:
        """Send new events, then a dead letter; one that fails holds up no new events."""
        more = self._send_next()
        if time.monotonic() < self._letters_from:
            return more
        try:
            return self._resend() or more
        except (leases.LeaseLostError, DatabaseError):
            raise
        except Exception as error:
            self._letters_from = time.monotonic() + _LETTER_PAUSE
            if not more:
                raise
            logger.warning("%s: a dead letter could not be sent: %s", self.name, describe(error))
            return True

    def _acquire(self) -> Sink | None:
        row = leases.acquire(self.name, self._token, now=database_now())
        if row is not None and not self.leads:
            logger.info("This relay feeds %s from position %d", self.name, row.position)
        self.leads = row is not None
        return row

    def _send_next(self) -> bool:
        row = self._acquire()
        window = self._window(row) if row is not None else None
        if row is None or window is None:
            return False
        errors: list[Exception | None] = []
        if window.messages:
            prepare = partial(self._prepare, row, window.end)
            errors = self._sink.send(window.messages, meanwhile=prepare)
        self._single_out(window.messages, errors)
        failure, reached = _settle(window, errors)
        if reached > row.position:
            refusals = [one for one in window.refusals if (one.transition.position or 0) <= reached]
            sent = None in errors
            leases.advance(row, to=reached, sent=sent, refusals=refusals, now=database_now())
            _tell(self.name, refusals)
        if failure is not None:
            raise failure
        return True

    def _window(self, row: Sink) -> _Window | None:
        """Return what comes next, read already while the one before it was under way or now."""
        prepared, self._prepared = self._prepared, None
        if prepared is not None and prepared.start == row.position:
            return prepared
        return _next_window(row, row.position)

    def _prepare(self, row: Sink, position: int) -> None:
        self._prepared = _next_window(row, position)

    def _single_out(self, messages: Sequence[Message], errors: list[Exception | None]) -> None:
        """Send what was refused once more, alone: it may have suffered for another of its batch.

        Not for longer than a third of a lease, which it renews; the rest is for the next time.
        """
        deadline = time.monotonic() + leases.lease_length().total_seconds() / 3
        for index, error in enumerate(errors):
            if isinstance(error, REFUSALS) and len(messages) > 1:
                if time.monotonic() > deadline:
                    errors[index] = TimeoutError("refused with others, and not yet tried alone")
                    continue
                if self._acquire() is None:
                    raise leases.LeaseLostError(self.name)
                errors[index] = self._sink.send([messages[index]])[0]

    def _resend(self) -> bool:
        """Send one event again that an operator wants to be; returns whether there was one."""
        if not DeadLetter.objects.filter(sink=self.name, send_again=True).exists():
            return False
        row = self._acquire()
        if row is None:
            return False
        waiting = row.dead_letters.filter(send_again=True).select_related("transition")
        letter = waiting.order_by("pk").first()
        if letter is None:
            return False
        made = messages_of(letter.transition)
        if isinstance(made, Refusal):
            _refuse_again(letter, made.error)
            return True
        errors = [error for error in self._sink.send(made) if error is not None]
        if not errors:
            letter.delete()
        elif isinstance(errors[0], REFUSALS):
            _refuse_again(letter, describe(errors[0]))
        else:
            raise errors[0]
        leases.note_success(self.name, self._token, sent=not errors, now=database_now())
        return True


def _next_window(sink: Sink, position: int) -> _Window | None:
    """Return the events behind `position`, None when there is nothing to move over."""
    newest = Transition.objects.newest_position()  # before the rows: that holds all up to it
    window = _Window(position, position)
    for transition in sink.pending(position)[:WINDOW].iterator(chunk_size=250):
        if not window.add(transition):
            break
    else:
        if len(window.transitions) < WINDOW:
            window.end = max(window.end, newest)  # behind it there are no events up to `newest`
    return window if window.end > position else None


def _settle(window: _Window, errors: Sequence[Exception | None]) -> tuple[Exception | None, int]:
    """Return the first failure and the position before it; refusals go to the window."""
    failed: dict[int, Exception] = {}
    for owner, error in zip(window.owners, errors, strict=True):
        if error is not None:
            failed.setdefault(owner.position or 0, error)
    for transition in window.transitions:
        error = failed.get(transition.position or 0)
        if isinstance(error, REFUSALS):
            window.refusals.append(Refusal(transition, describe(error)))
        elif error is not None:
            return error, (transition.position or 0) - 1
    return None, window.end


def _tell(name: str, refusals: Sequence[Refusal]) -> None:
    for refusal in refusals:
        logger.error("Event %s is set aside for %s: %s", refusal.transition.pk, name, refusal.error)


def _refuse_again(letter: DeadLetter, error: str) -> None:
    letter.error, letter.send_again, letter.at = error, False, database_now()
    letter.save(update_fields=["error", "send_again", "at"])


def describe(error: Exception) -> str:
    """Return the error in a line that begins with its kind."""
    name, text = type(error).__name__, str(error)
    return (text if text.startswith(name) else f"{name}: {text}")[:500]


def drain(feeders: Sequence[Feeder]) -> Iterator[str]:
    """Number and send all there is now; yield a sentence for whatever did not go."""
    while number_transitions():
        pass
    for feeder in feeders:
        patience = time.monotonic() + leases.lease_length().total_seconds() + 1
        try:
            while feeder.feed() or (not feeder.leads and time.monotonic() < patience):
                if not feeder.leads:  # another relay feeds it, or was killed while it did
                    time.sleep(0.2)
        except DeliveryError as error:
            yield f"{feeder.name}: {error}."
        finally:
            feeder.close()
        left = leases.backlogs(database_now())[feeder.name]
        if left.pending or left.set_aside:
            yield f"{feeder.name}: {left.pending} events pending, {left.set_aside} set aside."
