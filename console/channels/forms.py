"""Forms for channels and subscriptions; the API's serializers validate subscriptions."""

from collections.abc import Iterable
from copy import deepcopy
from datetime import datetime, timedelta
from functools import cache
from typing import Any, cast
from urllib.parse import urlsplit
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.http import QueryDict
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from rest_framework.exceptions import APIException

from foundation.admin.forms import PLAIN, ApiForm
from foundation.http.errors import ApiError
from notify.matching import WHAT
from notify.models import ChannelKind, Subscription, When
from notify.serializers import MAX_NAME_LENGTH, SubscriptionChangeSerializer, plain_name
from notify.services import OPERATOR_CATEGORIES

# Periods in the past: label and length. The longest is shorter than MAX_AGE, after which messages
# are skipped.
SPANS = {
    "hour": ("the last hour", timedelta(hours=1)),
    "day": ("the last day", timedelta(days=1)),
    "days": ("the last 3 days", timedelta(days=3) - timedelta(minutes=1)),
}
_WHEN = {
    When.AT_ONCE: "Immediately",
    When.HOURLY: "Hourly digest",
    When.DAILY: "Daily digest",
}
_GROUPED = {
    "yes": "Send the first event for each host immediately and the rest in one message",
    "no": "Send one message per page",
}
_KINDS = {
    ChannelKind.WEBHOOK: "Webhook",
    ChannelKind.MAIL: "Email",
    ChannelKind.FEED: "Feed",
    ChannelKind.APPRISE: "Slack, Teams, Discord, ntfy and others",
}
_PRESELECTED = ("dead", "alive", "repairs", "network")  # in the form for creating a channel


class _DestinationField(forms.CharField):
    """The field for the destination of a channel."""

    def __init__(self, label: str, *, hint: str = "", **attrs: str) -> None:
        super().__init__(
            label=label,
            required=False,
            max_length=2048,
            help_text=hint,
            widget=forms.TextInput(attrs={**PLAIN, **attrs}),
        )


# The setting of each kind that has a destination: its name and its field.
_SETTINGS = {
    ChannelKind.WEBHOOK: (
        "url",
        _DestinationField(
            "URL to post to",
            hint="Receives a signed POST request for each message (Standard Webhooks).",
            placeholder="https://example.org/hooks/links",
            inputmode="url",
        ),
    ),
    ChannelKind.MAIL: (
        "address",
        _DestinationField(
            "Email address",
            hint="Unless we know that this address is yours, we'll first email a confirmation "
            "link to it.",
            placeholder="ada@example.org",
            inputmode="email",
        ),
    ),
    ChannelKind.APPRISE: (
        "url",
        _DestinationField(
            "Apprise URL",
            hint="It may contain a secret, so it won't be shown again.",
            placeholder="slack://TokenA/TokenB/TokenC",
        ),
    ),
}


class VersionedForm(ApiForm):
    """A form that changes an object only if its `version` is still the one that was shown."""

    def show_error(self, error: APIException) -> None:
        """Show an error of the API.

        After a concurrent change, the form gets the new version, so that saving again overwrites
        the change.
        """
        if not (isinstance(error, ApiError) and error.code == "version_mismatch"):
            super().show_error(error)
            return
        data = cast("QueryDict", self.data).copy()
        data["version"] = str(error.details["version"])
        self.data = data
        self.add_error(
            None,
            "Somebody changed this after you opened the page. Save again to overwrite those "
            "changes.",
        )


