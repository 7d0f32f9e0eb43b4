"""JSON representations of batches."""

from datetime import timedelta
from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from batches.models import STATES, ItemState
from foundation.http.serializers import DurationField, StrictSerializer
from lookups.serializers import DEAD_EXAMPLE, LookupSerializer, MaxAgeField, URLListField

MAX_WAIT = timedelta(seconds=25)
_EXAMPLE_ID = "b_01bUJnpJ0nNUcCprLE8sTJ"


_DONE = {
    "id": _EXAMPLE_ID,
    "state": "done",
    "done": True,
    "created_at": "2026-11-21T12:00:00Z",
    "gives_up_at": "2026-11-21T13:00:00Z",
    "ended_at": "2026-11-21T12:00:04Z",
    "priority": "normal",
    "callback_url": None,
    "counts": {
        "total": 1,
        "known": 1,
        "waiting": 0,
        "checked": 0,
        "paused": 0,
        "not_checked": 0,
        "invalid": 0,
    },
    "items": [{**DEAD_EXAMPLE, "status": "known", "next_check_at": None}],
    "next_page_token": None,
}


class PriorityField(serializers.ChoiceField):
    """Whether URLs come before routine checks of the same host; the host's delay still applies."""

    def __init__(self, **kwargs: Any) -> None:
        help_text = (
            "`high` goes before routine checks of the same host, but still waits for the "
            "host's delay."
        )
        super().__init__(choices=["normal", "high"], help_text=help_text, **kwargs)


@extend_schema_serializer(
    examples=[
        OpenApiExample(
            "The links in a draft",
            {
                "urls": [DEAD_EXAMPLE["url"], "https://a.example"],
                "max_age": "1d",
                "wait": "10s",
                "callback_url": "https://cms.example.org/hooks/links",
            },
        )
    ]
)
class NewBatchSerializer(StrictSerializer):
    """The body of `POST /v1/batches`; each URL is validated separately."""

    urls = URLListField()
    max_age = MaxAgeField()
    priority = PriorityField(required=False, default="normal")
    callback_url = serializers.CharField(
        required=False,
        max_length=2048,
        help_text="URL that receives one signed message when the batch is done.",
    )
    wait = DurationField(
        required=False,
        default=timedelta(0),
        maximum=MAX_WAIT,
        help_text="How long to wait for the complete results.",
    )
    give_up = DurationField(
        required=False,
        default=timedelta(hours=1),
        minimum=timedelta(seconds=1),
        maximum=timedelta(days=1),
        help_text="How long the batch may take; URLs that are still waiting at that point become "
        "`not_checked`.",
    )


class BatchItemSerializer(LookupSerializer):
    """One URL of a batch: the fields of a lookup, and the batch's progress."""

    known = serializers.BooleanField(
        help_text="Whether the URL has ever been checked or is paused."
    )
    status = serializers.ChoiceField(
        choices=ItemState.values,
        help_text="`known`: the last check was recent enough. `waiting`: not checked yet. "
        "`checked`: checked since the batch began. `paused`: its target is paused, so it is not "
        "checked; the last known status is returned. `not_checked`: abandoned or canceled. "
        "`invalid`: `error` says why.",
    )
    next_check_at = serializers.DateTimeField(
        allow_null=True,
        help_text="For a waiting URL: the earliest time it can be checked, if known.",
    )


class BatchCountsSerializer(serializers.Serializer[Any]):
    """How many URLs of a batch have each status."""

    def get_fields(self) -> dict[str, Any]:
        names = ("total", *ItemState.values)
        return {name: serializers.IntegerField(min_value=0) for name in names}


class BatchSummarySerializer(serializers.Serializer[Any]):
    """A batch without its items."""

    id = serializers.CharField(help_text="For example, b_01bUJnpJ0nNUcCprLE8sTJ.")
    state = serializers.ChoiceField(choices=STATES)
    done = serializers.BooleanField(
        help_text="Whether the batch has ended, even if some URLs were not checked."
    )
    created_at = serializers.DateTimeField()
    gives_up_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    priority = PriorityField()
    callback_url = serializers.CharField(allow_null=True)
    counts = BatchCountsSerializer()


@extend_schema_serializer(examples=[OpenApiExample("Done", _DONE)])
class BatchSerializer(BatchSummarySerializer):
    """A batch with a page of its items, in the order of its URLs; duplicates are kept."""

    items = BatchItemSerializer(many=True)
    next_page_token = serializers.CharField(allow_null=True)


@extend_schema_serializer(examples=[OpenApiExample("Done at once", {**_DONE, "secret": None})])
class BatchWithSecretSerializer(BatchSerializer):
    """A new batch, with all of its items."""

    secret = serializers.CharField(
        allow_null=True,
        help_text=(
            "The secret that signs the callback (Standard Webhooks); shown only once. Null "
            "without a callback, and in a repeated response to the same Idempotency-Key."
        ),
    )
