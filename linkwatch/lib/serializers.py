"""Serializer pieces that all apps share."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, cast

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from linkwatch.lib.durations import format_duration, parse_duration


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


class ErrorSerializer(serializers.Serializer[Any]):
    """The envelope of every error, for the description of the API."""

    code = serializers.CharField()
    message = serializers.CharField()
    details = serializers.DictField()


@extend_schema_field(OpenApiTypes.STR)
class DurationField(serializers.Field[timedelta, str, str, Any]):
    """A duration such as `15s` or `10d`, at least `minimum`."""

    def __init__(self, *, minimum: timedelta = timedelta(0), **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.minimum = minimum

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
        return span

    def to_representation(self, value: timedelta) -> str:
        return format_duration(value)


class LifeSerializer(StrictSerializer):
    """When a thing ends: at `expires_at` or after `ttl`; `expiry` tells which."""

    expires_at = serializers.DateTimeField(required=False, allow_null=True)
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
