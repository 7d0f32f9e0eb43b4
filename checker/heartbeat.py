"""The heartbeat of shifts: a sign in the cache that some shift looks for due hosts."""

import logging

import redis
from django.conf import settings
from django.core.cache import cache

logger = logging.getLogger(__name__)

_KEY = "checker:beat"
_SILENCE = 90.0  # seconds; a shift that starts late, or a restart


def beat() -> bool:
    """Say that a shift is at work; returns whether that is written: checks go on without."""
    lasts = 4 * settings.CHECK_INTERVAL.total_seconds() + _SILENCE
    try:
        cache.set(_KEY, 1, timeout=lasts)
    except (redis.RedisError, OSError):
        logger.warning("The shift's heartbeat could not be written")
        return False
    return True


def is_lost() -> bool:
    """Whether what was said is not there any more: Redis has lost it, or is away."""
    try:
        return not is_beating()
    except (redis.RedisError, OSError):
        return True


def is_beating() -> bool:
    """Whether a shift has looked for due hosts lately. Raises redis.RedisError."""
    return cache.get(_KEY) is not None
