"""The relay numbers committed events, then feeds each reader from the position of its cursor."""

import logging
import time
from collections.abc import Iterable, Iterator
from uuid import uuid4

from django.db import DatabaseError, connection, transaction

from foundation.database.clock import database_now
from foundation.database.transactions import StartOverError
from outbox import cursors
from outbox.messages import describe
from outbox.models import Cursor, DeadLetter, Event
from outbox.readers import Progress, Reader

logger = logging.getLogger(__name__)

BATCH_SIZE = 1000  # events numbered in one transaction
MAX_LOADED_EVENTS = 1000  # at once
_MAX_RESTARTS = 5  # attempts without a pause, for events whose rows keep changing
_DEAD_LETTER_PAUSE = 30.0  # seconds after a failed letter in which only new events are sent
_NUMBERING_LOCK = 0x4C57_0001  # PostgreSQL's advisory lock; SQLite has one writer at a time anyway


# The ORM's bulk_update takes six times as long.
_NUMBER = """
    UPDATE targets_transition SET position = %s + fresh.place
    FROM (
        SELECT id, row_number() OVER (ORDER BY at, id) AS place
        FROM targets_transition WHERE position IS NULL ORDER BY at, id LIMIT %s
    ) AS fresh
    WHERE targets_transition.id = fresh.id
"""
_NEWEST = """
    SELECT (SELECT max(position) FROM targets_transition),
        EXISTS (SELECT 1 FROM targets_transition WHERE position IS NULL)
"""


