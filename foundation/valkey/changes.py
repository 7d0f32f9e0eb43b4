"""Announces changes to all processes by pub/sub: what has changed, but not how (ADR 34).

    changes    channel: topics, one per line

A topic is the kind and name of an object, as in the audit log ("target:t_5Kx", "host:a.example"),
or the bare UUID of a target whose check has begun or ended. Receivers read the change themselves.
Nothing is stored: after a gap, everything counts as changed; without Redis, followers must poll.
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
from foundation.valkey.clients import client
from foundation.valkey.pubsub import PAUSE, PubSubSubscription

CHANNEL = "changes"
ANYTHING = "*"  # any change
PEOPLE = "people"  # changes of rights that may concern any user
_MAX_TOPICS = 1000  # in one message
_MIN_INTERVAL = 0.5  # seconds between two messages about frequent changes
_announced_at = 0.0  # monotonic: when this process sent the last such message
# Seconds without announcements after a failure: a hanging Redis must not delay checks.
_PAUSE_AFTER_FAILURE = 10.0
# A separate breaker, because other callers can afford to retry Redis a second after a failure.
BREAKER = Breaker("Redis, for announcing changes,", pause=_PAUSE_AFTER_FAILURE)


def announce_on_commit(topics: Iterable[str]) -> None:
    """Announce changes of the current transaction once it is committed."""
    transaction.on_commit(partial(announce, list(topics)))


def announce_rarely_on_commit(topic: str) -> None:
    """Announce a frequent change, which only followers of ANYTHING receive.

    Each process sends at most two such messages a second and drops the others, because those
    followers keep polling for a while after a message.
    """
    transaction.on_commit(partial(_announce_rarely, topic))


def _announce_rarely(topic: str) -> None:
    global _announced_at
    now = time.monotonic()
    if now - _announced_at >= _MIN_INTERVAL:
        _announced_at = now
        announce([topic])


def announce(topics: Iterable[str]) -> None:
    """Announce committed changes. Announcements are lost if Redis is unavailable."""
    announced = list(topics)
    if not announced or not settings.REDIS_URL:
        return
    with suppress(redis.RedisError), BREAKER.around_call():
        for start in range(0, len(announced), _MAX_TOPICS):
            client().publish(CHANNEL, "\n".join(announced[start : start + _MAX_TOPICS]))


class Follower:
    """A follower of some topics. `changed` is set by each change of a topic, and after each gap."""

    def __init__(self, changes_subscription: "ChangesSubscription") -> None:
        self._changes_subscription = changes_subscription
        self.topics: set[str] = set()
        self.changed = asyncio.Event()

    def follow(self, *topics: str) -> None:
        """Follow these topics, too, until the end of the block that yielded this follower."""
        self.topics.update(topics)
        for topic in topics:
            self._changes_subscription.followers.setdefault(topic, set()).add(self)

    async def wait(self, *, offline_limit: float, limit: float | None = None) -> None:
        """Wait until something has changed, or for `limit` seconds; None means no limit.

        If Redis is disconnected, `offline_limit` replaces `limit`.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(
                offline_limit if self._changes_subscription.is_disconnected else limit
            ):
                await self.changed.wait()
        self.changed.clear()


class ChangesSubscription:
    """The subscription of this process to changes, and its followers. For one event loop."""

    def __init__(self) -> None:
        self.followers: dict[str, set[Follower]] = {}
        self.subscription = PubSubSubscription(
            CHANNEL,
            on_message=lambda data: self.notify(data.decode().split("\n")),
            on_connect=self._notify_all_twice,
            on_disconnect=self.notify_all,
        )

    @property
    def is_disconnected(self) -> bool:
        """Whether Redis is disconnected."""
        return not self.subscription.is_connected

    @contextmanager
    def follow(self, *topics: str) -> Iterator[Follower]:
        """Yield a follower of these topics for the duration of the block."""
        follower = Follower(self)
        follower.follow(*topics)
        try:
            yield follower
        finally:
            for topic in follower.topics:
                self.followers[topic].discard(follower)
                if not self.followers[topic]:
                    del self.followers[topic]

    def notify(self, topics: Iterable[str]) -> None:
        """Notify followers of these topics, and of ANYTHING."""
        for topic in self.followers.keys() & {*topics, ANYTHING}:
            for follower in self.followers[topic]:
                follower.changed.set()

    def notify_all(self) -> None:
        """Notify all followers, because changes may have been missed."""
        self.notify(self.followers)

    async def _notify_all_twice(self) -> None:
        """Notify all followers now, and again once announcements resume after a failure."""
        self.notify_all()
        asyncio.get_running_loop().call_later(_PAUSE_AFTER_FAILURE + PAUSE, self.notify_all)


changes_subscription = PerLoop(ChangesSubscription)  # a web process has one


def listening() -> AbstractAsyncContextManager[None]:
    """Receive changes for the duration of the block."""
    return changes_subscription().subscription.listening()
