"""Leases of channels: the relay that sends for a channel, and the results of its attempts.

A relay leases a channel in the channel's row, and renews the lease while it sends. After a crash,
others take over when the lease has expired; so two relays never send for a channel at once.
"""

import random
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q

from foundation.database import leases, rows
from foundation.database.transactions import restartable
from notify import delivery_queue
from notify.kinds.kind import SendAttempt, SendOutcome
from notify.models import Channel, ChannelQuerySet, Delivery, DeliveryState

LEASE = timedelta(seconds=30)
AT_ONCE = 16  # deliveries of a channel read at once; they may be repeated after a crash
_FIRST_PAUSE = timedelta(seconds=5)  # after a failure, doubled with each further one
_MAX_PAUSE = timedelta(hours=1)
_MAX_RETRY_AFTER = timedelta(days=1)  # the longest pause that Retry-After may ask for
_LONGEST = 1000  # characters stored of an error or answer


@dataclass(slots=True)
class SendReport:
    """A relay's attempts for a channel, in order; none if it has just leased the channel."""

    channel_id: str
    attempts: list[tuple[Delivery, SendAttempt, datetime]] = field(default_factory=list)
    unsent: Sequence[Delivery] = ()  # also read, but not attempted yet
    is_last: bool = False  # the relay stops, although messages may wait


@dataclass(frozen=True, slots=True)
class Turn:
    """A leased channel, and the deliveries to send now.

    `must_skip`: do not send them, because the channel may have some to skip; call `skip` first.
    """

    channel: Channel
    deliveries: Sequence[Delivery]
    must_skip: bool


def due_kinds(*, now: datetime) -> list[str]:
    """Return the kinds with a channel that has messages to send; one query if there is none."""
    due = Channel.objects.fed().filter(next_attempt_at__lte=now)
    return list(due.order_by("kind").values_list("kind", flat=True).distinct())


