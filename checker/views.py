"""Check results over HTTP."""

from drf_spectacular.utils import extend_schema
from rest_framework import viewsets
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from checker.models import CheckResult
from checker.serializers import ResultFilters, ResultSerializer, ResultWithEvidenceSerializer
from foundation.http.pagination import KeysetPagination, PagesMixin
from foundation.http.serializers import read_query
from targets.views import TARGET_PATH, get_target


class ResultPages(KeysetPagination):
    time_field = "checked_at"
    newest_first = True


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
        results = CheckResult.objects.filter(target=get_target(target_id))
        result = get_object_or_404(results, pk=result_id)
        return Response(ResultWithEvidenceSerializer(result).data)
