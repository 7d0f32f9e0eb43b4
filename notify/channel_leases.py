"""Leases of channels, for the relays that send, and the results of attempts to send.

A relay records its lease in the channel's row, and renews it while sending, so normally only one
relay sends for a channel. When a lease has expired, such as after a crash, another relay takes over
the channel; a relay that has lost its lease may still finish a message.
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
BATCH_SIZE = 16  # deliveries of a channel read at once; after a crash, they may be sent again
_FIRST_PAUSE = timedelta(seconds=5)  # after the first failure; doubled after each further failure
_MAX_PAUSE = timedelta(hours=1)
_MAX_RETRY_AFTER = timedelta(days=1)  # the longest pause that Retry-After may ask for
_MAX_TEXT_LENGTH = 1000  # characters stored of an error or a response


@dataclass(slots=True)
class SendReport:
    """A relay's latest attempts for a channel, in order.

    `attempts` is empty if the relay only requests the next turn, such as after leasing the channel.
    """

    channel_id: str
    attempts: list[tuple[Delivery, SendAttempt, datetime]] = field(default_factory=list)
    unsent: Sequence[Delivery] = ()  # deliveries that were read, but not attempted
    must_release: bool = False  # even if messages are waiting


@dataclass(frozen=True, slots=True)
class Turn:
    """A leased channel, and the deliveries to send now.

    `must_skip`: some of these deliveries must not be sent; call `skip`, and get another turn.
    """

    channel: Channel
    deliveries: Sequence[Delivery]
    must_skip: bool


def due_kinds(*, now: datetime) -> list[str]:
    """Return the kinds of channels that have messages to send now, sorted. One query."""
    due = Channel.objects.receiving().filter(next_attempt_at__lte=now)
    return list(due.order_by("kind").values_list("kind", flat=True).distinct())


def claim(
    token: UUID, *, kind: str, limit: int, busy: Collection[str], now: datetime
) -> list[Channel]:
    """Lease at most `limit` channels of a kind to `token`, for LEASE, and return them.

    Skips the `busy` channels, which the relay with `token` already serves. Working channels come
    first. At most half of `limit + len(busy)` channels, but at least one, may be failing; `busy`
    ones count.
    """
    free = leases.free(now, length=LEASE) | Q(token=token)
    due = Channel.objects.receiving().filter(free, kind=kind, next_attempt_at__lte=now)
    working_first = F("failing_since").asc(nulls_first=True)
    candidates = due.order_by(working_first, "next_attempt_at").values_list("pk", "failing_since")
    chosen = [row for row in candidates[: limit + len(busy)] if row[0] not in busy][:limit]
    working = [pk for pk, since in chosen if since is None]
    failing = [pk for pk, since in chosen if since is not None]
    if failing:
        busy_failing = _rows(busy).exclude(failing_since=None).count()
        del failing[max(0, max(1, (limit + len(busy)) // 2) - busy_failing) :]
    if not working and not failing:
        return []
    with transaction.atomic():
        still_due = Channel.objects.receiving().filter(free, pk__among=working + failing)
        leased = delivery_queue.lock(still_due)
        leases.take(_rows(leased), token, length=LEASE, now=now)
    return list(leased.values())


@transaction.atomic
def renew(channel_ids: Collection[str], token: UUID, *, now: datetime) -> set[str]:
    """Renew `token`'s leases of these channels for LEASE from now; return the channels' ids.

    Leaves out channels that another relay has taken, or that may no longer send.
    """
    held = Channel.objects.receiving().filter(pk__among=list(channel_ids), token=token)
    leased_ids = set(delivery_queue.lock(held))
    leases.renew(_rows(leased_ids), token, length=LEASE, now=now)
    return leased_ids


def _rows(channel_ids: Iterable[str]) -> ChannelQuerySet:
    return Channel.objects.filter(pk__among=list(channel_ids))


_OUTCOME_FIELDS = ("number", "state", "attempts", "attempted_at", "status_code", "error", "answer")
_STATES = {
    SendOutcome.ACCEPTED: DeliveryState.DELIVERED,
    SendOutcome.REFUSED: DeliveryState.REFUSED,
}


def record(reports: Sequence[SendReport], token: UUID, *, now: datetime) -> dict[str, Turn]:
    """Write the results of these attempts; return the next turns of `token`, by channel.

    Renews the leases of channels with a next turn, and releases the others. A released channel that
    has more to send queues behind the channels that are already waiting.
    """
    channels = _write(reports, token, now=now)
    if not channels:
        return {}
    queues = {
        report.channel_id: report.unsent or _read(report.channel_id)
        for report in reports
        if report.channel_id in channels
    }
    numbers = [delivery.pk for deliveries in queues.values() for delivery in deliveries]
    permitted = Delivery.objects.waiting().permitted().filter(pk__among=numbers).order_by()
    in_time = permitted.filter(queued_at__gte=now - delivery_queue.MAX_AGE)
    sendable = set(in_time.values_list("pk", flat=True))
    return {
        pk: Turn(channels[pk], deliveries, not sendable.issuperset(row.pk for row in deliveries))
        for pk, deliveries in queues.items()
    }


def skip(channel: Channel, *, now: datetime) -> None:
    """Skip the channel's deliveries that are too old or that its owner may no longer see."""
    delivery_queue.skip_old(channel, now=now)
    delivery_queue.skip_forbidden(channel)


