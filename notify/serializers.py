"""JSON representations of channels, subscriptions and deliveries."""

from typing import Any
from urllib.parse import urlsplit
from zoneinfo import available_timezones

from django.contrib.auth.models import User
from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from accounts.actors import Actor
from accounts.roles import Role
from foundation.http.serializers import StrictSerializer, TimeField, VersionField
from foundation.ids import id_pattern, is_id
from foundation.net.hostnames import CONTROL, InvalidHostError, normalize_host
from notify.kinds import kind_of
from notify.matching import WHAT
from notify.models import Channel, ChannelKind, ChannelState, Delivery, DeliveryState, When

MAX_NAME_LENGTH = 100
_CHANNEL_ID = f"^{id_pattern('channel')}$"
_CHANNEL = {
    "id": "c_0351WN019gkaPcXepfHAU4",
    "kind": "webhook",
    "name": "Our wiki",
    "owner": "ada",
    "settings": {"url": "https://wiki.example/hooks/links"},
    "state": "active",
    "reason": "",
    "created_at": "2026-11-01T12:00:00Z",
    "failing_since": None,
    "next_attempt_at": None,
    "version": 1,
}
_SECRET = {"secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"}
_SUBSCRIPTION = {
    "id": "n_0351WN019gkaPcXepfHAU4",
    "channel": _CHANNEL["id"],
    "created_at": "2026-11-01T12:00:00Z",
    "what": ["dead", "alive"],
    "host": "example.org",
    "reference_prefix": "",
    "owner": None,
    "when": "daily",
    "hour": 8,
    "time_zone": "Europe/Berlin",
    "grouped": True,
    "version": 1,
}
_DELIVERY = {
    "number": 7,
    "message_id": "01a1fa06-f33a-72fa-a9c4-c68d3a278a42",
    "type": "linkwatch.target.dead",
    "subject": "Dead: https://example.org/page",
    "created_at": "2026-11-01T12:00:00Z",
    "state": "waiting",
    "attempts": 1,
    "attempted_at": "2026-11-01T12:00:01Z",
    "next_attempt_at": "2026-11-01T12:00:07Z",
    "status_code": 503,
    "error": "The receiver returned 503 Service Unavailable.",
    "answer": None,
}


