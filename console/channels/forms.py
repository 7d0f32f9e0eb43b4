"""What people fill in about channels; the API's own rules judge it."""

from copy import deepcopy
from datetime import datetime, timedelta
from functools import cache
from typing import Any, cast
from zoneinfo import available_timezones

from django import forms
from django.http import QueryDict
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from rest_framework.exceptions import APIException

from foundation.admin.forms import PLAIN, RuledForm
from foundation.http.errors import ApiError
from notify.matching import WHAT
from notify.models import ChannelKind, Subscription, When
from notify.serializers import MAX_NAME, SubscriptionChangeSerializer, plain_name
from notify.services import OPERATORS_WORDS

# Of what is past: words, and how long.
SPANS = {
    "hour": ("the last hour", timedelta(hours=1)),
    "day": ("the last day", timedelta(days=1)),
    "days": ("the last 3 days", timedelta(days=3) - timedelta(minutes=1)),
}
_WHEN = {
    When.AT_ONCE: "At once",
    When.HOURLY: "Every hour, in one message",
    When.DAILY: "Every day, in one message",
}
_GROUPED = {
    "yes": "The first of a host at once, then all others of it in one message",
    "no": "A message for each",
}


class _Place(forms.CharField):
    """Where a channel leads, by its kind."""

    def __init__(self, label: str, *, hint: str = "", **attrs: str) -> None:
        super().__init__(
            label=label,
            max_length=2048,
            help_text=hint,
            widget=forms.TextInput(attrs={**PLAIN, **attrs}),
        )


# The settings of each kind: the name, and the field to fill in.
_SETTINGS = {
    ChannelKind.WEBHOOK: (
        "url",
        _Place(
            "Where is it posted to?",
            hint="A program's address, which gets a signed POST.",
            placeholder="https://example.org/hooks/links",
            inputmode="url",
        ),
    ),
    ChannelKind.MAIL: (
        "address",
        _Place(
            "Which address?",
            hint="Whoever reads it is asked first, by a mail with a link.",
            placeholder="ada@example.org",
            inputmode="email",
        ),
    ),
    ChannelKind.APPRISE: (
        "url",
        _Place(
            "Which service?",
            hint="Its URL as Apprise has it. It may hold a secret, so it is not shown again.",
            placeholder="slack://TokenA/TokenB/TokenC",
        ),
    ),
}


class SeenForm(RuledForm):
    """A form for what there may be already: changed only as one has seen it, by `version`."""

    def tell(self, error: APIException) -> None:
        """Of what was changed meanwhile, let what is filled in take its place if it is sent again.

        All else is told as usual.
        """
        if not (isinstance(error, ApiError) and error.code == "version_mismatch"):
            super().tell(error)
            return
        data = cast("QueryDict", self.data).copy()
        data["version"] = str(error.details["version"])
        self.data = data
        self.add_error(
            None,
            "It was changed since you opened this page. Save again to put what is below in place "
            "of that.",
        )