class ChannelForm(VersionedForm):
    """The name and the destination of a channel; feeds have no destination."""

    name = forms.CharField(label="Name", max_length=MAX_NAME_LENGTH, widget=forms.TextInput(PLAIN))

    def __init__(self, *args: Any, kind: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kind = ChannelKind(kind)
        if self.kind in _SETTINGS:
            name, field = _SETTINGS[self.kind]
            self.fields[name] = deepcopy(field)
            self.fields[name].required = True

    @property
    def destination(self) -> forms.BoundField | None:
        """The field of the destination, if the kind has one."""
        return self[_SETTINGS[self.kind][0]] if self.kind in _SETTINGS else None

    def clean_name(self) -> str:
        name = plain_name(self.cleaned_data["name"])
        if not name:
            raise forms.ValidationError("Enter a name.")
        return name

    def changes(self) -> dict[str, Any]:
        """Return the filled-in fields, as `services.change_channel` expects them."""
        changes: dict[str, Any] = {"name": self.cleaned_data["name"]}
        field = self.destination
        if field is not None and self.cleaned_data[field.name]:
            changes["settings"] = {field.name: self.cleaned_data[field.name]}
        return changes


class ChannelChangeForm(ChannelForm):
    """The form to change a channel."""

    version = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.kind == ChannelKind.APPRISE:  # the current URL is not shown
            self.initial.pop("url", None)
            field = self.fields["url"]
            field.required, field.help_text = False, "Leave blank to keep the current URL."


@cache
def _zones() -> SafeString:
    """Return the HTML options for all time zones; cached, because rendering 600 of them is slow."""
    return format_html_join(
        "", "<option>{}</option>", ((name,) for name in sorted(available_timezones()))
    )


class SubscriptionForm(VersionedForm):
    """A subscription: the events that a channel gets, and when."""

    what = forms.MultipleChoiceField(
        label="Notify when", choices=list(WHAT.items()), widget=forms.CheckboxSelectMultiple
    )
    host = forms.CharField(
        label="Only pages on this host",
        required=False,
        max_length=255,
        help_text="Includes subdomains. Leave blank for all hosts.",
        widget=forms.TextInput({**PLAIN, "placeholder": "example.org"}),
    )
    reference_prefix = forms.CharField(
        label="Only references starting with",
        required=False,
        max_length=255,
        strip=False,
        help_text="A reference is the ID under which a page is watched, such as docs/install.",
        widget=forms.TextInput({**PLAIN, "placeholder": "docs/"}),
    )
    owner = forms.CharField(
        label="Only this user's references",
        required=False,
        max_length=150,
        widget=forms.TextInput(PLAIN),
    )
    when = forms.ChoiceField(
        label="How often",
        choices=list(_WHEN.items()),
        initial=When.AT_ONCE,
        widget=forms.RadioSelect,
    )
    grouped = forms.ChoiceField(
        label="If many pages change at once",
        choices=list(_GROUPED.items()),
        initial="yes",
        widget=forms.RadioSelect,
    )
    hour = forms.TypedChoiceField(
        label="Daily digest at",
        required=False,
        coerce=int,
        empty_value=None,
        initial=8,
        choices=[(hour, f"{hour:02}:00") for hour in range(24)],
    )
    time_zone = forms.CharField(
        label="Time zone",
        required=False,
        max_length=64,
        initial="UTC",
        help_text="For example, Europe/Berlin.",
        widget=forms.TextInput({**PLAIN, "list": "zones"}),
    )
    version = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, for_operators: bool, **kwargs: Any) -> None:
        """`for_operators`: whether the channel may also get events of the deployment."""
        super().__init__(*args, **kwargs)
        what: Any = self.fields["what"]
        if not for_operators:
            what.choices = [pair for pair in WHAT.items() if pair[0] not in OPERATOR_CATEGORIES]
            del self.fields["owner"]

    @property
    def zones(self) -> SafeString:
        """The HTML options for the time zone."""
        return _zones()

    def validated_fields(self) -> dict[str, Any]:
        """Return the fields as `subscribe` expects them; raises ValidationError."""
        names = ("what", "host", "reference_prefix", "when", "hour", "time_zone")
        fields = {name: self.cleaned_data[name] for name in names}
        fields |= {"owner": self.cleaned_data.get("owner") or None}
        fields |= {"grouped": self.cleaned_data["grouped"] == "yes"}
        return dict(SubscriptionChangeSerializer().run_validation(fields))

    def check_rules(self) -> object:
        return self.validated_fields()


