"""Forms for the admin and the console, validated by fields of the API."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils import timezone
from rest_framework import serializers
from unfold.widgets import UnfoldAdminSplitDateTimeWidget

from foundation.admin.forms import RuleField, VersionedModelForm
from foundation.database.clock import database_now
from foundation.durations import format_duration
from hosts.instructions_form import InstructionsForm
from hosts.models import Host, settings_version, slot_of
from hosts.serializers import ChangeHostSerializer

_API_FIELDS = ChangeHostSerializer().fields


class SlotForm(VersionedModelForm):
    """The delay and the pause of a host or alias."""

    delay = RuleField(_API_FIELDS["delay"])
    sleep_until = forms.SplitDateTimeField(
        label="No requests before",
        required=False,
        widget=UnfoldAdminSplitDateTimeWidget,
    )

    class Meta:
        model = Host
        fields: list[str] = []

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        slot = slot_of(self.instance)
        self.initial["delay"] = slot.delay
        if slot.not_before > database_now():
            self.initial["sleep_until"] = slot.not_before
        hosts = f"all hosts with the alias {slot.alias}" if slot.is_alias else "this host"
        if "sleep_until" in self.fields:  # the console has buttons for pauses
            self.fields["sleep_until"].help_text = (
                f"Time zone: {timezone.get_current_timezone_name()}. Applies to {hosts}. Clear "
                "this field to allow requests again."
            )
        self.fields["delay"].help_text = (
            f"Waiting time after each check or other reservation. Applies to {hosts}. Leave blank "
            f"for the default, {format_duration(settings.HOST_DELAY)}."
        )

    def current_version(self) -> int:
        return settings_version(self.instance)

    def clean_sleep_until(self) -> Any:
        try:
            return _API_FIELDS["sleep_until"].run_validation(self.cleaned_data["sleep_until"])
        except serializers.ValidationError as error:
            raise forms.ValidationError([str(message) for message in error.detail]) from None

    def changes(self) -> dict[str, Any]:
        """Return the changed fields, for `services.change_settings`."""
        return {name: self.cleaned_data[name] for name in self.changed_data}


class HostForm(SlotForm, InstructionsForm):
    """The delay, pause and instructions of a host."""

    def changes(self) -> dict[str, Any]:
        """Return the changed fields, for `services.change_settings`."""
        columns = {
            name: self.cleaned_data[name]
            for name in self.changed_data
            if name in SlotForm.base_fields
        }
        return columns | self.submitted_instructions()
