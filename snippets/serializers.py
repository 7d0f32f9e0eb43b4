"""The JSON of snippets: the declaration that forms follow."""

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any

from django.conf import settings
from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from pygments.lexers import get_all_lexers
from rest_framework import serializers

from accounts.team_serializers import ForEveryoneField, ObjectTeamField, TeamNameField
from foundation.http.errors import ErrorSerializer
from foundation.http.serializers import (
    ExpirySerializer,
    StrictSerializer,
    VersionField,
)
from foundation.tags import TagField, TagListField
from foundation.times import rfc3339
from snippets.models import MAX_LANGUAGE, MAX_TITLE, MAX_VIEWS, Snippet, Visibility
from snippets.snippet_limits import check_expiry, check_size

MAX_SEARCH = 200  # characters

_CONTENT = "print(42)\n"
_ITEM = {
    "id": "s_0351WN019gkaPcXepfHAU4",
    "visibility": "public",
    "title": "",
    "language": "python",
    "tags": ["demo"],
    "size": 10,
    "created_at": "2026-11-01T12:00:00Z",
    "updated_at": "2026-11-01T12:00:00Z",
    "expires_at": "2026-12-01T12:00:00Z",
    "version": 1,
    "max_views": None,
    "views_left": None,
}
_SHARING = {"team": None, "for_everyone": False}
_ONE_TIME = {"visibility": "unlisted", "max_views": 1, "views_left": 1}


@cache
def languages() -> frozenset[str]:
    """Return Pygments' names for languages, in lower case, of up to MAX_LANGUAGE characters."""
    return frozenset(
        alias.lower()
        for _, aliases, _, _ in get_all_lexers(plugins=False)
        for alias in aliases
        if len(alias) <= MAX_LANGUAGE
    )


class LanguageField(serializers.CharField):
    """One of Pygments' names for languages, in any case; stored in lower case."""

    def to_internal_value(self, data: Any) -> str:
        language = super().to_internal_value(data).lower()
        if language not in languages():
            raise serializers.ValidationError("Pygments does not know this language.")
        return language


class SnippetChangeSerializer(ExpirySerializer):
    """The body of `PATCH /v1/snippets/{id}`; `expires_at: null` removes the expiry."""

    content = serializers.CharField(
        required=False,
        trim_whitespace=False,
        help_text=f"At most {settings.SNIPPET_MAX_BYTES} bytes of UTF-8.",
    )
    title = serializers.CharField(required=False, allow_blank=True, max_length=MAX_TITLE)
    language = LanguageField(
        required=False,
        allow_blank=True,
        help_text="A language name that Pygments knows, such as python.",
    )
    tags = TagListField(required=False)
    visibility = serializers.ChoiceField(Visibility.choices, required=False)
    max_views = serializers.IntegerField(
        min_value=1,
        max_value=MAX_VIEWS,
        required=False,
        allow_null=True,
        help_text="How many times `reveal` shows the snippet before its content is deleted; "
        "null for no limit.",
    )

    team = ObjectTeamField()
    for_everyone = ForEveryoneField()

    def validate_content(self, value: str) -> str:
        check_size(value)
        return value

    def snippet_fields(self, data: Any, *, now: datetime) -> dict[str, Any]:
        """Return the valid fields.

        Raises ValidationError, or ApiError `content_too_large` or `invalid` (for the expiry).
        """
        valid = self.valid_fields(data, now=now)
        check_expiry(valid.get("expires_at"), now=now)
        return valid


@extend_schema_serializer(
    examples=[
        OpenApiExample(
            "A month of Python",
            {"content": _CONTENT, "language": "python", "tags": ["demo"], "ttl": "30d"},
        ),
        OpenApiExample(
            "One view, within a day",
            {"content": "hunter2", "visibility": "unlisted", "max_views": 1, "ttl": "1d"},
        ),
    ]
)
class SnippetDraftSerializer(SnippetChangeSerializer):
    """The body of `POST /v1/snippets`."""

    content = serializers.CharField(
        trim_whitespace=False, help_text=f"At most {settings.SNIPPET_MAX_BYTES} bytes of UTF-8."
    )


