"""Fan-out: matches each event of the outbox with all channels that subscribe to it.

Messages are composed before the transaction that writes them, so that its locks are held briefly.
`Channel.position` is the position of the last event that was matched with the channel. Active
channels move with the cursor of `notify.reader`, in the same transaction. `catch_up` advances the
channels that are behind the cursor: resumed channels, new ones that begin in the past, and those
whose owner has a role again.
"""

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import chain, takewhile

from django.db import transaction
from django.db.models import Min

from accounts import rights
from foundation.database.transactions import StartOverError
from notify import delivery_queue, digest_queue, message_texts, outage_messages
from notify.matching import EventFacts, may_receive_event
from notify.message_types import Content
from notify.models import (
    Channel,
    ChannelQuerySet,
    ChannelState,
    Delivery,
    GatheredEvent,
    Gathering,
    Subscription,
    When,
)
from notify.outage_messages import OutageEnd
from notify.subscription_index import current_index
from outbox.models import Event, EventQuerySet

logger = logging.getLogger(__name__)

BATCH_SIZE = 1000  # events loaded at once to catch up
_MAX_PAIRS = 500  # pairs of an event and a matching subscription, after which composing stops

_Pair = tuple[EventFacts, Subscription]
_Contents = dict[tuple[object, object], Content]  # by event and audience
_DigestKey = tuple[str, str]  # the id of a digest's subscription, and the digest's key


@dataclass(slots=True)
class _Share:
    """The messages and events that one channel gets from a batch."""

    channel: Channel
    deliveries: dict[object, Delivery] = field(default_factory=dict)  # by the event's id
    gathered: list[GatheredEvent] = field(default_factory=list)
    gatherings: dict[_DigestKey, Gathering] = field(default_factory=dict)  # new or postponed


@dataclass(slots=True)
class FanOutBatch:
    """What channels get from some events: composed, but not written yet."""

    last_position: int  # of these events
    positions: dict[str, int]  # positions of the channels when read
    shares: Sequence[_Share] = ()
    ends: Sequence[OutageEnd] = ()  # ends of our own outages
    skipped: Counter[str] = field(default_factory=Counter)  # events too old to be sent, by channel


def compose(events: Sequence[Event], *, after: int, now: datetime) -> FanOutBatch:
    """Match the first of these events, which follow `after`, with the channels.

    Returns what the channels get, to be passed to `write`. Stops after the event that brings the
    pairs to _MAX_PAIRS or more. Leaves channels that are behind `after` to `catch_up`.
    """
    last_position = events[-1].position or 0
    channels = Channel.objects.receiving().filter(position__gte=after, position__lt=last_position)
    positions = dict(channels.values_list("pk", "position"))
    matchable = [facts for facts in map(EventFacts, events) if _can_match(facts)]
    index = current_index() if matchable else None
    pairs: list[_Pair] = []
    for facts in matchable:
        position = facts.event.position or 0
        pairs += (
            (facts, subscription)
            for subscription in (index.matching(facts) if index else ())
            if positions.get(subscription.channel_id, position) < position
        )
        if len(pairs) >= _MAX_PAIRS:
            last_position = position
            break
    advancing = {pk: position for pk, position in positions.items() if position < last_position}
    matched = {id(facts): facts for facts, _ in pairs}.values()
    ends = [end for end in (outage_messages.outage_end(facts.event) for facts in matched) if end]
    shares = _shares(pairs, ends, now=now) if pairs else ()
    return FanOutBatch(last_position, advancing, shares, ends)


def _can_match(facts: EventFacts) -> bool:
    """Return whether the event can match a subscription. A malformed one must not block others."""
    try:
        return facts.can_match()
    except Exception:
        logger.exception("Event %s is not readable: nobody is notified", facts.event.pk)
        return False


