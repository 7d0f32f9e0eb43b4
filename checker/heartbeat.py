"""The heartbeat of checker workers: a cache entry that exists while one looks for due hosts."""

import logging

import redis
from django.conf import settings
from django.core.cache import cache

from checker.engine.event_loop_lag import MAX_LAG
from checker.policies import longest_check

logger = logging.getLogger(__name__)

_KEY = "checker:beat"
BEAT_EVERY = 30.0  # seconds: each beat is a write to Redis's append-only file
_LAG_KEY = "checker:lag"
_LAG_TTL = 60  # seconds
_GRACE = 90.0  # seconds: enough for a late start, or a restart


def beat() -> None:
    """Record that a worker is looking for due hosts, or is at its limit of checks.

    The record lasts for several searches, and longer than a check. Raises redis.RedisError,
    OSError.
    """
    grace = max(_GRACE, BEAT_EVERY + longest_check().total_seconds())
    cache.set(_KEY, 1, timeout=4 * settings.CHECK_INTERVAL.total_seconds() + grace)


def is_beating() -> bool:
    """Whether a worker has recently looked for due hosts. Raises redis.RedisError, OSError."""
    return cache.get(_KEY) is not None


def record_lag(seconds: float) -> None:
    """Log and record this process's event-loop delay if it exceeds MAX_LAG.

    The worst delay of all processes is kept for a minute. Raises redis.RedisError, OSError.
    """
    if seconds <= MAX_LAG:
        return
    logger.warning(
        "Checks were held up for %.1f s: timeouts during that time do not count", seconds
    )
    if seconds > (cache.get(_LAG_KEY) or 0.0):
        cache.set(_LAG_KEY, seconds, timeout=_LAG_TTL)


def lag() -> float:
    """Return the worst delay of checks in the last minute in seconds; 0 if none is known."""
    try:
        return float(cache.get(_LAG_KEY) or 0.0)
    except (redis.RedisError, OSError):
        return 0.0


def explain_lag(seconds: float) -> str:
    """Return a warning to people that checks were held up for this long."""
    return (
        f"Checks were held up for {seconds:.1f} s in the last minute. Timeouts during that time"
        " do not count. Another program, or a page that is slow to parse, may be keeping a"
        " processor busy."
    )
