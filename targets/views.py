"""The registry over HTTP: thin views over targets.services."""

import builtins
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from urllib.parse import quote

from django.http import Http404, StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import viewsets
from rest_framework.exceptions import APIException, PermissionDenied
from rest_framework.generics import get_object_or_404
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.actors import Actor, actor_of
from accounts.roles import Role
from foundation.database.clock import database_now
from foundation.http.errors import ApiError, error_body
from foundation.http.exports import stream_csv
from foundation.http.idempotency import IdempotentAnswer, create_once
from foundation.http.negotiation import CSVRenderer
from foundation.http.openapi import IDEMPOTENCY_KEY, IF_MATCH, fails
from foundation.http.pagination import (
    KeysetPagination,
    PagesMixin,
    decode_token,
    encode_token,
    invalid_page_token,
    read_limit,
)
from foundation.http.preconditions import read_if_match
from foundation.http.serializers import StrictSerializer, read_body, read_query
from foundation.ids import id_pattern, is_id
from outbox import feed
from outbox.models import Event
from targets import occurrences, services, target_actions
from targets.lists import target_csv
from targets.models import Reference, Target, TargetFlag
from targets.notes import may_act
from targets.occurrences import ScanRun
from targets.registration import Registration, RegistrationResult, register_within
from targets.search.criteria import Criteria
from targets.search.target_search import TargetSearch, order_of
from targets.serializers import (
    BulkChangeRequestSerializer,
    BulkChangeResponseSerializer,
    BulkRegistrationSerializer,
    BulkRequestSerializer,
    BulkResponseSerializer,
    BulkSerializer,
    ChangeSerializer,
    CheckRequestSerializer,
    EventPageSerializer,
    ForceQuery,
    ItemChangeSerializer,
    PageQuery,
    ReferenceIdField,
    ReferencePairSerializer,
    ReferencePath,
    ReferenceSerializer,
    RegistrationSerializer,
    TargetFilters,
    TargetSerializer,
    TransitionSerializer,
    URLQuery,
    URLTextField,
)

TARGET_PATH = {"target_id": {"pattern": f"^{id_pattern('target')}$"}}


# For all requests: it is stateless, and creating one takes longer than validating.
_REGISTRATION = RegistrationSerializer()


def read_registration(data: Any) -> Registration:
    """Return the validated registration.

    Raises ValidationError, or ApiError `invalid_url` or `forbidden_url`.
    """
    return _REGISTRATION.registration(data)


def read_reference_id(text: str) -> str:
    """Return the reference id in a path; raises ValidationError for an invalid one."""
    path = ReferencePath(data={"reference_id": text})
    path.is_valid(raise_exception=True)
    return str(path.validated_data["reference_id"])


def reference_path(reference: Reference) -> str:
    """Return the path of a reference in the API."""
    object_id = quote(reference.object_id, safe="")
    return f"/v1/targets/{reference.target_id}/references/{object_id}"


def reference_json(reference: Reference) -> dict[str, Any]:
    """Return the JSON of a reference that was just written, and may already be deleted."""
    reference.occurrences = list(occurrences.by_reference([reference]).get(reference.pk, []))
    return dict(ReferenceSerializer(reference).data)


def represent(results: Sequence[RegistrationResult], by: Actor) -> list[Any]:
    """Return the JSON of each result's target, in order; the caller holds the targets' locks."""
    targets = {row.target.id: row.target for row in results}
    unloaded = [id_ for id_, target in targets.items() if not hasattr(target, "first_references")]
    if unloaded:  # targets that existed before
        targets |= Target.objects.with_references(by).in_bulk(unloaded)
    show = TargetSerializer().to_representation
    by_id = {id_: show(target) for id_, target in targets.items()}
    return [by_id[row.target.id] for row in results]


def get_target(target_id: str) -> Target:
    """Return the target; raises Http404."""
    return get_object_or_404(Target.objects.all(), pk=target_id)


def target_response(target_id: str, by: Actor, *, status: int = 200) -> Response:
    """Return the response with this target and its first references; raises Http404."""
    target = get_target(target_id)
    target.load_references(by)
    return Response(TargetSerializer(target).data, status=status)


