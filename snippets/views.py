"""Snippets over HTTP: thin views. Plain reads are answered ahead of Django, by the same code."""

import json
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import viewsets
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import teams
from accounts.actors import Actor, actor_of
from accounts.authentication import TokenAuthentication
from analytics.serializers import DaysQuery, ViewMetricsSerializer
from analytics.views import show_view_metrics
from foundation.database.clock import database_now
from foundation.http import answers
from foundation.http.client_address import sender_address
from foundation.http.errors import error_body
from foundation.http.idempotency import IdempotentAnswer, create_once
from foundation.http.openapi import IDEMPOTENCY_KEY, IF_MATCH, fails
from foundation.http.pagination import KeysetPagination, read_limit
from foundation.http.permissions import ModelPermissions
from foundation.http.preconditions import read_if_match
from foundation.http.serializers import read_body, read_query
from foundation.ids import id_pattern, is_id
from foundation.tags import TagPagination
from foundation.valkey.cache_aside import CacheStatus
from snippets import anonymous, read_answers, services, snippet_cache
from snippets.models import Snippet, Tag
from snippets.serializers import (
    SnippetChangeSerializer,
    SnippetDeletionResponseSerializer,
    SnippetDeletionSerializer,
    SnippetDraftSerializer,
    SnippetFilters,
    SnippetItemSerializer,
    SnippetSerializer,
    represent_item,
)
from snippets.snippet_search import LiveSnippetSearch

PUBLIC_ACTIONS = ("retrieve", "raw", "metrics", "reveal")
CACHE_HEADER = OpenApiParameter(
    "X-Cache", OpenApiTypes.STR, OpenApiParameter.HEADER, response=[200], enum=list(CacheStatus)
)


class _AnonymousOrPermitted(ModelPermissions):
    """Allow anonymous requests; check the permissions of signed-in users."""

    def has_permission(self, request: Request, view: Any) -> bool:
        return not request.user.is_authenticated or super().has_permission(request, view)