def _shares(pairs: Sequence[_Pair], ends: Sequence[OutageEnd], *, now: datetime) -> list[_Share]:
    """Return the messages and the events of digests that each channel gets."""
    ids = {subscription.channel_id for _, subscription in pairs}
    rows = Channel.objects.filter(pk__among=list(ids)).select_related("owner")
    channels = list(rows.prefetch_related("owner__groups", "owner__memberships"))
    rights.load_shared(channel.owner for channel in channels if channel.owner is not None)
    shares = {channel.pk: _Share(channel) for channel in channels}
    contents: _Contents = {}
    start_ids = {end.event_id: str(end.start_id or "") for end in ends}
    gatherings = _open_gatherings(pairs)
    for facts, subscription in pairs:
        share, row = shares.get(subscription.channel_id), facts.event
        if share is None or not may_receive_event(facts, share.channel.actor):  # gone, or no right
            continue
        is_in_digest = _add_to_digest(facts, subscription, share, gatherings, now=now)
        if is_in_digest or row.pk in share.deliveries:
            continue
        reply_to = start_ids.get(row.pk, "")
        content = partial(_content, row, share.channel, contents, in_reply_to=reply_to)
        delivery = delivery_queue.compose_delivery(share.channel, row.pk, content, now=now)
        share.deliveries[row.pk] = delivery
    return list(shares.values())


def _content(row: Event, channel: Channel, contents: _Contents, *, in_reply_to: str) -> Content:
    """Return the content of an event, composed once for all channels with the same audience."""
    key = (row.pk, None if channel.actor.sees_all else channel.owner_id)
    if key not in contents:
        contents[key] = message_texts.event_content(row, channel.actor, in_reply_to=in_reply_to)
    return contents[key]


def _open_gatherings(pairs: Iterable[_Pair]) -> dict[_DigestKey, Gathering]:
    subscription_ids = list({subscription.pk for _, subscription in pairs})
    rows = Gathering.objects.filter(subscription__pk__among=subscription_ids)
    return {(row.subscription_id, row.host): row for row in rows}


def _add_to_digest(
    facts: EventFacts,
    subscription: Subscription,
    share: _Share,
    gatherings: dict[_DigestKey, Gathering],
    *,
    now: datetime,
) -> bool:
    """Add the event to its digest, if any; return whether the digest contains it.

    For an `at_once` subscription, the first event of a host starts a digest, but is sent alone. The
    start of an outage is part of its digest, and waits.
    """
    host = digest_queue.digest_key(subscription, facts)
    if host is None:
        return False
    key = (subscription.pk, host)
    gathering = gatherings.get(key)
    is_first = gathering is None and subscription.when == When.AT_ONCE
    is_sent_alone = is_first and host != outage_messages.OUTAGE_KEY
    gathering = gathering or Gathering(subscription=subscription, host=host, began_at=now)
    due_at = digest_queue.due_time(subscription, facts, began_at=gathering.began_at, now=now)
    gathering.due_at = due_at
    gatherings[key] = share.gatherings[key] = gathering
    if not is_sent_alone:
        share.gathered.append(GatheredEvent(gathering=gathering, transition=facts.event))
    return not is_sent_alone


