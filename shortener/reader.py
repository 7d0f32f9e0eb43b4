"""The reader of events that invalidates cached links whose destination died or was revived.

A cached entry contains whether the destination is dead (`link_cache`), so each change to or from
that state makes all caches forget the links with a notice to that target. Events may be read twice,
in any process and in any order, because the next read of a link queries the database. ADR 28.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from itertools import islice
from typing import ClassVar

import redis
from django.conf import settings

from outbox.models import Event
from outbox.readers import Progress, Reader
from shortener import link_cache
from shortener.models import ShortURL
from targets.state import State

_BATCH_SIZE = 1000  # keys


class LinksReader(Reader):
    """Invalidates cached links whose destination died or was revived."""

    name = "links"
    sees_all = True
    leads_idle = False
    begins_at_start = True  # or events after the first cached entry might be missed
    # A hanging Redis takes longer, but two relays at once are harmless.
    timeout = timedelta(seconds=1)
    failures: ClassVar = (redis.RedisError, OSError)

    def read(self, events: Sequence[Event], *, renew: Callable[[], object]) -> Progress:
        """Make all caches forget the links to targets that died or were revived.

        Raises redis.RedisError.
        """
        relevant = [event for event in events if State.DEAD in (event.from_state, event.to_state)]
        targets = {event.target_id for event in relevant if event.target_id}
        links = ShortURL.objects.with_notice(list(targets)) if targets else ShortURL.objects.none()
        keys = links.values_list("pk", flat=True).iterator()
        while batch := list(islice(keys, _BATCH_SIZE)):
            link_cache.invalidate(batch)
        return Progress(to=events[-1].position or 0)


def instances() -> Iterator[LinksReader]:
    """Yield the reader if Redis is configured; without Redis, entries last only for seconds."""
    if settings.REDIS_URL:
        yield LinksReader()