@extend_schema_serializer(examples=[OpenApiExample("A snippet in a list", _ITEM | _SHARING)])
class SnippetItemSerializer(serializers.Serializer[Any]):
    """A snippet without its content."""

    id = serializers.CharField()
    visibility = serializers.ChoiceField(Visibility.choices)  # read by `snippet_cache.is_public`
    title = serializers.CharField()
    language = serializers.CharField()
    tags = serializers.ListField(child=serializers.CharField())
    size = serializers.IntegerField(help_text="Size of the content in bytes.")
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True)
    version = VersionField()
    max_views = serializers.IntegerField(allow_null=True)
    views_left = serializers.IntegerField(allow_null=True)
    team = serializers.CharField(
        allow_null=True,
        help_text="The team whose members can see and, unless they are viewers, change the "
        "snippet.",
    )
    for_everyone = serializers.BooleanField(
        help_text="Whether everyone who signs in can see the snippet."
    )

    def to_representation(self, instance: Mapping[str, Any]) -> dict[str, Any]:
        return dict(instance)


@extend_schema_serializer(
    examples=[
        OpenApiExample("A snippet", _ITEM | {"content": _CONTENT}),
        OpenApiExample("A snippet with a view limit", _ITEM | _ONE_TIME | {"content": None}),
    ]
)
class SnippetSerializer(SnippetItemSerializer):
    """A snippet, without its team: people outside the team may read it, too."""

    team = None  # type: ignore[assignment]
    for_everyone = None  # type: ignore[assignment]
    content = serializers.CharField(
        allow_null=True,
        help_text="Null if `max_views` is set: only `reveal` shows the content.",
    )


_SHOWN = tuple(name for name in list(SnippetItemSerializer().fields) if name not in _SHARING)


def represent_item(snippet: Snippet) -> dict[str, Any]:
    """Return the JSON of a snippet for lists: without content, with team and `for_everyone`."""
    team = None if snippet.team is None else snippet.team.name
    return represent(snippet) | {"team": team, "for_everyone": snippet.for_everyone}


def represent(snippet: Snippet) -> dict[str, Any]:
    """Return the JSON of a snippet for everybody: columns and tags, without content."""
    computed = {
        "tags": snippet.tag_names,
        "created_at": rfc3339(snippet.created_at),
        "updated_at": rfc3339(snippet.updated_at),
        "expires_at": rfc3339(snippet.expires_at),
    }
    return {name: computed[name] if name in computed else getattr(snippet, name) for name in _SHOWN}


class SnippetDeletionSerializer(StrictSerializer):
    """The body of `POST /v1/snippets/bulk/delete`; an invalid id does not affect the others."""

    ids = serializers.ListField(child=serializers.CharField(max_length=64), max_length=1000)


class SnippetDeletionResultSerializer(serializers.Serializer[Any]):
    """The result for one snippet."""

    status = serializers.ChoiceField(choices=[204, 403, 404])
    id = serializers.CharField()
    error = ErrorSerializer(required=False)


class SnippetDeletionResponseSerializer(serializers.Serializer[Any]):
    """The response, in the order of the ids."""

    results = SnippetDeletionResultSerializer(many=True)


class SnippetFilters(StrictSerializer):
    """Query parameters of `GET /v1/snippets`."""

    tag = TagField(required=False)
    q = serializers.CharField(
        max_length=MAX_SEARCH,
        required=False,
        help_text="Snippets with this text in the title, or with this tag.",
    )
    team = TeamNameField(required=False, help_text="This team's snippets.")
    for_everyone = serializers.BooleanField(
        required=False, help_text="If true, snippets that everyone can see; if false, all others."
    )
