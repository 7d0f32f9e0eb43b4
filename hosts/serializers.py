"""JSON representations of hosts, leases and aliases.

Unknown fields of requests are refused. Times are in RFC 3339 format.
"""

from datetime import timedelta
from typing import Any

from django.conf import settings
from drf_spectacular.utils import OpenApiExample, extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from foundation.durations import format_duration
from foundation.http.errors import ErrorSerializer
from foundation.http.serializers import DurationField, StrictSerializer, TimeField
from foundation.net.hostnames import MAX_INPUT, MAX_URL
from hosts.explain import Code, explain_host, lease_of
from hosts.figures_provider import PROBLEMS
from hosts.instructions import InstructionsSerializer, ShownInstructionsSerializer
from hosts.models import Alias, Host, HostState, Purpose, slot_of
from hosts.services import read_host, read_host_or_url

MAX_BATCH = 1000
MAX_ALIAS_HOSTS = 10_000  # in one request; `manage.py hosts import-aliases` has no limit
_MIN_LEASE = timedelta(seconds=1)
_MAX_LEASE = timedelta(days=1)
_MAX_DELAY = timedelta(days=1)
_TIME = serializers.DateTimeField()


@extend_schema_field(
    {"type": "string", "minLength": 1, "maxLength": MAX_INPUT, "example": "example.com"}
)
class HostField(serializers.Field[str, Any, str, Any]):
    """A host's name, normalized. Raises ApiError `invalid_host` if it is invalid."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            raise serializers.ValidationError("The host must be a string.")
        return self.read(data)

    def read(self, text: str) -> str:
        """Return the normalized host name; raises ApiError `invalid_host`."""
        return read_host(text)

    def to_representation(self, value: str) -> str:
        return value


@extend_schema_field(
    {
        "type": "string",
        "minLength": 1,
        "maxLength": MAX_URL,
        "example": "https://example.com/page",
        "description": "The name of the host, or any URL on it.",
    }
)
class HostOrURLField(HostField):
    """A host's name or a URL on it, normalized to the name. Raises the same errors as HostField."""

    def read(self, text: str) -> str:
        return read_host_or_url(text)