class NameField(serializers.CharField):
    """A name; line breaks and other control characters become spaces."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=MAX_NAME_LENGTH, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        name = plain_name(super().to_internal_value(data))
        if not name:
            raise serializers.ValidationError("Enter a name.")
        return name


def plain_name(text: str) -> str:
    """Return a name on one line; control characters become spaces."""
    return " ".join(CONTROL.sub(" ", text).split())


class ChannelChangeSerializer(StrictSerializer):
    """The body of `PATCH /v1/channels/{id}`."""

    name = NameField(required=False)
    settings = serializers.DictField(
        required=False,
        help_text="Depends on the kind: `url` for `webhook` and `apprise`, `address` for `mail`.",
    )
    paused = serializers.BooleanField(
        required=False,
        help_text="False also resumes a disabled channel: events from the last three days are "
        "sent, along with the number of older events that were skipped.",
    )


@extend_schema_serializer(
    examples=[
        OpenApiExample(
            "A webhook",
            {
                "kind": "webhook",
                "name": "Our wiki",
                "settings": {"url": "https://wiki.example/hooks/links"},
            },
        ),
        OpenApiExample(
            "Mail", {"kind": "mail", "name": "Me", "settings": {"address": "ada@example.org"}}
        ),
        OpenApiExample("A feed", {"kind": "feed", "name": "My reader"}),
    ]
)
class ChannelDraftSerializer(StrictSerializer):
    """The body of `POST /v1/channels`."""

    kind = serializers.ChoiceField(ChannelKind.choices)
    name = NameField()
    settings = serializers.DictField(
        default=dict,
        help_text="Depends on the kind: `url` for `webhook` and `apprise`, `address` for `mail`.",
    )
    since = TimeField(
        required=False,
        help_text="Also notify about events since this time, at most three days ago; by default "
        "only about new events. An email address that has to be confirmed gets only "
        "events after its confirmation.",
    )
    deployment = serializers.BooleanField(
        default=False,
        help_text="Operators only: whether all operators share the channel, which then has no "
        "owner.",
    )


@extend_schema_serializer(examples=[OpenApiExample("A channel", _CHANNEL)])
class ChannelSerializer(serializers.Serializer[Channel]):
    """A channel."""  # `context["by"]` is the actor

    id = serializers.CharField()
    kind = serializers.ChoiceField(ChannelKind.choices)
    name = serializers.CharField()
    owner = serializers.CharField(
        source="owner.username",
        default=None,
        allow_null=True,
        help_text="Null if it belongs to the deployment, or is a service user's callback.",
    )
    settings = serializers.SerializerMethodField(
        help_text="For an `apprise` URL, only the scheme is shown; for other URLs, only the scheme "
        "and host, unless you can change the channel."
    )
    state = serializers.ChoiceField(ChannelState.choices)
    reason = serializers.CharField(help_text="Why the channel is disabled or no longer confirmed.")
    created_at = serializers.DateTimeField()
    failing_since = serializers.DateTimeField(allow_null=True)
    next_attempt_at = serializers.DateTimeField(
        allow_null=True, help_text="Null if nothing is waiting to be sent."
    )
    version = VersionField()

    def get_settings(self, channel: Channel) -> dict[str, Any]:
        return shown_settings(channel, self.context["by"])


@extend_schema_serializer(
    examples=[OpenApiExample("A new channel or secret", {**_CHANNEL, **_SECRET})]
)
class ChannelWithSecretSerializer(ChannelSerializer):
    """A channel with a new secret."""

    secret = serializers.CharField(
        required=False,
        help_text="The signing secret of a webhook; absent for other kinds. Shown only once.",
    )
    feed = serializers.DictField(
        child=serializers.URLField(),
        required=False,
        help_text="The addresses of a feed, `atom` and `json`. Shown only once.",
    )


class ChannelFilters(StrictSerializer):
    """Query parameters of `GET /v1/channels`."""

    kind = serializers.ChoiceField(ChannelKind.choices, required=False)
    state = serializers.ChoiceField(ChannelState.choices, required=False)


class SubscriptionChangeSerializer(StrictSerializer):
    """The body of `PATCH /v1/subscriptions/{id}`."""

    what = serializers.ListField(
        child=serializers.ChoiceField(choices=list(WHAT)),
        min_length=1,
        required=False,
        help_text=(
            "network, sinks, disk and schedules concern the deployment and are for operators only."
        ),
    )
    host = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=255,
        help_text="Only targets on this host and its subdomains.",
    )
    reference_prefix = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=255,
        trim_whitespace=False,
        help_text="Only targets with a reference id that starts with this prefix.",
    )
    owner = serializers.CharField(
        required=False,
        allow_null=True,
        max_length=150,
        help_text="Only targets with one of this user's references. Members can only name "
        "themselves; with null, they also get events about their teams' references.",
    )
    when = serializers.ChoiceField(When.choices, required=False)
    hour = serializers.IntegerField(
        min_value=0,
        max_value=23,
        required=False,
        allow_null=True,
        help_text="The hour of daily digests; required for `daily`.",
    )
    time_zone = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=64,
        help_text="The time zone of `hour`, such as Europe/Berlin; UTC if empty.",
    )
    grouped = serializers.BooleanField(
        required=False,
        help_text=(
            "For `at_once`: if one host has many events, send the first alone, then the others as "
            "one message."
        ),
    )

    def validate_what(self, value: list[str]) -> list[str]:
        return [word for word in WHAT if word in value]

    def validate_host(self, value: str) -> str:
        name = value.removeprefix("*").removeprefix(".")
        try:
            return normalize_host(name) if name else ""
        except InvalidHostError as error:
            raise serializers.ValidationError(str(error)) from None

    def validate_owner(self, value: str | None) -> User | None:
        user = User.objects.filter(username=value).first() if value else None
        if value and user is None:
            raise serializers.ValidationError("There is no such user.")
        return user

    def validate_time_zone(self, value: str) -> str:
        if value and value not in available_timezones():
            raise serializers.ValidationError("Must be a time zone such as Europe/Berlin.")
        return value

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return the fields by their names in the model."""
        if "owner" in attrs:
            attrs["of_owner"] = attrs.pop("owner")
        return attrs


@extend_schema_serializer(
    examples=[
        OpenApiExample("Dead pages, immediately", {"channel": _CHANNEL["id"], "what": ["dead"]}),
        OpenApiExample(
            "Every morning",
            {
                "channel": _CHANNEL["id"],
                "what": ["dead", "alive", "attention"],
                "when": "daily",
                "hour": 8,
                "time_zone": "Europe/Berlin",
            },
        ),
    ]
)
class SubscriptionDraftSerializer(SubscriptionChangeSerializer):
    """The body of `POST /v1/subscriptions`."""

    channel = serializers.RegexField(_CHANNEL_ID)
    what = serializers.ListField(
        child=serializers.ChoiceField(choices=list(WHAT)),
        min_length=1,
        help_text=(
            "network, sinks, disk and schedules concern the deployment and are for operators only."
        ),
    )


