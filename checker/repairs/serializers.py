"""JSON forms of repairs."""

from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from foundation.http.serializers import StrictSerializer
from targets.models import Target
from targets.serializers import HostFilterField


class RepairFilters(StrictSerializer):
    """Query parameters of `GET /v1/repairs`."""

    host = HostFilterField(required=False)
    reference_id_prefix = serializers.CharField(
        required=False, max_length=255, help_text="How the reference ids begin."
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
    """A page that moved for good: documents can use its new address."""

    target_id = serializers.CharField(source="id")
    url = serializers.CharField()
    moved_to = serializers.CharField(help_text="The new address.")
    last_checked_at = serializers.DateTimeField()
    reference_ids = serializers.SerializerMethodField()
    reference_count = serializers.IntegerField()

    def get_reference_ids(self, target: Target) -> list[str]:
        """The first 100 references that you may see."""
        return [reference.object_id for reference in target.first_references]
