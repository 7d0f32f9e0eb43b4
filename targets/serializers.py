"""JSON representations of the registry.

Unknown fields are refused. Times are in RFC 3339 format.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from django.conf import settings
from drf_spectacular.utils import (
    OpenApiExample,
    extend_schema_field,
    extend_schema_serializer,
)
from rest_framework import serializers

from foundation.durations import format_duration
from foundation.http.errors import ErrorSerializer
from foundation.http.pagination import MAX_LIMIT
from foundation.http.serializers import (
    DurationField,
    StrictSerializer,
    VersionField,
)
from foundation.times import rfc3339
from hosts.instructions import (
    InstructionsSerializer,
    ShownInstructionsSerializer,
    change_instructions,
    shown_instructions,
)
from hosts.services import read_host
from outbox.models import Event
from targets.canonical import MAX_URL_BYTES
from targets.copies import copy_json
from targets.models import CopyResult, Reference, Target
from targets.occurrences import MAX_TEXT
from targets.registration import POLICY_FIELDS, Registration
from targets.scan_models import ReferenceOccurrences
from targets.scan_serializers import ScanRunSerializer
from targets.search.criteria import MAX_TEXT_LENGTH, Criteria
from targets.search.target_search import ORDERS
from targets.services import accept_url, canonical_url, host_of
from targets.state import State

MAX_BULK = 1000
MAX_POSITION = 2**31 - 1
STATES = [state.value for state in State]
_MIN_PERIOD = timedelta(seconds=1)


_ID = "t_0350z0NL0MRifntkJXr5Is"
_REGISTRATION = {"url": "https://example.com/page", "reference_id": "doc-1", "check_period": "10d"}
_TARGET = {
    "id": _ID,
    "url": "https://example.com/page",
    "canonical_url": "https://example.com/page",
    "host": "example.com",
    "state": "potentially_dead",
    "failures": 1,
    "reference_ids": ["doc-1"],
    "reference_count": 1,
    "created_at": "2026-11-01T12:00:00Z",
    "next_check_at": "2026-11-22T12:00:00Z",
    "last_checked_at": "2026-11-21T12:00:00Z",
    "last_status_code": 404,
    "last_error": "The server returned 404 Not Found.",
    "last_latency_ms": 64,
    "last_reason": "http_404",
    "summary": "Page gone",
    "suggestion": "Look for the page's new address. If there is none, link to an archived copy or"
    " remove the link.",
    "inconclusive_since": None,
    "moved_to": None,
    "replaced_by": None,
    "copy": None,
    "flags": [],
    "state_changed_at": "2026-11-21T12:00:00Z",
    "paused": False,
    "pinned": False,
    "check_period": "10d",
    "recheck_period": "1d",
    "recheck_threshold": 3,
    "condition": "evidence",
    "accept": [403],
    "expect": None,
    "headers": {"Authorization": "***"},
    "timeout": None,
    "version": 1,
}
_REFERENCE = {
    "reference_id": "doc-1",
    "target_id": _ID,
    "created_at": "2026-11-01T12:00:00Z",
    "occurrences": [{"line": 40, "column": 9, "text": "the handbook"}],
}


@extend_schema_field(
    {"type": "string", "maxLength": MAX_URL_BYTES, "example": "https://example.com/page"}
)
class URLTextField(serializers.Field[str, Any, str, Any]):
    """A URL as text; `accept_url` validates it, with a code for each error."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            raise serializers.ValidationError("The URL must be a string.")
        return data

    def to_representation(self, value: str) -> str:
        return value


class ReferenceIdField(serializers.CharField):
    """The caller's id of the object that refers to a target; stored unchanged."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=255, trim_whitespace=False, **kwargs)


class ConditionField(serializers.ChoiceField):
    """The name of a condition; operators can add their own."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=settings.CONDITION_NAMES, **kwargs)


