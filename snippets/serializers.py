"""JSON forms of snippets: what goes in is strict and comes out as it is stored."""

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any

from django.conf import settings
from pygments.lexers import get_all_lexers
from rest_framework import serializers

from foundation.http.serializers import (
    LifeSerializer,
    StrictSerializer,
    expiry,
)
from foundation.tags import TagField, TagsField
from snippets.models import MAX_LANGUAGE, MAX_TITLE
from snippets.services import check_expiry, check_size


@cache
def languages() -> frozenset[str]:
    """Return the names by which Pygments knows languages."""
    return frozenset(
        alias.lower()
        for _, aliases, _, _ in get_all_lexers(plugins=False)
        for alias in aliases
        if len(alias) <= MAX_LANGUAGE
    )


class LanguageField(serializers.CharField):
    """A name that Pygments knows, or nothing; kept in lower case."""

    def to_internal_value(self, data: Any) -> str:
        language = super().to_internal_value(data).lower()
        if language not in languages():
            raise serializers.ValidationError("Pygments does not know this language.")
        return language


class SnippetChangeSerializer(LifeSerializer):
    """The body of `PATCH /v1/snippets/{id}`; `expires_at: null` takes the end away."""

    content = serializers.CharField(
        required=False,
        trim_whitespace=False,
        help_text=f"At most {settings.SNIPPET_MAX_BYTES} bytes of UTF-8.",
    )
    title = serializers.CharField(required=False, allow_blank=True, max_length=MAX_TITLE)
    language = LanguageField(
        required=False, allow_blank=True, help_text="A name that Pygments knows, such as python."
    )
    tags = TagsField(required=False)

    def validate_content(self, value: str) -> str:
        check_size(value)
        return value

    def fields_of(self, data: Any, *, now: datetime) -> dict[str, Any]:
        """Return the valid fields; raises ValidationError or ApiError."""
        valid: dict[str, Any] = dict(self.run_validation(data))
        if "ttl" in valid or "expires_at" in valid:
            valid["expires_at"] = expiry(valid, now=now)
            valid.pop("ttl", None)
            check_expiry(valid["expires_at"], now=now)
        return valid


class SnippetDraftSerializer(SnippetChangeSerializer):
    """The body of `POST /v1/snippets`."""

    content = serializers.CharField(
        trim_whitespace=False, help_text=f"At most {settings.SNIPPET_MAX_BYTES} bytes of UTF-8."
    )


class SnippetItemSerializer(serializers.Serializer[Any]):
    """A snippet without its content, for the description of the API; `represent` writes it."""

    id = serializers.CharField()
    title = serializers.CharField()
    language = serializers.CharField()
    tags = serializers.ListField(child=serializers.CharField())
    size = serializers.IntegerField(help_text="Of the content, in bytes.")
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True)

    def to_representation(self, instance: Mapping[str, Any]) -> dict[str, Any]:
        return dict(instance)


class SnippetSerializer(SnippetItemSerializer):
    """A snippet, for the description of the API."""

    content = serializers.CharField()


class SnippetFilters(StrictSerializer):
    """Query parameters of `GET /v1/snippets`."""

    tag = TagField(required=False)
