"""Serializer pieces that all apps share."""

import re
import unicodedata
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, cast

from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from foundation.durations import MAX_DURATION, format_duration, parse_duration
from foundation.http.pagination import PAGE_PARAMETERS

_OFFSET = re.compile(r"(Z|[+-]\d\d:?\d\d)$", re.ASCII | re.IGNORECASE)

MAX_TAG = 64  # characters
MAX_TAGS = 20


class StrictSerializer(serializers.Serializer[Any]):
    """A serializer to which an unknown field is an error, never ignored."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            unknown = sorted(set(data) - set(self.fields))
            if unknown:
                raise serializers.ValidationError(
                    {str(name)[:100]: ["There is no such field."] for name in unknown[:20]}
                )
        return super().to_internal_value(data)


def read_query(serializer: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    """Return the valid filters among the query parameters; raises ValidationError."""
    given = {
        name: value for name, value in request.query_params.items() if name not in PAGE_PARAMETERS
    }
    query = serializer(data=given)
    query.is_valid(raise_exception=True)
    return dict(query.validated_data)


def read_body(serializer: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    """Return the valid body; raises ValidationError."""
    body = serializer(data=request.data)
    body.is_valid(raise_exception=True)
    return dict(body.validated_data)


class ErrorSerializer(serializers.Serializer[Any]):
    """The envelope of every error, for the description of the API."""

    code = serializers.CharField()
    message = serializers.CharField()
    details = serializers.DictField()


@extend_schema_field(OpenApiTypes.STR)
class DurationField(serializers.Field[timedelta, str, str, Any]):
    """A duration such as `15s` or `10d`, from `minimum` to `maximum`."""

    def __init__(
        self,
        *,
        minimum: timedelta = timedelta(0),
        maximum: timedelta = MAX_DURATION,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.minimum = minimum
        self.maximum = maximum

    def to_internal_value(self, data: Any) -> timedelta:
        if not isinstance(data, str):
            raise serializers.ValidationError("Give a duration such as 15s, 1h30m or 10d.")
        try:
            span = parse_duration(data)
        except ValueError as error:
            raise serializers.ValidationError(str(error)) from error
        if span < self.minimum:
            raise serializers.ValidationError(
                f"The duration is shorter than {format_duration(self.minimum)}."
            )
        if span > self.maximum:
            raise serializers.ValidationError(
                f"The duration is longer than {format_duration(self.maximum)}."
            )
        return span

    def to_representation(self, value: timedelta) -> str:
        return format_duration(value)


class TimeField(serializers.DateTimeField):
    """A time as in RFC 3339, with its offset from UTC; at most ten years ahead."""

    def to_internal_value(self, value: Any) -> datetime:
        if isinstance(value, str) and not _OFFSET.search(value):
            raise serializers.ValidationError(
                "Give the time with its offset, such as 2026-01-31T12:00:00Z."
            )
        time = super().to_internal_value(value)
        if time > timezone.now() + MAX_DURATION:
            raise serializers.ValidationError("The time is more than ten years ahead.")
        return time


class LifeSerializer(StrictSerializer):
    """When a thing ends: at `expires_at` or after `ttl`; `expiry` tells which."""

    expires_at = TimeField(required=False, allow_null=True)
    ttl = DurationField(minimum=timedelta(seconds=1), required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "ttl" in attrs and "expires_at" in attrs:
            raise serializers.ValidationError({"ttl": ["Give expires_at or ttl, not both."]})
        return attrs


def expiry(valid: Mapping[str, Any], *, now: datetime) -> datetime | None:
    """Return the end that `expires_at` or `ttl` of a validated LifeSerializer asks for."""
    if "ttl" in valid:
        return now + cast("timedelta", valid["ttl"])
    return cast("datetime | None", valid.get("expires_at"))


def normalize_tag(text: str) -> str:
    """Return the one form of a tag: compatible characters, lower case, single spaces."""
    for _ in range(2):  # folding the case may undo the one form, but not twice
        text = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(unicodedata.normalize("NFKC", text).split())


class TagField(serializers.CharField):
    """A word, or a few, by which things are found."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=MAX_TAG, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        tag = normalize_tag(super().to_internal_value(data))
        if not tag or len(tag) > MAX_TAG or not tag.isprintable():
            raise serializers.ValidationError(f"Give 1 to {MAX_TAG} printable characters.")
        return tag


class TagsField(serializers.ListField):
    """Up to MAX_TAGS tags; the same tag twice is one."""

    child = TagField()

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=MAX_TAGS, **kwargs)

    def to_internal_value(self, data: Any) -> list[str]:
        if isinstance(data, list) and len(data) > MAX_TAGS:  # before each of them is judged
            raise serializers.ValidationError([f"Give at most {MAX_TAGS} tags."])
        return sorted(set(super().to_internal_value(data)))
