"""The feed: events by position, readable from any place, even between the parts of an event."""

from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from accounts.actors import DEPLOYMENT, Actor
from outbox import epochs
from outbox.events import cloud_events
from outbox.models import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A place in the feed, after all events up to `position` and `part` parts of the next event."""

    position: int = 0
    part: int = 0
    epoch: str = epochs.FIRST  # of the position


def read(place: Place, *, limit: int, by: Actor = DEPLOYMENT) -> tuple[list[dict[str, Any]], Place]:
    """Return at most `limit` events (or parts) after `place`, and the place to continue from.

    The events have the reference ids that the actor may see. A reader that stores the place misses
    no event, because positions are dense and appear in order. Raises ApiError `epoch_changed` (409)
    as `epochs.check` does.
    """
    epoch = epochs.check(place.epoch, position=place.position + bool(place.part))
    # Read before the page, so that the page includes all events up to this position.
    newest = Event.objects.newest_position()
    items: list[dict[str, Any]] = []
    # One more if the reader knows a part of the first: fewer of its parts may be visible now.
    row_limit = limit + bool(place.part)
    events = list(Event.objects.in_feed().filter(position__gt=place.position)[:row_limit])
    for event in events:
        parts = list(islice(cloud_events(event, by), place.part, None))
        room = limit - len(items)
        items += parts[:room]
        if len(parts) > room:
            return items, replace(place, part=place.part + room, epoch=epoch)
        place = Place(position=event.position or 0)
    if len(events) < row_limit:  # no more events up to `newest`: continue after it
        place = Place(position=max(place.position, newest))
    return items, replace(place, epoch=epoch)
