"""Repairs over HTTP."""

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import viewsets
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.actors import actor_of
from checker.repairs.repair_acceptance import (
    AcceptedRepairPages,
    AcceptedRepairs,
    accept,
    accept_host,
    undo,
)
from checker.repairs.repair_csv import repair_lines, replaced_lines
from checker.repairs.repair_search import RepairSearch
from checker.repairs.serializers import (
    AcceptedRepairSerializer,
    RepairFilters,
    RepairRequestSerializer,
    RepairResponseSerializer,
    RepairSerializer,
    ReplacedReferenceFilters,
    ReplacedReferenceSerializer,
    UndoneRepairSerializer,
)
from foundation.database.clock import database_now
from foundation.http.errors import error_body
from foundation.http.exports import stream_csv
from foundation.http.negotiation import CSVRenderer
from foundation.http.openapi import fails
from foundation.http.pagination import KeysetPagination, read_limit
from foundation.http.serializers import read_body, read_query
from foundation.ids import id_pattern
from targets import occurrences, repairs
from targets.models import Reference, ReplacedReference, Target


class RepairViewSet(viewsets.GenericViewSet[Target]):
    """Pages that moved permanently."""

    queryset = Target.objects.all()
    serializer_class = RepairSerializer
    pagination_class = KeysetPagination

    def get_renderers(self) -> list[BaseRenderer]:
        """Return the usual renderers, and CSV."""
        return [*super().get_renderers(), CSVRenderer()]

    @fails(invalid_host=400, invalid_url=400)
    @extend_schema(
        parameters=[RepairFilters],
        responses={
            (200, "application/json"): RepairSerializer(many=True),
            (200, "text/csv"): OpenApiTypes.STR,
        },
    )
    def list(self, request: Request) -> Response | StreamingHttpResponse:
        """List pages that redirect permanently to the same page at another address.

        Covers targets that are alive and have a reference that you can change and that has not been
        moved. At least three checks must have succeeded, and all successful checks of the last
        seven days and the last one before them must have led to the new address, through 301 or
        308 redirects only. Home pages, login pages, pages in other languages and parked pages are
        left out. A page of this list may have fewer than `limit` items: only a page without
        `next_page_token` is the last. `text/csv` has all repairs, one line per reference.
        """
        query = read_query(RepairFilters, request)
        search = RepairSearch(
            by=actor_of(request),
            now=database_now(),
            host=query.get("host", ""),
            prefix=query.get("reference_id_prefix", ""),
        )
        if request.accepted_renderer.format == "csv":
            return stream_csv(repair_lines(search), filename="repairs.csv")
        page = search.find(limit=read_limit(request), token=request.query_params.get("page_token"))
        items = self.get_serializer(page, many=True).data
        return Response({"items": items, "next_page_token": search.next_page_token})

    @fails(invalid_host=400, invalid_url=400, forbidden_url=400, not_found=404, repair_over=409)
    @extend_schema(request=RepairRequestSerializer, responses={200: RepairResponseSerializer})
    def create(self, request: Request) -> Response:
        """Move a page's references to its new address, if you can change them.

        The references are added at the new address and stay at the old one. Once all references to
        a target have been moved, the target is checked rarely and sends no more notifications,
        unless it is pinned. Removing a reference at either address removes both, unless the one at
        the new address was registered there. If others have already moved some of these references,
        they count as moved. A request handles up to 5,000 references to a page; for a host, it ends
        after 100 pages, 5,000 references or 500 refused pages. Repeat it while `is_done` is false.
        """
        body, by, now = (
            read_body(RepairRequestSerializer, request),
            actor_of(request),
            database_now(),
        )
        if "host" in body:
            accepted = accept_host(body["host"], now=now, by=by)
        else:
            seen = body.get("moved_to", "")
            repair, remaining = accept(body["target_id"], moved_to=seen, now=now, by=by)
            accepted = AcceptedRepairs([repair], has_more=bool(remaining))
        repairs.set_visible_counts(accepted.repairs, by=by)
        refused = [
            {"target_id": target.pk, "error": error_body(error)}
            for target, error in accepted.refused
        ]
        items = [AcceptedRepairSerializer(repair).data for repair in accepted.repairs]
        return Response({"items": items, "refused": refused, "is_done": not accepted.has_more})


