"""Shared parts of the console's forms: search, expiry, tags, sharing, uploads."""

from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta
from typing import Any, ClassVar

from django import forms
from django.utils import timezone

from accounts import teams
from accounts.actors import Actor
from foundation.admin.forms import PLAIN, ApiForm, TagsTextField

KEEP, DATE, NEVER = "keep", "date", "ever"
_DAY = timedelta(days=1)


def days(*numbers: int) -> dict[str, tuple[str, timedelta]]:
    """Return the label and the length of each of these periods, by its number of days."""
    return {str(n): (f"{n} day{'' if n == 1 else 's'}", n * _DAY) for n in numbers}


class TagsField(TagsTextField):
    """Tags, separated by commas, in a field of our own pages."""

    def __init__(self) -> None:
        super().__init__()
        self.widget = forms.TextInput(attrs={**PLAIN, "placeholder": "spring, newsletter"})


def search_field(label: str, placeholder: str, *, max_length: int) -> forms.CharField:
    """Return the search field of a list, of at most `max_length` characters."""
    attrs = {**PLAIN, "type": "search", "placeholder": placeholder}
    return forms.CharField(
        label=label, required=False, max_length=max_length, widget=forms.TextInput(attrs=attrs)
    )


class OwnershipFilterForm(forms.Form):
    """Filters a list of objects by their owner, team or visibility."""

    whose = forms.ChoiceField(
        label="Owner",
        required=False,
        choices=[
            ("", "Anyone's"),
            ("mine", "My own"),
            ("teams", "My teams'"),
            ("everyone", "Visible to all users"),
        ],
    )

    def ownership_filter(self, by: Actor) -> dict[str, Any]:
        """Return the chosen filter, as for `sharing.narrow`; empty without a known choice."""
        self.is_valid()
        choices: dict[str, dict[str, Any]] = {
            "mine": {"owner": by.user},
            "teams": {"teams": by.teams},
            "everyone": {"for_everyone": True},
        }
        return choices.get(self.cleaned_data.get("whose", ""), {})


class ExpiryForm(ApiForm):
    """The expiry of an object: `lasts` and `until` instead of `expires_at`.

    A subclass sets `spans`: the label and the length of each choice, by name.
    """

    spans: ClassVar[Mapping[str, tuple[str, timedelta]]]
    form_names = {"expires_at": "until", "ttl": "lasts"}

    lasts = forms.ChoiceField(label="Expires", initial=NEVER, widget=forms.RadioSelect)
    until = forms.DateField(
        label="Expiry date",
        required=False,
        help_text="Expires at the end of that day.",
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )

    def __init__(self, *args: Any, now: datetime, current: str = "", **kwargs: Any) -> None:
        """`current`: the expiry of an existing object in words; `now`: the database's time."""
        super().__init__(*args, **kwargs)
        self.now = now
        zone = timezone.get_current_timezone_name()
        self.fields["until"].help_text = f"Expires at the end of that day ({zone})."
        spans = [(name, f"In {words}") for name, (words, _) in self.spans.items()]
        choices = [*spans, (DATE, "On a specific date"), (NEVER, "Never")]
        lasts: Any = self.fields["lasts"]
        lasts.choices = [(KEEP, f"No change ({current})"), *choices] if current else choices

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        if cleaned.get("lasts") == DATE and "until" in cleaned and cleaned["until"] is None:
            self.add_error("until", "Select an expiry date.")
        if not self.errors and cleaned["lasts"] != KEEP:
            try:
                cleaned["expires_at"] = self.end()
            except OverflowError:
                self.add_error("until", "This date is out of range.")
        return super().clean()

    def end(self) -> datetime | None:
        """Return the chosen expiry; None for never."""
        chosen = self.cleaned_data["lasts"]
        if chosen == NEVER:
            return None
        if chosen == DATE:
            zone = timezone.get_current_timezone()
            return datetime.combine(self.cleaned_data["until"], time.max, zone).astimezone(UTC)
        return self.now + self.spans[chosen][1]


class SharingForm(ApiForm):
    """The team of an object, and whether everyone may see the object.

    The choices are the teams in which `by` may share objects. Without any, the field is removed.
    """

    def __init__(self, *args: Any, by: Actor, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        team: Any = self.fields["team"]
        team.queryset = teams.teams_to_share_with(by).order_by("name")
        team.empty_label = "No team"
        if not team.queryset.exists():
            del self.fields["team"]
            everyone = self.fields.get("for_everyone")
            if everyone is not None:
                everyone.help_text = "Only you and operators can make changes."


class UploadForm(forms.Form):
    """An uploaded file or pasted text. A subclass defines the fields `file` and `text`."""

    # The confirmation of a preview sends the text again. Quoting may double its size, and the
    # result must still fit into MAX_BODY_BYTES.
    max_bytes: ClassVar = 2 * 1024 * 1024
    too_large_message: ClassVar = "This is larger than 2 MB. Split it into smaller parts."

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("file", "text"):  # for a script that checks the size before sending
            limits = {"data-most": self.max_bytes, "data-too-large": self.too_large_message}
            self.fields[name].widget.attrs |= limits

    @staticmethod
    def file_field(label: str, accept: str) -> forms.FileField:
        """Return a field for a file; `accept` lists its types, as in HTML."""
        widget = forms.FileInput(attrs={"accept": accept})
        return forms.FileField(label=label, required=False, widget=widget)

    @staticmethod
    def text_field(help_text: str, *, placeholder: str) -> forms.CharField:
        """Return a field for pasted text."""
        attrs = {"rows": 8, "spellcheck": "false", "placeholder": placeholder}
        return forms.CharField(
            label="Or paste text",
            required=False,
            strip=False,
            help_text=help_text,
            widget=forms.Textarea(attrs=attrs),
        )

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        if bool(cleaned.get("file")) == bool(cleaned.get("text", "").strip()) and not self.errors:
            self.add_error("text", "Choose a file or paste text, but not both.")
        limit = self.max_bytes * (2 if "confirmed" in self.data else 1)
        if not self.errors and len(self.content()) > limit:
            self.add_error(self.source(), self.too_large_message)
        return cleaned

    def source(self) -> str:
        """Return the name of the field that was filled in: `file` or `text`."""
        return "file" if self.cleaned_data["file"] else "text"

    def content(self) -> bytes:
        """Return the uploaded or pasted content as bytes."""
        if self.source() == "text":
            text: str = self.cleaned_data["text"]
            return text.encode()
        self.cleaned_data["file"].seek(0)
        content: bytes = self.cleaned_data["file"].read()
        return content
