"""The reader by which links hear that their watched destinations died, or are dead no more.

Caches hold of a link whether its destination is dead (`reads`). So each change to or from that
state lets all of them forget the links that care. That may be done twice, by any process, in any
order: the next look asks the database. ADR 28.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from itertools import islice
from typing import ClassVar

import redis
from django.conf import settings

from outbox.models import Event
from outbox.readers import Progress, Reader
from shortener import reads
from shortener.models import ShortURL
from targets.state import State

_AT_ONCE = 1000  # keys


class LinksReader(Reader):
    """Lets caches forget links whose destination died or is dead no more."""

    name = "links"
    sees_all = True
    leads_idle = False
    begins_at_start = True  # no event may fall between the first cache and this reader
    timeout = timedelta(seconds=1)  # a Redis that hangs takes longer: two at once do no harm
    failures: ClassVar = (redis.RedisError, OSError)

    def read(self, events: Sequence[Event], *, renew: Callable[[], object]) -> Progress:
        """Let all caches forget the links; raises redis.RedisError."""
        matter = [event for event in events if State.DEAD in (event.from_state, event.to_state)]
        targets = {event.target_id for event in matter if event.target_id}
        links = ShortURL.objects.telling(list(targets)) if targets else ShortURL.objects.none()
        keys = links.values_list("pk", flat=True).iterator()
        while batch := list(islice(keys, _AT_ONCE)):
            reads.invalidate(batch)
        return Progress(to=events[-1].position or 0)


def instances() -> Iterator[LinksReader]:
    """Yield the one there is where there is a Redis: without it no cache outlives a moment."""
    if settings.REDIS_URL:
        yield LinksReader()
