"""Public lists over HTTP: thin views over targets.public_lists."""

from typing import Any

from django.conf import settings
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_serializer
from rest_framework import serializers, viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.actors import actor_of
from foundation.database.clock import database_now
from foundation.http.idempotency import IdempotentAnswer, create_once
from foundation.http.openapi import IDEMPOTENCY_KEY, IF_MATCH, fails
from foundation.http.pagination import KeysetPagination, PagesMixin
from foundation.http.preconditions import read_if_match
from foundation.http.serializers import StrictSerializer, VersionField, read_body, read_query
from targets import public_lists
from targets.models import PublicList

_EXAMPLE = {
    "name": "handbook",
    "reference_prefix": "handbook/",
    "owner": "ada",
    "url": "https://links.example.org/public/handbook",
    "badge": "https://links.example.org/public/handbook.svg",
    "created_at": "2026-11-01T12:00:00Z",
    "version": 1,
}


class PrefixField(serializers.CharField):
    """A prefix of reference ids."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            max_length=255,
            allow_blank=True,
            trim_whitespace=False,
            help_text="List only targets whose reference ids start with this; if empty, list all.",
            **kwargs,
        )


class PublicListChangeSerializer(StrictSerializer):
    """The body of `PATCH /v1/lists/{name}`."""

    reference_prefix = PrefixField(required=False)


@extend_schema_serializer(
    examples=[OpenApiExample("A list", {"name": "handbook", "reference_prefix": "handbook/"})]
)
class PublicListDraftSerializer(StrictSerializer):
    """The body of `POST /v1/lists`."""

    name = serializers.RegexField(
        f"^{PublicList.NAME_PATTERN}$",
        help_text="Part of the address; can't be changed later.",
        error_messages={
            "invalid": "Use up to 64 lowercase letters, digits and hyphens, such as handbook."
        },
    )
    reference_prefix = PrefixField(default="")
    deployment = serializers.BooleanField(
        default=False,
        help_text="Operators only: instead of your own references, list those that programs "
        "registered.",
    )


@extend_schema_serializer(examples=[OpenApiExample("A list", _EXAMPLE)])
class PublicListSerializer(serializers.Serializer[PublicList]):
    """A public list."""

    name = serializers.CharField()
    reference_prefix = serializers.CharField(source="prefix")
    owner = serializers.CharField(
        source="owner.username",
        default=None,
        allow_null=True,
        help_text="The user whose references the list contains; null for those that programs "
        "registered.",
    )
    url = serializers.SerializerMethodField(help_text="The public page of the list.")
    badge = serializers.SerializerMethodField(help_text="The badge of the list, an SVG image.")
    created_at = serializers.DateTimeField()
    version = VersionField()

    def get_url(self, row: PublicList) -> str:
        return f"{settings.BASE_URL}/public/{row.name}"

    def get_badge(self, row: PublicList) -> str:
        return f"{self.get_url(row)}.svg"


class PublicListViewSet(PagesMixin, viewsets.GenericViewSet[PublicList]):
    """Public lists: the status of watched links, for everyone."""

    queryset = PublicList.objects.all()
    serializer_class = PublicListSerializer
    pagination_class = KeysetPagination
    path_schemas = {"name": {"pattern": f"^{PublicList.NAME_PATTERN}$"}}

    def list(self, request: Request) -> Response:
        """List public lists in order of creation: your own, or all for operators and viewers.

        Lists from the PUBLIC_LISTS setting are not included.
        """
        read_query(StrictSerializer, request)
        lists = PublicList.objects.select_related("owner")
        return self.page(actor_of(request).reach(lists))

    @fails(name_taken=409, too_many_lists=409)
    @extend_schema(
        request=PublicListDraftSerializer,
        responses={201: PublicListSerializer},
        parameters=[IDEMPOTENCY_KEY],
    )
    def create(self, request: Request) -> Response:
        """Create a public list of the targets that you refer to.

        Anyone can see how many targets are in each state, and the URLs and errors of up to 100 that
        are dead or potentially dead. Targets that need ALLOW_NETWORKS or secret headers are left
        out.
        """
        now, by = database_now(), actor_of(request)

        def create() -> IdempotentAnswer:
            draft = read_body(PublicListDraftSerializer, request)
            public_list = public_lists.create_list(draft, now=now, by=by)
            body = self.get_serializer(public_list).data
            return IdempotentAnswer(201, body, _path_of(public_list))

        return create_once(request, create, now=now)

    @extend_schema(responses=PublicListSerializer)
    def retrieve(self, request: Request, name: str) -> Response:
        """Return a public list."""
        return Response(self.get_serializer(_find(name, request)).data)

    @extend_schema(
        request=PublicListChangeSerializer,
        responses=PublicListSerializer,
        parameters=[IF_MATCH],
    )
    def partial_update(self, request: Request, name: str) -> Response:
        """Change which references a public list covers."""
        _find(name, request)  # 404 precedes errors of the body
        changes, version = read_body(PublicListChangeSerializer, request), read_if_match(request)
        by, now = actor_of(request), database_now()
        changed = public_lists.change_list(name, changes, now=now, by=by, version=version)
        return Response(self.get_serializer(changed).data)

    @extend_schema(responses={204: None})
    def destroy(self, request: Request, name: str) -> Response:
        """Delete a public list: its page and badge are removed at once."""
        public_lists.delete_list(name, now=database_now(), by=actor_of(request))
        return Response(status=204)


def _find(name: str, request: Request) -> PublicList:
    return public_lists.find_list(name, by=actor_of(request))


def _path_of(public_list: PublicList) -> str:
    return f"/v1/lists/{public_list.name}"
