"""Fan-out: each row of the outbox is read once and put before all channels that want it.

A channel's own position moves in the transaction that writes what it gets, so each event is put
before it once, whatever is repeated. Messages are composed before that: nobody waits for it.
"""

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import islice, takewhile

from django.db import transaction
from django.db.models import Min

from foundation.database.transactions import StartOverError
from notify import gathering, queue, wording
from notify.content import Content
from notify.matching import Event, may_know, parts
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
from notify.subscribers import current_index
from targets.models import Transition, TransitionQuerySet

logger = logging.getLogger(__name__)

BATCH = 1000  # rows of the outbox that are read at once
_PAIRS = 500  # of an event and a subscription that wants it, of which messages are made at once
_CHANNELS = 100  # whose rows are written in one transaction
_ATTEMPTS = 5  # while what was read changes before it is locked

_Pair = tuple[Event, Subscription]
_Contents = dict[tuple[object, object], Content]  # by event, and who may know how much
_Key = tuple[str, str]  # of a gathering: its subscription, and what it gathers by


@dataclass(slots=True)
class _Share:
    """What one channel gets of a batch."""

    channel: Channel
    position: int  # as it was read
    deliveries: dict[object, Delivery] = field(default_factory=dict)  # by the event's id
    gathered: list[GatheredEvent] = field(default_factory=list)
    gatherings: dict[_Key, Gathering] = field(default_factory=dict)  # new, or due later now


def fan_out(transitions: Sequence[Transition], *, after: int, now: datetime) -> bool:
    """Put these rows, all there are behind the position `after`, before all channels.

    Channels that are not as far as `after` are left to `catch_up`. Returns whether there may be
    something to send.
    """
    for attempt in range(_ATTEMPTS):
        try:
            return bool(transitions) and _fan_out(transitions, after=after, now=now)
        except StartOverError:
            if attempt == _ATTEMPTS - 1:
                raise
    return False


def _fan_out(transitions: Sequence[Transition], *, after: int, now: datetime) -> bool:
    to = transitions[-1].position or 0
    reached = Channel.objects.fed().filter(position__gte=after, position__lt=to)
    events = [event for event in map(Event, transitions) if _can_be_told(event)]
    if not events:
        _move(reached.values_list("pk", flat=True), to=to)
        return False
    positions = dict(reached.values_list("pk", "position"))
    changed: set[str] = set()  # since they were read: they are left to `catch_up`
    for pairs in _parts(events, positions):
        position = pairs[-1][0].transition.position or 0
        as_read = [pair for pair in pairs if pair[1].channel_id not in changed]
        shares = _shares(as_read, positions, now=now)
        for some in _chunks(shares, _CHANNELS):
            changed |= _write(some, to=position, now=now)
        positions |= {share.channel.pk: position for share in shares}
    _move(positions.keys() - changed, to=to)
    return bool(positions)


def _can_be_told(event: Event) -> bool:
    """Whether anybody can want it; one that makes no sense must not hold up all others."""
    try:
        return event.can_be_told()
    except Exception:
        logger.exception("Event %s makes no sense: nobody is told", event.transition.pk)
        return False


@transaction.atomic
def _move(channels: Iterable[str], *, to: int) -> None:
    """Move the positions of those of these channels that are behind `to` and active."""
    behind = Channel.objects.filter(pk__among=list(channels), position__lt=to)
    rows = behind.filter(state=ChannelState.ACTIVE).order_by("pk").select_for_update(no_key=True)
    moved = list(rows.values_list("pk", flat=True))
    Channel.objects.filter(pk__among=moved).update(position=to)


def _parts(events: Iterable[Event], positions: Mapping[str, int]) -> Iterator[list[_Pair]]:
    """Yield all pairs by events in order, some whole events at a time."""
    index = current_index()
    pairs: list[_Pair] = []
    for event in events:
        position = event.transition.position or 0
        wanting = index.wanting(event)
        pairs += (
            (event, one) for one in wanting if positions.get(one.channel_id, position) < position
        )
        if len(pairs) >= _PAIRS:
            yield pairs
            pairs = []
    if pairs:
        yield pairs


def _shares(pairs: Sequence[_Pair], positions: Mapping[str, int], *, now: datetime) -> list[_Share]:
    """Make of these what each channel gets: messages, and events of gatherings."""
    found = Channel.objects.filter(pk__among=list({one.channel_id for _, one in pairs}))
    owned = found.select_related("owner").prefetch_related("owner__groups")
    shares = {one.pk: _Share(one, positions[one.pk]) for one in owned}
    contents: _Contents = {}
    known = _open_gatherings(pairs)
    for event, subscription in pairs:
        share, row = shares.get(subscription.channel_id), event.transition
        if share is None or not may_know(event, share.channel.actor):  # it was deleted, or changed
            continue
        if _gather(event, subscription, share, known, now=now) or row.pk in share.deliveries:
            continue
        say = partial(_said, row, share.channel, contents)
        share.deliveries[row.pk] = queue.delivery(share.channel, row.pk, say, now=now)
    return list(shares.values())


