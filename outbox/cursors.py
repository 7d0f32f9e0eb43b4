"""The cursor of each reader: its leader, its position, its refusals, and whether it is off.

A leader holds a lease by the database's time. Its writes take effect only while the row has its
token, so that a relay that is presumed dead can't move a position. A reader is off if no relay has
its configuration: it has no leader, and a running relay does not know it.
"""

import logging
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction

from foundation.database import leases
from outbox.models import Cursor, DeadLetter, Event, EventQuerySet
from outbox.readers import Progress, Reader

logger = logging.getLogger(__name__)


class CursorLeaseLostError(Exception):
    """Another relay has taken over this reader."""


def create_missing(readers: Iterable[Reader]) -> None:
    """Create the cursors of new readers: at the end of the feed, unless a reader
    `begins_at_start`."""
    names = set(Cursor.objects.values_list("pk", flat=True))
    for reader in readers:
        if reader.name not in names:
            _get_or_create(reader)


def _get_or_create(reader: Reader) -> Cursor:
    """Return the reader's cursor; create it if it is missing."""
    position = 0 if reader.begins_at_start else Event.objects.newest_position()
    defaults = {"position": position, "sees_all": reader.sees_all}
    return Cursor.objects.get_or_create(pk=reader.name, defaults=defaults)[0]


def acquire(reader: Reader, token: UUID, *, now: datetime) -> Cursor | None:
    """Return the cursor if `token` leads the reader, otherwise None; create a missing cursor.

    At least two thirds of the lease then remain. An exception is an idle reader that needs no
    leader (whose `leads_idle` is False): its last leader stays without renewing the lease, so that
    an idle relay writes nothing.
    """
    row = Cursor.objects.filter(pk=reader.name).first() or _get_or_create(reader)
    length = reader.lease
    if row.token == token and row.leased_until and row.leased_until - now > length * 2 / 3:
        return row
    if not reader.leads_idle and row.token and not row.off_since and not is_behind(row):
        return row if row.token == token else None
    own = Cursor.objects.filter(pk=reader.name)
    leads = leases.take(own, token, length=length, now=now, off_since=None)
    return Cursor.objects.filter(pk=reader.name, token=token).first() if leads else None


def is_behind(row: Cursor) -> bool:
    """Return whether numbered events follow the reader's position, even if not for the reader."""
    return row.position < Event.objects.newest_position()


def release(name: str, token: UUID) -> None:
    """Let another relay take over immediately."""
    leases.release(Cursor.objects.filter(pk=name), token)


@transaction.atomic
def advance(cursor: Cursor, progress: Progress, *, sent: bool, now: datetime) -> None:
    """Move the cursor past the events that were taken or refused, and write the reader's changes.

    Stores refused events as dead letters. `sent`: whether any event was taken. Raises
    CursorLeaseLostError, and the errors of `Progress.write`.
    """
    changes = {"position": progress.to, "last_error": "", "last_error_at": None}
    changes |= {"last_sent_at": now} if sent else {}
    if not Cursor.objects.filter(pk=cursor.pk, token=cursor.token).update(**changes):
        raise CursorLeaseLostError(cursor.pk)
    letters = [
        DeadLetter(sink=cursor, transition=event, at=now, error=error)
        for event, error in progress.refusals
    ]
    DeadLetter.objects.bulk_create(letters, ignore_conflicts=True)
    if progress.write is not None:
        progress.write()


def record_error(name: str, token: UUID, error: str, *, now: datetime) -> None:
    """Store the error for operators, until the next success."""
    Cursor.objects.filter(pk=name, token=token).update(last_error=error, last_error_at=now)


def mark_off(configured: Collection[str], *, now: datetime) -> None:
    """Mark as off the sinks that are not in `configured` and that no relay leads.

    A relay that leads a sink again clears its mark.
    """
    free = Cursor.objects.filter(leases.free(now), off_since=None)
    unconfigured = free.exclude(pk__in=configured)
    for name in unconfigured.values_list("pk", flat=True):
        if unconfigured.filter(pk=name).update(off_since=now):
            logger.warning("%s is off: no relay has its configuration; its events are kept", name)


@transaction.atomic
def retire(name: str, *, now: datetime) -> bool:
    """Delete a sink's position and dead letters, so that old events can be deleted.

    Returns False, and deletes nothing, while a relay leads the sink. Raises Cursor.DoesNotExist if
    there is no such sink.
    """
    row = Cursor.objects.select_for_update().get(pk=name)
    if not Cursor.objects.filter(leases.free(now), pk=name).exists():
        return False
    row.delete()
    return True


@dataclass(frozen=True, kw_only=True)
class Backlog:
    """The pending events of a sink. The feed counts as a sink; its pending events are those
    without a position."""

    pending: int
    oldest_age: timedelta | None  # of the pending events; None if there are none
    set_aside: int = 0  # the number of dead letters
    cursor: Cursor = field(default_factory=Cursor)  # the feed's never fails


def oldest_ages(now: datetime) -> dict[str, timedelta | None]:
    """Return the age of the oldest pending event of the feed (`feed`) and of each sink, by name.

    None if no event is pending.
    """
    unnumbered = {key: _first_time(_unnumbered(sees_all=key)) for key in (False, True)}
    ages = {"feed": _age(unnumbered[False], now)}
    for sink in Cursor.objects.all():
        times = (unnumbered[sink.sees_all], _first_time(sink.pending()))
        ages[sink.name] = _age(min((at for at in times if at is not None), default=None), now)
    return ages


def _first_time(rows: EventQuerySet) -> datetime | None:
    return rows.values_list("at", flat=True).first()


def _unnumbered(*, sees_all: bool = False) -> EventQuerySet:
    """Return events without a position: those of the feed; with `sees_all`, all events."""
    rows = Event.objects.unnumbered()
    if sees_all:
        return rows
    return rows.filter(quiet=False, to_state__in=settings.EVENT_STATES)


def backlogs(now: datetime) -> dict[str, Backlog]:
    """Return the backlog of the feed (`feed`) and of every sink, on or off, by name."""
    ages = oldest_ages(now)
    by_name = {"feed": Backlog(pending=_unnumbered().count(), oldest_age=ages["feed"])}
    for sink in Cursor.objects.filter(pk__in=ages).order_by("name"):
        by_name[sink.name] = Backlog(
            pending=_unnumbered(sees_all=sink.sees_all).count() + sink.pending().count(),
            oldest_age=ages[sink.name],
            set_aside=sink.dead_letters.count(),
            cursor=sink,
        )
    return by_name


def _age(at: datetime | None, now: datetime) -> timedelta | None:
    return None if at is None else max(now - at, timedelta(0))