class AcceptedRepairViewSet(viewsets.GenericViewSet[Reference]):
    """Accepted repairs, which are kept for 30 days; during that time, they can be undone."""

    queryset = Reference.objects.all()  # for the permission check
    pagination_class = AcceptedRepairPages
    path_schemas = {"id": {"pattern": f"^{id_pattern('repair')}$"}}

    def get_serializer_class(self) -> type[AcceptedRepairSerializer]:  # type: ignore[override]
        """Return the serializer of repairs; `queryset` is only for the permission check."""
        return AcceptedRepairSerializer

    def list(self, request: Request) -> Response:
        """List repairs that you accepted, or that moved references you can change, newest first.

        Operators and viewers get all repairs. A page of this list may have fewer than `limit`
        items: only a page without `next_page_token` is the last.
        """
        by, pages = actor_of(request), AcceptedRepairPages()
        token = request.query_params.get("page_token")
        page = pages.find(by, limit=read_limit(request), token=token)
        repairs.set_visible_counts(page, by=by)
        return pages.get_paginated_response(self.get_serializer(page, many=True).data)

    @fails(not_found=404, undo_expired=409)
    @extend_schema(request=None, responses={200: UndoneRepairSerializer})
    def undo(self, request: Request, pk: str) -> Response:
        """Undo a repair for the references that you can change, within 30 days.

        The references at the new address are removed, except those that were registered there. The
        old address is checked soon. A request handles up to 5,000 references; repeat it while
        `is_done` is false.
        """
        by = actor_of(request)
        repair, remaining = undo(pk, now=database_now(), by=by)
        repairs.set_visible_counts([repair], by=by)
        return Response({**AcceptedRepairSerializer(repair).data, "is_done": not remaining})


class _ReplacedReferencePages(KeysetPagination):
    time_field = None


class ReplacedReferenceViewSet(viewsets.GenericViewSet[Reference]):
    """References that were moved with their pages; their documents may have the old addresses."""

    queryset = Reference.objects.all()
    pagination_class = _ReplacedReferencePages

    def get_serializer_class(self) -> type[ReplacedReferenceSerializer]:  # type: ignore[override]
        """Return the serializer of pairs; `queryset` is only for the permission check."""
        return ReplacedReferenceSerializer

    def get_renderers(self) -> list[BaseRenderer]:
        """Return the usual renderers, and CSV."""
        return [*super().get_renderers(), CSVRenderer()]

    @extend_schema(
        parameters=[ReplacedReferenceFilters],
        responses={
            (200, "application/json"): ReplacedReferenceSerializer(many=True),
            (200, "text/csv"): OpenApiTypes.STR,
        },
    )
    def list(self, request: Request) -> Response | StreamingHttpResponse:
        """List references that were moved with their page, so that you can update their documents.

        Covers references that you can change. JSON includes the places in the documents. Both
        of a document's references stay until you remove one, or register the new address yourself
        and remove the old one. `text/csv` has no pages: it contains all of these references.
        """
        query, by = read_query(ReplacedReferenceFilters, request), actor_of(request)
        prefix = query.get("reference_id_prefix", "")
        if request.accepted_renderer.format == "csv":
            return stream_csv(replaced_lines(by, prefix=prefix), filename="repaired.csv")
        pages = _ReplacedReferencePages()
        rows: list[ReplacedReference] = pages.paginate_queryset(
            repairs.replaced_pairs(by, prefix=prefix), request
        )
        shown = occurrences.by_reference([row.old for row in rows])
        for row in rows:
            row.occurrences = list(shown.get(row.old_id, []))
        return pages.get_paginated_response(self.get_serializer(rows, many=True).data)