def _said(row: Transition, channel: Channel, contents: _Contents) -> Content:
    """Return what is said of an event: made once for all channels that may know as much."""
    key = (row.pk, None if channel.actor.sees_all else channel.owner_id)
    if key not in contents:
        contents[key] = wording.event_content(row, channel.actor)
    return contents[key]


def _open_gatherings(pairs: Iterable[_Pair]) -> dict[_Key, Gathering]:
    subscriptions = list({one.pk for _, one in pairs})
    rows = Gathering.objects.filter(subscription__pk__among=subscriptions)
    return {(row.subscription_id, row.host): row for row in rows}


def _gather(
    event: Event,
    subscription: Subscription,
    share: _Share,
    known: dict[_Key, Gathering],
    *,
    now: datetime,
) -> bool:
    """Put the event into its gathering, if it has one; returns whether it leaves with that.

    The first of a host that leaves at once begins a gathering, but is not part of it.
    """
    by = gathering.gathers_by(subscription, event)
    if by is None:
        return False
    key = (subscription.pk, by)
    found = known.get(key)
    leaves_alone = found is None and subscription.when == When.AT_ONCE
    found = found or Gathering(subscription=subscription, host=by, began_at=now)
    found.due_at = gathering.due(subscription, began_at=found.began_at, now=now)
    known[key] = share.gatherings[key] = found
    if not leaves_alone:
        share.gathered.append(GatheredEvent(gathering=found, transition=event.transition))
    return not leaves_alone


@transaction.atomic
def _write(shares: Sequence[_Share], *, to: int, now: datetime) -> set[str]:
    """Write what these channels get and move their positions.

    Returns the ids of those that are not as they were read: they get nothing. Raises
    StartOverError if a gathering was closed, or a subscription deleted, meanwhile.
    """
    rows = queue.locked([share.channel.pk for share in shares])
    same = [share for share in shares if _is_at(share.position, rows.get(share.channel.pk))]
    _save_gatherings([one for share in same for one in share.gatherings.values()])
    gathered = [one for share in same for one in share.gathered]
    for one in gathered:
        one.gathering_id = one.gathering.pk
    GatheredEvent.objects.bulk_create(gathered, ignore_conflicts=True)
    deliveries = [one for share in same for one in share.deliveries.values()]
    Delivery.objects.bulk_create(deliveries, ignore_conflicts=True)
    moved = Channel.objects.filter(pk__among=[share.channel.pk for share in same])
    moved.update(position=to)
    queue.wake({one.channel_id for one in deliveries if one.waits}, now=now)
    return {share.channel.pk for share in shares} - {share.channel.pk for share in same}


def _is_at(position: int, row: Channel | None) -> bool:
    return row is not None and (row.position, row.state) == (position, ChannelState.ACTIVE)


def _save_gatherings(gatherings: Sequence[Gathering]) -> None:
    old, new = [one for one in gatherings if one.pk], [one for one in gatherings if not one.pk]
    if Gathering.objects.filter(pk__in=[one.pk for one in old]).count() < len(old):
        raise StartOverError
    wanted = {one.subscription_id for one in new}
    if new and Subscription.objects.filter(pk__among=list(wanted)).count() < len(wanted):
        raise StartOverError
    Gathering.objects.bulk_update(old, ["due_at"])
    Gathering.objects.bulk_create(new)


def _chunks(shares: Sequence[_Share], size: int) -> Iterator[list[_Share]]:
    rest = iter(shares)
    while some := list(islice(rest, size)):
        yield some


def catch_up(*, until: int, now: datetime) -> bool:
    """Take the channels that are behind `until` a step further; returns whether some still are.

    One scan for all of them, from the one that is furthest behind. What is older than HISTORY is
    not told any more, but how much it was.
    """
    behind = Channel.objects.fed().filter(position__lt=until)
    start = behind.aggregate(position=Min("position"))["position"]
    if start is None:
        return False
    rows = Transition.objects.numbered().filter(position__gt=start, position__lte=until)
    transitions = next(parts(rows, limit=BATCH), [])
    if transitions and transitions[0].at < now - queue.HISTORY:
        _skip(behind, rows, now=now)
        return True
    fan_out(transitions, after=start, now=now)
    if not transitions:
        _move(behind.values_list("pk", flat=True), to=until)
    return True


def _skip(behind: ChannelQuerySet, rows: TransitionQuerySet, *, now: datetime) -> None:
    """Move these channels behind what is older than HISTORY, and have each told how much it was."""
    index, positions = current_index(), dict(behind.values_list("pk", "position"))
    skipped: Counter[str] = Counter()
    end = 0
    limit = now - queue.HISTORY
    for row in takewhile(lambda row: row.at < limit, rows.iterator(chunk_size=BATCH)):
        end = row.position or 0
        event = Event(row)
        wanted = index.wanting(event) if _can_be_told(event) else ()
        wanting = {one.channel_id for one in wanted}
        skipped.update(pk for pk in wanting if positions.get(pk, end) < end)
    for channel_id, position in positions.items():
        with transaction.atomic():
            channel = queue.locked([channel_id]).get(channel_id)
            if channel is not None and _is_at(position, channel):
                _move([channel_id], to=end)
                if skipped[channel_id]:
                    queue.tell_skipped(channel, skipped[channel_id], now=now)