def claim(
    token: UUID, *, kind: str, limit: int, busy: Collection[str], now: datetime
) -> list[Channel]:
    """Lease at most `limit` channels of a kind to `token`, for LEASE, and return them.

    Working ones come first; failing ones, including those among the `busy` ones, get at most half
    of the places. `busy` ones are skipped.
    """
    free = leases.free(now, length=LEASE) | Q(token=token)
    due = Channel.objects.fed().filter(free, kind=kind, next_attempt_at__lte=now)
    first = F("failing_since").asc(nulls_first=True)
    rows = due.order_by(first, "next_attempt_at").values_list("pk", "failing_since")
    found = [row for row in rows[: limit + len(busy)] if row[0] not in busy][:limit]
    working = [pk for pk, since in found if since is None]
    failing = [pk for pk, since in found if since is not None]
    if failing:
        held = Channel.objects.filter(pk__among=list(busy)).exclude(failing_since=None).count()
        del failing[max(0, max(1, (limit + len(busy)) // 2) - held) :]
    if not working and not failing:
        return []
    with transaction.atomic():
        chosen = Channel.objects.fed().filter(free, pk__among=working + failing)
        taken = delivery_queue.lock(chosen)
        leases.take(_rows(taken), token, length=LEASE, now=now)
    return list(taken.values())


@transaction.atomic
def renew(channels: Collection[str], token: UUID, *, now: datetime) -> set[str]:
    """Renew `token`'s leases of these channels for LEASE from now; return those that it still
    holds."""
    ours = set(
        delivery_queue.lock(Channel.objects.fed().filter(pk__among=list(channels), token=token))
    )
    leases.renew(_rows(ours), token, length=LEASE, now=now)
    return ours


def _rows(channels: Iterable[str]) -> ChannelQuerySet:
    return Channel.objects.filter(pk__among=list(channels))


_OUTCOME = ("number", "state", "attempts", "attempted_at", "status_code", "error", "answer")
_STATES = {
    SendOutcome.ACCEPTED: DeliveryState.DELIVERED,
    SendOutcome.REFUSED: DeliveryState.REFUSED,
}


def record(reports: Sequence[SendReport], token: UUID, *, now: datetime) -> dict[str, Turn]:
    """Write the results of these attempts; return the next turns of `token`, by channel.

    The leases of their channels are renewed; other channels are released, behind waiting ones.
    """
    channels = _write(reports, token, now=now)
    if not channels:
        return {}
    read = {
        one.channel_id: one.unsent or _read(one.channel_id)
        for one in reports
        if one.channel_id in channels
    }
    numbers = [one.pk for deliveries in read.values() for one in deliveries]
    permitted = Delivery.objects.waiting().permitted().filter(pk__among=numbers).order_by()
    in_time = permitted.filter(queued_at__gte=now - delivery_queue.HISTORY)
    may_go = set(in_time.values_list("pk", flat=True))
    return {
        pk: Turn(channels[pk], deliveries, not may_go.issuperset(one.pk for one in deliveries))
        for pk, deliveries in read.items()
    }


def skip(channel: Channel, *, now: datetime) -> None:
    """Skip deliveries that have waited too long or that the owner may no longer see."""
    delivery_queue.skip_old(channel, now=now)
    delivery_queue.skip_forbidden(channel)


@restartable
def _write(reports: Sequence[SendReport], token: UUID, *, now: datetime) -> dict[str, Channel]:
    """Write these results; return the channels for which `token` has more to send.

    They are reloaded with their owners, because kinds depend on settings and roles.
    """
    channels = delivery_queue.lock(
        _rows(report.channel_id for report in reports).select_related("owner")
    )
    ours = {pk: channel for pk, channel in channels.items() if channel.token == token}
    _write_outcomes(reports, ours)
    fed = set(Channel.objects.fed().filter(pk__among=list(ours)).values_list("pk", flat=True))
    going_on: set[str] = set()
    in_line: set[str] = set()
    for report in reports:
        channel = ours.get(report.channel_id)
        if channel is None or channel.pk not in fed:
            continue
        if _goes_on(channel, report, now=now):
            (in_line if report.is_last else going_on).add(channel.pk)
    if in_line:
        _rows(in_line).update(next_attempt_at=now)
    return {pk: ours[pk] for pk in _let_go(ours, going_on, token, now=now)}


def _read(channel_id: str) -> Sequence[Delivery]:
    # A query for each channel: only so do the first ones come from the index, however many wait.
    return list(Delivery.objects.waiting().filter(channel=channel_id)[:AT_ONCE])


def _write_outcomes(reports: Iterable[SendReport], ours: Collection[str]) -> None:
    """Write the results of messages that still wait, with their channels locked.

    For a channel that another relay holds now, writes only final results.
    """
    made = {
        delivery.number: _outcome(delivery, attempt, at)
        for report in reports
        for delivery, attempt, at in report.attempts
        if report.channel_id in ours or attempt.outcome in _STATES
    }
    waiting = Delivery.objects.filter(pk__among=list(made), state=DeliveryState.WAITING)
    rows.update(Delivery, _OUTCOME, [made[pk] for pk in waiting.values_list("pk", flat=True)])


def _outcome(delivery: Delivery, attempt: SendAttempt, at: datetime) -> tuple[object, ...]:
    return (
        delivery.number,
        _STATES.get(attempt.outcome, DeliveryState.WAITING).value,
        delivery.attempts + 1,
        at,
        attempt.status_code,
        _storable(attempt.error),
        _storable(attempt.answer),
    )


def _storable(text: str) -> str:
    """Return a receiver's text, cut, without characters that PostgreSQL can't store."""
    return text[:_LONGEST].replace("\0", "").encode(errors="replace").decode()


def _goes_on(channel: Channel, report: SendReport, *, now: datetime) -> bool:
    """Record a channel's last attempt; return whether it can continue at once."""
    if not report.attempts:
        return True
    _, attempt, _ = report.attempts[-1]
    if attempt.outcome is SendOutcome.HELD:
        _hold(channel, attempt, now=now)
        return False
    if attempt.outcome is SendOutcome.GONE:
        delivery_queue.disable(channel, attempt.error, now=now)
        return False
    if channel.failing_since:
        channel.failing_since, channel.attempts = None, 0
        channel.save(update_fields=["failing_since", "attempts"])
    return True


def _hold(channel: Channel, attempt: SendAttempt, *, now: datetime) -> None:
    """Pause a channel, longer each time; disable it after failing for HISTORY."""
    channel.attempts += 1
    channel.failing_since = channel.failing_since or now
    asked = min(attempt.retry_after or timedelta(0), _MAX_RETRY_AFTER)
    channel.next_attempt_at = now + max(pause(channel.attempts), asked)
    channel.save(update_fields=["attempts", "failing_since", "next_attempt_at"])
    if now - channel.failing_since >= delivery_queue.HISTORY:
        days = delivery_queue.HISTORY.days
        reason = f"The channel has been failing for {days} days. Last error: {attempt.error}"
        delivery_queue.disable(channel, reason, now=now)


def pause(failures: int) -> timedelta:
    """Return how long to wait after this many failures in a row, with jitter."""
    longest: timedelta = min(_FIRST_PAUSE * 2 ** min(failures - 1, 20), _MAX_PAUSE)
    return longest * random.uniform(0.5, 1)  # noqa: S311 - no secret


def _let_go(ours: Iterable[str], going_on: set[str], token: UUID, *, now: datetime) -> set[str]:
    """Keep channels that have more to send, and release the others."""
    waits = Exists(Delivery.objects.waiting().filter(channel=OuterRef("pk")).order_by())
    going = _rows(going_on).filter(waits)
    more = set(going.values_list("pk", flat=True)) if going_on else set()
    if done := going_on - more:
        _rows(done).update(next_attempt_at=None)
    if free := set(ours) - more:
        leases.release(_rows(free), token)
    if more:
        leases.renew(_rows(more), token, length=LEASE, now=now)
    return more


@transaction.atomic
def release(token: UUID) -> None:
    """Release all channels of this relay at once."""
    ours = delivery_queue.lock(Channel.objects.filter(token=token))
    leases.release(_rows(ours), token)