@restartable
def _write(reports: Sequence[SendReport], token: UUID, *, now: datetime) -> dict[str, Channel]:
    """Write these results; return the channels for which `token` has more to send, by id.

    The channels are reloaded with their owners, because kinds depend on settings and roles.
    """
    channels = delivery_queue.lock(
        _rows(report.channel_id for report in reports).select_related("owner")
    )
    leased = {pk: channel for pk, channel in channels.items() if channel.token == token}
    _write_outcomes(reports, leased)
    may_send = Channel.objects.receiving().filter(pk__among=list(leased))
    active = set(may_send.values_list("pk", flat=True))
    continuing: set[str] = set()
    requeued: set[str] = set()
    for report in reports:
        channel = leased.get(report.channel_id)
        if channel is None or channel.pk not in active:
            continue
        if _apply_last_outcome(channel, report, now=now):
            (requeued if report.must_release else continuing).add(channel.pk)
    if requeued:
        _rows(requeued).update(next_attempt_at=now)
    return {pk: leased[pk] for pk in _keep_or_release(leased, continuing, token, now=now)}


def _read(channel_id: str) -> Sequence[Delivery]:
    # One query per channel, so that the index yields the first deliveries, however many wait.
    return list(Delivery.objects.waiting().filter(channel=channel_id)[:BATCH_SIZE])


def _write_outcomes(reports: Iterable[SendReport], leased: Collection[str]) -> None:
    """Write the results for messages that are still waiting. Their channels must be locked.

    For a channel that this relay no longer leases, writes only final results.
    """
    outcomes = {
        delivery.number: _outcome_values(delivery, attempt, at)
        for report in reports
        for delivery, attempt, at in report.attempts
        if report.channel_id in leased or attempt.outcome in _STATES
    }
    waiting = Delivery.objects.filter(pk__among=list(outcomes), state=DeliveryState.WAITING)
    numbers = waiting.values_list("pk", flat=True)
    rows.update(Delivery, _OUTCOME_FIELDS, [outcomes[number] for number in numbers])


def _outcome_values(delivery: Delivery, attempt: SendAttempt, at: datetime) -> tuple[object, ...]:
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
    """Return the start of an error or a response, in a form that PostgreSQL can store."""
    return text[:_MAX_TEXT_LENGTH].replace("\0", "").encode(errors="replace").decode()


def _apply_last_outcome(channel: Channel, report: SendReport, *, now: datetime) -> bool:
    """Update a channel after its last attempt; return whether it can send more messages now."""
    if not report.attempts:
        return True
    _, attempt, _ = report.attempts[-1]
    if attempt.outcome is SendOutcome.HELD:
        _back_off(channel, attempt, now=now)
        return False
    if attempt.outcome is SendOutcome.GONE:
        delivery_queue.disable(channel, attempt.error, now=now)
        return False
    if channel.failing_since:
        channel.failing_since, channel.attempts = None, 0
        channel.save(update_fields=["failing_since", "attempts"])
    return True


def _back_off(channel: Channel, attempt: SendAttempt, *, now: datetime) -> None:
    """Postpone a channel's next attempt, by `pause_after` or, if longer, as the receiver requests.

    A channel that has failed for MAX_AGE is disabled.
    """
    channel.attempts += 1
    channel.failing_since = channel.failing_since or now
    requested = min(attempt.retry_after or timedelta(0), _MAX_RETRY_AFTER)
    channel.next_attempt_at = now + max(pause_after(channel.attempts), requested)
    channel.save(update_fields=["attempts", "failing_since", "next_attempt_at"])
    if now - channel.failing_since >= delivery_queue.MAX_AGE:
        days = delivery_queue.MAX_AGE.days
        reason = f"The channel had been failing for {days} days. Last error: {attempt.error}"
        delivery_queue.disable(channel, reason, now=now)


def pause_after(failures: int) -> timedelta:
    """Return how long to wait after this many failures in a row: up to _MAX_PAUSE, with jitter."""
    longest: timedelta = min(_FIRST_PAUSE * 2 ** min(failures - 1, 20), _MAX_PAUSE)
    return longest * random.uniform(0.5, 1)  # noqa: S311 - no secret


def _keep_or_release(
    leased: Iterable[str], continuing: set[str], token: UUID, *, now: datetime
) -> set[str]:
    """Renew the leases of `continuing` channels that have waiting messages, and return their ids.

    Releases all other `leased` channels.
    """
    has_waiting = Exists(Delivery.objects.waiting().filter(channel=OuterRef("pk")).order_by())
    unfinished = _rows(continuing).filter(has_waiting)
    kept = set(unfinished.values_list("pk", flat=True)) if continuing else set()
    if idle := continuing - kept:
        _rows(idle).update(next_attempt_at=None)
    if released := set(leased) - kept:
        leases.release(_rows(released), token)
    if kept:
        leases.renew(_rows(kept), token, length=LEASE, now=now)
    return kept


@transaction.atomic
def release(token: UUID) -> None:
    """Release all channels that are leased to `token`."""
    leased = delivery_queue.lock(Channel.objects.filter(token=token))
    leases.release(_rows(leased), token)
