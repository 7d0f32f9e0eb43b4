"""Shares of references over HTTP: thin views over targets.shares."""

from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_serializer
from rest_framework import serializers, viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.actors import actor_of
from accounts.models import ReferenceShare
from accounts.team_serializers import ForEveryoneField, ObjectTeamField
from foundation.database.clock import database_now
from foundation.http.idempotency import IdempotentAnswer, create_once
from foundation.http.openapi import IDEMPOTENCY_KEY, IF_MATCH, fails
from foundation.http.pagination import KeysetPagination, PagesMixin
from foundation.http.preconditions import read_if_match
from foundation.http.serializers import StrictSerializer, VersionField, read_body, read_query
from targets import shares

_NEW = {"reference_prefix": "handbook/", "team": "Docs"}
_EXAMPLE = {
    "id": 7,
    "reference_prefix": "handbook/",
    "owner": "ada",
    "team": "Docs",
    "for_everyone": False,
    "created_at": "2026-11-01T12:00:00Z",
    "version": 1,
}


class ShareChangeSerializer(StrictSerializer):
    """The body of `PATCH /v1/shares/{share_id}`."""

    team = ObjectTeamField()
    for_everyone = ForEveryoneField()


@extend_schema_serializer(examples=[OpenApiExample("With a team", _NEW)])
class ShareDraftSerializer(ShareChangeSerializer):
    """The body of `POST /v1/shares`."""

    reference_prefix = serializers.CharField(
        max_length=255,
        trim_whitespace=False,
        help_text="Share your references whose ids start with this, including future ones, but "
        "not those of short links (`short:…`). Can't be changed later.",
    )


@extend_schema_serializer(examples=[OpenApiExample("With a team", _EXAMPLE)])
class ShareSerializer(serializers.Serializer[ReferenceShare]):
    """References that their owner shares."""

    id = serializers.IntegerField()
    reference_prefix = serializers.CharField(source="prefix")
    owner = serializers.CharField(source="owner.username", help_text="The owner of the references.")
    team = serializers.CharField(
        source="team.name",
        default=None,
        allow_null=True,
        help_text="The team whose members can see and, unless they are viewers, change the "
        "references.",
    )
    for_everyone = serializers.BooleanField(
        help_text="Whether everyone who signs in can see the references."
    )
    created_at = serializers.DateTimeField()
    version = VersionField()


class ShareViewSet(PagesMixin, viewsets.GenericViewSet[ReferenceShare]):
    """Shares: references that a team, or everyone, can see."""

    queryset = ReferenceShare.objects.all()
    serializer_class = ShareSerializer
    pagination_class = KeysetPagination
    path_schemas = {"share_id": {"type": "integer", "minimum": 1}}

    def list(self, request: Request) -> Response:
        """List shares in order of creation: yours, your teams' and those for everyone.

        Operators and viewers see all.
        """
        read_query(StrictSerializer, request)
        rows = ReferenceShare.objects.select_related("owner", "team")
        return self.page(actor_of(request).reach(rows))

    @fails(invalid=400, unknown_team=400, no_owner=409, left_team=409, too_many_shares=409)
    @extend_schema(
        request=ShareDraftSerializer,
        responses={201: ShareSerializer},
        parameters=[IDEMPOTENCY_KEY],
    )
    def create(self, request: Request) -> Response:
        """Share your references with a team, with everyone, or with both."""
        now, by = database_now(), actor_of(request)

        def create() -> IdempotentAnswer:
            draft = read_body(ShareDraftSerializer, request)
            share = shares.create_share(draft, now=now, by=by)
            body = self.get_serializer(share).data
            return IdempotentAnswer(201, body, f"/v1/shares/{share.pk}")

        return create_once(request, create, now=now)

    @extend_schema(responses=ShareSerializer)
    def retrieve(self, request: Request, share_id: int) -> Response:
        """Return a share."""
        share = shares.find_share(share_id, by=actor_of(request))
        return Response(self.get_serializer(share).data)

    @fails(unknown_team=400, permission_denied=403, left_team=409, too_many_shares=409)
    @extend_schema(request=ShareChangeSerializer, responses=ShareSerializer, parameters=[IF_MATCH])
    def partial_update(self, request: Request, share_id: int) -> Response:
        """Change the team of a share, or whether it is for everyone."""
        by, now = actor_of(request), database_now()
        shares.find_share(share_id, by=by)  # 404 precedes errors of the body
        changes, version = read_body(ShareChangeSerializer, request), read_if_match(request)
        changed = shares.change_share(share_id, changes, now=now, by=by, version=version)
        return Response(self.get_serializer(changed).data)

    @fails(permission_denied=403)
    @extend_schema(responses={204: None})
    def destroy(self, request: Request, share_id: int) -> Response:
        """Delete a share: its references become private again, unless another share covers them."""
        shares.delete_share(share_id, now=database_now(), by=actor_of(request))
        return Response(status=204)
