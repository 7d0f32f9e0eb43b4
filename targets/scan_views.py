"""Scans of repositories over HTTP: thin views over targets.scans."""

from drf_spectacular.utils import extend_schema
from rest_framework import viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.actors import actor_of
from foundation.database.clock import database_now
from foundation.http.idempotency import IdempotentAnswer, create_once
from foundation.http.openapi import IDEMPOTENCY_KEY, fails
from foundation.http.serializers import read_body
from foundation.ids import id_pattern
from targets import scans
from targets.models import Reference
from targets.occurrences import ScanRun
from targets.scan_serializers import (
    NewScanSerializer,
    ScanEndedSerializer,
    ScanEndSerializer,
    ScanSerializer,
)


class ScanViewSet(viewsets.GenericViewSet[Reference]):
    """Scans: runs that register the links in a repository and remove those that are gone."""

    queryset = Reference.objects.all()  # rights are those of references
    path_schemas = {"id": {"pattern": f"^{id_pattern('scan')}$"}}

    @fails(scan_running=409, scan_outdated=409, too_many_scans=409)
    @extend_schema(
        request=NewScanSerializer, responses={201: ScanSerializer}, parameters=[IDEMPOTENCY_KEY]
    )
    def create(self, request: Request) -> Response:
        """Begin a run of a scan: register its links with `POST /v1/targets/bulk`, then finish it.

        You can have one run per repository at a time: another one gets 409 `scan_running` with
        `Retry-After` until the first is finished or has sent no request for two minutes. A commit
        older than that of the last run for the same folders gets 409 `scan_outdated`.
        """
        now, by = database_now(), actor_of(request)

        def create() -> IdempotentAnswer:
            scan = scans.begin(read_body(NewScanSerializer, request), now=now, by=by)
            return IdempotentAnswer(201, dict(ScanSerializer(scan).data), f"/v1/scans/{scan.pk}")

        return create_once(request, create, now=now)

    @extend_schema(responses=ScanSerializer)
    def retrieve(self, request: Request, pk: str) -> Response:
        """Return a scan: the commit of its last run, and the time of the last complete run."""
        return Response(ScanSerializer(scans.find(pk, by=actor_of(request))).data)

    @fails(scan_over=409, too_many_ended=409)
    @extend_schema(request=ScanEndSerializer, responses=ScanEndedSerializer)
    def finish(self, request: Request, pk: str) -> Response:
        """Finish a run: if it is complete, remove references that only earlier runs saw.

        Up to 1,000 are removed per request; repeat it while `remaining` is not 0. If more than a
        fifth of the scan's references would be removed and `confirm` is not true, none are: 409
        `too_many_ended`, and the run is over.
        """
        body = read_body(ScanEndSerializer, request)
        result = scans.finish(
            ScanRun(scan_id=pk, run=body["run"]),
            is_complete=body["complete"],
            unread=body["unread"],
            is_confirmed=body["confirm"],
            now=database_now(),
            by=actor_of(request),
        )
        return Response({"ended": result.ended, "remaining": result.remaining})