@extend_schema_serializer(examples=[OpenApiExample("A subscription", _SUBSCRIPTION)])
class SubscriptionSerializer(serializers.Serializer[Any]):
    """A subscription."""

    id = serializers.CharField()
    channel = serializers.CharField(source="channel_id")
    created_at = serializers.DateTimeField()
    what = serializers.ListField(child=serializers.ChoiceField(choices=list(WHAT)))
    host = serializers.CharField()
    reference_prefix = serializers.CharField()
    owner = serializers.CharField(source="of_owner.username", default=None, allow_null=True)
    when = serializers.ChoiceField(When.choices)
    hour = serializers.IntegerField(allow_null=True)
    time_zone = serializers.CharField()
    grouped = serializers.BooleanField()
    version = VersionField()


class SubscriptionFilters(StrictSerializer):
    """Query parameters of `GET /v1/subscriptions`."""

    channel = serializers.RegexField(_CHANNEL_ID, required=False)

    def validate_channel(self, value: str) -> str:
        if not is_id("channel", value):
            raise serializers.ValidationError("This is not a channel id.")
        return value


@extend_schema_serializer(examples=[OpenApiExample("A delivery", _DELIVERY)])
class DeliverySerializer(serializers.Serializer[Delivery]):
    """A delivery without its body."""  # `context` has the actor `by` and the `channel`

    number = serializers.IntegerField()
    message_id = serializers.CharField(help_text="The same each time the message is sent.")
    type = serializers.CharField()
    subject = serializers.CharField()
    created_at = serializers.DateTimeField()
    state = serializers.ChoiceField(DeliveryState.choices)
    attempts = serializers.IntegerField()
    attempted_at = serializers.DateTimeField(allow_null=True)
    next_attempt_at = serializers.SerializerMethodField()
    status_code = serializers.IntegerField(allow_null=True)
    error = serializers.CharField()
    answer = serializers.SerializerMethodField(
        help_text="The start of the receiver's response; null unless you are an operator."
    )

    def get_next_attempt_at(self, delivery: Delivery) -> str | None:
        if delivery.state != DeliveryState.WAITING:
            return None
        at = self.context["channel"].next_attempt_at
        return None if at is None else serializers.DateTimeField().to_representation(at)

    def get_answer(self, delivery: Delivery) -> str | None:
        return delivery.answer if sees_responses(self.context["by"]) else None


@extend_schema_serializer(
    examples=[OpenApiExample("A delivery", {**_DELIVERY, "body": '{"specversion": "1.0", …}'})]
)
class DeliveryWithBodySerializer(DeliverySerializer):
    """A delivery."""

    body = serializers.SerializerMethodField(
        help_text="What is sent; null unless you can change the channel, because emails contain "
        "a link to unsubscribe."
    )

    def get_body(self, delivery: Delivery) -> str | None:
        return delivery.body if sees_bodies(self.context["by"]) else None


class DeliveryFilters(StrictSerializer):
    """Query parameters of `GET /v1/channels/{id}/deliveries`."""

    state = serializers.ChoiceField(DeliveryState.choices, required=False)


class RedeliverySerializer(StrictSerializer):
    """The body of `POST /v1/channels/{id}/redeliver`."""

    since = TimeField(
        help_text="Messages created at or after this time are sent again, "
        "except those that are still waiting."
    )


class RedeliveredSerializer(serializers.Serializer[Any]):
    """The number of deliveries that were queued again."""

    deliveries = serializers.IntegerField()


def sees_responses(by: Actor) -> bool:
    """Return whether the actor may read receivers' responses, which may expose networks."""
    return by.is_operator


def sees_bodies(by: Actor) -> bool:
    """Return whether the actor may read the messages of channels that it may see."""
    return by.role is not Role.VIEWER


def shown_settings(channel: Channel, by: Actor) -> dict[str, Any]:
    """Return the settings to show; for viewers, URLs have only scheme and host."""
    shown = kind_of(channel.kind).settings_to_show(channel.settings)
    if by.role is Role.VIEWER and "url" in shown:
        shown["url"] = redacted_url(shown["url"])
    return shown


def destination_of(channel: Channel, by: Actor) -> str:
    """Return a channel's URL or address, as the actor may see it; empty for feeds."""
    shown = shown_settings(channel, by)
    return str(shown.get("url") or shown.get("address") or "")


def redacted_url(url: str) -> str:
    """Return the scheme and host of a URL, without parts that may be secret."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.hostname or ''}/…"
