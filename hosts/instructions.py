"""Operators' instructions for checks of a host or target: JSON over HTTP and in the database.

A column of the host and of the target holds them as `{"accept": [403], "expect": {"text":
"Welcome"}, "headers": {"Cookie": "a=1"}, "timeout": "20s"}`, or null if there are none.
`checker.engine.instructions` applies them. Values of headers may be secrets: they can be set, but
are never returned.
"""

import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from foundation.durations import format_duration
from foundation.http.errors import ApiError
from foundation.http.serializers import DurationField, StrictSerializer

FIELDS = ("accept", "expect", "headers", "timeout")
MASK = "***"  # shown instead of a header's value; if sent back, the value is kept
MAX_TIMEOUT = timedelta(seconds=60)

_MAX_ACCEPT = 50
_MAX_HEADERS = 20
_MAX_VALUE_LENGTH = 4096  # characters of a header's value
_REASON = re.compile(r"[a-z][a-z0-9_.-]{0,31}", re.ASCII)
_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}", re.ASCII)
_VALUE = re.compile(r"[\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?", re.ASCII)
# Headers of the connection and its framing, which the checker sets.
_REFUSED_HEADERS = {
    *("connection", "content-length", "expect", "host", "http2-settings", "keep-alive"),
    *("te", "trailer", "transfer-encoding", "upgrade"),
}


@extend_schema_field(
    {
        "type": "array",
        "maxItems": _MAX_ACCEPT,
        "items": {
            "oneOf": [
                {"type": "integer", "minimum": 100, "maximum": 999},
                {"type": "string", "maxLength": 32},
            ]
        },
    }
)
class AcceptField(serializers.Field[list[int | str], Any, list[int | str], Any]):
    """Statuses, reasons and flags that count as success."""

    def to_internal_value(self, data: Any) -> list[int | str]:
        if not isinstance(data, list):
            raise serializers.ValidationError(
                "Must be a list of statuses, reasons and flags, such as [403]."
            )
        if len(data) > _MAX_ACCEPT:
            raise serializers.ValidationError(
                f"At most {_MAX_ACCEPT} statuses, reasons and flags are allowed."
            )
        return list(dict.fromkeys(map(_check_acceptable, data)))

    def to_representation(self, value: list[int | str]) -> list[int | str]:
        return value


def _check_acceptable(item: Any) -> int | str:
    if isinstance(item, int) and not isinstance(item, bool) and 100 <= item <= 999:
        return item
    if isinstance(item, str) and _REASON.fullmatch(item):
        return item
    raise serializers.ValidationError(
        "Each item must be a status from 100 to 999, or a reason or flag such as blocked."
    )


@extend_schema_field({"type": "object", "additionalProperties": {"type": "string"}})
class HeadersField(serializers.Field[dict[str, str], Any, dict[str, str], Any]):
    """Headers by name. Error messages never contain a value."""

    def to_internal_value(self, data: Any) -> dict[str, str]:
        if not isinstance(data, Mapping):
            raise serializers.ValidationError(
                'Must be an object of headers, such as {"Cookie": "a=1"}.'
            )
        if len(data) > _MAX_HEADERS:
            raise serializers.ValidationError(f"At most {_MAX_HEADERS} headers are allowed.")
        if len({str(name).lower() for name in data}) < len(data):
            raise serializers.ValidationError("A header is listed twice.")
        for name, value in data.items():
            _check_header(name, value)
        return dict(data)

    def to_representation(self, value: dict[str, str]) -> dict[str, str]:
        return dict.fromkeys(value, MASK)


def _check_header(name: Any, value: Any) -> None:
    if not isinstance(name, str) or not _TOKEN.fullmatch(name):
        raise serializers.ValidationError("One of the names is not a valid header name.")
    if name.lower() in _REFUSED_HEADERS or name.lower().startswith("proxy-"):
        raise serializers.ValidationError(f"{name} can't be set: Linkwatch sets it itself.")
    if not isinstance(value, str) or len(value) > _MAX_VALUE_LENGTH or not _VALUE.fullmatch(value):
        raise serializers.ValidationError(
            f"The value of {name} must be one line of 1 to {_MAX_VALUE_LENGTH} ASCII characters."
        )


class ExpectSerializer(StrictSerializer):
    """The expectations; at least one of them is required."""

    status = serializers.IntegerField(min_value=100, max_value=999, required=False)
    text = serializers.CharField(max_length=500, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs:
            raise serializers.ValidationError("Specify a status, text or both.")
        return attrs


class InstructionsSerializer(StrictSerializer):
    """The instructions that operators may set; null removes an instruction."""

    accept = AcceptField(
        required=False,
        allow_null=True,
        help_text="Statuses, reasons and flags that count as success, such as 403 or blocked.",
    )
    expect = ExpectSerializer(
        required=False,
        allow_null=True,
        help_text="A status that the response must have, and text that the page must contain.",
    )
    headers = HeadersField(
        required=False,
        allow_null=True,
        help_text="A target's headers are sent only to its own scheme, host and port; a host's "
        "headers only over https on port 443. Values are shown as ***; send *** to keep a value.",
    )
    timeout = DurationField(
        minimum=timedelta(seconds=1),
        maximum=MAX_TIMEOUT,
        required=False,
        allow_null=True,
        help_text="Timeout for each attempt, instead of HTTP_TIMEOUT. If it is longer than "
        "HTTP_TIMEOUT, only one attempt is made.",
    )


class ShownInstructionsSerializer(serializers.Serializer[Any]):
    """The instructions of a host or target, as returned; null if there are none."""

    accept = AcceptField(source="instructions.accept", allow_null=True)
    expect = ExpectSerializer(source="instructions.expect", allow_null=True)
    headers = HeadersField(
        source="instructions.headers", allow_null=True, help_text="Values are shown as ***."
    )
    timeout = serializers.CharField(source="instructions.timeout", allow_null=True)


def shown_instructions(instructions: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the same as ShownInstructionsSerializer, but faster, for long lists."""
    if not instructions:
        return dict.fromkeys(FIELDS)
    shown = {name: instructions.get(name) for name in FIELDS}
    if shown["headers"] is not None:
        shown["headers"] = dict.fromkeys(shown["headers"], MASK)
    return shown


def change_instructions(
    instructions: Mapping[str, Any] | None, changes: Mapping[str, Any]
) -> dict[str, Any] | None:
    """Return the instructions after these changes, which InstructionsSerializer has validated.

    A change to None removes an instruction; returns None if none are left. Raises ApiError
    `invalid` for *** as the value of a header that has no stored value.
    """
    after = dict(instructions or {})
    for name in FIELDS:
        if name not in changes:
            continue
        value = changes[name]
        if value is None:
            after.pop(name, None)
        elif name == "headers":
            after[name] = _with_stored_values(value, after.get(name) or {})
        else:
            after[name] = format_duration(value) if isinstance(value, timedelta) else value
    return after or None


def _with_stored_values(headers: Mapping[str, str], stored: Mapping[str, str]) -> dict[str, str]:
    values = {name.lower(): value for name, value in stored.items()}
    result = {
        name: values.get(name.lower()) if value == MASK else value
        for name, value in headers.items()
    }
    if missing := sorted(name for name, value in result.items() if value is None):
        sentence = f"{MASK} keeps the current value, but there is none for {', '.join(missing)}."
        raise ApiError(
            "invalid", "The request has invalid fields.", details={"headers": [sentence]}
        )
    return {name: value for name, value in result.items() if value is not None}
