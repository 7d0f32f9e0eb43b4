"""Forms for the admin and the console: the API's serializers validate what people type."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cached_property, partial
from typing import Any, ClassVar, cast

from django import forms
from django.http import QueryDict
from rest_framework import serializers
from rest_framework.exceptions import APIException
from unfold.widgets import UnfoldAdminTextInputWidget

from foundation.database.clock import database_now
from foundation.durations import format_duration
from foundation.http.errors import error_body
from foundation.tags import MAX_TAG_LENGTH, MAX_TAGS, TagListField

PLAIN = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
_LIMITS = {"min_value": "min", "max_value": "max", "max_length": "maxlength"}
ApiField = serializers.Field[Any, Any, Any, Any]


class ApiForm(forms.Form):
    """A form whose fields a serializer of the API validates; `check_rules` checks them together."""

    serializer_class: ClassVar[type[serializers.Serializer[Any]] | None] = None
    form_names: ClassVar[Mapping[str, str]] = {}  # by the API's name, if it differs

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.serializer_class is not None:
            for name, rule in self.serializer_class().fields.items():
                if name in self.fields:
                    _apply_rule(self.fields[name], rule)

    @cached_property
    def now(self) -> datetime:
        """The database's time."""
        return database_now()

    def filled_in_fields(self, serializer: serializers.Serializer[Any]) -> dict[str, Any]:
        """Return the filled-in fields, as input for `serializer`."""
        return {
            name: self.cleaned_data[name]
            for name, rule in serializer.fields.items()
            if name in self.cleaned_data and _is_filled_in(self.cleaned_data[name], rule)
        }

    def changed_fields(self, serializer: serializers.Serializer[Any]) -> dict[str, Any]:
        """Return the changed fields, and those that `clean` added, as input for `serializer`."""
        names = {*self.changed_data, *(self.cleaned_data.keys() - self.fields.keys())}
        filled_in = self.filled_in_fields(serializer)
        return {name: value for name, value in filled_in.items() if name in names}

    def clean(self) -> dict[str, Any]:
        super().clean()
        if not self.errors:
            try:
                self.check_rules()
            except APIException as error:
                self.show_error(error)
        return self.cleaned_data

    def check_rules(self) -> object:
        """Raise an APIException if values conflict with each other; by default, do nothing."""

    def show_error(self, error: APIException) -> None:
        """Show an API error next to the fields that it names, or above the form."""
        body = error_body(error)
        details = {self.form_names.get(name, name): text for name, text in body["details"].items()}
        by_field = {name: text for name, text in details.items() if name in self.fields}
        self.add_error(None, forms.ValidationError(by_field or body["message"]))


def _apply_rule(field: forms.Field, rule: ApiField) -> None:
    field.required = field.widget.is_required = rule.required
    field.validators = [*field.validators, partial(_validate, rule)]
    for limit, attribute in _LIMITS.items():
        if (value := getattr(rule, limit, None)) is not None:
            field.widget.attrs[attribute] = value


def _validate(rule: ApiField, value: Any) -> Any:
    """Return the value as validated by the API; raises Django's ValidationError."""
    try:
        return rule.run_validation(value)
    except serializers.ValidationError as error:
        raise forms.ValidationError([str(message) for message in error.detail]) from None


def _is_filled_in(value: Any, rule: ApiField) -> bool:
    """Return whether a value was filled in; empty text counts only if the API accepts it."""
    return value != "" or getattr(rule, "allow_blank", False)


class ShownVersionField(forms.IntegerField):
    """The hidden version of an object when its form was rendered; it is never a change."""

    def __init__(self) -> None:
        super().__init__(required=False, widget=forms.HiddenInput)

    def has_changed(self, initial: Any, data: Any) -> bool:
        return False


class VersionedModelForm(forms.ModelForm[Any]):
    """A form that is refused once if its object was changed after the form was rendered.

    Saving again overwrites the other change. Forms without a version are accepted.
    """

    version = ShownVersionField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["version"] = self.current_version()

    def current_version(self) -> int:
        """Return the version of the object in the database."""
        version: int = self.instance.version
        return version

    def clean(self) -> dict[str, Any]:
        super().clean()
        if self.cleaned_data.get("version") not in (None, self.initial["version"]):
            data = cast("QueryDict", self.data).copy()
            data["version"] = str(self.initial["version"])
            self.data = data
            self.add_error(
                None,
                "Somebody changed this while you had it open. Save again to overwrite their "
                "changes.",
            )
        return self.cleaned_data


class RuleField(forms.CharField):
    """Text that is validated by `rule`, a field of the API; empty text becomes None."""

    def __init__(self, rule: ApiField, **kwargs: Any) -> None:
        super().__init__(
            required=False, empty_value=None, widget=UnfoldAdminTextInputWidget, **kwargs
        )
        self.rule = rule

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return None if text is None else _validate(self.rule, text)

    def prepare_value(self, value: Any) -> Any:
        return format_duration(value) if isinstance(value, timedelta) else value

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool(self.to_python(data) != (None if initial == "" else initial))
        except forms.ValidationError:
            return True


def field_names(serializer: serializers.Serializer[Any], *first: str) -> list[str]:
    """Return a serializer's field names without `ttl`: those in `first`, then the others."""
    return [*first, *(name for name in list(serializer.fields) if name not in (*first, "ttl"))]


class TagsTextField(forms.CharField):
    """Tags, separated by commas."""

    def __init__(self) -> None:
        super().__init__(
            required=False, widget=UnfoldAdminTextInputWidget, help_text="Separated by commas."
        )

    def to_python(self, value: Any) -> Any:
        tags = [tag for tag in str(super().to_python(value) or "").split(",") if tag.strip()]
        try:
            return TagListField().run_validation(tags)
        except serializers.ValidationError:
            raise forms.ValidationError(
                f"Enter up to {MAX_TAGS} tags of at most {MAX_TAG_LENGTH} characters each."
            ) from None

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(value) if isinstance(value, list) else value

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool(self.to_python(data) != (initial or []))
        except forms.ValidationError:
            return True
