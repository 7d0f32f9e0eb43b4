"""JSON representations of lookups."""

from datetime import timedelta
from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from foundation.http.errors import ErrorSerializer
from foundation.http.serializers import DurationField, StrictSerializer
from targets.serializers import STATES, CopySerializer, URLTextField
from targets.state import Outcome

MAX_URLS = 5000
_DEFAULT_MAX_AGE = timedelta(days=1)

DEAD_EXAMPLE = {
    "url": "http://example.com/guide#install",
    "canonical_url": "http://example.com/guide",
    "known": True,
    "fresh": True,
    "state": "dead",
    "outcome": "failure",
    "reason": "http_404",
    "sentence": "The server returned 404 Not Found.",
    "summary": "Page gone",
    "suggestion": "Look for the page's new address. If there is none, link to an archived copy or"
    " remove the link.",
    "flags": [],
    "first_failed_at": "2026-11-14T12:00:00Z",
    "last_checked_at": "2026-11-21T12:00:00Z",
    "moved_to": None,
    "copy": {
        "result": "verified",
        "archive": "web.archive.org",
        "url": "https://web.archive.org/web/20261012083000/http://example.com/guide",
        "captured_at": "2026-10-12T08:30:00Z",
        "asked_at": "2026-11-21T12:05:00Z",
    },
    "paused": False,
    "error": None,
}


class MaxAgeField(DurationField):
    """The maximum age of the last check of a `fresh` URL."""

    def __init__(self) -> None:
        super().__init__(
            required=False,
            default=_DEFAULT_MAX_AGE,
            help_text=("The maximum age of a check that counts as fresh."),
        )


@extend_schema_field(
    {"type": "array", "items": {}, "maxItems": MAX_URLS, "description": "Up to 5,000 URLs."}
)
class URLListField(serializers.Field[list[Any], Any, list[Any], Any]):
    """A list of URLs, which the lookup validates one by one; DRF's ListField would take 20 ms."""

    def to_internal_value(self, data: Any) -> list[Any]:
        if not isinstance(data, list) or len(data) > MAX_URLS:
            raise serializers.ValidationError(f"Must be a list of at most {MAX_URLS:,} URLs.")
        return data

    def to_representation(self, value: list[Any]) -> list[Any]:
        return value


class LookupQuery(StrictSerializer):
    """Query parameters of `GET /v1/lookups`."""

    url = URLTextField()
    max_age = MaxAgeField()


@extend_schema_serializer(
    examples=[
        OpenApiExample(
            "Two URLs", {"urls": [DEAD_EXAMPLE["url"], "https://a.example"], "max_age": "4h"}
        )
    ]
)
class LookupsSerializer(StrictSerializer):
    """The body of `POST /v1/lookups`; each URL is validated separately."""

    urls = URLListField()
    max_age = MaxAgeField()


@extend_schema_serializer(examples=[OpenApiExample("A dead page", DEAD_EXAMPLE)])
class LookupSerializer(serializers.Serializer[Any]):
    """The status of a URL. If it is not watched, `known` is false and other fields are empty."""

    url = serializers.CharField(
        allow_null=True, help_text="As in the request; null if it was not a string."
    )
    canonical_url = serializers.CharField(allow_null=True)
    known = serializers.BooleanField(help_text="Whether the URL is watched.")
    fresh = serializers.BooleanField(help_text="Whether its last check is at most `max_age` old.")
    state = serializers.ChoiceField(choices=STATES, allow_null=True)
    outcome = serializers.ChoiceField(
        choices=[outcome.value for outcome in Outcome],
        allow_null=True,
        help_text="Outcome of the last check; null before the first.",
    )
    reason = serializers.CharField(
        allow_null=True, help_text="A code such as `http_404`; null after a plain success."
    )
    sentence = serializers.CharField(allow_null=True, help_text="What the last check found.")
    summary = serializers.CharField(
        allow_null=True,
        help_text="The result of the last check in a few words, such as `Page gone`.",
    )
    suggestion = serializers.CharField(
        allow_null=True,
        help_text=("A sentence that says what to do; null if there is nothing to do."),
    )
    flags = serializers.ListField(child=serializers.CharField())
    first_failed_at = serializers.DateTimeField(
        allow_null=True, help_text="When checks began to fail; null while they succeed."
    )
    last_checked_at = serializers.DateTimeField(allow_null=True)
    moved_to = serializers.CharField(
        allow_null=True, help_text="Where permanent redirects led in the last successful check."
    )
    copy = CopySerializer(
        allow_null=True,
        help_text=("The archived copy of a dead page; null until archives have been queried."),
    )
    paused = serializers.BooleanField(help_text="Whether checks of the target are paused.")
    error = ErrorSerializer(
        allow_null=True, help_text=("Why the URL was not looked up; otherwise null.")
    )


class LookupResultsSerializer(serializers.Serializer[Any]):
    """The response to a lookup, in the order of its URLs; duplicates are kept."""

    results = LookupSerializer(many=True)