class FlaggedTargetPagination(KeysetPagination):
    """Pages of TargetFlag in the order of targets, with the tokens of other lists of targets."""

    id_field = "target_id"


class TargetViewSet(PagesMixin, viewsets.GenericViewSet[Target]):
    """Targets: the URLs that are watched."""

    queryset = Target.objects.all()
    serializer_class = TargetSerializer
    pagination_class = KeysetPagination
    path_schemas = {"id": TARGET_PATH["target_id"]}

    def get_renderers(self) -> "builtins.list[BaseRenderer]":
        """Return the usual renderers, and CSV for lists."""
        usual = super().get_renderers()
        return [*usual, CSVRenderer()] if self.action == "list" else usual

    @fails(invalid_url=400, invalid_host=400)
    @extend_schema(
        parameters=[TargetFilters],
        responses={
            (200, "application/json"): TargetSerializer(many=True),
            (200, "text/csv"): OpenApiTypes.STR,
        },
    )
    def list(self, request: Request) -> Response | StreamingHttpResponse:
        """List targets in order of creation; with `q` or `since`, newest first, unless `sort` says
        otherwise.

        With `q`, `since` or `sort`, a page may have fewer than `limit` items, or none after a
        second without a match, even if there are more: only a page without `next_page_token` is the
        last. `text/csv` has no pages: it contains all matching targets, oldest first unless `sort`
        says otherwise. Only a few such lists are written at the same time; further requests get 503
        `unavailable`.
        """
        query, by = read_query(TargetFilters, request), actor_of(request)
        criteria = TargetFilters().criteria(query)
        if request.accepted_renderer.format == "csv":
            order = query.get("sort", "oldest")
            return stream_csv(target_csv.pieces(criteria, by=by, order=order))
        if query.keys() & {"q", "since", "sort"}:
            return self._page_of_search(request, criteria, order=query.get("sort"))
        if criteria.flag:
            return self._page_of_flag(request, criteria)
        return self.page(criteria.select(Target.objects.with_references(by), by))

    def _page_of_search(
        self, request: Request, criteria: Criteria, *, order: str | None
    ) -> Response:
        token = request.query_params.get("page_token")
        is_old = token is not None and order_of(token) == "oldest"  # the first page came from 0.2.0
        order = order or ("oldest" if is_old else "newest")
        search = TargetSearch(criteria, by=actor_of(request), order=order)
        page = search.find(limit=read_limit(request), token=token)
        items = self.get_serializer([row.target for row in page], many=True).data
        return Response({"items": items, "next_page_token": search.next_page_token})

    def _page_of_flag(self, request: Request, criteria: Criteria) -> Response:
        """Return a page of the targets with a flag, in the order of the flags' index."""
        by, others = actor_of(request), replace(criteria, flag="")
        flags = TargetFlag.objects.filter(flag=criteria.flag)
        if others != Criteria():
            flags = flags.filter(target__in=others.select(Target.objects.all(), by).values("pk"))
        pages = FlaggedTargetPagination()
        ids = [row.target_id for row in pages.paginate_queryset(flags, request)]
        shown = Target.objects.with_references(by).in_bulk(ids)
        rows = [shown[id_] for id_ in ids if id_ in shown]
        return pages.get_paginated_response(self.get_serializer(rows, many=True).data)

    @fails(invalid_url=400, forbidden_url=400)
    @extend_schema(
        request=RegistrationSerializer,
        responses={200: TargetSerializer, 201: TargetSerializer},
        parameters=[IDEMPOTENCY_KEY],
    )
    def create(self, request: Request) -> Response:
        """Register a URL: 201, or 200 with the existing target.

        Without `reference_id`, the target is pinned; a member gets the reference `watch` instead.
        """
        now, by = database_now(), actor_of(request)

        def create() -> IdempotentAnswer:
            result = register_within([read_registration(request.data)], now=now, by=by)[0]
            body = represent([result], by)[0]
            return IdempotentAnswer(
                201 if result.is_new else 200, body, f"/v1/targets/{result.target.id}"
            )

        return create_once(request, create, now=now)

    @fails(not_found=404, scan_over=409)
    @extend_schema(
        request=BulkRequestSerializer,
        responses=BulkResponseSerializer,
        parameters=[IDEMPOTENCY_KEY],
    )
    def bulk(self, request: Request) -> Response:
        """Register up to 1,000 URLs; an invalid item does not affect the others.

        With `scan`, the URLs belong to a run of a scan; once that run is over, the request fails
        with 409 `scan_over`.
        """
        now, by = database_now(), actor_of(request)
        body = read_body(BulkRegistrationSerializer, request)
        scan = body.get("scan")
        run = None if scan is None else ScanRun(scan_id=scan["id"], run=scan["run"])

        def register_all() -> IdempotentAnswer:
            results = _register_all(body["items"], now=now, by=by, run=run)
            return IdempotentAnswer(200, {"results": results})

        return create_once(request, register_all, now=now)

    @extend_schema(request=BulkChangeRequestSerializer, responses=BulkChangeResponseSerializer)
    def bulk_change(self, request: Request) -> Response:
        """Change up to 1,000 targets, each as with `PATCH /v1/targets/{id}`.

        An invalid item does not affect the others. The items are processed in order, each in its
        own transaction.
        """
        items, by = read_body(BulkSerializer, request)["items"], actor_of(request)
        outcomes = [_change_one(item, by=by) for item in items]  # an id, or an error
        changed = [outcome for outcome in outcomes if isinstance(outcome, str)]
        targets = Target.objects.with_references(by).in_bulk(changed)
        show, gone = TargetSerializer().to_representation, _refusal(_no_target())
        results = [
            outcome
            if isinstance(outcome, dict)
            else {"status": 200, "target": show(targets[outcome])}
            if outcome in targets
            else gone  # deleted since the change
            for outcome in outcomes
        ]
        return Response({"results": results})

    @extend_schema(responses=TargetSerializer)
    def retrieve(self, request: Request, pk: str) -> Response:
        """Return a target."""
        return target_response(pk, actor_of(request))

    @fails(no_references=409)
    @extend_schema(request=ChangeSerializer, responses=TargetSerializer, parameters=[IF_MATCH])
    def partial_update(self, request: Request, pk: str) -> Response:
        """Change a target's policy and instructions, pause it or pin it."""
        target, by = get_target(pk), actor_of(request)
        changes, version = read_body(ChangeSerializer, request), read_if_match(request)
        services.update(target, changes, now=database_now(), version=version, by=by)
        return target_response(pk, by)

    @fails(has_references=409)
    @extend_schema(parameters=[ForceQuery], responses={204: None})
    def destroy(self, request: Request, pk: str) -> Response:
        """Delete a target; 409 `has_references` while it has references, unless `force` is true."""
        force = read_query(ForceQuery, request)["force"]
        services.delete(get_target(pk), force=force, now=database_now(), by=actor_of(request))
        return Response(status=204)

    @fails(dead=409, paused=409, rate_limited=429)
    @extend_schema(request=CheckRequestSerializer, responses={202: TargetSerializer})
    def check(self, request: Request, pk: str) -> Response:
        """Make a target due now; a dead one requires `{"revive": true}`.

        Members can check the targets that they refer to, up to ten a minute; they can't revive
        targets.
        """
        by, target = actor_of(request), get_target(pk)
        revive = read_body(CheckRequestSerializer, request)["revive"]
        is_member = by.role is Role.MEMBER and not request.user.has_perm("targets.change_target")
        if is_member and (revive or not may_act(target, by)):
            raise PermissionDenied
        target_actions.check(target, database_now(), by, revive=revive)
        return target_response(pk, by, status=202)


