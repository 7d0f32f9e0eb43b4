"""Fields of the admin's forms; the API's own rules judge what is typed in."""

from datetime import timedelta
from typing import Any

from django import forms
from rest_framework import serializers
from unfold.widgets import UnfoldAdminTextInputWidget

from foundation.durations import format_duration
from foundation.tags import MAX_TAG, MAX_TAGS, TagListField


class RuleField(forms.CharField):
    """Text that becomes what `rule`, a field of the API, makes of it; empty text becomes None."""

    def __init__(self, rule: serializers.Field[Any, Any, Any, Any], **kwargs: Any) -> None:
        super().__init__(
            required=False, empty_value=None, widget=UnfoldAdminTextInputWidget, **kwargs
        )
        self.rule = rule

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        if text is None:
            return None
        try:
            return self.rule.run_validation(text)
        except serializers.ValidationError as error:
            raise forms.ValidationError([str(message) for message in error.detail]) from None

    def prepare_value(self, value: Any) -> Any:
        return format_duration(value) if isinstance(value, timedelta) else value

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool(self.to_python(data) != (None if initial == "" else initial))
        except forms.ValidationError:
            return True


class TagsText(forms.CharField):
    """Tags, separated by commas."""

    def __init__(self) -> None:
        super().__init__(
            required=False, widget=UnfoldAdminTextInputWidget, help_text="Separated by commas."
        )

    def to_python(self, value: Any) -> Any:
        words = [word for word in str(super().to_python(value) or "").split(",") if word.strip()]
        try:
            return TagListField().run_validation(words)
        except serializers.ValidationError:
            raise forms.ValidationError(
                f"Give up to {MAX_TAGS} tags of at most {MAX_TAG} characters."
            ) from None

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(value) if isinstance(value, list) else value

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool(self.to_python(data) != (initial or []))
        except forms.ValidationError:
            return True
