"""Health checks: whether each part of the product works. `/v1/health`, `/readyz`, the dashboard.

A new check is an entry of CHECKS, with what people are told of it, and nothing else.
"""

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import TypedDict

import redis
from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection

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


def _kafka() -> None:
    """Raises RuntimeError when Kafka is configured and does not take what there is."""
    sink = Sink.objects.filter(pk=leases.KAFKA).first()
    if not settings.KAFKA_BOOTSTRAP_SERVERS or sink is None:
        return
    oldest = leases.oldest_pending(database_now()).get(sink.name)
    if sink.last_error or (oldest is not None and oldest > _RELAY_SILENCE):
        raise RuntimeError("events wait for Kafka")


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthCheck:
    """A question to a part of the product, and what people are told of the answer."""

    ask: Callable[[], None]  # raises when the part is down
    label: str
    ok: str  # what it does then
    down: str
    is_on: Callable[[], bool] = lambda: True  # whether this deployment has the part at all
    off: str = ""  # what people are told of a part that is not on; without it, nothing


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
    "kafka": HealthCheck(
        ask=_kafka,
        label="Kafka",
        ok="takes events",
        down="takes no events",
        is_on=lambda: bool(settings.KAFKA_BOOTSTRAP_SERVERS),
    ),
}


def health_of(*names: str) -> dict[str, str]:
    """Return `ok` or `down` for each of these checks; for all, if none is named.

    A part whose check fails in a way that nobody thought of is down, and that is logged.
    """
    state = {}
    for name in names or CHECKS:
        try:
            CHECKS[name].ask()
        except (DatabaseError, redis.RedisError, OSError, RuntimeError):
            state[name] = "down"
        except Exception:
            logger.exception("The health check %s failed", name)
            state[name] = "down"
        else:
            state[name] = "ok"
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
        if check.is_on():
            does = check.ok if state == "ok" else check.down
            lines.append({"name": check.label, "state": state, "does": does})
        elif check.off:
            lines.append({"name": check.label, "state": "off", "does": check.off})
    return lines
