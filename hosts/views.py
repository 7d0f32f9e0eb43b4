"""Hosts over HTTP: thin views over hosts.services. Source: docs/requirements.md#reservations."""

from collections.abc import Sequence
from typing import Any, cast

from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, viewsets
from rest_framework.exceptions import APIException
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.actors import actor_of
from foundation.database.clock import database_now
from foundation.http.errors import error_body
from foundation.http.idempotency import IdempotentAnswer, create_once
from foundation.http.openapi import IDEMPOTENCY_KEY, fails
from foundation.http.pagination import (
    KeysetPagination,
    PagesMixin,
    decode_token,
    encode_token,
    invalid_page_token,
    read_limit,
)
from foundation.http.serializers import read_body, read_query
from foundation.net.hostnames import MAX_INPUT
from hosts import services
from hosts.aliases import ALIAS_PATTERN
from hosts.figures_provider import HostFigures, NoFigures
from hosts.models import Alias, Host, HostState
from hosts.serializers import (
    AliasFilters,
    AliasSerializer,
    ChangeAliasSerializer,
    ChangeHostSerializer,
    ExplainedHostSerializer,
    ExtendSerializer,
    HostFilters,
    HostSerializer,
    ItemResultsSerializer,
    ReleaseManyRequestSerializer,
    ReleaseManySerializer,
    ReleaseSerializer,
    ReservationSerializer,
    ReservationsSerializer,
    ReserveHostSerializer,
    ReserveSerializer,
    ScheduleManyRequestSerializer,
    ScheduleManySerializer,
    ScheduleSerializer,
)


class HostPagination(KeysetPagination):
    """Pages by name."""

    time_field = None
    id_field = "name"


class _QueuePagination(KeysetPagination):
    time_field = "next_at"


class _BusyPagination(KeysetPagination):
    time_field = "busy_until"


class _IdPagination(KeysetPagination):
    time_field = None


# Each state in the order of the index that finds it.
_PAGINATION_BY_STATE: dict[HostState, type[KeysetPagination]] = {
    HostState.QUEUED: _QueuePagination,
    HostState.BUSY: _BusyPagination,
    HostState.WAITING: _IdPagination,
    HostState.IDLE: _IdPagination,
}