class PositionField(serializers.IntegerField):
    """A line or a column, counted from 1; null if unknown."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            required=False,
            default=None,
            allow_null=True,
            min_value=1,
            max_value=MAX_POSITION,
            **kwargs,
        )


class OccurrenceSerializer(StrictSerializer):
    """A place where a link appears in a document."""

    line = PositionField(help_text="Counted from 1; null in documents without lines.")
    column = PositionField(help_text="Counted from 1, in characters.")
    text = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=MAX_TEXT,
        help_text="The link text.",
    )


class PolicySerializer(StrictSerializer):
    """When and how a target is checked."""

    check_period = DurationField(minimum=_MIN_PERIOD, required=False, allow_null=True)
    recheck_period = DurationField(minimum=_MIN_PERIOD, required=False, allow_null=True)
    recheck_threshold = serializers.IntegerField(
        min_value=1, max_value=1000, required=False, allow_null=True
    )
    condition = ConditionField(required=False, allow_null=True)

    def validate_condition(self, value: str | None) -> str:
        return value or ""


@extend_schema_serializer(examples=[OpenApiExample("A URL with a reference", _REGISTRATION)])
class RegistrationSerializer(PolicySerializer):
    """The body of `POST /v1/targets`."""

    url = URLTextField()
    reference_id = ReferenceIdField(required=False, allow_null=True)
    occurrences = serializers.ListField(
        child=OccurrenceSerializer(),
        required=False,
        max_length=ReferenceOccurrences.MAX_PLACES,
        help_text=(
            "Where the link appears in the document; replaces any previously stored places. "
            "Visible to anyone who can see the reference."
        ),
    )

    def validate(self, attrs: Any) -> Any:
        """Refuse occurrences without a reference."""
        if "occurrences" in attrs and attrs.get("reference_id") is None:
            message = "Occurrences belong to a reference: reference_id is required."
            raise serializers.ValidationError({"occurrences": [message]})
        return attrs

    def registration(self, data: Any) -> Registration:
        """Return the validated registration; raises ValidationError and the ApiErrors of
        `accept_url`."""
        return self._new_target(self.run_validation(data))

    def _new_target(self, valid: Mapping[str, Any]) -> Registration:
        return Registration(
            url=valid["url"],
            canonical=accept_url(valid["url"]),
            reference_id=valid.get("reference_id"),
            occurrences=valid.get("occurrences"),
            policy={name: valid[name] for name in POLICY_FIELDS if name in valid},
        )


class ListedTargetSerializer(RegistrationSerializer, InstructionsSerializer):
    """A target in a file for `import_targets`, with its paused state and instructions."""

    paused = serializers.BooleanField(required=False)

    def _new_target(self, valid: Mapping[str, Any]) -> Registration:
        new_target = super()._new_target(valid)
        return replace(
            new_target,
            paused=valid.get("paused", False),
            instructions=change_instructions(None, valid),
        )


class BulkSerializer(StrictSerializer):
    """The body of `PATCH /v1/targets`; each item is validated separately."""

    items = serializers.ListField(max_length=MAX_BULK)


class BulkRegistrationSerializer(BulkSerializer):
    """The body of `POST /v1/targets/bulk`; each item is validated separately."""

    scan = ScanRunSerializer(required=False)


class BulkRequestSerializer(serializers.Serializer[Any]):
    """Up to 1,000 registrations."""  # OpenAPI schema only: the view validates each item separately

    items = serializers.ListField(child=RegistrationSerializer(), max_length=MAX_BULK)
    scan = ScanRunSerializer(
        required=False, help_text="The run of a scan that found these references."
    )


class ChangeSerializer(PolicySerializer, InstructionsSerializer):
    """The body of `PATCH /v1/targets/{id}`; null resets a field to the default from the settings or
    the host."""

    paused = serializers.BooleanField(required=False)
    pinned = serializers.BooleanField(required=False)


@extend_schema_serializer(
    examples=[OpenApiExample("Pause a target", {"id": _ID, "paused": True, "version": 1})]
)
class ItemChangeSerializer(ChangeSerializer):
    """A change to one of several targets, with its id and, optionally, its expected `version`."""

    id = serializers.CharField()
    version = serializers.IntegerField(required=False, min_value=1)


class BulkChangeRequestSerializer(serializers.Serializer[Any]):
    """Changes to up to 1,000 targets."""  # OpenAPI schema only, like BulkRequestSerializer

    items = serializers.ListField(child=ItemChangeSerializer(), max_length=MAX_BULK)


class CheckRequestSerializer(StrictSerializer):
    """The body of `POST /v1/targets/{id}/check`."""

    revive = serializers.BooleanField(default=False)


class CopySerializer(serializers.Serializer[Any]):
    """The result of a search for copies of a dead page in web archives (ARCHIVES)."""

    result = serializers.ChoiceField(
        choices=CopyResult.choices,
        help_text=(
            "`verified`: the page as checks last saw it; `possible`: a good page, but it may be "
            "a different one; `none`: no usable copy was found; `unavailable`: no copy was found, "
            "and at least one archive did not respond."
        ),
    )
    archive = serializers.CharField(allow_null=True, help_text="Host name of the archive.")
    url = serializers.CharField(allow_null=True, help_text="URL of the copy.")
    captured_at = serializers.DateTimeField(allow_null=True)
    asked_at = serializers.DateTimeField()


@extend_schema_serializer(examples=[OpenApiExample("A failing target", _TARGET)])
class TargetSerializer(ShownInstructionsSerializer):
    """A target, with the policy in force and its own instructions."""

    id = serializers.CharField()
    url = serializers.CharField()
    canonical_url = serializers.CharField()
    host = serializers.CharField()
    state = serializers.ChoiceField(choices=STATES)
    failures = serializers.IntegerField()
    reference_ids = serializers.SerializerMethodField()
    reference_count = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    next_check_at = serializers.DateTimeField(allow_null=True)
    last_checked_at = serializers.DateTimeField(allow_null=True)
    last_status_code = serializers.IntegerField(allow_null=True)
    last_error = serializers.CharField(allow_null=True)
    last_latency_ms = serializers.IntegerField(allow_null=True)
    last_reason = serializers.SerializerMethodField()
    summary = serializers.CharField(
        allow_null=True,
        source="advice.summary",
        help_text="The result of the last check in a few words, such as `Page gone`; null before "
        "the first check, and for a reason that comes from an operator's own condition.",
    )
    suggestion = serializers.CharField(
        allow_null=True,
        source="advice.suggestion",
        help_text="A sentence that says what to do; null if there is nothing to suggest.",
    )
    inconclusive_since = serializers.DateTimeField(allow_null=True)
    moved_to = serializers.SerializerMethodField()
    replaced_by = serializers.CharField(
        allow_null=True,
        help_text=(
            "The target to which a repair has moved all references to this one. A replaced "
            "target is checked only every 30 days, never fails, and sends no events."
        ),
    )
    copy = CopySerializer(
        allow_null=True,
        source="shown_copy",
        help_text="The archived copy of a dead page; null if the target is not dead, and until "
        "archives have been queried.",
    )
    flags = serializers.ListField(
        child=serializers.CharField(),
        help_text="The page's current flags. An inconclusive check keeps them, and so does a HEAD "
        "check, except for `moved`.",
    )
    state_changed_at = serializers.DateTimeField()
    paused = serializers.BooleanField()
    pinned = serializers.BooleanField()
    check_period = DurationField(source="policy.check_period")
    recheck_period = DurationField(source="policy.recheck_period")
    recheck_threshold = serializers.IntegerField(source="policy.recheck_threshold")
    condition = serializers.CharField(source="condition_in_force")
    version = VersionField()

    def get_reference_ids(self, target: Target) -> list[str]:
        """The ids of the first 100 references that you can see."""
        return [reference.object_id for reference in target.first_references]

    def get_last_reason(self, target: Target) -> str | None:
        """A code such as http_404 or throttled; null after a plain success, and before the first
        check."""
        return target.last_reason or None

    def get_moved_to(self, target: Target) -> str | None:
        """Where permanent redirects led in the last successful check; null if there were none."""
        return target.moved_to or None

    def to_representation(self, instance: Target) -> dict[str, Any]:
        """Return the fields above; for a page of 1,000, this takes a tenth of the time that DRF
        takes."""
        policy, advice = instance.policy, instance.advice
        return {
            "id": instance.id,
            "url": instance.url,
            "canonical_url": instance.canonical_url,
            "host": instance.host,
            "state": instance.state,
            "failures": instance.failures,
            "reference_ids": self.get_reference_ids(instance),
            "reference_count": instance.reference_count,
            "created_at": rfc3339(instance.created_at),
            "next_check_at": rfc3339(instance.next_check_at),
            "last_checked_at": rfc3339(instance.last_checked_at),
            "last_status_code": instance.last_status_code,
            "last_error": instance.last_error,
            "last_latency_ms": instance.last_latency_ms,
            "last_reason": self.get_last_reason(instance),
            "summary": advice.summary,
            "suggestion": advice.suggestion,
            "inconclusive_since": rfc3339(instance.inconclusive_since),
            "moved_to": self.get_moved_to(instance),
            "replaced_by": instance.replaced_by_id,
            "copy": copy_json(instance.shown_copy),
            "flags": instance.flags,
            "state_changed_at": rfc3339(instance.state_changed_at),
            "paused": instance.paused,
            "pinned": instance.pinned,
            "check_period": format_duration(policy.check_period),
            "recheck_period": format_duration(policy.recheck_period),
            "recheck_threshold": policy.recheck_threshold,
            "condition": instance.condition_in_force,
            "version": instance.version,
            **shown_instructions(instance.instructions),
        }


class BulkResultSerializer(serializers.Serializer[Any]):
    """The result for one item in a bulk request: a target or an error."""

    status = serializers.ChoiceField(choices=[200, 201, 400])
    target = TargetSerializer(required=False)
    error = ErrorSerializer(required=False)


class BulkResponseSerializer(serializers.Serializer[Any]):
    """The response to a bulk request, in the order of its items."""

    results = BulkResultSerializer(many=True)


class ChangeResultSerializer(serializers.Serializer[Any]):
    """The result of one change: the target or an error."""

    status = serializers.ChoiceField(choices=[200, 400, 404, 409, 412])
    target = TargetSerializer(required=False)
    error = ErrorSerializer(required=False)


class BulkChangeResponseSerializer(serializers.Serializer[Any]):
    """The results of changes to several targets, in order."""

    results = ChangeResultSerializer(many=True)


@extend_schema_field({"type": "string", "maxLength": MAX_URL_BYTES, "example": "example.com"})
class HostFilterField(URLTextField):
    """A host, or a URL on it. Raises ApiError `invalid_host` or `invalid_url`."""

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        return host_of(text) if "/" in text else read_host(text)


class TargetFilters(StrictSerializer):
    """Query parameters of `GET /v1/targets`."""

    host = HostFilterField(required=False)
    state = serializers.ChoiceField(choices=STATES, required=False)
    reference_id = ReferenceIdField(required=False)
    url = URLTextField(required=False)
    needs_attention = serializers.BooleanField(
        required=False,
        help_text=(
            "Targets that are currently inconclusive: checks can't tell whether the page exists."
        ),
    )
    never_seen = serializers.BooleanField(
        required=False,
        help_text=(
            "Targets whose checks since their registration or revival were all inconclusive, for "
            "example behind a bot wall."
        ),
    )
    flag = serializers.CharField(
        required=False,
        max_length=32,
        help_text="Targets that currently have this flag, such as `parked`.",
    )
    q = serializers.CharField(
        required=False,
        max_length=MAX_TEXT_LENGTH,
        help_text=(
            "Targets with this text in the URL, the title of the page or a reference id that "
            "you can see; case is ignored. One or two characters match only the beginning of "
            "the host name."
        ),
    )

    since = serializers.DateTimeField(
        required=False, help_text="Only targets whose state changed at or after this time."
    )
    sort = serializers.ChoiceField(
        choices=list(ORDERS),
        required=False,
        help_text="`failed`: only dead and potentially dead targets, most recently failed first; "
        "`reason`: only targets with a reason; `document`: one item per reference that you can "
        "see.",
    )

    def criteria(self, query: Mapping[str, Any]) -> Criteria:
        """Return the valid filters as search criteria."""
        return Criteria(
            text=query.get("q", ""),
            state=query.get("state", ""),
            is_unsure=query.get("needs_attention"),
            is_never_seen=query.get("never_seen"),
            flag=query.get("flag", ""),
            host=query.get("host", ""),
            canonical_url=canonical_url(query["url"]) if "url" in query else "",
            reference=query.get("reference_id", ""),
            since=query.get("since"),
        )


class URLQuery(StrictSerializer):
    """Query parameter of `GET /v1/references`."""

    url = URLTextField()


class ForceQuery(StrictSerializer):
    """Query parameter of `DELETE /v1/targets/{id}`."""

    force = serializers.BooleanField(default=False)


class PageQuery(StrictSerializer):
    """Query parameters of a paginated list."""

    limit = serializers.IntegerField(required=False, min_value=1, max_value=MAX_LIMIT)
    page_token = serializers.CharField(required=False)


class ReferencePath(StrictSerializer):
    """The reference id in the path `/v1/targets/{id}/references/{reference_id}`."""

    reference_id = ReferenceIdField()

    def validate_reference_id(self, value: str) -> str:
        """Refuse the replacement character, which stands for any bytes that are not UTF-8."""
        if "\N{REPLACEMENT CHARACTER}" in value:
            raise serializers.ValidationError("The reference id is not UTF-8.")
        return value


@extend_schema_serializer(
    examples=[
        OpenApiExample(
            "A URL and a reference", {"url": "https://example.com/page", "reference_id": "doc-1"}
        )
    ]
)
class ReferencePairSerializer(ReferencePath):
    """A URL and a reference to it."""

    url = URLTextField()


class ShownOccurrenceSerializer(serializers.Serializer[Any]):
    """A place where a link appears in a document."""

    line = serializers.IntegerField(allow_null=True)
    column = serializers.IntegerField(allow_null=True)
    text = serializers.CharField()


@extend_schema_serializer(examples=[OpenApiExample("A reference", _REFERENCE)])
class ReferenceSerializer(serializers.Serializer[Reference]):
    """A reference to a target."""  # loaded by `with_occurrences`

    reference_id = serializers.CharField(source="object_id")
    target_id = serializers.CharField()
    created_at = serializers.DateTimeField()
    occurrences = ShownOccurrenceSerializer(
        many=True, help_text="Up to 20 places where the link appears in the document, if known."
    )


class TransitionSerializer(serializers.Serializer[Event]):
    """A change of state; `error` says what went wrong, or is null if nothing did."""

    id = serializers.UUIDField()
    from_state = serializers.CharField()
    to_state = serializers.CharField()
    at = serializers.DateTimeField()
    failures = serializers.IntegerField(source="payload.failures")
    error = serializers.DictField(source="payload.error", allow_null=True)


class EventOccurrenceSerializer(ShownOccurrenceSerializer):
    """A place in a document where a link appears, as shown in an event."""

    reference_id = serializers.CharField()


# The schema of event data, for the description of the API only: `targets.event_payload` writes the
# data, and a test compares both.
class EventDataSerializer(serializers.Serializer[Any]):
    """The data about the target at the time of the event."""

    target_id = serializers.CharField()
    url = serializers.CharField()
    canonical_url = serializers.CharField()
    reference_ids = serializers.ListField(child=serializers.CharField())
    occurrences = EventOccurrenceSerializer(
        many=True,
        required=False,
        help_text="Where the link appears in the documents of the first references, if known.",
    )
    state = serializers.ChoiceField(choices=STATES)
    previous_state = serializers.ChoiceField(choices=STATES)
    failures = serializers.IntegerField()
    first_failed_at = serializers.DateTimeField(allow_null=True)
    checked_at = serializers.DateTimeField(allow_null=True)
    error = serializers.DictField(
        allow_null=True,
        help_text="What went wrong, as EVENT_BUILDER returns it, if set; null if nothing did.",
    )


class EventSerializer(serializers.Serializer[Any]):
    """An event in the CloudEvents JSON format."""

    specversion = serializers.CharField()
    id = serializers.CharField(
        help_text="A UUID; for later parts of an event, followed by `.2`, `.3` and so on."
    )
    source = serializers.CharField()  # type: ignore[assignment]
    type = serializers.CharField()
    subject = serializers.CharField()
    time = serializers.DateTimeField()
    datacontenttype = serializers.CharField()
    data = EventDataSerializer()  # type: ignore[assignment]
    part = serializers.IntegerField(
        required=False, help_text="Counted from 1; only for an event that is split into parts."
    )
    parts = serializers.IntegerField(required=False)


@extend_schema_serializer(many=False)  # otherwise `list` is described as an array of pages
class EventPageSerializer(serializers.Serializer[Any]):
    """A page of the feed; it always has a `next_page_token`."""

    items = EventSerializer(many=True)
    next_page_token = serializers.CharField()
