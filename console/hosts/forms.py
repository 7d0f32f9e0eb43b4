"""Forms for hosts: search and pause."""

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone

from console.forms import search_field
from console.hosts.host_search import LEFT_ALONE, HostSearch, Sort
from foundation.durations import MAX_DURATION
from hosts.models import HostState

MAX_LENGTH = 255
STATES = {
    "": "All",
    LEFT_ALONE: "Paused or throttled",
    HostState.BUSY.value: "Being checked or fetched",
    HostState.WAITING.value: "Waiting",
    HostState.QUEUED.value: "Queued",
    HostState.IDLE.value: "Idle",
}
SORTS = {
    Sort.FAILURES.value: "Most failures",
    Sort.SLOW.value: "Most slow responses",
    Sort.TARGETS.value: "Most targets",
    Sort.NAME.value: "By name",
}
_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)
_SPANS = {"hour": _HOUR, "day": _DAY}
_TIME = "time"


class HostSearchForm(forms.Form):
    """The search in the list of hosts."""

    q = search_field("Find by name or alias", "Part of a name, or an alias", max_length=MAX_LENGTH)
    state = forms.ChoiceField(
        required=False, choices=list(STATES.items()), widget=forms.HiddenInput
    )
    sort = forms.ChoiceField(required=False, choices=list(SORTS.items()), widget=forms.HiddenInput)
    page = forms.IntegerField(required=False, min_value=1, max_value=10_000)

    def search(self) -> HostSearch:
        """Return the search with the valid fields.

        By default, filtered lists are sorted by name, others by failures.
        """
        self.is_valid()
        cleaned = self.cleaned_data
        text, state = cleaned.get("q", ""), cleaned.get("state", "")
        sort = cleaned.get("sort") or (Sort.NAME if text or state else Sort.FAILURES)
        return HostSearch(text=text, state=state, sort=Sort(sort))


class PauseForm(forms.Form):
    """How long to pause a host; `now` is the database's time."""

    lasts = forms.ChoiceField(
        label="For how long?",
        initial="hour",
        choices=[("hour", "An hour"), ("day", "A day"), (_TIME, "Until a specific time")],
        widget=forms.RadioSelect,
    )
    until = forms.DateTimeField(
        label="Until",
        required=False,
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"],
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )

    def __init__(self, *args: Any, now: datetime, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.now = now
        self.fields["until"].help_text = f"Time zone: {timezone.get_current_timezone_name()}."
        self.fields["until"].widget.attrs["min"] = f"{timezone.localtime(now):%Y-%m-%dT%H:%M}"

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        if cleaned.get("lasts") == _TIME and not self.errors:
            until = cleaned.get("until")
            if until is None:
                self.add_error("until", "Select a time.")
            elif until <= self.now:
                self.add_error("until", "This time is in the past.")
            elif until > self.now + MAX_DURATION:  # as in the API
                self.add_error("until", "This time is more than ten years in the future.")
        return cleaned

    def end(self) -> datetime:
        """Return the end of the pause."""
        chosen = self.cleaned_data["lasts"]
        until: datetime = self.cleaned_data["until"]
        return until if chosen == _TIME else self.now + _SPANS[chosen]
