"""The form that filters changes."""

from datetime import datetime, tzinfo
from typing import Any

from django import forms

from console.periods import PERIODS, Period, read_period

WEEK, ALL_TIME = "week", "all"
PERIOD_LABELS = {**{name: PERIODS[name] for name in ("night", "day", "week")}, ALL_TIME: "All"}
KIND_LABELS = {
    "": "Everything",
    "deaths": "Deaths",
    "recoveries": "Recoveries",
    "flags": "Flags",
    "attention": "Needs attention",
    "outages": "Our outages",
}
BY_DOCUMENT = "document"


class ChangeFilterForm(forms.Form):
    """Filters changes by kind, period and document; `view` is empty for the ungrouped list."""

    when = forms.ChoiceField(required=False, choices=list(PERIOD_LABELS.items()))
    what = forms.ChoiceField(required=False, choices=list(KIND_LABELS.items()))
    view = forms.ChoiceField(required=False, choices=[("", "Ungrouped"), (BY_DOCUMENT, "")])
    since = forms.CharField(required=False, max_length=64)
    document = forms.CharField(required=False, max_length=255, strip=False)

    def __init__(self, *args: Any, now: datetime, zone: tzinfo, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._now, self._zone = now, zone
        self.period = Period()

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        when = cleaned.get("since") or cleaned.get("when") or WEEK
        try:
            period = "" if when == ALL_TIME else when
            self.period = read_period(period, now=self._now, zone=self._zone)
        except ValueError as error:
            self.add_error("since", str(error))
        return cleaned

    def filters(self) -> dict[str, str]:
        """Return the valid filled-in fields, with either `since` or `when`, as query parameters."""
        cleaned = self.cleaned_data
        filled = {name: cleaned[name] for name in ("what", "view", "document") if cleaned.get(name)}
        if since := cleaned.get("since"):
            return {**filled, "since": since}
        return {**filled, "when": cleaned.get("when") or WEEK}
