"""Teams over HTTP: thin views over accounts.teams."""

from django.contrib.auth.models import User
from drf_spectacular.utils import extend_schema
from rest_framework import viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import teams
from accounts.actors import actor_of
from accounts.models import Team
from accounts.team_serializers import TeamNameSerializer, TeamSerializer
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from foundation.http.idempotency import IdempotentAnswer, create_once
from foundation.http.openapi import IDEMPOTENCY_KEY, fails
from foundation.http.pagination import KeysetPagination, PagesMixin
from foundation.http.serializers import StrictSerializer, read_body, read_query

PATHS = {"team_id": {"type": "integer", "minimum": 1}}


class TeamViewSet(PagesMixin, viewsets.GenericViewSet[Team]):
    """Teams: people who work together. They share short links, snippets and references."""

    queryset = Team.objects.all()
    serializer_class = TeamSerializer
    pagination_class = KeysetPagination
    path_schemas = PATHS

    def list(self, request: Request) -> Response:
        """List teams in order of creation: your own, or all for operators and viewers."""
        read_query(StrictSerializer, request)
        visible = Team.objects.visible_to(actor_of(request))
        return self.page(visible.prefetch_related("members"))

    @fails(team_exists=409)
    @extend_schema(
        request=TeamNameSerializer, responses={201: TeamSerializer}, parameters=[IDEMPOTENCY_KEY]
    )
    def create(self, request: Request) -> Response:
        """Create a team without members."""
        now, by = database_now(), actor_of(request)

        def create() -> IdempotentAnswer:
            team = teams.create(read_body(TeamNameSerializer, request)["name"], by=by, now=now)
            return IdempotentAnswer(201, TeamSerializer(team).data, f"/v1/teams/{team.pk}")

        return create_once(request, create, now=now)

    @extend_schema(responses=TeamSerializer)
    def retrieve(self, request: Request, team_id: int) -> Response:
        """Return a team."""
        return Response(TeamSerializer(teams.get(team_id, by=actor_of(request))).data)

    @fails(team_exists=409)
    @extend_schema(request=TeamNameSerializer, responses=TeamSerializer)
    def partial_update(self, request: Request, team_id: int) -> Response:
        """Rename a team."""
        by = actor_of(request)
        team, name = teams.get(team_id, by=by), read_body(TeamNameSerializer, request)["name"]
        teams.rename(team, name, by=by, now=database_now())
        return Response(TeamSerializer(team).data)

    @extend_schema(responses={204: None})
    def destroy(self, request: Request, team_id: int) -> Response:
        """Delete a team; its objects stay with their owners."""
        by = actor_of(request)
        teams.delete(teams.get(team_id, by=by), by=by, now=database_now())
        return Response(status=204)


class TeamMemberViewSet(viewsets.GenericViewSet[Team]):
    """The members of a team."""

    queryset = Team.objects.all()
    serializer_class = TeamSerializer
    path_schemas = {**PATHS, "username": {"maxLength": 150}}

    @fails(no_role=409, too_many_members=409)
    @extend_schema(request=None, responses=TeamSerializer)
    def update(self, request: Request, team_id: int, username: str) -> Response:
        """Add a user to a team."""
        by = actor_of(request)
        team = teams.get(team_id, by=by)
        teams.add(team, _user(username), by=by, now=database_now())
        return Response(TeamSerializer(team).data)

    @extend_schema(responses={204: None})
    def destroy(self, request: Request, team_id: int, username: str) -> Response:
        """Remove a user from a team."""
        by = actor_of(request)
        team = teams.get(team_id, by=by)
        if not teams.remove(team, _user(username), by=by, now=database_now()):
            raise ApiError("not_found", f"{username} is not in this team.", status=404)
        return Response(status=204)


def _user(username: str) -> User:
    user = User.objects.filter(username=username).first() if username.isprintable() else None
    if user is None:
        raise ApiError("not_found", "There is no such user.", status=404)
    return user
