"""Messages about outages of our own network: which are sent, and when (ADR 50).

The event of a new outage waits in a digest for NOTIFY_OUTAGE_AFTER; a shorter outage is not
reported. The event of its end is sent at once, in the thread of the first message. A first message
that has not been sent by then is skipped: the message about the end contains both times.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.conf import settings

from notify.models import Delivery, DeliveryState
from outbox.event_kinds import EventKind
from outbox.models import Event

OUTAGE_KEY = ":network"  # the key of digests about new outages; hosts contain no colon
_TOO_LATE = "Not sent: the outage had already ended. The next message reports its start and end."


@dataclass(frozen=True, slots=True)
class OutageEnd:
    """The end of an outage: its event, the event of the start, and whether the outage was short."""

    event_id: UUID
    start_id: UUID | None
    is_short: bool


def outage_end(event: Event) -> OutageEnd | None:
    """Return the end of an outage if this event is one; otherwise None."""
    if event.kind != EventKind.NETWORK_BACK:
        return None
    starts = Event.objects.filter(kind=EventKind.NETWORK_DOWN, position__lt=event.position or 0)
    start_id = starts.order_by("-position").values_list("pk", flat=True).first()
    return OutageEnd(event.pk, start_id, ends_short_outage(event))


def ends_short_outage(event: Event) -> bool:
    """Return whether this event ends an outage that was shorter than NOTIFY_OUTAGE_AFTER."""
    if event.kind != EventKind.NETWORK_BACK:
        return False
    try:
        began, ended = (datetime.fromisoformat(event.payload[name]) for name in ("since", "until"))
    except (KeyError, TypeError, ValueError):
        return False
    return ended - began < settings.NOTIFY_OUTAGE_AFTER


def reportable(rows: Iterable[Event], *, now: datetime) -> list[Event]:
    """Return the events to report now.

    Leaves out ends of short outages, and starts of outages that have ended or that are younger than
    NOTIFY_OUTAGE_AFTER.
    """
    rows = list(rows)
    starts = [row for row in rows if row.kind == EventKind.NETWORK_DOWN]
    if not starts:
        return [row for row in rows if not ends_short_outage(row)]
    ends = Event.objects.numbered().filter(kind=EventKind.NETWORK_BACK)
    latest = ends.filter(position__gt=min(row.position or 0 for row in starts))
    end = latest.order_by("-position").values_list("position", flat=True).first() or 0

    def is_reportable(row: Event) -> bool:
        if row.kind != EventKind.NETWORK_DOWN:
            return not ends_short_outage(row)
        return (row.position or 0) > end and now - row.at >= settings.NOTIFY_OUTAGE_AFTER

    return [row for row in rows if is_reportable(row)]


def settle(end: OutageEnd, channels: Collection[str]) -> set[str]:
    """Skip the outage's first message on these locked channels, unless they have sent it.

    Returns the channels to notify of the end: for a short outage, only those with a first message.
    """
    start_ids = [end.start_id] if end.start_id else []
    deliveries = Delivery.objects.filter(channel__in=list(channels), message_id__in=start_ids)
    notified = set(deliveries.values_list("channel", flat=True))
    waiting = deliveries.filter(state=DeliveryState.WAITING)
    waiting.update(state=DeliveryState.SKIPPED, error=_TOO_LATE)
    return notified if end.is_short else set(channels)
