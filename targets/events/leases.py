"""Each sink's row: its one leader, its position, what it could not take.

A leader holds a lease by the database's time. Whatever it writes counts only while its token is
still the row's: a relay that was taken for dead can't move a position any more.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from targets.models import DeadLetter, Sink, Transition

KAFKA = "kafka"


class LeaseLostError(Exception):
    """Another relay has taken over this sink."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """An event that the sink will never take as it is, and why."""

    transition: Transition
    error: str


def lease_length() -> timedelta:
    """Return how long a leader may be silent: twice the longest that one send can take.

    That is a time-out each for a connection, for the topic and for acknowledgements, and a bit.
    """
    timeout: timedelta = settings.KAFKA_TIMEOUT
    return 2 * (3 * timeout + timedelta(seconds=2))


def acquire(name: str, token: UUID, *, now: datetime) -> Sink | None:
    """Return the sink's row if `token` leads it now, for two thirds of a lease at least; else None.

    A sink seen for the first time starts at the end of the feed, or at its start if KAFKA_START
    says so.
    """
    sink = Sink.objects.filter(pk=name).first() or _create(name)
    length = lease_length()
    if sink.token == token and sink.leased_until and sink.leased_until - now > length * 2 / 3:
        return sink
    free = Q(token=None) | Q(token=token) | Q(leased_until__lt=now)
    leads = Sink.objects.filter(free, pk=name).update(token=token, leased_until=now + length)
    return Sink.objects.filter(pk=name, token=token).first() if leads else None


def _create(name: str) -> Sink:
    position = 0 if settings.KAFKA_START == "start" else Transition.objects.newest_position()
    return Sink.objects.get_or_create(pk=name, defaults={"position": position})[0]


def release(name: str, token: UUID) -> None:
    """Let another relay take over at once."""
    Sink.objects.filter(pk=name, token=token).update(token=None, leased_until=None)


@transaction.atomic
def advance(sink: Sink, *, to: int, sent: bool, refusals: Iterable[Refusal], now: datetime) -> None:
    """Move the position behind what was accepted or is set aside here; raises LeaseLostError."""
    changes = {"position": to, "leased_until": now + lease_length(), **_success(now, sent=sent)}
    if not Sink.objects.filter(pk=sink.pk, token=sink.token).update(**changes):
        raise LeaseLostError(sink.pk)
    letters = [
        DeadLetter(sink=sink, transition=refusal.transition, at=now, error=refusal.error)
        for refusal in refusals
    ]
    DeadLetter.objects.bulk_create(letters, ignore_conflicts=True)


def note_success(name: str, token: UUID, *, sent: bool, now: datetime) -> None:
    """Keep that the sink answered: it accepted something, or refused it for good."""
    Sink.objects.filter(pk=name, token=token).update(**_success(now, sent=sent))


def _success(now: datetime, *, sent: bool) -> dict[str, Any]:
    changes: dict[str, Any] = {"last_error": "", "last_error_at": None}
    return changes | {"last_sent_at": now} if sent else changes


def note_error(name: str, token: UUID, error: str, *, now: datetime) -> None:
    """Keep what went wrong, for the operator to see, until the next success."""
    Sink.objects.filter(pk=name, token=token).update(last_error=error, last_error_at=now)


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlog:
    """What a sink has still to take. The feed is one: its events wait for their position."""

    pending: int
    oldest: timedelta | None  # age of the oldest pending event
    set_aside: int = 0
    last_sent_at: datetime | None = None
    last_error: str = ""
    last_error_at: datetime | None = None


def oldest_pending(now: datetime) -> dict[str, timedelta | None]:
    """Return the age of the oldest event that the feed and each sink has still to take."""
    unnumbered = Transition.objects.unnumbered().filter(to_state__in=settings.EVENT_STATES)
    first = unnumbered.values_list("at", flat=True).first()
    found = {"feed": _age(first, now)}
    for sink in Sink.objects.all():
        numbered = sink.pending().values_list("at", flat=True).first()
        oldest = min((at for at in (first, numbered) if at is not None), default=None)
        found[sink.name] = _age(oldest, now)
    return found


def backlogs(now: datetime) -> dict[str, Backlog]:
    """Return the backlog of the feed and of every sink by name."""
    oldest = oldest_pending(now)
    waiting = Transition.objects.unnumbered().filter(to_state__in=settings.EVENT_STATES).count()
    found = {"feed": Backlog(pending=waiting, oldest=oldest["feed"])}
    for sink in Sink.objects.filter(pk__in=oldest).order_by("name"):
        found[sink.name] = Backlog(
            pending=waiting + sink.pending().count(),
            oldest=oldest[sink.name],
            set_aside=sink.dead_letters.count(),
            last_sent_at=sink.last_sent_at,
            last_error=sink.last_error,
            last_error_at=sink.last_error_at,
        )
    return found


def _age(at: datetime | None, now: datetime) -> timedelta | None:
    return None if at is None else max(now - at, timedelta(0))
