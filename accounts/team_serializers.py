"""JSON representations of teams."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from accounts.models import Team
from foundation.http.serializers import StrictSerializer


class TeamNameField(serializers.CharField):
    """A team's name: printable, on one line."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=Team._meta.get_field("name").max_length, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        name = super().to_internal_value(data)
        if not name.isprintable():
            raise serializers.ValidationError("A name can contain only printable characters.")
        return name


class ObjectTeamField(TeamNameField):
    """The team of an object, by name."""

    def __init__(self) -> None:
        super().__init__(
            required=False,
            allow_null=True,
            help_text="One of your teams, whose members can see and, unless they are viewers, "
            "change the object; null for no team.",
        )

    def to_internal_value(self, data: Any) -> str:
        return super().to_internal_value(data.name if isinstance(data, Team) else data)


class ForEveryoneField(serializers.BooleanField):
    """Whether everyone may see an object."""

    def __init__(self) -> None:
        super().__init__(
            required=False,
            help_text="Whether everyone who signs in can see the object; only its owner, its team "
            "and operators can change it.",
        )


@extend_schema_serializer(examples=[OpenApiExample("A team", {"name": "Docs"})])
class TeamNameSerializer(StrictSerializer):
    """The body of a request to create or rename a team."""

    name = TeamNameField()


@extend_schema_serializer(
    examples=[
        OpenApiExample(
            "A team of two",
            {
                "id": 7,
                "name": "Docs",
                "created_at": "2026-11-01T12:00:00Z",
                "members": ["ada", "grace"],
            },
        )
    ]
)
class TeamSerializer(serializers.ModelSerializer[Team]):
    """A team."""

    id = serializers.IntegerField()
    members = serializers.SerializerMethodField(help_text="Usernames, in alphabetical order.")

    class Meta:
        model = Team
        fields = ("id", "name", "created_at", "members")

    def get_members(self, team: Team) -> list[str]:
        return sorted(user.get_username() for user in team.members.all())