class BusyTimeoutField(DurationField):
    """The duration of a lease, 1 s to 1 d."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(minimum=_MIN_LEASE, maximum=_MAX_LEASE, **kwargs)


class ReserveHostSerializer(StrictSerializer):
    """The body of `POST /v1/hosts/{host}/reserve`."""

    busy_timeout = BusyTimeoutField(
        required=False, default=lambda: settings.BUSY_TIMEOUT, help_text="Default: BUSY_TIMEOUT."
    )


@extend_schema_serializer(
    examples=[OpenApiExample("Ten hosts for a minute", {"limit": 10, "busy_timeout": "60s"})]
)
class ReserveSerializer(ReserveHostSerializer):
    """The body of `POST /v1/hosts/reserve`."""

    limit = serializers.IntegerField(min_value=1, max_value=MAX_BATCH, default=1)


class LeaseTokenSerializer(StrictSerializer):
    """The token that proves who holds a lease."""

    token = serializers.UUIDField()


class ReleaseSerializer(LeaseTokenSerializer):
    """The body of `POST /v1/hosts/{host}/release`."""

    next_fetch_at = TimeField(
        required=False,
        allow_null=True,
        default=None,
        help_text="When the host is due again. Hosts with a time in the past are due now, those "
        "with the earliest times first. Null: the host is due again only if already scheduled.",
    )


class ExtendSerializer(LeaseTokenSerializer):
    """The body of `POST /v1/hosts/{host}/extend`."""

    busy_timeout = BusyTimeoutField(help_text="Counted from now; a lease is never shortened.")


class ReleaseManySerializer(StrictSerializer):
    """The body of `POST /v1/hosts/release`; each item is validated separately."""

    leases = serializers.ListField(max_length=MAX_BATCH)


class ReleaseManyRequestSerializer(serializers.Serializer[Any]):
    """Up to 1,000 leases."""  # OpenAPI schema only: the view validates each item separately

    leases = serializers.ListField(child=ReleaseSerializer(), max_length=MAX_BATCH)


class ScheduleSerializer(StrictSerializer):
    """A host, and the time by which to make it due for `fetch`; an earlier due time is kept."""

    host = HostOrURLField()
    next_fetch_at = TimeField(
        required=False,
        help_text="Hosts with a time in the past are due now, those with the earliest times first. "
        "Default: now.",
    )


class ScheduleManySerializer(StrictSerializer):
    """The body of `POST /v1/hosts/schedule`; each item is validated separately."""

    hosts = serializers.ListField(max_length=MAX_BATCH)


@extend_schema_serializer(
    examples=[
        OpenApiExample(
            "Now",
            {"hosts": [{"host": "https://example.com/page"}, {"host": "example.org"}]},
        ),
        OpenApiExample(
            "At a specific time",
            {"hosts": [{"host": "example.com", "next_fetch_at": "2026-11-01T12:00:00Z"}]},
        ),
    ]
)
class ScheduleManyRequestSerializer(serializers.Serializer[Any]):
    """Up to 1,000 hosts."""  # OpenAPI schema only: the view validates each item separately

    hosts = serializers.ListField(child=ScheduleSerializer(), max_length=MAX_BATCH)


class ItemResultSerializer(serializers.Serializer[Any]):
    """The result for one item: the status that it would get on its own, and its error, if any."""

    status = serializers.ChoiceField(choices=[200, 204, 400, 409])
    host = serializers.CharField(required=False)
    error = ErrorSerializer(required=False)


class ItemResultsSerializer(serializers.Serializer[Any]):
    """The results of many items, in order."""

    results = ItemResultSerializer(many=True)


_RESERVATION = {
    "host": "example.com",
    "alias": None,
    "token": "01a1fa06-f33a-72fa-a9c4-c68d3a278a42",
    "busy_until": "2026-11-01T12:01:00Z",
}


@extend_schema_serializer(examples=[OpenApiExample("A lease", _RESERVATION)])
class ReservationSerializer(serializers.Serializer[Any]):
    """A lease, as shown to its holder."""

    host = serializers.CharField()
    alias = serializers.CharField(allow_null=True)
    token = serializers.UUIDField(
        help_text="Needed to release or extend the lease; keep it secret."
    )
    busy_until = serializers.DateTimeField(source="leased_until")


class ReservationsSerializer(serializers.Serializer[Any]):
    """The response to `POST /v1/hosts/reserve`."""

    reservations = ReservationSerializer(many=True)


class ChangeHostSerializer(InstructionsSerializer):
    """The body of `PUT /v1/hosts/{host}`: omitted fields are not changed."""

    next_fetch_at = TimeField(
        required=False,
        allow_null=True,
        help_text="Hosts with a time in the past are due now, those with the earliest times first. "
        "Null means never.",
    )
    delay = DurationField(
        maximum=_MAX_DELAY,
        required=False,
        allow_null=True,
        help_text="Delay after each lease, for all hosts with the alias; null means HOST_DELAY.",
    )
    sleep_until = TimeField(
        required=False,
        allow_null=True,
        help_text="Neither this host nor others with its alias will be reserved before this time; "
        "null ends the pause.",
    )


class HostFilters(StrictSerializer):
    """Query parameters of `GET /v1/hosts`."""

    state = serializers.ChoiceField(choices=HostState.values, required=False)
    alias = serializers.CharField(required=False, help_text="Only hosts with this alias.")
    sort = serializers.ChoiceField(
        choices=["name", *PROBLEMS],
        required=False,
        help_text="By name, or by the number of failures, inconclusive checks or slow responses "
        "in the last day. Default: an order that depends on `state`, as described above.",
    )


class AliasFilters(StrictSerializer):
    """Query parameter of `GET /v1/aliases`."""

    busy = serializers.BooleanField(required=False)


class LeaseSerializer(serializers.Serializer[Any]):
    """A lease, as shown to everyone; it may be that of another host with the same alias."""

    host = serializers.CharField()
    purpose = serializers.ChoiceField(choices=Purpose.values)
    busy_until = serializers.DateTimeField(source="until")


_FIGURES = {"failures": 12, "inconclusive": 0, "slow": 3, "slow_mean_ms": 2410.5}


@extend_schema_serializer(examples=[OpenApiExample("A bad day", _FIGURES)])
class HostFiguresSerializer(serializers.Serializer[Any]):
    """Failed, inconclusive and slow checks of a host in the current hour and the 24 before it."""

    failures = serializers.IntegerField()
    inconclusive = serializers.IntegerField()
    slow = serializers.IntegerField(help_text="Responses that took 2 seconds or longer.")
    slow_mean_ms = serializers.FloatField(
        source="mean_ms", allow_null=True, help_text="Average duration of slow responses."
    )


_DELAY = "Delay after each lease, set for the host or its alias; null means HOST_DELAY."
_SLEEP = "Not reserved before this time, because of a pause, throttling or the delay after a lease."
_LEASE = (
    "Possibly the lease of another host with the same alias. An expired lease is shown until it "
    "is reclaimed."
)


class _SlotFieldsSerializer(serializers.Serializer[Any]):
    """Fields of a slot, shared by aliases and hosts. Requires `now` in the context."""

    def get_delay(self, row: Host | Alias) -> str | None:
        delay = slot_of(row).delay
        return None if delay is None else format_duration(delay)

    @extend_schema_field(serializers.DateTimeField(allow_null=True))
    def get_sleep_until(self, row: Host | Alias) -> str | None:
        not_before = slot_of(row).not_before
        return _TIME.to_representation(not_before) if not_before > self.context["now"] else None

    @extend_schema_field(LeaseSerializer(allow_null=True))
    def get_lease(self, row: Host | Alias) -> Any:
        lease = lease_of(slot_of(row))
        return None if lease is None else LeaseSerializer(lease).data


# The host must be loaded with its slot.
class HostSerializer(_SlotFieldsSerializer):
    """A host.

    `queued`: scheduled, and free. `busy`: reserved. `waiting`: scheduled, but another host with its
    alias is reserved, or its own lease has expired and has not been reclaimed yet. `idle`: neither
    scheduled nor reserved.
    """

    host = serializers.CharField(source="name")
    state = serializers.SerializerMethodField()
    alias = serializers.CharField(source="slot.alias", allow_null=True)
    next_fetch_at = serializers.DateTimeField(source="fetch_at", allow_null=True)
    next_check_at = serializers.DateTimeField(
        source="check_at", allow_null=True, help_text="When Linkwatch next checks its targets."
    )
    delay = serializers.SerializerMethodField(help_text=_DELAY)
    sleep_until = serializers.SerializerMethodField(help_text=_SLEEP)
    lease = serializers.SerializerMethodField(help_text=_LEASE)
    last_day = serializers.SerializerMethodField()

    @extend_schema_field(HostFiguresSerializer)
    def get_last_day(self, host: Host) -> Any:
        """Return the checks of the last day, without those during Linkwatch's own outages."""
        figures = self.context.get("figures")  # missing in forms of the browsable API
        return figures and HostFiguresSerializer(figures[host.name]).data

    @extend_schema_field(serializers.ChoiceField(choices=HostState.values))
    def get_state(self, host: Host) -> str:
        return host.state(self.context["now"]).value


