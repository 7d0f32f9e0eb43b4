"""The heartbeat of shifts: signs in the cache that some shift looks for due hosts, and how late."""

import logging

import redis
from django.conf import settings
from django.core.cache import cache

from checker.engine.lag import LONGEST_LAG
from checker.policies import longest_check

logger = logging.getLogger(__name__)

_KEY = "checker:beat"
BEAT_EVERY = 30.0  # seconds: each is a write of Redis's file
_LAG = "checker:lag"
_LAG_LASTS = 60  # seconds
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


def note_lag(seconds: float) -> None:
    """Record how late this process's event loop was, if that matters. Raises redis.RedisError.

    The worst delay of all processes is kept, for a minute.
    """
    if seconds <= LONGEST_LAG:
        return
    logger.warning("Checks were held up for %.1f s: time-outs meanwhile do not count", seconds)
    if seconds > (cache.get(_LAG) or 0.0):
        cache.set(_LAG, seconds, timeout=_LAG_LASTS)


def lag() -> float:
    """Return by how many seconds checks were late at worst in the last minute; 0 if unknown."""
    try:
        return float(cache.get(_LAG) or 0.0)
    except (redis.RedisError, OSError):
        return 0.0


def explain_lag(seconds: float) -> str:
    """Return a sentence that says that checks were late."""
    return (
        f"Checks were held up for {seconds:.1f} s in the last minute: timeouts during that time"
        " do not count. Another program, or a page that is slow to parse, may be keeping a"
        " processor busy."
    )
