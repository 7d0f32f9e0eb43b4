"""The state of each dependency: `/v1/health`, `/readyz`."""

import time
from collections.abc import Callable
from datetime import timedelta
from functools import partial

import redis
from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.db.models import Q

from analytics import metrics
from checker import heartbeat
from foundation.database.clock import database_now
from foundation.valkey.clients import client
from targets.events import leases
from targets.models import Sink

_STARTED = time.monotonic()
_STARTING = 60.0  # seconds that the other processes get to show themselves
_RELAY_SILENCE = timedelta(minutes=1)  # events are numbered and sent within seconds
_AT_ONCE = timedelta(0)


def _database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def _redis() -> None:
    cache.get("health")


def _checker() -> None:
    """Raises RuntimeError when shifts should run and none looks for due hosts."""
    if not settings.CHECKER_SHIFTS or time.monotonic() - _STARTED < _STARTING:
        return
    if not heartbeat.is_beating():
        raise RuntimeError("no shift looks for due hosts")


def _analytics() -> None:
    """Raises RuntimeError when nobody counts the events there are."""
    metrics.check(client(), starting=time.monotonic() - _STARTED < _STARTING)


def _relay() -> None:
    """Raises RuntimeError when events have waited long for their place in the feed."""
    oldest = leases.oldest_pending(database_now())["feed"]
    if oldest is not None and oldest > _RELAY_SILENCE:
        raise RuntimeError(f"an event has not been numbered for {oldest}")


def _sinks(kind: str) -> str:
    """Return `off` while no sink of this kind is on; raises RuntimeError when none takes events."""
    on = Sink.objects.filter(Q(pk=kind) | Q(pk__startswith=f"{kind}:"), off_since=None)
    rows = list(on)
    if not rows:
        return "off"
    oldest = leases.oldest_pending(database_now())
    if all(row.last_error or (oldest[row.pk] or _AT_ONCE) > _RELAY_SILENCE for row in rows):
        raise RuntimeError(f"events wait for {kind}")
    return "ok"


DEPENDENCIES: dict[str, Callable[[], str | None]] = {
    "database": _database,
    "redis": _redis,
    "checker": _checker,
    "analytics": _analytics,
    "relay": _relay,
    **{kind: partial(_sinks, kind) for kind in settings.SINKS},
}


def health_of(*names: str) -> dict[str, str]:
    """Return `ok`, `off` or `down` for each of these dependencies; for all, if none is named."""
    state = {}
    for name in names or DEPENDENCIES:
        try:
            state[name] = DEPENDENCIES[name]() or "ok"
        except (DatabaseError, redis.RedisError, OSError, RuntimeError):
            state[name] = "down"
    return state
