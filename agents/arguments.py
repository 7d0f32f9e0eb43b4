"""The arguments of tools, as serializers, and their JSON Schema for agents."""

from datetime import timedelta
from typing import Any

from rest_framework import serializers

from batches.serializers import MAX_WAIT
from foundation.durations import PATTERN, format_duration
from foundation.http.serializers import DurationField, StrictSerializer
from targets.registration import WATCH
from targets.serializers import ReferenceIdField

MAX_CHECKED = 200  # URLs of one call; their results must fit into an agent's context
MAX_WATCHED = 50  # URLs of one call
MAX_DEAD = 200  # results of one page


class CheckURLsArguments(StrictSerializer):
    """Arguments of `check_urls`; each URL is validated separately."""

    urls = serializers.ListField(
        min_length=1, max_length=MAX_CHECKED, help_text="The http and https URLs."
    )
    max_age = DurationField(
        default=timedelta(days=1), help_text="How old an existing check may be to count as current."
    )
    wait = DurationField(
        default=timedelta(seconds=10),
        maximum=MAX_WAIT,
        help_text="How long to wait for new checks, if the token allows checks; `0s`: no checks.",
    )


class FindDeadArguments(StrictSerializer):
    """Arguments of `find_dead`."""

    reference_id = ReferenceIdField(
        required=False,
        help_text="Only targets with this reference id, such as the path of a document.",
    )
    limit = serializers.IntegerField(default=50, min_value=1, max_value=MAX_DEAD)
    page_token = serializers.CharField(
        required=False, max_length=1000, help_text="The next_page_token of the previous page."
    )


class WatchArguments(StrictSerializer):
    """Arguments of `watch`; each URL is validated separately."""

    urls = serializers.ListField(
        min_length=1, max_length=MAX_WATCHED, help_text="The http and https URLs."
    )
    reference_id = ReferenceIdField(
        default=WATCH, help_text="What refers to the URLs, such as the path of a document."
    )


def schema_of(arguments: type[StrictSerializer]) -> dict[str, Any]:
    """Return the JSON Schema of these arguments."""
    fields = arguments().fields
    return {
        "type": "object",
        "properties": {name: _property(field) for name, field in fields.items()},
        "required": [name for name, field in fields.items() if field.required],
        "additionalProperties": False,
    }


def _property(field: Any) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    if isinstance(field, serializers.ListField):
        schema = {
            "type": "array",
            "items": {"type": "string"},
            "minItems": field.min_length,
            "maxItems": field.max_length,
        }
    elif isinstance(field, serializers.IntegerField):
        schema = {"type": "integer", "minimum": field.min_value, "maximum": field.max_value}
    elif isinstance(field, DurationField):
        schema["pattern"] = PATTERN
    if field.help_text:
        schema["description"] = field.help_text
    if not field.required and field.default is not serializers.empty:
        is_duration = isinstance(field.default, timedelta)
        schema["default"] = format_duration(field.default) if is_duration else field.default
    return schema
