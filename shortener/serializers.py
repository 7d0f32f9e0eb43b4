"""The JSON of short links: the declaration that CSV files and forms follow."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from accounts.team_serializers import ForEveryoneField, ObjectTeamField, TeamNameField
from foundation.http.errors import ErrorSerializer
from foundation.http.serializers import (
    ExpirySerializer,
    StrictSerializer,
    TimeField,
    VersionField,
)
from foundation.tags import TagField, TagListField
from foundation.times import rfc3339
from shortener.destinations import accept, short_url
from shortener.former_destinations import FormerDestinationRow
from shortener.models import LinkState, ShortURL, WhenGone
from shortener.reserved_keys import check_new_key
from shortener.services import NewLink
from shortener.short_keys import KEY_PATTERN, MAX_LENGTH, InvalidKeyError, check_key
from targets.serializers import STATES, HostFilterField, URLTextField

MAX_BULK = 1000
MAX_SEARCH = 100  # characters
MAX_VISITS = 1_000_000_000
MAX_EARLIER_VISITS = 10**15
# Fields of NewLink itself; the others are in its `columns`.
_NOT_COLUMNS = ("long_url", "key", "watch", "tags", "team")

_LINK: dict[str, Any] = {
    "key": "spring",
    "short_url": "https://linkwatch.example/s/spring",
    "long_url": "https://example.com/page",
    "state": "active",
    "created_at": "2026-11-01T12:00:00Z",
    "expires_at": "2026-11-08T12:00:00Z",
    "max_visits": None,
    "visits_left": None,
    "visits": 12,
    "earlier_visits": 0,
    "disabled": False,
    "tags": [],
    "watch": False,
    "when_gone": "page",
    "retargetable": False,
    "target": None,
    "owner": "ada",
    "team": None,
    "for_everyone": False,
    "version": 1,
}


class LinkFieldsSerializer(ExpirySerializer):
    """The fields of a link that people set and may change.

    A field that is declared here, in ShortURLSerializer and as a column of ShortURL appears in the
    API, in its description, in CSV imports and exports, and in the forms of the console and the
    admin.
    """

    max_visits = serializers.IntegerField(
        min_value=1, max_value=MAX_VISITS, required=False, allow_null=True
    )
    watch = serializers.BooleanField(required=False)
    when_gone = serializers.ChoiceField(
        choices=WhenGone.choices,
        required=False,
        help_text="What happens while the watched destination is dead. `page`, the default: people "
        "see a notice, and programs are redirected. `lead_on`: everybody is redirected. `archive`: "
        "everybody is redirected to a verified copy in a web archive, if there is one; only for "
        "links created with `archive` or with `retargetable`.",
    )
    tags = TagListField(required=False)
    team = ObjectTeamField()
    for_everyone = ForEveryoneField()


@extend_schema_field({"type": "string", "pattern": KEY_PATTERN, "example": "spring"})
class KeyField(serializers.CharField):
    """A key that the client chooses; null asks for a random one. `check` raises InvalidKeyError."""

    def __init__(self, check: Callable[[str], None] = check_new_key, **kwargs: Any) -> None:
        self._check = check
        super().__init__(max_length=MAX_LENGTH, trim_whitespace=False, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        key = super().to_internal_value(data)
        try:
            self._check(key)
        except InvalidKeyError as error:
            raise serializers.ValidationError(str(error)) from None
        return key


@extend_schema_serializer(
    examples=[
        OpenApiExample(
            "A link for a week",
            {"long_url": "https://example.com/page", "key": "spring", "ttl": "7d"},
        )
    ]
)
class LinkSerializer(LinkFieldsSerializer):
    """The body of `POST /v1/urls`."""

    long_url = URLTextField()
    key = KeyField(required=False, allow_null=True, help_text="Some keys are reserved.")
    retargetable = serializers.BooleanField(
        required=False,
        help_text="Whether PATCH may change `long_url`. This can't be changed later. The "
        "preview of a retargetable link shows its former destinations to everybody.",
    )
    earlier_visits = serializers.IntegerField(
        min_value=0,
        max_value=MAX_EARLIER_VISITS,
        required=False,
        help_text="Visits counted elsewhere, before the link moved here; `visits` includes them. "
        "This can't be changed later.",
    )

    def new_link(self, data: Any, *, now: datetime) -> NewLink:
        """Return the validated request.

        Raises ValidationError, or the errors of `destinations.accept` for `long_url`.
        """
        valid = self.valid_fields(data, now=now)
        canonical = accept(valid["long_url"], watch=valid.get("watch", False))
        self.check_times(valid, now=now)
        own_fields = {name: valid.pop(name) for name in _NOT_COLUMNS if name in valid}
        return NewLink(canonical=canonical, columns=valid, **own_fields)

    def check_times(self, valid: Mapping[str, Any], *, now: datetime) -> None:
        """Raise ValidationError for times that a new link can't have."""
        if valid.get("expires_at") is not None and valid["expires_at"] <= now:
            raise serializers.ValidationError({"expires_at": ["This time is in the past."]})