@transaction.atomic
def number_events() -> int:
    """Assign positions to at most BATCH_SIZE events; return how many were assigned.

    Only committed rows are visible, and the lock is held until the positions are committed, so that
    a reader at position n finds all later events above n. Safe with several relays at once.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_NUMBERING_LOCK])
        cursor.execute(_NUMBER, [Event.objects.newest_position(), BATCH_SIZE])
        return int(cursor.rowcount)


def find_newest() -> tuple[int, bool]:
    """Return the newest position, and whether any event waits for one. Runs one short statement."""
    with connection.cursor() as cursor:
        cursor.execute(_NEWEST)
        newest, is_waiting = cursor.fetchone()
    return newest or 0, bool(is_waiting)


class DeliveryError(Exception):
    """A reader failed; its position and its events are kept, so retry later."""


class Feeder:
    """Feeds one reader while it holds the lease of the reader's cursor."""

    def __init__(self, reader: Reader) -> None:
        self.name = reader.name
        self.leads = False
        self._reader = reader
        self._token = uuid4()
        self._dead_letters_after = 0.0  # by time.monotonic
        self._loaded: list[Event] = []  # events after `_position`, not read yet
        self._position = -1
        self._restarts = 0  # since its last progress

    def can_rest(self) -> bool:
        """Return whether the feeder may poll rarely once `feed` has no more events, because the
        numbering loop wakes it.

        False if the lease must be renewed, or while another relay still has events to send.
        """
        if self._reader.leads_idle:
            return False
        row = None if self.leads else Cursor.objects.filter(pk=self.name).first()
        return row is None or not cursors.is_behind(row)

    def feed(self) -> bool:
        """Feed the next events; return whether there may be more (False without the lease).

        Raises DeliveryError if the reader fails, after storing the reason in its cursor, or if the
        rows that it writes keep changing; raises DatabaseError if the database fails.
        """
        try:
            more = self._read_next()
            return self._send_dead_letter(more=more)
        except cursors.CursorLeaseLostError:
            logger.warning("Another relay is now feeding %s", self.name)
            self._reader.close()
            self.leads = False
            return False
        except StartOverError:
            self._restarts += 1
            if self._restarts % _MAX_RESTARTS:
                return True
            raise DeliveryError("the rows to be written keep changing") from None
        except DatabaseError:
            raise
        except Exception as error:  # (libraries raise undocumented exceptions)
            if not isinstance(error, self._reader.failures):
                logger.exception("Feeding %s failed in an unexpected way", self.name)
            reason = describe(error)
            cursors.record_error(self.name, self._token, reason, now=database_now())
            raise DeliveryError(reason) from error

    def close(self) -> None:
        """Stop feeding; another relay can take over immediately."""
        self._reader.close()
        cursors.release(self.name, self._token)

    def _acquire(self) -> Cursor | None:
        row = cursors.acquire(self._reader, self._token, now=database_now())
        if row is not None and not self.leads:
            logger.info("This relay feeds %s from position %d", self.name, row.position)
        self.leads = row is not None
        return row

    def _renew(self) -> None:
        if self._acquire() is None:
            raise cursors.CursorLeaseLostError(self.name)

    def _read_next(self) -> bool:
        """Let the reader read the next events, and move the cursor past those taken or refused.

        Returns whether there may be more; raises the error that stopped the reader.
        """
        row = self._acquire()
        if row is None:
            return False
        if row.position != self._position or not self._loaded:
            # Read before the events, so that they include all events up to this position.
            newest = Event.objects.newest_position()
            self._loaded = next(row.pending().chunks(limit=MAX_LOADED_EVENTS), [])
            if not self._loaded:
                return newest > row.position and self._move(row, Progress(to=newest), sent=False)
        events, self._loaded = self._loaded, []
        progress = self._reader.read(events, renew=self._renew)
        remaining = [event for event in events if (event.position or 0) > progress.to]
        sent = len(events) - len(remaining) > len(progress.refusals)
        if progress.to > row.position:
            self._move(row, progress, sent=sent)
        self._loaded = remaining
        for event, error in progress.refusals:
            logger.error("Event %s is set aside for %s: %s", event.pk, row, error)
        if progress.failure is not None:
            raise progress.failure
        return True

    def _move(self, row: Cursor, progress: Progress, *, sent: bool) -> bool:
        cursors.advance(row, progress, sent=sent, now=database_now())
        self._position = progress.to
        self._restarts = 0
        return True

    def _send_dead_letter(self, *, more: bool) -> bool:
        """Send a dead letter again if an operator has requested one; return whether there may be
        more to do.

        After a failure, no dead letter is sent for _DEAD_LETTER_PAUSE. The error is raised only if
        there are no `more` new events, which it would delay.
        """
        if time.monotonic() < self._dead_letters_after:
            return more
        try:
            return self._resend_requested() or more
        except (cursors.CursorLeaseLostError, DatabaseError):
            raise
        except Exception as error:
            self._dead_letters_after = time.monotonic() + _DEAD_LETTER_PAUSE
            if not more:
                raise
            logger.warning("%s: a dead letter could not be sent: %s", self.name, describe(error))
            return True

    def _resend_requested(self) -> bool:
        """Send one dead letter again that an operator has requested; return whether there was
        one."""
        waiting = DeadLetter.objects.filter(sink=self.name, send_again=True)
        if not waiting.exists():
            return False
        row = self._acquire()
        letter = waiting.select_related("transition").order_by("pk").first()
        if row is None or letter is None:
            return False
        progress = self._reader.read([letter.transition], renew=self._renew)
        if progress.failure is not None:
            raise progress.failure
        if progress.refusals:
            [(_, letter.error)] = progress.refusals
            letter.at, letter.send_again = database_now(), False
            letter.save(update_fields=["error", "send_again", "at"])
        with transaction.atomic():
            write = None
            if not progress.refusals:
                letter.delete()
                write = progress.write
            in_place = Progress(to=row.position, write=write)
            cursors.advance(row, in_place, sent=not progress.refusals, now=database_now())
        return True


def drain(readers: Iterable[Reader]) -> Iterator[str]:
    """Number and send all events now.

    Yields a sentence for each reader that fails, and for each reader with events left.
    """
    while number_events():
        pass
    for reader in readers:
        feeder = Feeder(reader)
        deadline = time.monotonic() + reader.lease.total_seconds() + 1
        try:
            while feeder.feed() or (not feeder.leads and time.monotonic() < deadline):
                if (
                    not feeder.leads
                ):  # another relay feeds the reader, or was killed while feeding it
                    time.sleep(0.2)
        except DeliveryError as error:
            yield f"{reader.name}: {error}."
        finally:
            feeder.close()
        left = cursors.backlogs(database_now())[reader.name]
        if left.pending or left.set_aside:
            events = "event" if left.pending == 1 else "events"
            yield f"{reader.name}: {left.pending} {events} pending, {left.set_aside} set aside."
