"""Digests: events that are sent as one message.

One cause, one message: the first event of a host is sent at once. Further events of that host are
collected until it has been quiet for NOTIFY_QUIET, for at most NOTIFY_LONGEST, and sent as one
message. An hourly or daily digest collects all events of its subscription.
"""

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import partial
from zoneinfo import ZoneInfo

import uuid_utils.compat
from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.models import Q
from django.db.models.fields.json import KT

from accounts.actors import Actor
from notify import delivery_queue, message_texts, outage_messages
from notify.matching import EventFacts, may_receive_event
from notify.models import Channel, GatheredEvent, Gathering, Subscription, When
from outbox.event_kinds import TARGET_KINDS, EventKind
from outbox.events import visible_data
from outbox.models import Event, EventQuerySet
from targets.state import State

logger = logging.getLogger(__name__)

LINKS_KEY = ":links"  # the key of digests about expiring links; hosts contain no colon
_BATCH_SIZE = 100  # digests
_RETRY_DELAY = timedelta(minutes=1)  # after which closing a digest is tried again
_FAMILIES = {  # kinds of events that cancel each other
    EventKind.STATE: "state",
    EventKind.FLAG_RAISED: "flag",
    EventKind.FLAG_CLEARED: "flag",
    EventKind.ATTENTION_NEEDED: "attention",
    EventKind.ATTENTION_ENDED: "attention",
}


def digest_key(subscription: Subscription, facts: EventFacts) -> str | None:
    """Return the key of the event's digest, or None if the event is sent alone.

    The key is a host, LINKS_KEY or `outage_messages.OUTAGE_KEY`; "" for an hourly or daily digest.
    """
    if subscription.when != When.AT_ONCE:
        return ""
    if facts.event.kind == EventKind.NETWORK_DOWN:
        return outage_messages.OUTAGE_KEY
    if not subscription.grouped:
        return None
    return LINKS_KEY if facts.category == "links" else facts.host or None


def due_time(
    subscription: Subscription, facts: EventFacts, *, began_at: datetime, now: datetime
) -> datetime:
    """Return when to send a digest to which this event was added."""
    if digest_key(subscription, facts) == outage_messages.OUTAGE_KEY:
        return facts.event.at + settings.NOTIFY_OUTAGE_AFTER
    if subscription.when == When.AT_ONCE:
        return min(now + settings.NOTIFY_QUIET, began_at + settings.NOTIFY_LONGEST)
    if subscription.when == When.HOURLY:
        return began_at.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
    return next_time_at(subscription.hour or 0, subscription.time_zone, after=began_at)


def next_time_at(hour: int, time_zone: str, *, after: datetime) -> datetime:
    """Return the next time after `after` when it is this hour in this time zone.

    If the clock skips the hour on that day, returns when the hour would have begun; if the hour
    occurs twice, returns the first.
    """
    zone = ZoneInfo(time_zone or "UTC")
    day = after.astimezone(zone).replace(hour=hour, minute=0, second=0, microsecond=0, fold=0)
    # Arithmetic on times with the same zone is by wall clock, so use UTC.
    moments = (day + timedelta(days=days) for days in (0, 1))
    return next(at for at in (moment.astimezone(after.tzinfo) for moment in moments) if at > after)


def without_cancelled(events: Iterable[Event]) -> list[Event]:
    """Return the events still to be sent, in order, without those that cancel each other.

    A page that died and recovered cancels out, as do a flag that was raised and cleared, and
    temporary attention. If several events in a row are equal, the last one is sent. (For our own
    outages, see `outage_messages.reportable`.)
    """
    remaining: dict[object, Event] = {}
    for row in events:
        key = _cancel_key(row)
        previous = remaining.pop(key, None)
        if previous is None or (previous.kind, previous.to_state) == (row.kind, row.to_state):
            remaining[key] = row
    return list(remaining.values())


def _cancel_key(row: Event) -> object:
    """Return the key that an event shares with the events that cancel or repeat it."""
    if row.kind not in TARGET_KINDS:
        return row.pk
    family = _FAMILIES.get(EventKind(row.kind), row.kind)
    return (row.payload.get("target_id"), family, row.payload.get("flag"))


def _without_outdated(events: list[Event]) -> list[Event]:
    """Drop deaths of pages that are alive again, and vice versa.

    The later event may not be in the digest, because the subscription may not include its kind.
    """
    states = [row for row in events if row.kind == EventKind.STATE and row.target_id]
    if not states:
        return events
    later = Event.objects.numbered().filter(
        Q(from_state=State.DEAD) | Q(to_state=State.DEAD),
        kind=EventKind.STATE,
        target__pk__among=[row.target_id for row in states],
    )
    newest = dict(later.values_list("target_id", "to_state"))  # by position: the last event wins
    return [
        row
        for row in events
        if row.kind != EventKind.STATE
        or (newest.get(row.target_id, row.to_state) == State.DEAD) == (row.to_state == State.DEAD)
    ]