class SnippetViewSet(viewsets.GenericViewSet[Snippet]):
    """Snippets: pieces of text, optionally with an expiry."""

    queryset = Snippet.objects.all()
    serializer_class = SnippetSerializer
    pagination_class = KeysetPagination
    path_schemas = {"id": {"pattern": f"^{id_pattern('snippet')}$"}}

    def get_authenticators(self) -> list[BaseAuthentication]:
        """Ignore an invalid token if anybody may perform the action."""
        # There is no request while the schema is generated.
        method = getattr(self.request, "method", None) or ""
        action = self.action_map.get(method.lower())
        if action in PUBLIC_ACTIONS:
            return [TokenAuthentication(is_optional=True), SessionAuthentication()]
        return super().get_authenticators()

    def perform_authentication(self, request: Request) -> None:
        """Authenticate for `reveal` only if needed: an anonymous form needs no CSRF token."""
        if self.action != "reveal":
            super().perform_authentication(request)

    def get_permissions(self) -> Sequence[Any]:
        if self.action in PUBLIC_ACTIONS:
            return [AllowAny()]
        if self.action == "create" and settings.ANONYMOUS_SNIPPETS:
            return [_AnonymousOrPermitted()]
        return super().get_permissions()

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Let the responses of PUBLIC_ACTIONS vary by cookie, even if no cookie was read."""
        response = super().finalize_response(request, response, *args, **kwargs)
        if self.action in PUBLIC_ACTIONS:
            patch_vary_headers(response, ["Cookie"])
        return response

    @extend_schema(parameters=[SnippetFilters], responses=SnippetItemSerializer(many=True))
    def list(self, request: Request) -> Response:
        """List snippets that have not expired, without content, in order of creation.

        Members see their own snippets, those of their teams and those for everyone; viewers see
        public snippets; programs without a role see public snippets without an owner. Unlisted and
        private snippets, and those with `max_views`, are only listed for operators, their owners
        and those with whom they are shared.

        With `q`, or with `tag` and another filter, a page may have fewer than `limit` items, or
        none, even if there are more: continue until `next_page_token` is null.
        """
        now, by = database_now(), actor_of(request)
        filters = read_query(SnippetFilters, request)
        limit, token = read_limit(request), request.query_params.get("page_token")
        if filters.keys() == {"tag"}:
            pages: KeysetPagination = TagPagination("snippet")
            tagged = Tag.objects.on_live_snippets(filters["tag"], now, by=by)
            rows = [row.snippet for row in pages.take(tagged, limit=limit, token=token)]
        else:
            pages = search = LiveSnippetSearch()
            rows = search.find_live(filters, by=by, now=now, limit=limit, token=token)
        return pages.get_paginated_response([represent_item(row) for row in rows])

    @fails(unknown_team=400, content_too_large=413)
    @extend_schema(
        request=SnippetDraftSerializer,
        responses={201: SnippetSerializer, 200: SnippetSerializer},
        parameters=[IDEMPOTENCY_KEY],
    )
    def create(self, request: Request) -> Response:
        """Create a snippet; 413 if its content is too large.

        If ANONYMOUS_SNIPPETS is on, anonymous visitors may create small snippets, and get 429 after
        too many. They can't send an Idempotency-Key.
        """
        now = database_now()

        def create() -> IdempotentAnswer:
            fields = SnippetDraftSerializer().snippet_fields(request.data, now=now)
            if request.user.is_authenticated:
                snippet = services.create(fields, now=now, by=actor_of(request))
            else:
                snippet = anonymous.create(fields, address=sender_address(request), now=now)
            return IdempotentAnswer(
                201, snippet_cache.represent_whole(snippet), f"/v1/snippets/{snippet.id}"
            )

        return create_once(request, create, now=now)

    @extend_schema(request=SnippetDeletionSerializer, responses=SnippetDeletionResponseSerializer)
    def bulk_delete(self, request: Request) -> Response:
        """Delete up to 1,000 snippets; an unknown id does not affect the others."""
        ids = read_body(SnippetDeletionSerializer, request)["ids"]
        by = actor_of(request)
        deleted = services.delete_all(ids, now=database_now(), by=by)
        valid = [id_ for id_ in ids if is_id("snippet", id_)]
        seen = set(
            Snippet.objects.visible_to(by).filter(pk__among=valid).values_list("pk", flat=True)
        )
        results: list[dict[str, Any]] = []
        for id_ in ids:
            if id_ in deleted:
                deleted.discard(id_)
                results.append({"id": id_, "status": 204})
            else:
                error = teams.read_only_error() if id_ in seen else snippet_cache.not_found()
                results.append({"id": id_, "status": error.status_code, "error": error_body(error)})
        return Response({"results": results})

    @fails(expired=410, used_up=410, must_be_revealed=409)
    @extend_schema(responses=SnippetSerializer, parameters=[CACHE_HEADER])
    def retrieve(self, request: Request, pk: str) -> Response:
        """Return a snippet; 410 once it has expired.

        Each GET counts as a view, except for private snippets. A snippet with `max_views` returns
        409 until it has reached its view limit, then 410. Only operators, its owner and the people
        it is shared with can see a private snippet; others get 404.
        """
        answer = _read(request, pk, read_answers.JSON)
        return Response(json.loads(answer.body), answer.status, headers=_decode(answer.headers))

    @fails(expired=410, used_up=410, must_be_revealed=409)
    @extend_schema(responses={(200, "text/plain"): OpenApiTypes.STR}, parameters=[CACHE_HEADER])
    def raw(self, request: Request, pk: str) -> HttpResponse:
        """Return the content as plain text. Views and errors are as for `GET /v1/snippets/{id}`."""
        answer = _read(request, pk, read_answers.RAW)
        headers = _decode(answer.headers)
        return HttpResponse(answer.body, status=answer.status, headers=headers)

    @fails(expired=410, used_up=410)
    @extend_schema(request=None, responses=SnippetSerializer)
    def reveal(self, request: Request, pk: str) -> Response:
        """Show a snippet, using up one of its `max_views`; 410 once the limit is reached.

        The last view deletes the content. Anyone with the URL can do this, unless the snippet is
        private.
        """
        snippet = services.reveal(pk, get_actor=_actor_getter(request), now=database_now())
        count_view(request, snippet)
        body = snippet_cache.represent_whole(snippet, is_revealed=True)
        headers = snippet_cache.NO_STORE | snippet_cache.robots_headers(snippet)
        return Response(body, headers=headers)

    @extend_schema(parameters=[DaysQuery], responses=ViewMetricsSerializer)
    def metrics(self, request: Request, pk: str) -> Response:
        """Return views and visitors by day, even for an expired snippet."""
        snippet_cache.check_exists(pk, get_actor=_actor_getter(request))
        return show_view_metrics(request, subject=pk, id_=pk, now=database_now())

    @fails(unknown_team=400, no_owner=409, content_too_large=413, used_up=410)
    @extend_schema(
        request=SnippetChangeSerializer, responses=SnippetSerializer, parameters=[IF_MATCH]
    )
    def partial_update(self, request: Request, pk: str) -> Response:
        """Change a snippet; a new expiry revives an expired one that still exists."""
        now = database_now()
        by = actor_of(request)
        services.get(pk, by=by, to_change=True)  # a 404 takes precedence over errors in the body
        changes = SnippetChangeSerializer().snippet_fields(request.data, now=now)
        version = read_if_match(request)
        snippet = services.update(pk, changes, now=now, by=by, version=version)
        return Response(snippet_cache.represent_whole(snippet))

    @extend_schema(responses={204: None})
    def destroy(self, request: Request, pk: str) -> Response:
        """Delete a snippet, expired or not."""
        services.delete(pk, now=database_now(), by=actor_of(request))
        return Response(status=204)


def _actor_getter(request: Request) -> snippet_cache.GetActor:
    """Return a function that returns the sender of the request, or None if it is anonymous."""

    def get_actor() -> Actor | None:
        return actor_of(request) if request.user.is_authenticated else None

    return get_actor


def _read(request: Request, pk: str, format_: read_answers.SnippetFormat) -> answers.Answer:
    facts = answers.facts_of_request(request)
    return read_answers.answer_from_database(pk, format_, facts, get_actor=_actor_getter(request))


def _decode(headers: answers.Headers) -> dict[str, str]:
    return {name.decode(): value.decode() for name, value in headers}


def count_view(request: HttpRequest | Request, snippet: Snippet) -> None:
    """Count a view, unless the snippet is private."""
    if not snippet.is_private:
        read_answers.count_view(snippet.id, answers.facts_of_request(request))
