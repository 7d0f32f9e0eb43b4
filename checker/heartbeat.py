"""The heartbeat of shifts: a sign in the cache that some shift looks for due hosts."""

from django.conf import settings
from django.core.cache import cache

from checker.policies import longest_check

_KEY = "checker:beat"
BEAT_EVERY = 30.0  # seconds: each is a write of Redis's file
_SILENCE = 90.0  # seconds; a shift that starts late, or a restart


def beat() -> None:
    """Say that a shift is at work. Raises redis.RedisError, OSError.

    One that is busy with as many checks as it may make looks for no hosts until one is over.
    """
    silence = max(_SILENCE, BEAT_EVERY + longest_check().total_seconds())
    cache.set(_KEY, 1, timeout=4 * settings.CHECK_INTERVAL.total_seconds() + silence)


def is_beating() -> bool:
    """Whether a shift has looked for due hosts lately. Raises redis.RedisError."""
    return cache.get(_KEY) is not None
