"""Check results over HTTP."""

from typing import cast

from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.actors import actor_of
from checker import reports
from checker.models import CheckResult, CheckResultQuerySet, Outage, ResultReport
from checker.serializers import (
    OutageSerializer,
    ReportRequestSerializer,
    ReportSerializer,
    ResultFilters,
    ResultSerializer,
    ResultWithEvidenceSerializer,
)
from foundation.database.clock import database_now
from foundation.http.idempotency import IdempotentAnswer, create_once
from foundation.http.openapi import IDEMPOTENCY_KEY, fails
from foundation.http.pagination import KeysetPagination, PagesMixin
from foundation.http.permissions import ModelPermissions
from foundation.http.serializers import StrictSerializer, read_body, read_query
from targets.views import TARGET_PATH, get_target


class ResultPages(KeysetPagination):
    time_field = "checked_at"
    newest_first = True

    def read(self, ordered: QuerySet[CheckResult], limit: int) -> list[CheckResult]:
        """Read the first results, one span of time after another."""
        return cast("CheckResultQuerySet", ordered).read_in_spans(limit)


class ResultViewSet(PagesMixin, viewsets.GenericViewSet[CheckResult]):
    """The results of a target's checks."""

    queryset = CheckResult.objects.all()
    serializer_class = ResultSerializer
    pagination_class = ResultPages
    path_schemas = TARGET_PATH

    @extend_schema(parameters=[ResultFilters])
    def list(self, request: Request, target_id: str) -> Response:
        """List results, newest first."""
        filters = read_query(ResultFilters, request)
        results = CheckResult.objects.filter(target=get_target(target_id), **filters)
        return self.page(results.defer("evidence"))

    @extend_schema(responses=ResultWithEvidenceSerializer)
    def retrieve(self, request: Request, target_id: str, result_id: int) -> Response:
        """Return a result with all its evidence."""
        result = reports.find_result(get_target(target_id), result_id)
        return Response(ResultWithEvidenceSerializer(result).data)


class OutagePages(KeysetPagination):
    time_field = "began_at"
    newest_first = True


class OutagePermissions(ModelPermissions):
    """Users who may see results may see outages."""

    perms_map = {
        **ModelPermissions.perms_map,
        "GET": ["checker.view_checkresult"],
        "HEAD": ["checker.view_checkresult"],
    }


class OutageViewSet(PagesMixin, viewsets.GenericViewSet[Outage]):
    """Outages of Linkwatch's own network."""

    queryset = Outage.objects.all()
    serializer_class = OutageSerializer
    pagination_class = OutagePages
    permission_classes = [OutagePermissions]

    def list(self, request: Request) -> Response:
        """List the periods in which no server responded to Linkwatch, newest first."""
        read_query(StrictSerializer, request)
        return self.page(Outage.objects.all())


class ReportPermissions(ModelPermissions):
    """Users who may add references may report; those who may see results may read their reports."""

    perms_map = {
        **ModelPermissions.perms_map,
        "GET": ["checker.view_checkresult"],
        "HEAD": ["checker.view_checkresult"],
        "POST": ["targets.add_reference"],
    }


class ReportViewSet(viewsets.GenericViewSet[ResultReport]):
    """Reports of wrong results."""

    queryset = ResultReport.objects.all()
    serializer_class = ReportSerializer
    permission_classes = [ReportPermissions]
    path_schemas = TARGET_PATH

    @fails(too_many_reports=409)
    @extend_schema(
        request=ReportRequestSerializer,
        responses={200: ReportSerializer, 201: ReportSerializer},
        parameters=[IDEMPOTENCY_KEY],
    )
    def create(self, request: Request, target_id: str, result_id: int) -> Response:
        """Report a result as wrong: 201, or 200 with your earlier report on it.

        For operators, and users who can change a reference to the target; 404 for others.
        """
        now, by = database_now(), actor_of(request)
        comment = read_body(ReportRequestSerializer, request)["comment"]

        def create() -> IdempotentAnswer:
            target = get_target(target_id)
            result = reports.find_result(target, result_id)
            report, is_new = reports.report(target, result, comment, now=now, by=by)
            location = f"/v1/targets/{target.pk}/results/{result.pk}/report"
            return IdempotentAnswer(201 if is_new else 200, ReportSerializer(report).data, location)

        return create_once(request, create, now=now)

    def retrieve(self, request: Request, target_id: str, result_id: int) -> Response:
        """Return your own report of a result; 404 if there is none."""
        result = reports.find_result(get_target(target_id), result_id)
        report = reports.find_report(result, actor_of(request))
        if report is None:
            raise Http404
        return Response(ReportSerializer(report).data)
