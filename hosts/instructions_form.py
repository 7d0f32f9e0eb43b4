"""Operators' instructions in the admin's forms and pages for targets and hosts.

The values of headers are shown as ***; submitting *** keeps them.
"""

from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from rest_framework import serializers
from unfold.decorators import display
from unfold.widgets import UnfoldAdminTextareaWidget

from foundation.admin.forms import RuleField
from foundation.durations import parse_duration
from foundation.http.errors import ApiError
from hosts.instructions import (
    ExpectSerializer,
    InstructionsSerializer,
    change_instructions,
    shown_instructions,
)

FIELDS = ("accept", "expect_status", "expect_text", "headers", "timeout")
FIELDSET = ("Requests and results", {"fields": FIELDS})
_API_FIELDS = InstructionsSerializer().fields
_EXPECT_FIELDS = ExpectSerializer().fields


def _parse_list(text: str) -> list[int | str]:
    words = [word.strip() for word in text.split(",") if word.strip()]
    return [int(word) if word.isascii() and word.isdigit() else word for word in words]


def _parse_headers(text: str) -> dict[str, str]:
    """Return headers by name. Raises ValidationError for a line that is not a header."""
    headers: dict[str, str] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        name, colon, value = line.partition(":")
        if not colon or name in headers:
            raise serializers.ValidationError(
                "Enter each header once, on its own line, as “Name: value”."
            )
        headers[name] = value.strip()
    return headers


def _as_text(value: Any) -> Any:
    """Return a value as editable text; text is returned unchanged."""
    if isinstance(value, Mapping):
        return "\n".join(f"{name}: {hidden}" for name, hidden in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else value


class _ParsedField(RuleField):
    """Text that `parse` parses before a field of the API validates it."""

    def __init__(
        self, name: str, parse: Callable[[str], Any], *, lines: int = 0, help_text: str
    ) -> None:
        super().__init__(_API_FIELDS[name], help_text=help_text)
        self._parse = parse
        if lines:
            self.widget = UnfoldAdminTextareaWidget(attrs={"rows": lines})

    def to_python(self, value: Any) -> Any:
        text = forms.CharField.to_python(self, value)
        if text is None:
            return None
        try:
            return self.rule.run_validation(self._parse(text))
        except serializers.ValidationError as error:
            raise forms.ValidationError([str(message) for message in error.detail]) from None

    def prepare_value(self, value: Any) -> Any:
        return _as_text(value)


class InstructionsForm(forms.ModelForm[Any]):
    """The instructions of a host or target."""

    accept = _ParsedField(
        "accept",
        _parse_list,
        help_text="Statuses, reasons and flags that count as success, separated by commas, "
        "such as 403, blocked.",
    )
    expect_status = RuleField(
        _EXPECT_FIELDS["status"],
        label="Expected status",
        help_text="The status that the response must have.",
    )
    expect_text = RuleField(
        _EXPECT_FIELDS["text"], label="Expected text", help_text="Text that the page must contain."
    )
    headers = _ParsedField(
        "headers",
        _parse_headers,
        lines=4,
        help_text="One per line, as “Name: value”. A target's headers are sent only to its own "
        "scheme, host and port; a host's headers only over https on port 443. Values are hidden "
        "once saved; *** keeps the saved value.",
    )
    timeout = RuleField(
        _API_FIELDS["timeout"],
        help_text="For each attempt, at most 60s. Leave blank for the default.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial.update(_initial_values(self.instance.instructions))

    def clean(self) -> dict[str, Any]:
        """Refuse *** without an existing value to keep, as `change_instructions` does."""
        try:
            change_instructions(self.instance.instructions, self.submitted_instructions())
        except ApiError as error:
            raise forms.ValidationError({"headers": error.details["headers"]}) from None
        return self.cleaned_data

    def submitted_instructions(self) -> dict[str, Any]:
        """Return the changed and valid instructions, as in the API; None removes an instruction."""
        valid = {name: self.cleaned_data.get(name) for name in FIELDS}
        changes = {
            name: valid[name]
            for name in ("accept", "headers", "timeout")
            if self._has_valid_change(name)
        }
        if self._has_valid_change("expect_status") or self._has_valid_change("expect_text"):
            expect = {"status": valid["expect_status"], "text": valid["expect_text"]}
            expected = {name: value for name, value in expect.items() if value is not None}
            changes["expect"] = expected or None
        return changes

    def _has_valid_change(self, name: str) -> bool:
        return name in self.changed_data and name in self.cleaned_data


def _initial_values(instructions: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the instructions by the names of the form's fields."""
    shown = shown_instructions(instructions)
    expect = shown["expect"] or {}
    text = expect.get("text")
    return {
        "accept": shown["accept"],
        "expect_status": expect.get("status"),
        # Browsers remove line breaks from single-line inputs, and checks treat any run of
        # whitespace as one space.
        "expect_text": text and " ".join(text.split()),
        "headers": shown["headers"],
        "timeout": shown["timeout"] and parse_duration(shown["timeout"]),
    }


class InstructionsDisplay:
    """The instructions as read-only fields of an admin page."""

    @display(description="Accept")  # type: ignore[untyped-decorator]
    def accept(self, row: Any) -> str | None:
        return _as_text(shown_instructions(row.instructions)["accept"]) or None

    @display(description="Expected status")  # type: ignore[untyped-decorator]
    def expect_status(self, row: Any) -> int | None:
        return (shown_instructions(row.instructions)["expect"] or {}).get("status")

    @display(description="Expected text")  # type: ignore[untyped-decorator]
    def expect_text(self, row: Any) -> str | None:
        return (shown_instructions(row.instructions)["expect"] or {}).get("text")

    @display(description="Headers")  # type: ignore[untyped-decorator]
    def headers(self, row: Any) -> str | None:
        return _as_text(shown_instructions(row.instructions)["headers"]) or None

    @display(description="Timeout")  # type: ignore[untyped-decorator]
    def timeout(self, row: Any) -> str | None:
        return shown_instructions(row.instructions)["timeout"] or None
