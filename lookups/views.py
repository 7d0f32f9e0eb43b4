"""Lookups over HTTP: the status of any URL, for users who may see targets."""

from drf_spectacular.utils import extend_schema
from rest_framework import viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.actors import actor_of
from foundation.database.clock import database_now
from foundation.http.openapi import fails
from foundation.http.permissions import ModelPermissions
from foundation.http.serializers import read_body, read_query
from lookups.lookup_rate_limit import spend_lookup_allowance
from lookups.serializers import (
    LookupQuery,
    LookupResultsSerializer,
    LookupSerializer,
    LookupsSerializer,
)
from lookups.url_status import look_up
from targets.models import Target
from targets.services import canonical_url


class LookupPermissions(ModelPermissions):
    """POST needs only the right to view, because lookups change nothing."""

    perms_map = {**ModelPermissions.perms_map, "POST": ModelPermissions.perms_map["GET"]}


class LookupViewSet(viewsets.GenericViewSet[Target]):
    """The status of URLs: nothing is checked, registered or stored."""

    queryset = Target.objects.all()
    serializer_class = LookupSerializer
    permission_classes = (LookupPermissions,)

    @fails(invalid_url=400, outside_token_bounds=403)
    @extend_schema(parameters=[LookupQuery], responses=LookupSerializer)
    def retrieve(self, request: Request) -> Response:
        """Look up one URL.

        The response does not include references.
        """
        query, by = read_query(LookupQuery, request), actor_of(request)
        by.check_may_look_up(canonical_url(query["url"]))  # raises ApiError for an invalid URL
        spend_lookup_allowance(request, 1, by=by)
        [status] = look_up([query["url"]], max_age=query["max_age"], now=database_now(), by=by)
        return Response(status)

    @extend_schema(request=LookupsSerializer, responses={200: LookupResultsSerializer})
    def create(self, request: Request) -> Response:
        """Look up several URLs, up to 5,000; an invalid URL does not affect the others.

        LOOKUP_LIMIT limits the number of URLs, per member and per client address.
        """
        body, by = read_body(LookupsSerializer, request), actor_of(request)
        spend_lookup_allowance(request, len(body["urls"]), by=by)
        results = look_up(body["urls"], max_age=body["max_age"], now=database_now(), by=by)
        return Response({"results": results})
