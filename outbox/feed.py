"""The feed: events by position, readable from any place, even within an event in parts."""

from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from accounts.actors import DEPLOYMENT, Actor
from outbox import epochs
from outbox.events import cloud_events
from outbox.models import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A reader's place: all events up to `position`, and `part` parts of the next one."""

    position: int = 0
    part: int = 0
    epoch: str = epochs.FIRST  # of the position


def read(place: Place, *, limit: int, by: Actor = DEPLOYMENT) -> tuple[list[dict[str, Any]], Place]:
    """Return at most `limit` events (or parts) after `place`, and the place to continue from.

    The events have the reference ids that the actor may see. A reader that stores the place misses
    no event, because positions are dense and appear in order. Raises ApiError `epoch_changed` (409)
    for a place after the end of a backup that was restored since.
    """
    epoch = epochs.check(place.epoch, position=place.position + bool(place.part))
    # Read before the page, which then has all events up to it.
    newest = Event.objects.newest_position()
    items: list[dict[str, Any]] = []
    events = Event.objects.events().filter(position__gt=place.position)[:limit]
    for event in events:
        parts = list(islice(cloud_events(event, by), place.part, None))
        room = limit - len(items)
        items += parts[:room]
        if len(parts) > room:
            return items, replace(place, part=place.part + room, epoch=epoch)
        place = Place(position=event.position or 0)
    if len(items) < limit:  # no more events up to `newest`: continue after it
        place = Place(position=max(place.position, newest))
    return items, replace(place, epoch=epoch)
