"""Serializers and fields that all apps share."""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import (
    extend_schema_field,
)
from rest_framework import serializers
from rest_framework.request import Request

from foundation.durations import MAX_DURATION, PATTERN, format_duration, parse_duration
from foundation.http.pagination import PAGE_PARAMETERS

_OFFSET = re.compile(r"(Z|[+-]\d\d:?\d\d)$", re.ASCII | re.IGNORECASE)


_BOOLEANS = ("true", "false")
FROM_TEXT = {"from_text": True}  # context of a serializer that reads a query or a CSV file


class StrictSerializer(serializers.Serializer[Any]):
    """A serializer that refuses unknown fields.

    Integers and booleans must be those of JSON. With FROM_TEXT they are read from text, booleans
    from `true` or `false` in any case.
    """

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            unknown = sorted(set(data) - set(self.fields))
            if unknown:
                raise serializers.ValidationError(
                    {str(name)[:100]: ["There is no such field."] for name in unknown[:20]}
                )
            mistyped = {
                name: [problem]
                for name, field in self.fields.items()
                if (problem := self._type_problem(field, data.get(name)))
            }
            if mistyped:
                raise serializers.ValidationError(mistyped)
        return super().to_internal_value(data)

    def _type_problem(self, field: Any, value: Any) -> str | None:
        if value is None:
            return None
        from_text = "from_text" in self.context
        if isinstance(field, serializers.BooleanField):
            is_valid = isinstance(value, bool) or (from_text and str(value).lower() in _BOOLEANS)
            return None if is_valid else "Must be true or false."
        if isinstance(field, serializers.IntegerField) and not from_text:
            is_valid = isinstance(value, int | float) and not isinstance(value, bool)
            return None if is_valid else "Must be a whole number."
        return None


def read_query(serializer: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    """Return the validated query parameters without PAGE_PARAMETERS; raises ValidationError."""
    params = {
        name: value for name, value in request.query_params.items() if name not in PAGE_PARAMETERS
    }
    query = serializer(data=params, context=FROM_TEXT)
    query.is_valid(raise_exception=True)
    return dict(query.validated_data)


def read_body(serializer: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    """Return the validated body; raises ValidationError."""
    body = serializer(data=request.data)
    body.is_valid(raise_exception=True)
    return dict(body.validated_data)


@extend_schema_field({"type": "string", "pattern": PATTERN, "example": "10d"})
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
            raise serializers.ValidationError("Must be a duration such as 15s, 1h30m or 10d.")
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


class VersionField(serializers.IntegerField):
    """The version of an object."""

    def __init__(self) -> None:
        super().__init__(min_value=1, help_text="Incremented by each PATCH; send it in If-Match.")


class TimeField(serializers.DateTimeField):
    """A time as in RFC 3339, with its offset from UTC; at most ten years ahead."""

    def to_internal_value(self, value: Any) -> datetime:
        if isinstance(value, str) and not _OFFSET.search(value):
            raise serializers.ValidationError(
                "Must be a time with an offset, such as 2026-01-31T12:00:00Z."
            )
        time = super().to_internal_value(value)
        if time > timezone.now() + MAX_DURATION:
            raise serializers.ValidationError("The time is more than ten years in the future.")
        return time


class ExpirySerializer(StrictSerializer):
    """The expiry of an object: at `expires_at` or after `ttl`."""

    expires_at = TimeField(required=False, allow_null=True)
    ttl = DurationField(minimum=timedelta(seconds=1), required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "ttl" in attrs and "expires_at" in attrs:
            raise serializers.ValidationError({"ttl": ["Specify expires_at or ttl, not both."]})
        return attrs

    def valid_fields(self, data: Any, *, now: datetime) -> dict[str, Any]:
        """Return the validated fields, with `expires_at` in place of `ttl`.

        Raises ValidationError.
        """
        valid: dict[str, Any] = dict(self.run_validation(data))
        if "ttl" in valid:
            valid["expires_at"] = now + valid.pop("ttl")
        return valid