def _no_target() -> ApiError:
    return ApiError("not_found", "There is no such target.", status=404)


def _refusal(error: APIException) -> dict[str, Any]:
    return {"status": error.status_code, "error": error_body(error)}


def _change_one(item: Any, *, by: Actor) -> str | dict[str, Any]:
    """Change a target; return its id, or the result that contains the error."""
    try:
        changes = ItemChangeSerializer().run_validation(item)
        target_id, version = changes.pop("id"), changes.pop("version", None)
        target = Target.objects.filter(pk=target_id).first() if is_id("target", target_id) else None
        if target is None:
            raise _no_target()
        services.update(target, changes, now=database_now(), version=version, by=by)
    except APIException as error:
        return _refusal(error)
    return str(target.pk)


def _register_all(
    items: Sequence[Any], *, now: datetime, by: Actor, run: ScanRun | None
) -> list[dict[str, Any]]:
    """Register the valid items of a bulk request; return a result for each item, in order.

    With a `run`, existing references of refused items count as seen.
    """
    results: list[dict[str, Any]] = []
    new_targets = []
    refused = set()
    for item in items:
        try:
            new_target = read_registration(item)
            if run is not None and new_target.reference_id is None:
                sentence = "A scan registers references: reference_id is required."
                raise ApiError("invalid", sentence, details={"reference_id": [sentence]})
            new_targets.append(new_target)
            results.append({})
        except APIException as error:
            results.append({"status": 400, "error": error_body(error)})
            refused.update(_reference_keys(item))
    registrations = register_within(new_targets, now=now, by=by, run=run)
    if run is not None and refused:
        occurrences.keep(refused, run=run)
    shown = represent(registrations, by)
    accepted = (result for result in results if not result)
    for result, registered, target in zip(accepted, registrations, shown, strict=True):
        result.update(status=201 if registered.is_new else 200, target=target)
    return results