class ImportSerializer(LinkSerializer):
    """A link as written by `export_urls`.

    The link may have expired, and its key may have become a reserved word since it was created.
    """

    key = KeyField(check=check_key, required=False, allow_null=True)
    earlier_visits = None  # type: ignore[assignment]  # `visits` includes them
    team = None  # type: ignore[assignment]  # imported links have no owner
    created_at = TimeField(required=False)
    visits = serializers.IntegerField(
        source="earlier_visits", min_value=0, max_value=MAX_EARLIER_VISITS, required=False
    )
    visits_left = serializers.IntegerField(min_value=0, max_value=MAX_VISITS, required=False)
    disabled = serializers.BooleanField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        attrs = super().validate(attrs)
        if attrs.get("visits_left", 0) > (attrs.get("max_visits") or 0):
            raise serializers.ValidationError(
                {"visits_left": ["Must not be more than max_visits."]}
            )
        return attrs

    def check_times(self, valid: Mapping[str, Any], *, now: datetime) -> None:
        """Raise ValidationError for a creation in the future; the link may have ended."""
        if "created_at" in valid and valid["created_at"] > now:
            raise serializers.ValidationError({"created_at": ["This time is in the future."]})


class FormerDestinationSerializer(StrictSerializer):
    """A former destination of a retargetable link, as `export_urls` writes it."""

    key = serializers.CharField(max_length=MAX_LENGTH, trim_whitespace=False)
    long_url = URLTextField()
    led_until = TimeField()

    def row(self, data: Any, *, now: datetime) -> FormerDestinationRow:
        """Return the validated former destination.

        Raises ValidationError, or the errors of `destinations.accept`.
        """
        valid = self.run_validation(data)
        if valid["led_until"] > now:
            raise serializers.ValidationError({"led_until": ["This time is in the future."]})
        accept(valid["long_url"], watch=False)
        return FormerDestinationRow(valid["key"], valid["long_url"], valid["led_until"])


class LinkChangeSerializer(LinkFieldsSerializer):
    """The body of `PATCH /v1/urls/{key}`; null removes a limit.

    `long_url` can only be changed if the link was created as `retargetable`.
    """

    disabled = serializers.BooleanField(required=False)
    long_url = URLTextField(required=False)

    def changes(self, data: Any, *, now: datetime) -> dict[str, Any]:
        """Return the validated changes; an `expires_at` in the past ends the link now.

        Raises ValidationError, or the errors of `destinations.accept` for a `long_url`.
        """
        valid = self.valid_fields(data, now=now)
        if "long_url" in valid:
            accept(valid["long_url"], watch=valid.get("watch", False))
        return valid


class DryRunField(serializers.BooleanField):
    """Whether a bulk request only reports what it would do."""

    def __init__(self) -> None:
        super().__init__(
            default=False,
            help_text="Create nothing; the results say what would be created (201, without the "
            "link), which links already exist with the same destination (200), and what would "
            "be refused.",
        )


class LinkBulkSerializer(StrictSerializer):
    """The body of `POST /v1/urls/bulk`; each item is validated separately."""

    items = serializers.ListField(max_length=MAX_BULK)
    dry_run = DryRunField()


# For the API's description only: `LinkBulkSerializer` validates requests.
class LinkBulkRequestSerializer(serializers.Serializer[Any]):
    """Up to 1,000 new links."""

    items = serializers.ListField(child=LinkSerializer(), max_length=MAX_BULK)
    dry_run = DryRunField()


class DestinationSerializer(serializers.Serializer[Any]):
    """The target for the watched destination."""

    id = serializers.CharField()
    state = serializers.ChoiceField(choices=STATES)
    last_checked_at = serializers.DateTimeField(allow_null=True)
    last_error = serializers.CharField(allow_null=True)