@transaction.atomic
def write(batch: FanOutBatch, *, now: datetime) -> None:
    """Write what the channels get, and move their positions.

    Does not change channels that have moved or stopped since they were read. Raises StartOverError
    if a digest was sent, or a subscription deleted, in the meantime.
    """
    rows = Channel.objects.filter(pk__among=list(batch.positions), state=ChannelState.ACTIVE)
    locked = rows.order_by("pk").select_for_update(no_key=True).values_list("pk", "position")
    unmoved = {pk for pk, position in locked if position == batch.positions[pk]}
    shares = [share for share in batch.shares if share.channel.pk in unmoved]
    for end in batch.ends:
        notified = outage_messages.settle(end, [share.channel.pk for share in shares])
        for share in shares:
            if share.channel.pk not in notified:
                share.deliveries.pop(end.event_id, None)
    _save_gatherings([row for share in shares for row in share.gatherings.values()])
    gathered = [event for share in shares for event in share.gathered]
    for event in gathered:
        event.gathering_id = event.gathering.pk
    GatheredEvent.objects.bulk_create(gathered, ignore_conflicts=True)
    deliveries = [row for share in shares for row in share.deliveries.values()]
    Delivery.objects.bulk_create(deliveries, ignore_conflicts=True)
    channels = Channel.objects.filter(pk__among=list(unmoved))
    channels.update(position=batch.last_position)
    if waiting := {row.channel_id for row in deliveries if row.waits}:
        delivery_queue.wake(waiting, now=now)
    for channel in channels.filter(pk__among=list(batch.skipped)) if batch.skipped else ():
        delivery_queue.report_skipped(channel, batch.skipped[channel.pk], now=now)


def _save_gatherings(gatherings: Sequence[Gathering]) -> None:
    old, new = [row for row in gatherings if row.pk], [row for row in gatherings if not row.pk]
    if Gathering.objects.filter(pk__in=[row.pk for row in old]).count() < len(old):
        raise StartOverError
    ids = {row.subscription_id for row in new}
    if new and Subscription.objects.filter(pk__among=list(ids)).count() < len(ids):
        raise StartOverError
    Gathering.objects.bulk_update(old, ["due_at"])
    Gathering.objects.bulk_create(new)


def catch_up(*, until: int, now: datetime) -> bool:
    """Advance the channels that are behind `until` by a step; return whether there were any.

    One scan, from the channel furthest behind, serves them all. Events older than MAX_AGE are no
    longer sent; channels are only notified of their number.
    """
    behind = Channel.objects.receiving().filter(position__lt=until)
    start = behind.aggregate(position=Min("position"))["position"]
    if start is None:
        return False
    behind = behind.filter(position__gte=start)  # new ones wait for the next call
    rows = Event.objects.numbered().filter(position__gt=start, position__lte=until)
    events = next(rows.chunks(limit=BATCH_SIZE), [])
    with suppress(StartOverError):  # the next call composes the rest again
        if not events:
            write(FanOutBatch(until, dict(behind.values_list("pk", "position"))), now=now)
        elif events[0].at < now - delivery_queue.MAX_AGE:
            write(_skipped_batch(behind, rows, now=now), now=now)
            events = []
        while events:
            batch = compose(events, after=start, now=now)
            write(batch, now=now)
            start = batch.last_position
            events = [event for event in events if (event.position or 0) > start]
    return True


def _skipped_batch(behind: ChannelQuerySet, rows: EventQuerySet, *, now: datetime) -> FanOutBatch:
    """Return a batch without messages that counts the events too old to be sent, by channel."""
    batch = FanOutBatch(0, dict(behind.values_list("pk", "position")))
    index, limit = current_index(), now - delivery_queue.MAX_AGE
    for row in takewhile(lambda row: row.at < limit, _in_order(rows)):
        batch.last_position = position = row.position or 0
        facts = EventFacts(row)
        subscriptions = index.matching(facts) if _can_match(facts) else ()
        channels = {subscription.channel_id for subscription in subscriptions}
        batch.skipped.update(pk for pk in channels if batch.positions.get(pk, position) < position)
    # Channels that are further ahead keep their position, so that no event is sent twice.
    batch.positions = {pk: at for pk, at in batch.positions.items() if at < batch.last_position}
    return batch


def _in_order(rows: EventQuerySet) -> Iterator[Event]:
    """Yield these rows by position, and load at most BATCH_SIZE at once.

    `iterator` would load all of them behind a pooler, where Django uses no server-side cursors.
    """
    last, position = -1, 0
    while position > last:
        last = position
        page = rows.filter(position__gt=last).chunks(limit=BATCH_SIZE)
        for row in chain.from_iterable(page):
            yield row
            position = row.position or 0