class HostViewSet(PagesMixin, viewsets.GenericViewSet[Host]):
    """Hosts, which have one fetcher at a time: a caller of this API or Linkwatch's checker.

    If a host has the same name as one of these endpoints, add a trailing dot: `/v1/hosts/reserve.`
    """

    queryset = Host.objects.select_related("slot")
    serializer_class = HostSerializer
    pagination_class: type[KeysetPagination] = HostPagination
    path_schemas = {"host": {"minLength": 1, "maxLength": MAX_INPUT}}
    # DRF's metadata would look up an object by `pk`, which these URLs don't have.
    metadata_class = None

    figures: HostFigures = NoFigures()

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "now": database_now()}

    @extend_schema(parameters=[HostFilters])
    def list(self, request: Request) -> Response:
        """List hosts by name; `queued` ones by due time, `busy` ones by when their lease ends.

        `waiting` and `idle` hosts are listed in order of creation.

        `queued`: scheduled, and free. `busy`: reserved. `waiting`: scheduled, but another host with
        its alias is reserved, or its own lease has expired and has not been reclaimed yet. `idle`:
        neither scheduled nor reserved. A host is in exactly one of these states. Sorting by a
        figure lists the highest first and omits hosts where it is 0.
        """
        filters = read_query(HostFilters, request)
        hosts = Host.objects.select_related("slot")
        if "alias" in filters:
            hosts = hosts.filter(slot__is_alias=True, slot__key=filters["alias"])
        if "state" in filters:
            state = HostState(filters["state"])
            hosts = hosts.in_state(state, database_now())
            self.pagination_class = _PAGINATION_BY_STATE[state]
        match filters.get("sort"):
            case None:
                return self.page(hosts)
            case "name":
                self.pagination_class = HostPagination
                return self.page(hosts)
            case problem:
                return self._page_of_worst(request, hosts, problem)

    def page(self, queryset: QuerySet[Host]) -> Response:
        return self.get_paginated_response(self._represent(self.paginate_queryset(queryset) or []))

    def _page_of_worst(self, request: Request, hosts: QuerySet[Host], problem: str) -> Response:
        limit, token = read_limit(request), request.query_params.get("page_token")
        after = None if token is None else _decode_position(token, problem)
        worst = self.figures.worst(problem, hosts, after=after, limit=limit + 1, now=database_now())
        by_name = {host.name: host for host in hosts.filter(name__in=[name for _, name in worst])}
        rows = [by_name[name] for _, name in worst[:limit] if name in by_name]
        token = encode_token({problem: worst[limit - 1]}) if len(worst) > limit else None
        return Response({"items": self._represent(rows), "next_page_token": token})

    def _represent(self, hosts: Sequence[Host]) -> Any:
        context = self.get_serializer_context()
        context["figures"] = self.figures.by_host([host.name for host in hosts], now=context["now"])
        return HostSerializer(hosts, many=True, context=context).data

    @fails(invalid_host=400)
    @extend_schema(responses=ExplainedHostSerializer)
    def retrieve(self, request: Request, host: str) -> Response:
        """Return a host, and why it is not being fetched."""
        return self._show(services.read_host(host))

    @fails(invalid_host=400)
    @extend_schema(request=ChangeHostSerializer, responses=ExplainedHostSerializer)
    def update(self, request: Request, host: str) -> Response:
        """Change a host's next fetch, delay, pause and instructions; creates unknown hosts.

        Omitted fields are not changed. During a lease, new times take effect when the lease is
        released.
        """
        name = services.read_host(host)
        changes = read_body(ChangeHostSerializer, request)
        services.change(name, changes, now=database_now(), by=actor_of(request))
        return self._show(name)

    @fails(invalid_host=400, busy=409, watched=409)
    @extend_schema(responses={204: None})
    def destroy(self, request: Request, host: str) -> Response:
        """Delete a host; 409 `busy` while it or its alias is reserved.

        409 `watched` while it is scheduled for a check.
        """
        name = services.read_host(host)
        if not services.delete(name, now=database_now(), by=actor_of(request)):
            raise Http404
        return Response(status=204)

    def _show(self, name: str) -> Response:
        host = get_object_or_404(Host.objects.select_related("slot"), name=name)
        context = self.get_serializer_context()
        context["figures"] = self.figures.by_host([name], now=context["now"])
        return Response(ExplainedHostSerializer(host, context=context).data)

    @extend_schema(
        request=ReserveSerializer,
        responses=ReservationsSerializer,
        parameters=[IDEMPOTENCY_KEY],
    )
    def reserve(self, request: Request) -> Response:
        """Reserve up to `limit` hosts that are due for `fetch`, if any, longest-waiting first.

        Only hosts that callers scheduled are reserved, and they don't count toward MAX_CONCURRENCY.
        Linkwatch's own checks use the same leases, but a schedule of their own.
        """

        now = database_now()

        def reserve() -> IdempotentAnswer:
            leases = services.reserve(**read_body(ReserveSerializer, request), now=now)
            return IdempotentAnswer(200, {"reservations": _leases_json(leases)})

        return create_once(request, reserve, now=now)

    @fails(invalid_host=400, busy=409)
    @extend_schema(
        request=ReserveHostSerializer,
        responses=ReservationSerializer,
        parameters=[IDEMPOTENCY_KEY],
    )
    def reserve_one(self, request: Request, host: str) -> Response:
        """Reserve this host, due or not; 409 `busy` with Retry-After.

        Its due times do not change. An unknown host is created.
        """
        name, now = services.read_host(host), database_now()

        def reserve() -> IdempotentAnswer:
            body = read_body(ReserveHostSerializer, request)
            return IdempotentAnswer(
                200, _leases_json([services.reserve_host(name, **body, now=now)])[0]
            )

        return create_once(request, reserve, now=now)

    @fails(invalid_host=400, not_owner=409)
    @extend_schema(request=ReleaseSerializer, responses={204: None})
    def release_one(self, request: Request, host: str) -> Response:
        """Release a lease; 409 `not_owner` if it has ended or belongs to another host."""
        name = services.read_host(host)
        returned = services.ReturnedLease(**read_body(ReleaseSerializer, request))
        services.release(name, returned, now=database_now())
        return Response(status=204)

    @fails(invalid_host=400, not_owner=409)
    @extend_schema(request=ExtendSerializer, responses=ReservationSerializer)
    def extend(self, request: Request, host: str) -> Response:
        """Extend a lease; 409 `not_owner` as for a release."""
        name = services.read_host(host)
        lease = services.extend(name, **read_body(ExtendSerializer, request), now=database_now())
        return Response(_leases_json([lease])[0])

    @extend_schema(
        request=ReleaseManyRequestSerializer,
        responses=ItemResultsSerializer,
    )
    def release(self, request: Request) -> Response:
        """End up to 1,000 leases; an invalid item does not affect the others."""
        items = read_body(ReleaseManySerializer, request)["leases"]
        valid, results = _read_all(ReleaseSerializer, items)
        returned = [services.ReturnedLease(**item) for item in valid.values()]
        released = services.release_all(returned, now=database_now())
        for index, ended in zip(valid, released, strict=True):
            results[index] = {"status": 204} if ended else _error_result(services.not_owner_error())
        return Response({"results": results})

    @extend_schema(
        request=ScheduleManyRequestSerializer,
        responses=ItemResultsSerializer,
    )
    def schedule(self, request: Request) -> Response:
        """Make up to 1,000 hosts due for `fetch` at these times or earlier; creates unknown ones.

        `host` may be a URL. An invalid item does not affect the others.
        """
        items = read_body(ScheduleManySerializer, request)["hosts"]
        valid, results = _read_all(ScheduleSerializer, items)
        now = database_now()
        times = [(item["host"], item.get("next_fetch_at", now)) for item in valid.values()]
        services.schedule(times, now=now)
        for index, item in valid.items():
            results[index] = {"status": 200, "host": item["host"]}
        return Response({"results": results})


