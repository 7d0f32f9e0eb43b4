"""Check results over HTTP."""

from typing import cast

from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from checker.models import CheckResult, CheckResultQuerySet
from checker.serializers import ResultFilters, ResultSerializer, ResultWithEvidenceSerializer
from foundation.http.pagination import KeysetPagination, PagesMixin
from foundation.http.serializers import read_query
from targets.views import TARGET_PATH, get_target


class ResultPages(KeysetPagination):
    time_field = "checked_at"
    newest_first = True

    def read(self, ordered: QuerySet[CheckResult], limit: int) -> list[CheckResult]:
        """Return the first results, span by span."""
        return cast("CheckResultQuerySet", ordered).first_of_spans(limit)


class ResultViewSet(PagesMixin, viewsets.GenericViewSet[CheckResult]):
    """What the checks of one target found."""

    queryset = CheckResult.objects.all()
    serializer_class = ResultSerializer
    pagination_class = ResultPages
    path_schemas = TARGET_PATH

    @extend_schema(parameters=[ResultFilters])
    def list(self, request: Request, target_id: str) -> Response:
        """Results, newest first."""
        wanted = read_query(ResultFilters, request)
        results = CheckResult.objects.filter(target=get_target(target_id), **wanted)
        return self.page(results.defer("evidence"))

    @extend_schema(responses=ResultWithEvidenceSerializer)
    def retrieve(self, request: Request, target_id: str, result_id: int) -> Response:
        """One result with all its evidence."""
        wanted = CheckResult.objects.filter(target=get_target(target_id), pk=result_id)
        found = wanted.first_of_spans(1)
        if not found:
            raise Http404
        [result] = found
        return Response(ResultWithEvidenceSerializer(result).data)
