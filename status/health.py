"""Health checks: whether each part of the product works. `/v1/health`, `/readyz`, the dashboard.

A new check is an entry of CHECKS, with what people are told of it, and nothing else.
"""

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import TypedDict

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

logger = logging.getLogger(__name__)

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


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthCheck:
    """A question to a part of the product, and what people are told of the answer."""

    ask: Callable[[], str | None]  # raises when the part is down; may return `off`
    label: str
    ok: str  # what it does then
    down: str
    off: str = ""  # without it people are told nothing of a part that is off
    is_on: Callable[[], bool] = lambda: True  # whether this deployment shows it as off, though ok


CHECKS = {
    "database": HealthCheck(ask=_database, label="Database", ok="answers", down="does not answer"),
    "redis": HealthCheck(
        ask=_redis,
        label="Redis",
        ok="answers",
        down="does not answer: views and rate limits stand still",
    ),
    "checker": HealthCheck(
        ask=_checker,
        label="Checks",
        ok="looking for due hosts",
        down="no process looks for due hosts",
        is_on=lambda: settings.CHECKER_SHIFTS > 0,
        off="switched off in this deployment",
    ),
    "analytics": HealthCheck(
        ask=_analytics, label="Analytics", ok="counting views", down="no process counts views"
    ),
    "relay": HealthCheck(
        ask=_relay,
        label="Relay",
        ok="numbering events",
        down="events wait for their place in the feed",
    ),
    **{
        kind: HealthCheck(
            ask=partial(_sinks, kind),
            label=kind.capitalize(),
            ok="takes events",
            down="takes no events",
        )
        for kind in settings.SINKS
    },
}


def health_of(*names: str) -> dict[str, str]:
    """Return `ok`, `off` or `down` for each of these checks; for all, if none is named.

    A part whose check fails in a way that nobody thought of is down, and that is logged.
    """
    state = {}
    for name in names or CHECKS:
        try:
            state[name] = CHECKS[name].ask() or "ok"
        except (DatabaseError, redis.RedisError, OSError, RuntimeError):
            state[name] = "down"
        except Exception:
            logger.exception("The health check %s failed", name)
            state[name] = "down"
    return state


class Part(TypedDict):
    """A part of the product as the dashboard shows it."""

    name: str
    state: str  # ok, off or down
    does: str


def parts(health: Mapping[str, str]) -> list[Part]:
    """Return the answers of `health_of` for people, this web process first."""
    lines: list[Part] = [{"name": "Web", "state": "ok", "does": "answers"}]
    for name, state in health.items():
        check = CHECKS[name]
        if not check.is_on():
            state = "off"
        does = {"ok": check.ok, "off": check.off}.get(state, check.down)
        if does:
            lines.append({"name": check.label, "state": state, "does": does})
    return lines
