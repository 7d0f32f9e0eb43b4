"""Short links over HTTP: thin views over shortener.services."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import viewsets
from rest_framework.exceptions import APIException
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import teams
from accounts.actors import Actor, actor_of
from analytics.serializers import VisitMetricsSerializer, VisitsQuery
from analytics.stream import short_subject
from analytics.views import show_visit_metrics
from foundation.database.clock import database_now
from foundation.http.errors import ApiError, error_body
from foundation.http.idempotency import IdempotentAnswer, create_once
from foundation.http.negotiation import FirstRendererNegotiation
from foundation.http.openapi import IDEMPOTENCY_KEY, IF_MATCH, fails
from foundation.http.pagination import KeysetPagination
from foundation.http.preconditions import read_if_match
from foundation.http.serializers import StrictSerializer, read_body, read_query
from shortener import qr_code, reaper_runs, services, visits
from shortener.link_search import LinkPages
from shortener.models import CleanupRun, ShortURL
from shortener.serializers import (
    CleanupStatsSerializer,
    LinkBulkRequestSerializer,
    LinkBulkResponseSerializer,
    LinkBulkSerializer,
    LinkChangeSerializer,
    LinkDeletionResponseSerializer,
    LinkDeletionSerializer,
    LinkFilters,
    LinkSerializer,
    ShortURLSerializer,
    represent,
)
from shortener.services import NewLink
from shortener.short_keys import KEY_PATTERN

KEY_PATH = {"key": {"pattern": KEY_PATTERN}}
_URL_ERRORS = {"invalid_url": 400, "forbidden_url": 400, "redirect_loop": 400}
_GONE = {"expired": 410, "deleted": 410}


def show(links: Sequence[ShortURL], *, now: datetime) -> list[dict[str, Any]]:
    """Return the JSON of links that were loaded with their details, in this order."""
    counts = visits.totals(links)
    return [represent(link, visits=counts[link.key], now=now) for link in links]


class ShortURLViewSet(viewsets.GenericViewSet[ShortURL]):
    """Short links: keys that redirect to long URLs."""

    queryset = ShortURL.objects.all()
    serializer_class = ShortURLSerializer
    pagination_class = KeysetPagination
    path_schemas = KEY_PATH

    @fails(invalid_url=400, invalid_host=400)
    @extend_schema(parameters=[LinkFilters], responses=ShortURLSerializer(many=True))
    def list(self, request: Request) -> Response:
        """List links in order of creation, including expired ones until they are deleted.

        Members see their own links, those of their teams and those for everyone; programs without
        a role see those without an owner and those for everyone.

        A link has to match all filters. A page may have fewer than `limit` items, or none, even if
        there are more: continue until `next_page_token` is null.
        """
        filters, now, pages = read_query(LinkFilters, request), database_now(), LinkPages()
        links = pages.find(filters, request, now=now, by=actor_of(request))
        return pages.get_paginated_response(show(links, now=now))

    @fails(**_URL_ERRORS, unknown_team=400, key_taken=409)
    @extend_schema(
        request=LinkSerializer, responses={201: ShortURLSerializer}, parameters=[IDEMPOTENCY_KEY]
    )
    def create(self, request: Request) -> Response:
        """Create a short link; 409 `key_taken` for a key that is or was in use."""
        now, by = database_now(), actor_of(request)

        def create() -> IdempotentAnswer:
            new_link = LinkSerializer().new_link(request.data, now=now)
            created = services.create([new_link], now=now, by=by)[0]
            if isinstance(created, ApiError):
                raise created
            body = show([services.get(created.key)], now=now)[0]
            return IdempotentAnswer(201, body, f"/v1/urls/{created.key}")

        return create_once(request, create, now=now)

    @extend_schema(
        request=LinkBulkRequestSerializer,
        responses=LinkBulkResponseSerializer,
        parameters=[IDEMPOTENCY_KEY],
    )
    def bulk(self, request: Request) -> Response:
        """Create up to 1,000 short links; an invalid item does not affect the others."""
        now, by = database_now(), actor_of(request)
        body = read_body(LinkBulkSerializer, request)
        items = body["items"]
        if body["dry_run"]:
            return Response({"results": _preview_all(items, now=now, by=by)})
        return create_once(
            request,
            lambda: IdempotentAnswer(200, {"results": _create_all(items, now=now, by=by)}),
            now=now,
        )

    @extend_schema(request=LinkDeletionSerializer, responses=LinkDeletionResponseSerializer)
    def bulk_delete(self, request: Request) -> Response:
        """Delete up to 1,000 links; an unknown key does not affect the others."""
        keys = read_body(LinkDeletionSerializer, request)["keys"]
        refused = services.delete_all(keys, now=database_now(), by=actor_of(request))
        results = [
            {"key": key, "status": 204}
            if error is None
            else {"key": key, "status": error.status_code, "error": error_body(error)}
            for key, error in zip(keys, refused, strict=True)
        ]
        return Response({"results": results})

    @fails(**_GONE)
    @extend_schema(responses=ShortURLSerializer)
    def retrieve(self, request: Request, key: str) -> Response:
        """Return a link; 410 if it was deleted, or removed after it had expired."""
        return _respond(services.get(key, by=actor_of(request)), now=database_now())

    @fails(**_URL_ERRORS, **_GONE, unknown_team=400, no_owner=409, not_retargetable=409)
    @extend_schema(
        request=LinkChangeSerializer, responses=ShortURLSerializer, parameters=[IF_MATCH]
    )
    def partial_update(self, request: Request, key: str) -> Response:
        """Change a link; one that has ended can become active again.

        `long_url` changes the destination of a link that was created as `retargetable`; 409
        `not_retargetable` for all others.
        """
        now = database_now()
        changes = LinkChangeSerializer().changes(request.data, now=now)
        version = read_if_match(request)
        link = services.update(key, changes, now=now, by=actor_of(request), version=version)
        return _respond(link, now=now)

    @fails(**_GONE)
    @extend_schema(responses={204: None})
    def destroy(self, request: Request, key: str) -> Response:
        """Delete a link; its key returns 410 and is never reused."""
        services.delete(key, now=database_now(), by=actor_of(request))
        return Response(status=204)

    @fails(**_GONE)
    @extend_schema(parameters=[VisitsQuery], responses=VisitMetricsSerializer)
    def metrics(self, request: Request, key: str) -> Response:
        """Return visits by day, hour or month, visitors by day, and where they came from.

        A link's `visits` field also counts the visits before it was imported.
        """
        subject = short_subject(services.get(key, by=actor_of(request)).key)
        return show_visit_metrics(request, subject=subject, id_=key, now=database_now())


def _respond(link: ShortURL, *, now: datetime) -> Response:
    return Response(show([link], now=now)[0])


def _create_all(items: Sequence[Any], *, now: datetime, by: Actor) -> list[dict[str, Any]]:
    """Create the valid links of a bulk request; return a result for each item, in order."""
    results, new_links = _validate_all(items, now=now)
    created = services.create(new_links, now=now, by=by)
    keys = [link.key for link in created if isinstance(link, ShortURL)]
    links = ShortURL.objects.with_details().filter(pk__among=keys)
    shown = {row["key"]: row for row in show(list(links), now=now)}
    accepted = (result for result in results if not result)
    for result, link in zip(accepted, created, strict=True):
        if isinstance(link, ApiError):
            result.update(status=link.status_code, error=error_body(link))
        else:
            result.update(status=201, url=shown[link.key])
    return results


def _preview_all(items: Sequence[Any], *, now: datetime, by: Actor) -> list[dict[str, Any]]:
    """Return, for each item of a bulk request in order, the result that creating it would have."""
    results, new_links = _validate_all(items, now=now)
    keys = [new_link.key for new_link in new_links if new_link.key]
    taken = services.used_keys(keys)
    teams_by_name = teams.by_name((new_link.team for new_link in new_links), by=by)
    links = by.reach(ShortURL.objects.with_details()).filter(pk__among=keys)
    shown = {row["key"]: row for row in show(list(links), now=now)}
    accepted = (result for result in results if not result)
    for result, new_link in zip(accepted, new_links, strict=True):
        existing = shown.get(new_link.key or "")
        if existing is not None and existing["long_url"] == new_link.long_url:
            result.update(status=200, url=existing)
        elif new_link.key in taken:
            error = services.key_taken(new_link.key)
            result.update(status=error.status_code, error=error_body(error))
        elif new_link.team not in teams_by_name:
            error = teams.unknown_team(new_link.team)
            result.update(status=error.status_code, error=error_body(error))
        else:
            result["status"] = 201
            taken |= {new_link.key} if new_link.key else set()
    return results


def _validate_all(
    items: Sequence[Any], *, now: datetime
) -> tuple[list[dict[str, Any]], list[NewLink]]:
    """Return a result for each item (empty for a valid one), and the new links of valid items."""
    serializer = LinkSerializer()
    results: list[dict[str, Any]] = []
    new_links = []
    for item in items:
        try:
            new_links.append(serializer.new_link(item, now=now))
            results.append({})
        except APIException as error:
            results.append({"status": 400, "error": error_body(error)})
    return results, new_links


class QRView(APIView):
    """The QR code for a short link."""

    queryset = ShortURL.objects.none()
    renderer_classes = [JSONRenderer]  # for its errors
    content_negotiation_class = FirstRendererNegotiation
    path_schemas = KEY_PATH

    @fails(**_GONE, invalid=400)
    @extend_schema(responses={(200, "image/svg+xml"): OpenApiTypes.STR})
    def get(self, request: Request, key: str) -> HttpResponse:
        """Return the QR code for the link's URL as an SVG image, black on white."""
        read_query(StrictSerializer, request)
        link = services.get(key, by=actor_of(request))
        return HttpResponse(qr_code.draw(link.key), content_type=qr_code.TYPES["svg"])


class CleanupStatsView(APIView):
    """Statistics for the reaper, across all processes."""

    queryset = CleanupRun.objects.none()

    @fails(invalid=400)
    @extend_schema(responses=CleanupStatsSerializer)
    def get(self, request: Request) -> Response:
        """Return the totals for all runs; a killed run counts as failed once its lease expires."""
        read_query(StrictSerializer, request)
        return Response(CleanupStatsSerializer(reaper_runs.stats(database_now())).data)