class NewChannelForm(SubscriptionForm):
    """A new channel with its first subscription; `kinds` are the kinds to choose from."""

    kind = forms.ChoiceField(label="How should we notify you?", widget=forms.RadioSelect)
    url = deepcopy(_SETTINGS[ChannelKind.WEBHOOK][1])
    address = deepcopy(_SETTINGS[ChannelKind.MAIL][1])
    service = deepcopy(_SETTINGS[ChannelKind.APPRISE][1])
    name = forms.CharField(
        label="Name",
        required=False,
        max_length=MAX_NAME_LENGTH,
        help_text="Leave blank for a default name.",
        widget=forms.TextInput(PLAIN),
    )
    test = forms.BooleanField(
        label="Send a test message", required=False, initial=True, help_text=""
    )
    begins = forms.ChoiceField(
        label="Include past events",
        required=False,
        choices=[
            ("", "No"),
            *((name, f"From {words}") for name, (words, _) in SPANS.items()),
        ],
    )
    deployment = forms.BooleanField(
        label="Shared by all operators",
        required=False,
        help_text="Any operator can edit this channel, and it is kept if your account is deleted.",
    )

    def __init__(self, *args: Any, kinds: Iterable[ChannelKind], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kind: Any = self.fields["kind"]
        kind.choices = [(each.value, _KINDS[each]) for each in kinds]
        what: Any = self.fields["what"]
        what.initial = [name for name, _ in what.choices if name in _PRESELECTED]
        if not settings.EMAIL_URL:
            self.fields[
                "address"
            ].help_text = "This server can't send email yet. Ask an operator to set EMAIL_URL."

    @property
    def destinations(self) -> list[tuple[str, forms.BoundField]]:
        """The kinds to choose from that have a destination, each with the field for it."""
        kind: Any = self.fields["kind"]
        kinds = [name for name, _ in kind.choices]
        return [(name, self[field]) for name, field in _DESTINATION_FIELDS.items() if name in kinds]

    def clean(self) -> dict[str, Any]:
        field = _DESTINATION_FIELDS.get(self.cleaned_data.get("kind", ""))
        if field and not self.cleaned_data.get(field) and field not in self.errors:
            self.add_error(field, "This field is required.")
        return super().clean()

    def show_error(self, error: APIException) -> None:
        """Show an error of the API. Errors about an Apprise URL appear at the field `service`."""
        if isinstance(error, ApiError) and self.cleaned_data.get("kind") == ChannelKind.APPRISE:
            details = dict(error.details)
            if "url" in details:
                details["service"] = details.pop("url")
            error = ApiError(error.code, error.message, details=details)
        super().show_error(error)

    def draft(self, *, now: datetime) -> dict[str, Any]:
        """Return the channel's fields as `services.create_channel` expects them."""
        cleaned = self.cleaned_data
        kind = ChannelKind(cleaned["kind"])
        destination = cleaned[_DESTINATION_FIELDS[kind]] if kind in _DESTINATION_FIELDS else ""
        draft: dict[str, Any] = {"kind": kind, "name": plain_name(cleaned["name"])}
        draft["name"] = draft["name"] or _default_name(kind, destination)
        draft["settings"] = {_SETTINGS[kind][0]: destination} if destination else {}
        if cleaned["begins"]:
            _, length = SPANS[cleaned["begins"]]
            draft["since"] = now - length
        return {**draft, "deployment": cleaned.get("deployment", False)}


# The destination field of each kind in the form for creating a channel.
_DESTINATION_FIELDS: dict[str, str] = {
    ChannelKind.WEBHOOK: "url",
    ChannelKind.MAIL: "address",
    ChannelKind.APPRISE: "service",
}


def _default_name(kind: ChannelKind, destination: str) -> str:
    """Return a default name for a channel.

    That is the email address, the host of a webhook, the scheme of an Apprise URL, or the kind.
    """
    if kind == ChannelKind.MAIL:
        return destination[:MAX_NAME_LENGTH]
    is_webhook = kind == ChannelKind.WEBHOOK
    name = urlsplit(destination).hostname if is_webhook else destination.partition(":")[0]
    return (plain_name(name or "") or kind.label)[:MAX_NAME_LENGTH]


def initial_values(subscription: Subscription) -> dict[str, Any]:
    """Return the initial values of a subscription's form."""
    names = ("what", "host", "reference_prefix", "when", "hour", "time_zone", "version")
    initial = {name: getattr(subscription, name) for name in names}
    owner = subscription.of_owner.username if subscription.of_owner else ""
    initial |= {"owner": owner, "grouped": "yes" if subscription.grouped else "no"}
    return initial | {"hour": 8 if subscription.hour is None else subscription.hour}
