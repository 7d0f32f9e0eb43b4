"""The search form of the list of targets."""

from collections.abc import Iterator
from datetime import UTC, tzinfo
from typing import Any

from django import forms
from django.contrib.auth.models import User

from accounts.actors import Actor
from console.forms import search_field
from console.periods import NIGHT, PERIODS, Period, read_period
from foundation.admin.forms import PLAIN
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from targets import services
from targets.canonical import MAX_URL_BYTES
from targets.flags import FLAGS, flag_label
from targets.search.criteria import MAX_TEXT_LENGTH, MIN_TEXT_LENGTH, Criteria
from targets.search.target_search import ORDERS
from targets.state import State

UNSURE, NEVER_SEEN, PAUSED, MINE = "inconclusive", "never_seen", "paused", "mine"
STATES = {
    State.DEAD.value: "Dead",
    State.POTENTIALLY_DEAD.value: "Potentially dead",
    UNSURE: "Inconclusive",
    NEVER_SEEN: "Always inconclusive",
    PAUSED: "Paused",
    State.ALIVE.value: "Alive",
    State.PENDING.value: "Pending",
}


_SINCE = {name: f"in the {label.lower()}" for name, label in PERIODS.items()} | {
    NIGHT: "last night"
}


def _field(label: str, placeholder: str, *, max_length: int, strip: bool = True) -> forms.CharField:
    widget = forms.TextInput(attrs={**PLAIN, "placeholder": placeholder})
    return forms.CharField(
        label=label, required=False, max_length=max_length, strip=strip, widget=widget
    )


class TargetSearchForm(forms.Form):
    """Filters for targets; empty fields are ignored."""

    q = search_field(
        "Find by URL, title or reference ID",
        "Part of a URL, title or reference ID",
        max_length=MAX_URL_BYTES,
    )
    state = forms.ChoiceField(
        label="State", required=False, choices=[("", "Any state"), *STATES.items()]
    )
    order = forms.ChoiceField(
        label="Order",
        required=False,
        choices=[(name, order.label) for name, order in ORDERS.items()],
    )
    flag = forms.ChoiceField(
        label="Flag",
        required=False,
        choices=[("", "Any"), *((flag, flag_label(flag)) for flag in FLAGS)],
    )
    host = _field("Host", "example.org", max_length=255)
    reason = _field("Reason", "http_404", max_length=32)
    # A reference may end with a blank.
    document = _field("Reference", "doc-1", max_length=255, strip=False)
    reference = _field("Reference starts with", "doc-", max_length=255)
    whose = forms.CharField(label="Reference owner", required=False, max_length=150)
    since = forms.CharField(label="State changed", required=False, max_length=64)

    def __init__(self, *args: Any, by: Actor, zone: tzinfo = UTC, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._by, self._zone = by, zone
        periods = [("", "At any time"), *PERIODS.items()]
        since = self.data.get("since", "")
        if since and since not in PERIODS:
            periods.append((since, f"Since {since}"))
        self.fields["since"].widget = forms.Select(choices=periods)
        whose: Any = self.fields["whose"]
        if by.sees_all:
            whose.widget = forms.TextInput(attrs={**PLAIN, "placeholder": "A username, or “mine”"})
        else:
            whose.widget = forms.Select(choices=[("", "Everyone's"), (MINE, "Mine and my teams'")])

    def clean_q(self) -> str:
        """Return the text, which must be a complete URL if it is too long for a search."""
        text = str(self.cleaned_data["q"])
        if len(text) > MAX_TEXT_LENGTH:
            if "://" not in text:
                too_long = f"Enter at most {MAX_TEXT_LENGTH} characters, or a complete URL."
                raise forms.ValidationError(too_long)
            try:
                services.canonical_url(text)
            except ApiError as error:
                raise forms.ValidationError(error.message) from None
        return text

    def clean_host(self) -> str:
        return str(self.cleaned_data["host"]).lower()

    def clean_whose(self) -> int | None:
        """Return the primary key of the references' owner; None for everybody's references."""
        name = self.cleaned_data["whose"]
        if not name:
            return None
        if name == MINE:
            return None if self._by.user is None else self._by.user.pk
        users = User.objects.filter(username=name) if self._by.sees_all else User.objects.none()
        pk = users.values_list("pk", flat=True).first()
        if pk is None:
            raise forms.ValidationError("There is no user with this name.")
        return pk

    def clean_since(self) -> Period | None:
        """Return the period, or None for all time."""
        text = self.cleaned_data["since"]
        try:
            return read_period(text, now=database_now(), zone=self._zone) if text else None
        except ValueError as error:
            raise forms.ValidationError(str(error)) from None

    def criteria(self) -> Criteria:
        """Return the valid fields as search criteria."""
        cleaned = self.cleaned_data
        state, text = cleaned.get("state", ""), cleaned.get("q", "")
        period = cleaned.get("since") or Period()
        is_long = len(text) > MAX_TEXT_LENGTH
        return Criteria(
            text="" if is_long else text,
            canonical_url=services.canonical_url(text) if is_long else "",
            state=state if state in list(State) else "",
            is_unsure=True if state == UNSURE else None,
            is_never_seen=True if state == NEVER_SEEN else None,
            is_paused=state == PAUSED,
            flag=cleaned.get("flag", ""),
            reason=cleaned.get("reason", ""),
            host=cleaned.get("host", ""),
            reference=cleaned.get("document", ""),
            reference_start=cleaned.get("reference", ""),
            owner_id=cleaned.get("whose"),
            since=period.since,
            until=period.until,
        )

    def order_name(self) -> str:
        """Return the chosen order, by default the first of ORDERS."""
        return self.cleaned_data.get("order") or next(iter(ORDERS))

    def chips(self) -> Iterator[tuple[str, str]]:
        """Yield the name and the label of each filter in use."""
        words = {
            "q": "“{}”",
            "state": "{}",
            "flag": "flag {}",
            "reason": "reason {}",
            "host": "host {}",
            "document": "reference {}",
            "reference": "reference {}…",
            "whose": "{}'s references",
            "since": "state changed {}",
        }
        for name, template in words.items():
            if self.cleaned_data.get(name):
                value = self.data[name].strip()
                if name == "since":
                    value = _SINCE.get(value, f"since {value}")
                if name == "flag":
                    value = flag_label(value)
                if name == "whose" and value == MINE:
                    yield name, "my references and my teams'"
                    continue
                yield name, template.format(STATES.get(value, value) if name == "state" else value)

    def is_prefix(self) -> bool:
        """Return whether the text is so short that only the beginnings of hosts are searched."""
        return 0 < len(self.cleaned_data.get("q", "")) < MIN_TEXT_LENGTH

    def more(self) -> Iterator[Any]:
        """Yield the rarely used fields."""
        for name in ("since", "document", "reference", "host", "reason", "flag", "whose"):
            yield self[name]
