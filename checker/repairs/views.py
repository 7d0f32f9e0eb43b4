"""Repairs over HTTP."""

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import viewsets
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.actors import actor_of
from checker.repairs.finding import RepairSearch
from checker.repairs.lines import pieces
from checker.repairs.serializers import RepairFilters, RepairSerializer
from foundation.database.clock import database_now
from foundation.http.exports import stream_csv
from foundation.http.negotiation import CSVRenderer
from foundation.http.openapi import fails
from foundation.http.pagination import KeysetPagination, read_limit
from foundation.http.serializers import read_query
from targets.models import Target


class RepairViewSet(viewsets.GenericViewSet[Target]):
    """Pages that moved for good."""

    queryset = Target.objects.all()
    serializer_class = RepairSerializer
    pagination_class = KeysetPagination

    def get_renderers(self) -> list[BaseRenderer]:
        """Return the usual forms of answers, and CSV."""
        return [*super().get_renderers(), CSVRenderer()]

    @fails(invalid_host=400)
    @extend_schema(
        parameters=[RepairFilters],
        responses={
            (200, "application/json"): RepairSerializer(many=True),
            (200, "text/csv"): OpenApiTypes.STR,
        },
    )
    def list(self, request: Request) -> Response | StreamingHttpResponse:
        """List pages that redirect permanently to the same page at another address.

        Of targets with a reference that you may see: at least three checks over at least seven days
        led to this address, by 301 or 308 only. Home pages, log-ins, pages in other languages and
        parked pages are left out. A page of this list may have fewer than `limit`: only one without
        `next_page_token` is the last. `text/csv` has all repairs, a line for each reference.
        """
        wanted = read_query(RepairFilters, request)
        search = RepairSearch(
            by=actor_of(request),
            now=database_now(),
            host=wanted.get("host", ""),
            prefix=wanted.get("reference_id_prefix", ""),
        )
        if request.accepted_renderer.format == "csv":
            return stream_csv(pieces(search), filename="repairs.csv")
        found = search.find(limit=read_limit(request), token=request.query_params.get("page_token"))
        items = self.get_serializer(found, many=True).data
        return Response({"items": items, "next_page_token": search.next_page_token})
