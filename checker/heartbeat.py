"""The heartbeat of shifts: a sign in the cache that some shift looks for due hosts."""

from django.conf import settings
from django.core.cache import cache

_KEY = "checker:beat"
_SILENCE = 90.0  # seconds; a shift that starts late, or a restart


def beat() -> None:
    """Say that a shift is at work. Raises redis.RedisError, OSError."""
    lasts = 4 * settings.CHECK_INTERVAL.total_seconds() + _SILENCE
    cache.set(_KEY, 1, timeout=lasts)


def is_beating() -> bool:
    """Whether a shift has looked for due hosts lately. Raises redis.RedisError."""
    return cache.get(_KEY) is not None
