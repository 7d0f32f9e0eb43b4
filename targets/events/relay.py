"""The relay numbers committed transitions, then feeds each sink from the sink's own position."""

import logging
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple
from uuid import uuid4

from django.db import DatabaseError, connection, transaction

from foundation.database.clock import database_now
from targets.events import leases
from targets.models import DeadLetter, Sink, Transition
from targets.sinks.base import EventSink, Message

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
_LOOK = """
    SELECT (SELECT max(position) FROM targets_transition),
        EXISTS (SELECT 1 FROM targets_transition WHERE position IS NULL)
"""


@transaction.atomic
def number_transitions() -> int:
    """Give the next positions to at most BATCH transitions; returns how many got one.

    Only committed rows are seen, and the lock is held until the positions are committed: whoever
    has read up to position n will find every later one above n. Safe with several relays at once.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_NUMBERING_LOCK])
        cursor.execute(_NUMBER, [Transition.objects.newest_position(), BATCH])
        return int(cursor.rowcount)


def look() -> tuple[int, bool]:
    """Return the newest position, and whether anything waits for one; one short statement."""
    with connection.cursor() as cursor:
        cursor.execute(_LOOK)
        newest, is_waiting = cursor.fetchone()
    return newest or 0, bool(is_waiting)


class DeliveryError(Exception):
    """A sink could not be fed; its position and its events stay, so try again later."""


def messages_of(sink: EventSink, transition: Transition) -> list[Message] | str:
    """Return an event's messages for this sink, or why it has none that the sink would take."""
    try:
        return sink.encode(transition)
    except sink.refusals as error:
        return describe(error)
    except Exception as error:  # noqa: BLE001 (it would be the same next time)
        return f"It makes no event: {describe(error)}"


class _Outcome(NamedTuple):
    """What came of a window."""

    reached: int  # position
    refusals: list[leases.Refusal]  # up to there
    failure: Exception | None  # what kept it from going further


@dataclass(slots=True)
class _Window:
    """Events that are under way together: of each target one at most.

    So an event is never sent before the one before it of its target has been acknowledged, and
    what fails can't be overtaken.
    """

    sink: EventSink
    start: int  # the position it begins behind
    end: int  # the position reached once all is accepted
    transitions: list[Transition] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)  # the position of each message's event
    refused: dict[int, str] = field(default_factory=dict)  # why, by position
    targets: set[bytes] = field(default_factory=set)  # their keys
    size: int = 0  # bytes

    def add(self, transition: Transition) -> bool:
        """Take one more event; returns whether there was room for it."""
        if self.size >= WINDOW_BYTES:
            return False
        position = transition.position or 0
        made = messages_of(self.sink, transition)
        if isinstance(made, str):
            self.refused[position] = made
        elif made[0].key in self.targets:
            return False
        else:
            self.targets.add(made[0].key)
            self.messages += made
            self.owners += [position] * len(made)
            self.size += sum(one.size for one in made)
        self.transitions.append(transition)
        self.end = position
        return True

    def settle(self, errors: Sequence[Exception | None]) -> _Outcome:
        """Return how far it went, by the answer to each message: up to the first failure."""
        failed: dict[int, Exception] = {}
        for position, error in zip(self.owners, errors, strict=True):
            if error is not None:
                failed.setdefault(position, error)
        refusals: list[leases.Refusal] = []
        for transition in self.transitions:
            position = transition.position or 0
            error = failed.get(position)
            if error is not None and not isinstance(error, self.sink.refusals):
                return _Outcome(position - 1, refusals, error)
            reason = describe(error) if error is not None else self.refused.get(position)
            if reason is not None:
                refusals.append(leases.Refusal(transition, reason))
        return _Outcome(self.end, refusals, None)