def _reference_keys(item: Any) -> list[tuple[str, str]]:
    """Return the canonical URL and reference id of a refused item; empty if one is invalid."""
    try:
        url = services.canonical_url(URLTextField().run_validation(item["url"]))
        return [(url, ReferenceIdField().run_validation(item["reference_id"]))]
    except (APIException, KeyError, TypeError):
        return []


class TransitionPagination(KeysetPagination):
    time_field = "at"
    newest_first = True


class TransitionViewSet(PagesMixin, viewsets.GenericViewSet[Event]):
    """The history of a target's states."""

    queryset = Event.objects.all()
    serializer_class = TransitionSerializer
    pagination_class = TransitionPagination
    path_schemas = TARGET_PATH

    def list(self, request: Request, target_id: str) -> Response:
        """List changes of state, newest first."""
        read_query(StrictSerializer, request)
        return self.page(get_target(target_id).transitions.all().state_changes())


class TargetReferenceViewSet(PagesMixin, viewsets.GenericViewSet[Reference]):
    """The references to one target."""

    queryset = Reference.objects.all()
    serializer_class = ReferenceSerializer
    pagination_class = KeysetPagination
    metadata_class = None  # DRF's would look up an object by `pk`, which is not in these URLs
    path_schemas = TARGET_PATH | {"reference_id": {"minLength": 1, "maxLength": 255}}

    def list(self, request: Request, target_id: str) -> Response:
        """List the references that you can see, in order of registration."""
        read_query(StrictSerializer, request)
        visible = actor_of(request).reach(get_target(target_id).references.all())
        return self.page(visible.with_occurrences())

    @fails(invalid=400)
    @extend_schema(responses=ReferenceSerializer)
    def retrieve(self, request: Request, target_id: str, reference_id: str) -> Response:
        """Return a reference."""
        object_id = read_reference_id(reference_id)
        references = get_target(target_id).references.all().with_occurrences()
        matches = references.resolve(object_id, actor_of(request))
        if not matches:
            raise Http404
        return Response(ReferenceSerializer(matches[0]).data)

    @fails(invalid=400)
    @extend_schema(request=None, responses={200: ReferenceSerializer, 201: ReferenceSerializer})
    def update(self, request: Request, target_id: str, reference_id: str) -> Response:
        """Add a reference of your own: 201, or 200 if it already exists."""
        object_id, target = read_reference_id(reference_id), get_target(target_id)
        reference, is_new = services.add_reference(
            target, object_id, now=database_now(), by=actor_of(request)
        )
        status = 201 if is_new else 200
        return IdempotentAnswer(
            status, reference_json(reference), reference_path(reference)
        ).response()

    @fails(invalid=400)
    @extend_schema(responses={204: None})
    def destroy(self, request: Request, target_id: str, reference_id: str) -> Response:
        """Remove a reference; a target without references is deleted unless it is pinned."""
        object_id, target = read_reference_id(reference_id), get_target(target_id)
        services.unregister(target, object_id, now=database_now(), by=actor_of(request))
        return Response(status=204)