def _decode_position(token: str, problem: str) -> tuple[int, str]:
    """Return the position of a page token in the list of the worst hosts; raises ApiError."""
    match decode_token(token, keys={problem})[problem]:
        case [int(total), str(name)] if abs(total) < 2**63 and "\0" not in name:
            return total, name
        case _:
            raise invalid_page_token()


def _leases_json(leases: Sequence[Any]) -> Any:
    return ReservationSerializer(leases, many=True).data


def _error_result(error: APIException) -> dict[str, Any]:
    return {"status": error.status_code, "error": error_body(error)}


def _read_all(
    serializer: type[serializers.Serializer[Any]], items: Sequence[Any]
) -> tuple[dict[int, dict[str, Any]], list[dict[str, Any]]]:
    """Return the valid items by position, and a result for each item: empty, or its error."""
    valid: dict[int, dict[str, Any]] = {}
    results: list[dict[str, Any]] = [{} for _ in items]
    reader = serializer()
    for index, item in enumerate(items):
        try:
            valid[index] = reader.run_validation(item)
        except APIException as error:
            results[index] = _error_result(error)
    return valid, results


class AliasPagination(KeysetPagination):
    """Pages by name."""

    time_field = None
    id_field = "key"


class _BusyAliasPagination(KeysetPagination):
    time_field = "leased_until"


class AliasViewSet(PagesMixin, viewsets.GenericViewSet[Alias]):
    """Aliases: hosts on one server or with one owner, fetched one at a time."""

    queryset = cast("QuerySet[Alias]", Alias.objects.all())
    serializer_class = AliasSerializer
    pagination_class: type[KeysetPagination] = AliasPagination
    metadata_class = None
    path_schemas = {"alias": {"pattern": ALIAS_PATTERN}}

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "now": database_now()}

    @extend_schema(parameters=[AliasFilters])
    def list(self, request: Request) -> Response:
        """List aliases by name with their first 100 hosts.

        With `busy=true`, they are listed by when their lease ends.
        """
        filters = read_query(AliasFilters, request)
        aliases = Alias.objects.aliases().with_hosts()
        now = database_now()
        if filters.get("busy") is True:
            aliases = aliases.busy(now)
            self.pagination_class = _BusyAliasPagination
        elif filters.get("busy") is False:
            aliases = aliases.exclude(leased_until__gt=now)
        return self.page(aliases)

    @fails(invalid_alias=400)
    def retrieve(self, request: Request, alias: str) -> Response:
        """Return an alias with its first 100 hosts; `GET /v1/hosts?alias=` has all of them."""
        return self._show(services.read_alias(alias))

    @fails(invalid_alias=400, invalid_host=400, busy=409)
    @extend_schema(request=ChangeAliasSerializer, responses=AliasSerializer)
    def update(self, request: Request, alias: str) -> Response:
        """Set an alias to exactly these hosts; creates unknown hosts and removes all others.

        The hosts are removed from any other alias. 409 `busy` while the alias, or a host that joins
        or leaves, is reserved.
        """
        name = services.read_alias(alias)
        hosts = read_body(ChangeAliasSerializer, request)["hosts"]
        services.set_hosts(name, hosts, now=database_now(), by=actor_of(request))
        return self._show(name)

    @fails(invalid_alias=400, busy=409)
    @extend_schema(responses={204: None})
    def destroy(self, request: Request, alias: str) -> Response:
        """Delete an alias, but not its hosts; 409 `busy` while one of them is reserved."""
        name = services.read_alias(alias)
        if not services.delete_alias(name, now=database_now(), by=actor_of(request)):
            raise Http404
        return Response(status=204)

    def _show(self, name: str) -> Response:
        alias = get_object_or_404(Alias.objects.aliases().with_hosts(), key=name)
        return Response(AliasSerializer(alias, context=self.get_serializer_context()).data)