@extend_schema_serializer(examples=[OpenApiExample("A link for a week", _LINK)])
class ShortURLSerializer(serializers.Serializer[ShortURL]):
    """A short link."""

    key = serializers.CharField()
    short_url = serializers.CharField()
    long_url = serializers.CharField()
    state = serializers.ChoiceField(choices=LinkState.choices)
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True)
    max_visits = serializers.IntegerField(allow_null=True)
    visits_left = serializers.IntegerField(allow_null=True)
    visits = serializers.IntegerField()
    earlier_visits = serializers.IntegerField(
        help_text="The part of `visits` that was counted elsewhere before the link moved here."
    )
    disabled = serializers.BooleanField()
    tags = serializers.ListField(child=serializers.CharField())
    watch = serializers.BooleanField()
    when_gone = serializers.ChoiceField(choices=WhenGone.choices)
    retargetable = serializers.BooleanField()
    target = DestinationSerializer(allow_null=True)
    owner = serializers.CharField(
        allow_null=True,
        help_text="The owner's username; null if a service user or a command created the link.",
    )
    team = serializers.CharField(
        allow_null=True,
        help_text="The team whose members can see and, unless they are viewers, change the link.",
    )
    for_everyone = serializers.BooleanField(
        help_text="Whether everyone who signs in can see the link."
    )
    version = VersionField()


_SHOWN = tuple(ShortURLSerializer().fields)


def represent(link: ShortURL, *, visits: int, now: datetime) -> dict[str, Any]:
    """Return the JSON of a link that was loaded with its details: columns and computed fields.

    DRF takes 50 µs for the same fields, this takes 15 µs; a page has up to 1,000 links.
    """
    target = link.target
    computed = {
        "short_url": short_url(link.key),
        "state": link.state(now).value,
        "created_at": rfc3339(link.created_at),
        "expires_at": rfc3339(link.expires_at),
        "visits": visits,
        "tags": link.tag_names,
        "watch": target is not None,
        "when_gone": link.chosen_when_gone.value,
        "target": None
        if target is None
        else {
            "id": target.id,
            "state": target.state,
            "last_checked_at": rfc3339(target.last_checked_at),
            "last_error": target.last_error,
        },
        "owner": None if link.owner is None else link.owner.get_username(),
        "team": None if link.team is None else link.team.name,
    }
    return {name: computed[name] if name in computed else getattr(link, name) for name in _SHOWN}


class LinkBulkResultSerializer(serializers.Serializer[Any]):
    """The result for one item: a link or an error; neither for a 201 from a dry run."""

    status = serializers.ChoiceField(choices=[200, 201, 400, 409])
    url = ShortURLSerializer(required=False)
    error = ErrorSerializer(required=False)


class LinkDeletionSerializer(StrictSerializer):
    """The body of `POST /v1/urls/bulk/delete`; an unknown key does not affect the others."""

    keys = serializers.ListField(
        child=serializers.CharField(max_length=MAX_LENGTH, trim_whitespace=False),
        max_length=MAX_BULK,
    )


class LinkDeletionResultSerializer(serializers.Serializer[Any]):
    """The result for one link."""

    status = serializers.ChoiceField(choices=[204, 403, 404, 410])
    key = serializers.CharField()
    error = ErrorSerializer(required=False)


class LinkDeletionResponseSerializer(serializers.Serializer[Any]):
    """The response, in the order of the keys."""

    results = LinkDeletionResultSerializer(many=True)


class LinkBulkResponseSerializer(serializers.Serializer[Any]):
    """The response to a bulk request, in the order of its items."""

    results = LinkBulkResultSerializer(many=True)


class LinkFilters(StrictSerializer):
    """Query parameters of `GET /v1/urls`."""

    tag = TagField(required=False)
    state = serializers.ChoiceField(choices=LinkState.choices, required=False)
    url = URLTextField(required=False, help_text="Links whose destination is exactly this URL.")
    host = HostFilterField(required=False, help_text="Links to this host.")
    q = serializers.CharField(
        max_length=MAX_SEARCH,
        required=False,
        help_text="Links with this text in the key or the URL.",
    )
    team = TeamNameField(required=False, help_text="This team's links.")
    for_everyone = serializers.BooleanField(
        required=False, help_text="If true, links that everyone can see; if false, all others."
    )


class CleanupStatsSerializer(serializers.Serializer[Any]):
    """Statistics for the reaper."""

    last_cleanup_time = serializers.DateTimeField(allow_null=True)
    total_cleaned = serializers.IntegerField()
    last_batch_size = serializers.IntegerField()
    successful_runs = serializers.IntegerField()
    failed_runs = serializers.IntegerField()
    average_cleanup_ms = serializers.FloatField()
    is_running = serializers.BooleanField()
