"""Changes as they happen, announced to all processes by pub/sub: of what, never how (ADR 34).

    changes    channel: topics, one a line

A topic is a thing by its kind and name, as in its traces ("target:t_5Kx", "host:a.example"), or the
bare UUID of a target whose check has begun or ended. Who hears of one looks for itself. Nothing is
kept: after a gap all count as changed, and who follows while Redis is away has to look by itself.
"""

import asyncio
import time
from collections.abc import Iterable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager, suppress
from functools import partial

import redis
from django.conf import settings
from django.db import transaction

from foundation.breaker import Breaker
from foundation.per_loop import PerLoop
from foundation.valkey.channels import PAUSE, PubSubSubscription
from foundation.valkey.clients import client

CHANNEL = "changes"
ANYTHING = "*"  # whatever has changed
PEOPLE = "people"  # the rights of a role
_MOST_TOPICS = 1000  # in one message
_SELDOM = 0.5  # seconds between two messages of what there may be very many of
_told_at = 0.0  # monotonic: when this process sent the last of them
_SILENCE = (
    10.0  # seconds that nobody tells after a failure: a Redis that hangs may hold up no check
)
# Of its own: others ask Redis again a second after a failure, and can afford to wait for it.
BREAKER = Breaker("Redis, for what has changed,", pause=_SILENCE)


def tell_on_commit(topics: Iterable[str]) -> None:
    """Tell of changes that the present transaction makes, once they are to be seen."""
    transaction.on_commit(partial(tell, list(topics)))


def tell_seldom_on_commit(topic: str) -> None:
    """Tell of a change that nobody follows but with ANYTHING, of which there may be very many.

    Twice a second at most: who follows everything looks on for a while after it has heard.
    """
    transaction.on_commit(partial(_tell_seldom, topic))


def _tell_seldom(topic: str) -> None:
    global _told_at
    now = time.monotonic()
    if now - _told_at >= _SELDOM:
        _told_at = now
        tell([topic])


def tell(topics: Iterable[str]) -> None:
    """Tell of changes that are to be seen now. One that Redis does not take is lost."""
    announced = list(topics)
    if not announced or not settings.REDIS_URL:
        return
    with suppress(redis.RedisError), BREAKER.around_call():
        for start in range(0, len(announced), _MOST_TOPICS):
            client().publish(CHANNEL, "\n".join(announced[start : start + _MOST_TOPICS]))


class Follower:
    """Who follows some topics. `changed` is set by each change of one, and after each gap."""

    def __init__(self, changes_subscription: "ChangesSubscription") -> None:
        self._changes_subscription = changes_subscription
        self.topics: set[str] = set()
        self.changed = asyncio.Event()

    def follow(self, *topics: str) -> None:
        """Hear of these as well, until the end."""
        self.topics.update(topics)
        for topic in topics:
            self._changes_subscription.followers.setdefault(topic, set()).add(self)

    async def wait(self, *, otherwise: float, at_most: float | None = None) -> None:
        """Return when something has changed, or after `at_most` seconds.

        While nothing can be heard, after `otherwise` seconds.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(
                otherwise if self._changes_subscription.is_disconnected else at_most
            ):
                await self.changed.wait()
        self.changed.clear()


class ChangesSubscription:
    """What this process hears of changes, and who follows them. For one event loop."""

    def __init__(self) -> None:
        self.followers: dict[str, set[Follower]] = {}
        self.subscription = PubSubSubscription(
            CHANNEL,
            on_message=lambda data: self.hear(data.decode().split("\n")),
            on_connect=self._miss_twice,
            on_disconnect=self.miss,
        )

    @property
    def is_disconnected(self) -> bool:
        """Whether nothing is heard, for Redis is away."""
        return not self.subscription.is_connected

    @contextmanager
    def follow(self, *topics: str) -> Iterator[Follower]:
        """Give a follower of these topics, for as long as the block lasts."""
        follower = Follower(self)
        follower.follow(*topics)
        try:
            yield follower
        finally:
            for topic in follower.topics:
                self.followers[topic].discard(follower)
                if not self.followers[topic]:
                    del self.followers[topic]

    def hear(self, topics: Iterable[str]) -> None:
        """Let who follows one of these, or ANYTHING, know."""
        for topic in self.followers.keys() & {*topics, ANYTHING}:
            for follower in self.followers[topic]:
                follower.changed.set()

    def miss(self) -> None:
        """Note that changes may have been missed."""
        self.hear(self.followers)

    async def _miss_twice(self) -> None:
        """Let all look now, and once more when those who could not tell do so again."""
        self.miss()
        asyncio.get_running_loop().call_later(_SILENCE + PAUSE, self.miss)


changes_subscription = PerLoop(ChangesSubscription)  # a web process has one


def listening() -> AbstractAsyncContextManager[None]:
    """Hear of changes for as long as the block lasts."""
    return changes_subscription().subscription.listening()
