"""How the whole is: `/v1/stats` for the figures, `/v1/health` for what does not work."""

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import redis
from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.db.models import Count
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from checker import heartbeat
from checker.models import Tally
from hosts import healing
from hosts.models import Host
from linkwatch.analytics import figures
from linkwatch.lib.dbtime import database_now
from linkwatch.lib.kept import Kept
from linkwatch.lib.redis import client
from linkwatch.lib.serializers import StrictSerializer, read_query
from shortener.models import ShortURL
from targets import sinks
from targets.models import Reference, Sink, Target
from targets.state import State

_STARTED = time.monotonic()
_STARTING = 60.0  # seconds that the other processes get to show themselves
_RELAY_SILENCE = timedelta(minutes=1)  # events are numbered and sent within seconds


def stats(now: datetime) -> dict[str, Any]:
    """Return the figures of the registry. Source: seed 003, "Get the current stats"."""
    scheduled = Target.objects.scheduled()
    overdue = now - settings.CHECK_INTERVAL
    by_state = dict(Target.objects.order_by().values_list("state").annotate(Count("pk")))
    return {
        "targets": {state.value: by_state.get(state.value, 0) for state in State},
        "needs_attention": Target.objects.needing_attention().count(),
        "references": Reference.objects.count(),
        "hosts": {
            "queued": Host.objects.queued().count(),
            "busy": Host.objects.busy(now).count(),
            "healing": healing.last_report(),
        },
        "due": scheduled.filter(next_check_at__lte=now).count(),
        "overdue": scheduled.filter(next_check_at__lte=overdue).count(),
        "short_urls": {
            "total": ShortURL.objects.count(),
            "expired": ShortURL.objects.expired(now).count(),
        },
        "last_hour": Tally.objects.since(now - timedelta(hours=1)),
        "last_day": Tally.objects.since(now - timedelta(days=1)),
        **_events(now),
    }


def _events(now: datetime) -> dict[str, Any]:
    """Return what events wait for, in all and for each sink; ages are in seconds."""
    backlogs = sinks.backlogs(now)
    ages = [backlog.oldest for backlog in backlogs.values() if backlog.oldest is not None]
    return {
        "events_pending": max(backlog.pending for backlog in backlogs.values()),
        "events_oldest_pending_seconds": _seconds(max(ages, default=None)),
        "sinks": {name: _backlog(backlog) for name, backlog in backlogs.items()},
    }


def _backlog(backlog: sinks.Backlog) -> dict[str, Any]:
    return {
        "pending": backlog.pending,
        "oldest_pending_seconds": _seconds(backlog.oldest),
        "set_aside": backlog.set_aside,
        "last_sent_at": backlog.last_sent_at,
        "last_error": backlog.last_error or None,
        "last_error_at": backlog.last_error_at,
    }


def _seconds(span: timedelta | None) -> float | None:
    return None if span is None else round(span.total_seconds(), 3)


# Some of these counts read whole indexes: a second at a million targets.
STATS = Kept("stats", stats)


class StatsView(APIView):
    """The current stats. `overdue` targets have been due for longer than CHECK_INTERVAL.

    They are as old as `counted_at` says: at most about ten times what it takes to count them.
    """

    queryset = Target.objects.none()  # whoever may see targets may see these

    @extend_schema(responses=OpenApiTypes.OBJECT)
    def get(self, request: Request) -> Response:
        """Targets by state, references, hosts, due work, checks and failures, pending events."""
        read_query(StrictSerializer, request)
        kept = STATS.get()
        if kept is None:  # another process counts for the first time
            now = database_now()
            return Response(stats(now) | {"counted_at": now})
        return Response(kept.value | {"counted_at": kept.at})


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
    figures.check(client(), starting=time.monotonic() - _STARTED < _STARTING)


def _relay() -> None:
    """Raises RuntimeError when events have waited long for their place in the feed."""
    oldest = sinks.oldest_pending(database_now())["feed"]
    if oldest is not None and oldest > _RELAY_SILENCE:
        raise RuntimeError(f"an event has not been numbered for {oldest}")


def _kafka() -> None:
    """Raises RuntimeError when Kafka is configured and does not take what there is."""
    sink = Sink.objects.filter(pk=sinks.KAFKA).first()
    if not settings.KAFKA_BOOTSTRAP_SERVERS or sink is None:
        return
    oldest = sinks.oldest_pending(database_now()).get(sink.name)
    if sink.last_error or (oldest is not None and oldest > _RELAY_SILENCE):
        raise RuntimeError("events wait for Kafka")


_DEPENDENCIES: dict[str, Callable[[], None]] = {
    "database": _database,
    "redis": _redis,
    "checker": _checker,
    "analytics": _analytics,
    "relay": _relay,
    "kafka": _kafka,
}


def health(*names: str) -> dict[str, str]:
    """Return `ok` or `down` for each of these dependencies; for all, if none is named."""
    state = {}
    for name in names or _DEPENDENCIES:
        try:
            _DEPENDENCIES[name]()
        except (DatabaseError, redis.RedisError, OSError, RuntimeError):
            state[name] = "down"
        else:
            state[name] = "ok"
    return state


class PublicView(APIView):
    """A view that needs no sign-in."""

    permission_classes = [AllowAny]
    authentication_classes = []
    throttle_classes = []  # whoever watches us may look as often as they like


class LiveView(PublicView):
    """Whether the web process answers at all."""

    @extend_schema(responses=OpenApiTypes.OBJECT)
    def get(self, request: Request) -> Response:
        """Always 200."""
        return Response({"status": "ok"})


class ReadyView(PublicView):
    """Whether requests can be served."""

    @extend_schema(responses=OpenApiTypes.OBJECT)
    def get(self, request: Request) -> Response:
        """200, or 503 while the database is out of reach."""
        return _as_response(health("database"))


class HealthView(PublicView):
    """Each dependency's state."""

    @extend_schema(responses=OpenApiTypes.OBJECT)
    def get(self, request: Request) -> Response:
        """200, or 503 when something is down; `checker` when no shift looks for work any more,
        `analytics` when no worker reads the stream or an event has waited for a minute.

        With each sink's backlog. Of an error it tells the kind only: anyone may read this.
        """
        state = health(*_DEPENDENCIES)
        return _as_response(state, events=_public_events() if state["database"] == "ok" else None)


def _public_events() -> dict[str, Any]:
    events = _events(database_now())
    for backlog in events["sinks"].values():
        backlog["last_error"] = backlog["last_error"] and backlog["last_error"].split(":")[0]
    return events


def _as_response(state: dict[str, str], **more: Any) -> Response:
    up = all(value == "ok" for value in state.values())
    body = {"status": "ok" if up else "down", "dependencies": state, **more}
    return Response(body, status=200 if up else 503)
