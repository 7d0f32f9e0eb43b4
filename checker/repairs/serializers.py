"""JSON representations of repairs."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from foundation.http.errors import ErrorSerializer
from foundation.http.serializers import StrictSerializer
from targets.canonical import MAX_URL_BYTES
from targets.models import Repair, ReplacedReference, Target
from targets.repairs import page_url
from targets.serializers import HostFilterField, ShownOccurrenceSerializer


class RepairFilters(StrictSerializer):
    """Query parameters of `GET /v1/repairs`."""

    host = HostFilterField(required=False)
    reference_id_prefix = serializers.CharField(
        required=False, max_length=255, help_text="The prefix of the reference ids."
    )


_REPAIR = {
    "target_id": "t_01bUJnpJ0nNUcCprLE8sTJ",
    "url": "http://docs.example.org/install",
    "moved_to": "https://docs.example.org/guide/install",
    "last_checked_at": "2026-11-24T08:10:00Z",
    "reference_ids": ["handbook/start"],
    "reference_count": 1,
}


@extend_schema_serializer(examples=[OpenApiExample("A page with a new address", _REPAIR)])
class RepairSerializer(serializers.Serializer[Target]):
    """A page that has moved permanently: documents can use its new address."""

    target_id = serializers.CharField(source="id")
    url = serializers.CharField()
    moved_to = serializers.CharField(help_text="The new address.")
    last_checked_at = serializers.DateTimeField()
    reference_ids = serializers.SerializerMethodField()
    reference_count = serializers.IntegerField()

    def get_reference_ids(self, target: Target) -> list[str]:
        """The first 100 references that you can see and that have not been moved."""
        return [reference.object_id for reference in target.first_references]


_ACCEPTED = {
    "id": "rp_01bUJnpJ0nNUcCprLE8sTJ",
    "target_id": "t_01bUJnpJ0nNUcCprLE8sTJ",
    "url": "http://docs.example.org/install",
    "moved_to": "https://docs.example.org/guide/install",
    "new_target_id": "t_01bUJnpJ0nNUcCprLE8sTK",
    "reference_count": 1,
    "accepted_at": "2026-11-25T09:00:00Z",
    "undone_at": None,
    "undo_until": "2026-12-25T09:00:00Z",
}


_UNDONE = {**_ACCEPTED, "undone_at": "2026-11-27T08:15:00Z", "is_done": True}


@extend_schema_serializer(
    examples=[
        OpenApiExample("One page", {"target_id": _REPAIR["target_id"]}),
        OpenApiExample("All pages on a host", {"host": "docs.example.org"}),
    ]
)
class RepairRequestSerializer(StrictSerializer):
    """The body of `POST /v1/repairs`: a page, or a host."""

    target_id = serializers.CharField(required=False, max_length=64)
    moved_to = serializers.CharField(
        required=False,
        max_length=MAX_URL_BYTES,
        help_text=(
            "The new address that you saw; the repair is refused if the page has moved again since."
        ),
    )
    host = HostFilterField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return the body, which must have either `target_id` or `host`.

        `moved_to` is only allowed with `target_id`.
        """
        if ("target_id" in attrs) == ("host" in attrs):
            raise serializers.ValidationError("Specify either target_id or host.")
        if "moved_to" in attrs and "host" in attrs:
            raise serializers.ValidationError("Specify moved_to only with target_id.")
        return attrs


@extend_schema_serializer(examples=[OpenApiExample("A repair", _ACCEPTED)])
class AcceptedRepairSerializer(serializers.Serializer[Repair]):
    """An accepted repair: references were moved to the page's new address."""

    id = serializers.CharField()
    target_id = serializers.CharField(source="old_target")
    url = serializers.CharField(source="old_url")
    moved_to = serializers.CharField(source="new_url")
    new_target_id = serializers.CharField(source="new_target")
    reference_count = serializers.IntegerField(
        help_text="Number of references that the repair moved. If someone else accepted it, and "
        "you are neither an operator nor a viewer: how many of the references that you can "
        "see have not been moved back."
    )
    accepted_at = serializers.DateTimeField()
    undone_at = serializers.DateTimeField(allow_null=True)
    undo_until = serializers.DateTimeField(help_text="The repair can be undone until this time.")


class RefusedRepairSerializer(serializers.Serializer[Any]):
    """One of the host's pages whose repair was refused."""

    target_id = serializers.CharField()
    error = ErrorSerializer()


class RepairResponseSerializer(serializers.Serializer[Any]):
    """The result of accepting repairs."""

    items = AcceptedRepairSerializer(many=True)
    refused = RefusedRepairSerializer(many=True)
    is_done = serializers.BooleanField(
        help_text="If false, there is more to do; repeat the request."
    )


@extend_schema_serializer(examples=[OpenApiExample("An undone repair", _UNDONE)])
class UndoneRepairSerializer(AcceptedRepairSerializer):
    """A repair, and whether all references that you can change were moved back."""

    is_done = serializers.BooleanField(
        help_text="If false, there is more to do; repeat the request."
    )


class ReplacedReferenceFilters(StrictSerializer):
    """Query parameters of `GET /v1/repairs/references`."""

    reference_id_prefix = serializers.CharField(
        required=False, max_length=255, help_text="The prefix of the reference ids."
    )


@extend_schema_serializer(
    examples=[
        OpenApiExample(
            "A document",
            {
                "reference_id": "team/handbook:guide/start",
                "url": "http://docs.example.org/install",
                "moved_to": "https://docs.example.org/guide/install",
                "target_id": "t_01bUJnpJ0nNUcCprLE8sTJ",
                "occurrences": [{"line": 12, "column": 8, "text": "Install"}],
            },
        )
    ]
)
class ReplacedReferenceSerializer(serializers.Serializer[ReplacedReference]):
    """A reference that was moved with its page: its document may still have the old address."""

    reference_id = serializers.CharField(source="old.object_id")
    url = serializers.SerializerMethodField(help_text="The old address, without a fragment.")
    moved_to = serializers.SerializerMethodField(help_text="The new address, without a fragment.")
    target_id = serializers.CharField(
        source="old.target_id", help_text="The target at the old address."
    )
    occurrences = ShownOccurrenceSerializer(
        many=True, help_text="Up to 20 places where the link appears in the document, if known."
    )

    def get_url(self, row: ReplacedReference) -> str:
        """Return the old target's URL without its fragment."""
        return page_url(row.old.target)

    def get_moved_to(self, row: ReplacedReference) -> str:
        """Return the new target's URL without its fragment."""
        return page_url(row.new.target)