class ExplanationSerializer(serializers.Serializer[Any]):
    """Why a host is not being fetched."""

    code = serializers.ChoiceField(choices=[code.value for code in Code])
    sentence = serializers.CharField()
    until = serializers.DateTimeField(
        allow_null=True, help_text="When this state ends on its own, if known."
    )


class ExplainedHostSerializer(HostSerializer, ShownInstructionsSerializer):
    """A host, its instructions for checks, and why it is not being fetched."""

    explain = serializers.SerializerMethodField()

    @extend_schema_field(ExplanationSerializer)
    def get_explain(self, host: Host) -> Any:
        return ExplanationSerializer(explain_host(host, now=self.context["now"])).data


# The alias must come from `with_hosts`.
class AliasSerializer(_SlotFieldsSerializer):
    """An alias with its first 100 hosts; `GET /v1/hosts?alias=` has all of them."""

    alias = serializers.CharField(source="key")
    hosts = serializers.SerializerMethodField()
    host_count = serializers.IntegerField()
    delay = serializers.SerializerMethodField(help_text=_DELAY)
    sleep_until = serializers.SerializerMethodField(help_text=_SLEEP)
    lease = serializers.SerializerMethodField(help_text=_LEASE)

    def get_hosts(self, alias: Alias) -> list[str]:
        return [host.name for host in alias.first_hosts]


class ChangeAliasSerializer(StrictSerializer):
    """The body of `PUT /v1/aliases/{alias}`: exactly these hosts."""

    hosts = serializers.ListField(child=HostField(), max_length=MAX_ALIAS_HOSTS)
