"""Health and stats over HTTP."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from foundation.database import replica
from foundation.database.clock import database_now
from foundation.http.openapi import fails
from foundation.http.serializers import StrictSerializer, read_query
from status.health import (
    READINESS_CHECKS,
    HealthReport,
    events_if_known,
    health,
    health_of,
    network_if_known,
    readiness,
)
from status.stats import STATS, stats
from targets.models import Target


class StatsView(APIView):
    """The current stats. `overdue` targets have been due for longer than CHECK_INTERVAL.

    Targets whose host is paused or throttled are counted in `waiting_for_hosts` instead.

    The stats were collected at `counted_at`. They are never older than about ten times as long as
    it takes to collect them. `due`, `overdue`, `waiting_for_hosts`, `hosts.queued` and `hosts.busy`
    are counted up to `counted_to`.
    """

    queryset = Target.objects.none()  # anyone who may see targets may see these

    @fails(invalid=400)
    @extend_schema(responses=OpenApiTypes.OBJECT)
    def get(self, request: Request) -> Response:
        """Targets by state, references, hosts, due work, checks, failures and pending events."""
        read_query(StrictSerializer, request)
        cached = STATS.get()
        if cached is None:  # another process is counting for the first time
            now = database_now()
            return Response(stats(now) | {"counted_at": now})
        return Response(cached.value | {"counted_at": cached.at})


class LiveSerializer(serializers.Serializer[Any]):
    """Shows that the process responds at all."""

    status = serializers.CharField()


class ReadySerializer(LiveSerializer):
    """`ok` or `down`, for the deployment and for each dependency."""

    dependencies = serializers.DictField(child=serializers.CharField())
    reasons = serializers.DictField(
        child=serializers.CharField(),
        required=False,
        help_text="Why a dependency is in its state, if known.",
    )


class HealthSerializer(ReadySerializer):
    """`ok`, `down` or `off` for each dependency; for `secret_key` also `mismatch`.

    `events` and `network` are null while the database is down. `replica` is null if there is no
    replica or if its lag is unknown.
    """

    replica = serializers.DictField(child=serializers.FloatField(), allow_null=True)
    events = serializers.DictField(allow_null=True)
    network = serializers.DictField(allow_null=True)


class PublicView(APIView):
    """A view that needs no sign-in."""

    permission_classes = [AllowAny]
    authentication_classes = []
    throttle_classes = []  # monitoring may send any number of requests


class LiveView(PublicView):
    """Whether the web process responds at all."""

    @extend_schema(responses=LiveSerializer)
    def get(self, request: Request) -> Response:
        """Always 200."""
        return Response({"status": "ok"})


class ReadyView(PublicView):
    """Whether requests can be served."""

    @extend_schema(responses={200: ReadySerializer, 503: ReadySerializer})
    def get(self, request: Request) -> Response:
        """200, or 503 while the database is down, refuses writes, or lacks migrations.

        Also 503 while the database has migrations from an incompatible release.
        """
        return _as_response(readiness(health_of(*READINESS_CHECKS)))


class HealthView(PublicView):
    """Each dependency's state."""

    @extend_schema(responses={200: HealthSerializer, 503: HealthSerializer})
    def get(self, request: Request) -> Response:
        """200, or 503 when something is down.

        `database` is also `down` if it is not accepting writes. `reasons` explains why a dependency
        is in its state, if that is known: for example, the database's disk is full.

        `checker` is `off` when CHECKER_SHIFTS is 0 in all processes, and `down` when no checker
        worker is looking for work or hosts are due but not being checked. `analytics` is `down`
        when no worker is reading the stream or an event has waited for a minute, `disk` when
        DATA_DIR is full, and `schema` when migrations are pending or when migrations from another
        release are incompatible.

        `secret_key` is `mismatch` when this process has a different SECRET_KEY from the other
        processes that use the database. `replica` has its `lag_seconds`, unless it is unavailable;
        while it is `down`, the primary is read, and everything else works. `sentinels` is `down`
        when they would be unable to replace Redis.

        A kind of sink that is not configured is `off`, which is not a fault. `events` has each
        sink's backlog, and `off_since` for a sink whose configuration was removed. It shows only
        the type of each error, because anyone can read it. `network` says for how long, and why, no
        server has responded to checks. It also counts the targets that can't be checked, by reason
        (the newest 1,000 of them).
        """
        return _as_response(
            health(
                health_of(),
                replica_lag=replica.measured_lag(),
                events=events_if_known(),
                network=network_if_known(),
            )
        )


def _as_response(body: HealthReport) -> Response:
    return Response(body, status=200 if body["status"] == "ok" else 503)