class Feeder:
    """Feeds one sink as long as it holds the sink's lease."""

    def __init__(self, sink: EventSink) -> None:
        self.name = sink.name
        self.leads = False
        self._sink = sink
        self._token = uuid4()
        self._letters_from = 0.0  # by time.monotonic
        self._ahead: _Window | None = None  # what comes next, if the last one was accepted

    @property
    def is_connecting(self) -> bool:
        """Whether it waits for a connection: then nothing is under way."""
        return self._sink.connecting

    def can_rest(self) -> bool:
        """Whether it may look seldom, once `feed` had no more: whoever sees news wakes it.

        Not where the lease has to be renewed, nor while another relay has still to send.
        """
        if self._sink.leads_idle:
            return False
        row = None if self.leads else Sink.objects.filter(pk=self.name).first()
        return row is None or not leases.is_behind(row)

    def feed(self) -> bool:
        """Send what is next; returns whether there may be more, False without the lease.

        Raises DeliveryError, with the reason kept in the sink's row, when the sink does not accept.
        """
        try:
            more = self._send_next()
            return self._send_letter_beside(more=more)
        except leases.LeaseLostError:
            logger.warning("Another relay feeds %s now", self.name)
            self._sink.close()
            self.leads = False
            return False
        except DatabaseError:
            raise
        except Exception as error:  # (libraries of sinks raise more than they say)
            if not isinstance(error, self._sink.failures):
                logger.exception("Feeding %s failed in an unexpected way", self.name)
            reason = describe(error)
            leases.note_error(self.name, self._token, reason, now=database_now())
            raise DeliveryError(reason) from error

    def close(self) -> None:
        """Stop feeding; another relay can take over at once."""
        self._sink.close()
        leases.release(self.name, self._token)

    def _acquire(self) -> Sink | None:
        row = leases.acquire(self._sink, self._token, now=database_now())
        if row is not None and not self.leads:
            logger.info("This relay feeds %s from position %d", self.name, row.position)
        self.leads = row is not None
        return row

    def _send_next(self) -> bool:
        """Send the next window and move the position behind what was accepted or is set aside."""
        row = self._acquire()
        if row is None:
            return False
        if self._ahead is None or self._ahead.start != row.position:
            self._read(row, row.position)
        window, self._ahead = self._ahead, None
        if window is None:
            return False
        errors: list[Exception | None] = []
        if window.messages:
            read_on = partial(self._read, row, window.end)
            errors = self._sink.send(window.messages, meanwhile=read_on)
            self._single_out(window.messages, errors)
        reached, refusals, failure = window.settle(errors)
        if reached > row.position:
            sent = None in errors
            leases.advance(row, to=reached, sent=sent, refusals=refusals, now=database_now())
        for one in refusals:
            logger.error("Event %s is set aside for %s: %s", one.transition.pk, row, one.error)
        if failure is not None:
            raise failure
        return True

    def _read(self, row: Sink, position: int) -> None:
        """Keep the events behind `position` in `_ahead`; None when there is nothing to pass."""
        newest = Transition.objects.newest_position()  # before the rows: that holds all up to it
        window = _Window(self._sink, position, position)
        for transition in row.pending(position)[:WINDOW].iterator(chunk_size=250):
            if not window.add(transition):
                break
        else:
            if len(window.transitions) < WINDOW:
                window.end = max(window.end, newest)  # behind it are no events up to `newest`
        self._ahead = window if window.end > position else None

    def _single_out(self, messages: Sequence[Message], errors: list[Exception | None]) -> None:
        """Send what was refused once more, alone: it may have suffered for another of its batch.

        Not for longer than a third of a lease, which it renews; the rest is for the next time.
        """
        deadline = time.monotonic() + leases.lease_length(self._sink).total_seconds() / 3
        for index, error in enumerate(errors):
            if isinstance(error, self._sink.refusals) and len(messages) > 1:
                if time.monotonic() > deadline:
                    errors[index] = TimeoutError("refused with others, and not yet tried alone")
                    continue
                if self._acquire() is None:
                    raise leases.LeaseLostError(self.name)
                errors[index] = self._sink.send([messages[index]])[0]

    def _send_letter_beside(self, *, more: bool) -> bool:
        """Send a dead letter, too; while there are `more` new events one that fails is put off."""
        if time.monotonic() < self._letters_from:
            return more
        try:
            return self._send_letter() or more
        except (leases.LeaseLostError, DatabaseError):
            raise
        except Exception as error:
            self._letters_from = time.monotonic() + _LETTER_PAUSE
            if not more:
                raise
            logger.warning("%s: a dead letter could not be sent: %s", self.name, describe(error))
            return True

    def _send_letter(self) -> bool:
        """Send one event again that an operator wants to be; returns whether there was one."""
        waiting = DeadLetter.objects.filter(sink=self.name, send_again=True)
        if not waiting.exists() or self._acquire() is None:
            return False
        letter = waiting.select_related("transition").order_by("pk").first()
        if letter is None:
            return False
        made = messages_of(self._sink, letter.transition)
        if isinstance(made, str):
            _refuse_again(letter, made)
            return True
        errors = [error for error in self._sink.send(made) if error is not None]
        if not errors:
            letter.delete()
        elif isinstance(errors[0], self._sink.refusals):
            _refuse_again(letter, describe(errors[0]))
        else:
            raise errors[0]
        leases.note_success(self.name, self._token, sent=not errors, now=database_now())
        return True


def _refuse_again(letter: DeadLetter, error: str) -> None:
    letter.error, letter.send_again, letter.at = error, False, database_now()
    letter.save(update_fields=["error", "send_again", "at"])


def describe(error: Exception) -> str:
    """Return the error in a line that begins with its kind."""
    name, text = type(error).__name__, str(error)
    return (text if text.startswith(name) else f"{name}: {text}")[:500]


def drain(sinks: Iterable[EventSink]) -> Iterator[str]:
    """Number and send all there is now; yield a sentence for whatever did not go."""
    while number_transitions():
        pass
    for sink in sinks:
        feeder = Feeder(sink)
        patience = time.monotonic() + leases.lease_length(sink).total_seconds() + 1
        try:
            while feeder.feed() or (not feeder.leads and time.monotonic() < patience):
                if not feeder.leads:  # another relay feeds it, or was killed while it did
                    time.sleep(0.2)
        except DeliveryError as error:
            yield f"{sink.name}: {error}."
        finally:
            feeder.close()
        left = leases.backlogs(database_now())[sink.name]
        if left.pending or left.set_aside:
            yield f"{sink.name}: {left.pending} events pending, {left.set_aside} set aside."
