"""View metrics, trends and operational metrics over HTTP."""

import ipaddress
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from datetime import datetime
from itertools import islice
from typing import Any

import redis
from django.conf import settings
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from prometheus_client import CONTENT_TYPE_LATEST
from prometheus_client.metrics_core import Metric
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from analytics import metrics, prometheus, trend, view_metrics, visit_metrics
from analytics.models import DailyMetrics
from analytics.serializers import (
    DaysQuery,
    MetricsSerializer,
    TrendingSerializer,
    ViewMetricsSerializer,
    VisitMetricsSerializer,
    VisitsQuery,
)
from analytics.stream import HiddenFinder, nothing_hidden
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from foundation.http.negotiation import FirstRendererNegotiation
from foundation.http.openapi import fails
from foundation.http.pagination import MAX_LIMIT, read_limit
from foundation.http.permissions import ModelPermissions
from foundation.http.serializers import StrictSerializer, read_query
from foundation.valkey.clients import client

_SPARE_SUBJECTS = 20  # additional subjects to read, because some must not be listed
# Prefixes of headers that only proxies add. With such a header, a loopback peer is a proxy.
_PROXY_HEADERS = ("HTTP_X_FORWARDED_", "HTTP_FORWARDED", "HTTP_X_REAL_IP", "HTTP_VIA")


def show_view_metrics(request: Request, *, subject: str, id_: str, now: datetime) -> Response:
    """Return the view metrics of one subject under its public id, for `?from=&to=`.

    For views of higher layers, documented by DaysQuery and ViewMetricsSerializer. Raises
    ValidationError.
    """
    first, last = DaysQuery(data=request.query_params.dict()).days(now)
    views = view_metrics.for_subject(subject, first=first, last=last, now=now)
    return Response(ViewMetricsSerializer({"id": id_, **asdict(views)}).data)


def show_visit_metrics(request: Request, *, subject: str, id_: str, now: datetime) -> Response:
    """Return the metrics of one link's visits under its public id, for `?by=&from=&to=`.

    Documented by VisitsQuery and VisitMetricsSerializer. Raises ValidationError.
    """
    query = VisitsQuery(data=request.query_params.dict())
    first, last = query.days(now)
    views = view_metrics.for_subject(subject, first=first, last=last, now=now)
    visits = visit_metrics.for_link(subject, views, by=query.interval, now=now)
    metrics = {"id": id_, **asdict(views), **asdict(visits)}
    if not settings.GEOIP_FILE:
        metrics["sources"]["countries"] = None
    return Response(VisitMetricsSerializer(metrics).data)


@contextmanager
def _needing_redis() -> Iterator[None]:
    try:
        yield
    except redis.RedisError:
        raise ApiError("unavailable", "The counts are unavailable.", status=503) from None


class TrendingView(APIView):
    """Popular snippets and short links."""

    queryset = DailyMetrics.objects.none()  # declares the permission: anyone who may see metrics
    hidden: HiddenFinder = staticmethod(nothing_hidden)

    @extend_schema(
        parameters=[
            OpenApiParameter("limit", {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT})
        ],
        responses=TrendingSerializer,
    )
    def get(self, request: Request) -> Response:
        """List snippets and short links by trend score, highest first.

        The score is a count of views in which each view's weight halves every TREND_HALF_LIFE.
        """
        limit = read_limit(request)
        read_query(StrictSerializer, request)
        with _needing_redis():
            top = list(islice(self._shown(limit + _SPARE_SUBJECTS, now=database_now()), limit))
        views = view_metrics.totals([subject for subject, _ in top])
        items = [
            {"subject": subject, "trend_score": score, "views": views[subject]}
            for subject, score in top
        ]
        return Response({"items": items})

    def _shown(self, page_size: int, *, now: datetime) -> Iterator[tuple[str, float]]:
        """Yield the subjects that may be listed and their scores, most popular first.

        Each page is twice as long as the one before, because most subjects may be hidden. Raises
        redis.RedisError.
        """
        offset = 0
        while page := trend.top(client(), page_size, now=now, offset=offset):
            hidden = self.hidden([subject for subject, _ in page])
            yield from (scored for scored in page if scored[0] not in hidden)
            offset += page_size
            page_size = min(2 * page_size, MAX_LIMIT + _SPARE_SUBJECTS)


class MetricsView(APIView):
    """The operational metrics of this deployment."""

    queryset = DailyMetrics.objects.none()

    @fails(invalid=400)
    @extend_schema(responses=MetricsSerializer)
    def get(self, request: Request) -> Response:
        """Return metrics for the cache, rate limits, events, stream, workers and live clients."""
        read_query(StrictSerializer, request)
        with _needing_redis():
            return Response(MetricsSerializer(metrics.read(client())).data)


class _LocalOrAllowed(ModelPermissions):
    """A client on this machine needs no token, unless it may be a proxy for others."""

    def has_permission(self, request: Request, view: Any) -> bool:
        is_forwarded = any(name.startswith(_PROXY_HEADERS) for name in request.META)
        if not is_forwarded and not settings.TRUSTED_PROXIES:
            with suppress(ValueError):
                if ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback:
                    return True
        return super().has_permission(request, view)


class PrometheusView(APIView):
    """Operational metrics for Prometheus: those of `/v1/metrics` and more."""

    queryset = DailyMetrics.objects.none()
    permission_classes = [_LocalOrAllowed]
    renderer_classes = [JSONRenderer]
    content_negotiation_class = FirstRendererNegotiation  # scrapers ask for their own media types

    @fails(invalid=400)
    @extend_schema(
        operation_id="prometheus_retrieve", responses={(200, "text/plain"): OpenApiTypes.STR}
    )
    def get(self, request: Request) -> HttpResponse:
        """Return the metrics; requests from this machine need no token unless a proxy is in use."""
        read_query(StrictSerializer, request)
        with _needing_redis():
            text = prometheus.render(metrics.read(client()), self.additional_metrics())
        return HttpResponse(text, content_type=CONTENT_TYPE_LATEST)

    def additional_metrics(self) -> Iterable[Metric]:
        """Return the additional metrics of higher apps. Raises redis.RedisError."""
        return ()