def close_due(*, now: datetime) -> int:
    """Close at most _BATCH_SIZE due digests, queueing their messages; return how many.

    A digest waits while its channel's owner may not receive messages.
    """
    permitted = Channel.objects.permitted()
    due = Gathering.objects.filter(due_at__lte=now, subscription__channel__in=permitted)
    rows = due.order_by("due_at")
    gatherings = list(rows.select_related("subscription__channel__owner")[:_BATCH_SIZE])
    closed = 0
    for gathering in gatherings:
        try:
            _close(gathering, now=now)
            closed += 1
        except DatabaseError:
            raise
        except Exception:
            logger.exception("Digest %s can't be closed; others are not affected", gathering.pk)
            Gathering.objects.filter(pk=gathering.pk).update(due_at=now + _RETRY_DELAY)
    return closed


def _without_payloads(events: EventQuerySet) -> list[Event]:
    """Return these events in order, with only what counting and cancelling need of their payloads.

    A digest may have 100,000 events, each with as many references.
    """
    names = ("target_id", "canonical_url", "flag", "since", "until")
    parts = {f"payload_{name}": KT(f"payload__{name}") for name in names}
    parts["payload_first"] = KT("payload__reference_ids__0")
    parts["error_kind"] = KT("payload__error__kind")
    rows = list(events.order_by("position").defer("payload").annotate(**parts))
    for row in rows:
        row.payload = {name: getattr(row, f"payload_{name}") for name in names}
        first = row.payload_first  # type: ignore[attr-defined]
        row.payload["reference_ids"] = [] if first is None else [first]
        row.payload["error"] = {"kind": row.error_kind}  # type: ignore[attr-defined]
    return rows


def _visible(rows: list[Event], by: Actor) -> list[Event]:
    """Return the events that the actor may see now, whatever it could see earlier.

    Each returned event has at most one reference, which the actor may see.
    """
    if by.sees_all:
        return rows
    events = Event.objects.filter(pk__among=[row.pk for row in rows]).order_by("position")
    visible_ids = {
        row.pk: visible_data(row.payload, by, to_change=True).get("reference_ids", [])[:1]
        for part in events.chunks()
        for row in part
        if may_receive_event(EventFacts(row), by)
    }
    for row in rows:
        ids = visible_ids.get(row.pk, [])
        row.payload |= {"reference_ids": ids, "owners": [by.owner and by.owner.pk] * len(ids)}
    return [row for row in rows if row.pk in visible_ids]


def _close(gathering: Gathering, *, now: datetime) -> None:
    """Queue the digest's message, if anything is left to report, and delete the digest.

    The message is composed before the transaction, so that locks are held briefly. If, in the
    meantime, an event is added, a reported outage ends, or another relay closes the digest, nothing
    changes. Events older than MAX_AGE are only counted.
    """
    channel = gathering.subscription.channel
    gathered = GatheredEvent.objects.filter(gathering=gathering)
    rows = _without_payloads(Event.objects.filter(pk__in=gathered.values("transition")))
    by = channel.actor
    recent = [row for row in rows if row.at >= now - delivery_queue.MAX_AGE]
    visible = _visible(recent, by)
    skipped = len(rows) - len(recent)
    remaining = outage_messages.reportable(_without_outdated(without_cancelled(visible)), now=now)
    # The subject also mentions the first event that is not about a target.
    other = next((row for row in remaining if row.kind not in TARGET_KINDS), None)
    shown = {row.pk for row in (*remaining[: message_texts.MAX_LINES], other) if row}
    complete = Event.objects.in_bulk(shown)
    remaining = [complete.get(row.pk, row) for row in remaining]
    message_id = uuid_utils.compat.uuid7()
    make_content = partial(
        message_texts.digest_content,
        remaining,
        digest_id=message_id,
        by=by,
        began_at=gathering.began_at,
        skipped=skipped,
    )
    if gathering.host == outage_messages.OUTAGE_KEY and remaining:  # one event, no longer delayed
        message_id = remaining[-1].pk
        make_content = partial(message_texts.event_content, remaining[-1], by)
    delivery = None
    if remaining or skipped:
        delivery = delivery_queue.compose_delivery(channel, message_id, make_content, now=now)
    with transaction.atomic():
        delivery_queue.lock_ids([channel.pk])
        if gathered.count() != len(rows):
            return
        if outage_messages.reportable(remaining, now=now) != remaining:
            return
        if not Gathering.objects.filter(pk=gathering.pk).delete()[0]:
            return
        if delivery is not None and not channel.deliveries.filter(message_id=message_id).exists():
            delivery.save(force_insert=True)
            if delivery.waits:
                delivery_queue.wake([channel.pk], now=now)
