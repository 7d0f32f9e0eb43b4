"""Batches over HTTP: thin views over batches.services."""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.actors import Actor, actor_of
from batches import ending, services
from batches.batch_rate_limit import charge_batch
from batches.items import describe_items, items
from batches.models import Batch, BatchItem
from batches.serializers import (
    BatchSerializer,
    BatchSummarySerializer,
    BatchWithSecretSerializer,
    NewBatchSerializer,
)
from batches.waiting import wait_for
from foundation.database.clock import database_now
from foundation.http.idempotency import IdempotentAnswer, create_once
from foundation.http.openapi import IDEMPOTENCY_KEY, fails
from foundation.http.pagination import KeysetPagination
from foundation.http.serializers import read_body
from foundation.ids import id_pattern
from foundation.times import rfc3339
from lookups.serializers import MAX_URLS


class BatchItemPagination(KeysetPagination):
    """Pages by position."""

    time_field = None
    id_field = "number"


class BatchViewSet(viewsets.GenericViewSet[Batch]):
    """Batches: URLs that are checked once, without being registered."""

    queryset = Batch.objects.all()
    serializer_class = BatchSerializer
    pagination_class: type[KeysetPagination] = KeysetPagination
    path_schemas = {"id": {"pattern": f"^{id_pattern('batch')}$"}}

    @extend_schema(responses=BatchSummarySerializer(many=True))
    def list(self, request: Request) -> Response:
        """List batches in order of creation: your own, or all for operators and viewers."""
        batches = self.paginate_queryset(Batch.objects.visible_to(actor_of(request))) or []
        counts = ending.counts_of(batches)
        return self.get_paginated_response([_summary(row, counts[row.pk]) for row in batches])

    @fails(rate_limited=429, outside_token_bounds=403)
    @extend_schema(
        request=NewBatchSerializer,
        responses={201: BatchWithSecretSerializer, 202: BatchWithSecretSerializer},
        parameters=[IDEMPOTENCY_KEY],
    )
    def create(self, request: Request) -> Response:
        """Return the status of up to 5,000 URLs, checking those whose last check is too old.

        Known, recent statuses are returned at once; all other URLs are checked once, politely. The
        status is 201 if the batch ends within `wait`, otherwise 202: the batch at `Location` shows
        the progress. Nothing is registered. BATCH_LIMIT limits the number of URLs, per member
        and per client address. If too many URLs are waiting, the response is 429 as well, and
        nothing is accepted.
        """
        now, by = database_now(), actor_of(request)
        options = read_body(NewBatchSerializer, request)
        new = _new_batch(options, by=by)
        created: dict[str, str] = {}

        def create() -> IdempotentAnswer:
            batch, created["secret"] = services.create(new, now=now, by=by)
            charge_batch(request, len(new.urls), by=by)  # last: neither refusals nor repeats count
            return IdempotentAnswer(202, {"id": batch.pk})

        answer = create_once(request, create, now=now)
        batch_id = answer.data["id"]
        batch = wait_for(batch_id, seconds=options["wait"].total_seconds(), by=by)
        body = {
            **_summary(batch, ending.counts(batch)),
            "items": items(batch, by=by, limit=MAX_URLS),
            "next_page_token": None,
            "secret": created.get("secret") or None,
        }
        if answer.status_code == 200:  # a repeated request
            return Response(body, headers=dict(answer.headers))
        status = 202 if batch.ended_at is None else 201
        return Response(body, status=status, headers={"Location": f"/v1/batches/{batch_id}"})

    @extend_schema(responses=BatchSerializer)
    def retrieve(self, request: Request, pk: str) -> Response:
        """Return a batch with its progress and a page of its items."""
        by = actor_of(request)
        batch = services.visible_batch(pk, by=by)
        self.pagination_class = BatchItemPagination
        rows: QuerySet[Any] = batch.items.all()
        page: list[BatchItem] = self.paginate_queryset(rows) or []
        body = self.get_paginated_response(describe_items(batch, page, by=by)).data
        return Response({**_summary(batch, ending.counts(batch)), **(body or {})})

    @extend_schema(responses={204: None})
    def destroy(self, request: Request, pk: str) -> Response:
        """Cancel a batch: its waiting URLs are not checked, and there is no callback.

        The batch can be read until BATCH_RETENTION has passed. A batch that has ended is not
        changed.
        """
        services.cancel(pk, now=database_now(), by=actor_of(request))
        return Response(status=204)


def _new_batch(options: dict[str, Any], *, by: Actor) -> services.NewBatch:
    url = options.get("callback_url", "")
    return services.NewBatch(
        urls=options["urls"],
        max_age=options["max_age"],
        give_up=options["give_up"],
        is_high=options["priority"] == "high",
        callback_url=services.clean_callback(url, by=by) if url else "",
    )


def _summary(batch: Batch, counts: dict[str, int]) -> dict[str, Any]:
    return {
        "id": batch.pk,
        "state": batch.state,
        "done": batch.ended_at is not None,
        "created_at": rfc3339(batch.created_at),
        "gives_up_at": rfc3339(batch.gives_up_at),
        "ended_at": rfc3339(batch.ended_at),
        "priority": "high" if batch.is_high else "normal",
        "callback_url": batch.callback_url or None,
        "counts": counts,
    }