class ReferenceViewSet(PagesMixin, viewsets.GenericViewSet[Reference]):
    """References by URL: register, retrieve, unregister."""

    queryset = Reference.objects.all()
    serializer_class = ReferenceSerializer
    pagination_class = KeysetPagination

    @fails(invalid_url=400)
    @extend_schema(parameters=[URLQuery])
    def list(self, request: Request) -> Response:
        """List the references to a URL that you can see; empty if it is not watched."""
        canonical_url = services.canonical_url(read_query(URLQuery, request)["url"])
        visible = actor_of(request).reach(Reference.objects.all())
        return self.page(visible.filter(target__canonical_url=canonical_url).with_occurrences())

    @fails(invalid_url=400, forbidden_url=400)
    @extend_schema(
        request=ReferencePairSerializer,
        responses={200: ReferenceSerializer, 201: ReferenceSerializer},
        parameters=[IDEMPOTENCY_KEY],
    )
    def create(self, request: Request) -> Response:
        """Register a URL with a reference of your own: 201, or 200 if that pair already exists."""
        now, by = database_now(), actor_of(request)

        def create() -> IdempotentAnswer:
            pair = read_body(ReferencePairSerializer, request)
            result = register_within([read_registration(request.data)], now=now, by=by)[0]
            reference = result.reference or result.target.references.get(
                owner=by.owner, object_id=pair["reference_id"]
            )
            status = 201 if result.is_new_reference else 200
            return IdempotentAnswer(status, reference_json(reference), reference_path(reference))

        return create_once(request, create, now=now)

    @fails(invalid_url=400, not_found=404)
    @extend_schema(parameters=[ReferencePairSerializer], responses={204: None})
    def destroy(self, request: Request) -> Response:
        """Unregister a reference by URL; 404 if there is no such pair."""
        pair = read_query(ReferencePairSerializer, request)
        canonical_url = services.canonical_url(pair["url"])
        target = get_object_or_404(Target.objects.all(), canonical_url=canonical_url)
        by = actor_of(request)
        services.unregister(target, pair["reference_id"], now=database_now(), by=by)
        return Response(status=204)


class EventViewSet(viewsets.GenericViewSet[Event]):
    """The feed: events in order of position, readable from any position."""

    queryset = Event.objects.all()

    @fails(epoch_changed=409)
    @extend_schema(parameters=[PageQuery], responses=EventPageSerializer)
    def list(self, request: Request) -> Response:
        """List changes to any state in EVENT_STATES as CloudEvents, oldest first.

        `next_page_token` is always present. A reader that stores it misses no events: positions are
        dense and appear in order. An event with more than 1,000 reference ids, or 512 KiB of them,
        is split into parts: items with `part` and `parts`, each with its own id. After a restore, a
        token for events that the backup lacks is refused: 409 `epoch_changed`.
        """
        read_query(StrictSerializer, request)
        items, place = feed.read(
            _read_place(request), limit=read_limit(request), by=actor_of(request)
        )
        return Response({"items": items, "next_page_token": _token(place)})


def _token(place: feed.Place) -> str:
    epoch = {"epoch": place.epoch} if place.epoch else {}  # absent in the first epoch
    return encode_token({"position": place.position, "part": place.part, **epoch})


def _read_place(request: Request) -> feed.Place:
    token = request.query_params.get("page_token")
    if token is None:
        return feed.Place()
    place = decode_token(token, keys={"position", "part"}, optional=frozenset({"epoch"}))
    if not isinstance(place.get("epoch", ""), str):
        raise invalid_page_token()
    for value in (place["position"], place["part"]):
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**63:
            raise invalid_page_token()
    return feed.Place(**place)
