"""The sink by which links hear that their watched destinations died, or are dead no more.

Caches hold of a link whether its destination is dead (`reads`). So each transition to or from that
state lets all of them forget the links that care. That may be done twice, by whomever, in any
order: whoever reads next asks the database. ADR 28.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from itertools import islice
from typing import ClassVar

import redis
from django.conf import settings

from shortener import reads
from shortener.models import ShortURL
from targets.models import Transition
from targets.sinks.base import EventSink, Message
from targets.state import State

_AT_ONCE = 1000  # keys


class LinksSink(EventSink):
    """Lets caches forget links between whose destination's life and death a transition lies."""

    name = "links"
    sees_all = True
    leads_idle = False
    failures: ClassVar = (redis.RedisError, OSError)

    @property
    def begins_at_start(self) -> bool:
        """From the first transition on: none may fall between the first cache and this sink."""
        return True

    @property
    def timeout(self) -> timedelta:
        """A second, though a Redis that hangs takes longer: two at once do no harm."""
        return timedelta(seconds=1)

    def encode(self, transition: Transition) -> list[Message]:
        """Return one message, with a value if links care."""
        target_id = transition.target_id or transition.payload.get("target_id", transition.kind)
        matters = State.DEAD in (transition.from_state, transition.to_state)
        return [Message(target_id.encode(), b"forget" if matters else b"")]

    def send(
        self, messages: Sequence[Message], *, meanwhile: Callable[[], object] | None = None
    ) -> list[Exception | None]:
        """Let all caches forget the links; raises redis.RedisError."""
        targets = [message.key.decode() for message in messages if message.value]
        links = ShortURL.objects.telling(targets) if targets else ShortURL.objects.none()
        keys = links.values_list("pk", flat=True).iterator()
        while batch := list(islice(keys, _AT_ONCE)):
            reads.invalidate(batch)
        if meanwhile is not None:
            meanwhile()
        return [None] * len(messages)


def instances() -> Iterator[LinksSink]:
    """Yield the one there is where there is a Redis: without it no cache outlives a moment."""
    if settings.REDIS_URL:
        yield LinksSink()