class ChannelForm(SeenForm):
    """A channel's name and where it leads."""

    name = forms.CharField(label="Name", max_length=MAX_NAME, widget=forms.TextInput(PLAIN))

    def __init__(self, *args: Any, kind: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kind = ChannelKind(kind)
        if self.kind in _SETTINGS:
            name, field = _SETTINGS[self.kind]
            self.fields[name] = deepcopy(field)

    @property
    def place(self) -> forms.BoundField | None:
        """The field of where it leads, of the kinds that have one."""
        return self[_SETTINGS[self.kind][0]] if self.kind in _SETTINGS else None

    def clean_name(self) -> str:
        name = plain_name(self.cleaned_data["name"])
        if not name:
            raise forms.ValidationError("Give a name.")
        return name

    def changes(self) -> dict[str, Any]:
        """Return what is filled in, as the API has it."""
        given: dict[str, Any] = {"name": self.cleaned_data["name"]}
        place = self.place
        if place is not None and self.cleaned_data[place.name]:
            given["settings"] = {place.name: self.cleaned_data[place.name]}
        return given


class NewChannelForm(ChannelForm):
    """A channel to be made."""

    begins = forms.ChoiceField(
        label="Begin",
        required=False,
        choices=[
            ("", "From now on"),
            *((name, f"With {words}") for name, (words, _) in SPANS.items()),
        ],
    )
    deployment = forms.BooleanField(
        label="For all operators",
        required=False,
        help_text="Nobody's own: it stays when you leave, and each operator may change it.",
    )

    def draft(self, *, now: datetime) -> dict[str, Any]:
        """Return what is filled in, as services take it."""
        given = {**self.changes(), "kind": self.kind}
        if self.cleaned_data["begins"]:
            _, back = SPANS[self.cleaned_data["begins"]]
            given["since"] = now - back
        return {**given, "deployment": self.cleaned_data.get("deployment", False)}


class ChangedChannelForm(ChannelForm):
    """A channel to be changed as it was seen."""

    version = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.kind == ChannelKind.APPRISE:  # what there is is not shown
            self.initial.pop("url", None)
            field = self.fields["url"]
            field.required, field.help_text = False, "Leave it empty to keep the one that it has."


@cache
def _zones() -> SafeString:
    """Return the time zones to choose from, once for all: a select of 600 takes its time."""
    return format_html_join(
        "", "<option>{}</option>", ((name,) for name in sorted(available_timezones()))
    )


class SubscriptionForm(SeenForm):
    """The events that a channel gets, and when."""

    what = forms.MultipleChoiceField(
        label="Tell when", choices=list(WHAT.items()), widget=forms.CheckboxSelectMultiple
    )
    host = forms.CharField(
        label="Only of this host",
        required=False,
        max_length=255,
        help_text="And of names that end in it. Leave it empty for all.",
        widget=forms.TextInput({**PLAIN, "placeholder": "example.org"}),
    )
    reference_prefix = forms.CharField(
        label="Only where a reference begins with",
        required=False,
        max_length=255,
        strip=False,
        help_text="References are what programs and people register a page by.",
        widget=forms.TextInput({**PLAIN, "placeholder": "wiki/"}),
    )
    owner = forms.CharField(
        label="Only what this user refers to",
        required=False,
        max_length=150,
        widget=forms.TextInput(PLAIN),
    )
    when = forms.ChoiceField(
        label="When?", choices=list(_WHEN.items()), initial=When.AT_ONCE, widget=forms.RadioSelect
    )
    grouped = forms.ChoiceField(
        label="If many happen at once",
        choices=list(_GROUPED.items()),
        initial="yes",
        widget=forms.RadioSelect,
    )
    hour = forms.TypedChoiceField(
        label="At",
        required=False,
        coerce=int,
        empty_value=None,
        initial=8,
        choices=[(hour, f"{hour:02}:00") for hour in range(24)],
    )
    time_zone = forms.CharField(
        label="In the time of",
        required=False,
        max_length=64,
        initial="UTC",
        help_text="Such as Europe/Berlin.",
        widget=forms.TextInput({**PLAIN, "list": "zones"}),
    )
    version = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, for_operators: bool, **kwargs: Any) -> None:
        """`for_operators`: whether its channel may also get events of the deployment."""
        super().__init__(*args, **kwargs)
        what: Any = self.fields["what"]
        if not for_operators:
            what.choices = [pair for pair in WHAT.items() if pair[0] not in OPERATORS_WORDS]
            del self.fields["owner"]

    @property
    def zones(self) -> SafeString:
        """The options of the list that the time zone is chosen from."""
        return _zones()

    def fields_of(self) -> dict[str, Any]:
        """Return the valid fields as services take them; raises ValidationError."""
        names = ("what", "host", "reference_prefix", "when", "hour", "time_zone")
        given = {name: self.cleaned_data[name] for name in names}
        given |= {"owner": self.cleaned_data.get("owner") or None}
        given |= {"grouped": self.cleaned_data["grouped"] == "yes"}
        return dict(SubscriptionChangeSerializer().run_validation(given))

    def ask_the_rules(self) -> object:
        return self.fields_of()


def initial_of(subscription: Subscription) -> dict[str, Any]:
    """Return what the form of a subscription holds at first."""
    names = ("what", "host", "reference_prefix", "when", "hour", "time_zone", "version")
    held = {name: getattr(subscription, name) for name in names}
    owner = subscription.of_owner.username if subscription.of_owner else ""
    held |= {"owner": owner, "grouped": "yes" if subscription.grouped else "no"}
    return held | {"hour": 8 if subscription.hour is None else subscription.hour}
