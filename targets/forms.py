"""Forms of the admin, validated by fields of the API."""

from typing import Any, ClassVar

from django import forms
from django.conf import settings
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from foundation.admin.forms import RuleField, VersionedModelForm
from foundation.durations import format_duration
from foundation.http.errors import ApiError
from hosts.instructions_form import FIELDS as INSTRUCTIONS
from hosts.instructions_form import InstructionsForm
from targets.canonical import MAX_URL_BYTES
from targets.models import Target
from targets.registration import POLICY_FIELDS, Registration
from targets.serializers import PolicySerializer, ReferenceIdField
from targets.services import accept_url

_FIELDS = PolicySerializer().fields


def _condition_choices() -> list[tuple[str, str]]:
    default = ("", f"Default ({settings.CHECK_CONDITION})")
    return [default, *((name, name) for name in settings.CONDITION_NAMES)]


def _default_help(value: object) -> str:
    return f"Leave blank for the default, {value}."


class TargetForm(VersionedModelForm, InstructionsForm):
    """The form for changes to a target."""

    check_period = RuleField(
        _FIELDS["check_period"], help_text=_default_help(format_duration(settings.CHECK_PERIOD))
    )
    recheck_period = RuleField(
        _FIELDS["recheck_period"], help_text=_default_help(format_duration(settings.RECHECK_PERIOD))
    )
    recheck_threshold = RuleField(
        _FIELDS["recheck_threshold"],
        label="Dead after",
        help_text=f"Failures in a row. {_default_help(settings.RECHECK_THRESHOLD)}",
    )
    condition = forms.ChoiceField(
        choices=_condition_choices, required=False, widget=UnfoldAdminSelectWidget
    )

    class Meta:
        model = Target
        fields = [*POLICY_FIELDS, "paused", "pinned"]
        help_texts: ClassVar = {
            "paused": "A paused target is not checked and keeps its state.",
            "pinned": "Keep watching the target even if nothing refers to it.",
        }

    def changes(self) -> dict[str, Any]:
        """Return the changed fields, for `services.update`."""
        columns = {
            name: self.cleaned_data[name] for name in self.changed_data if name not in INSTRUCTIONS
        }
        return columns | self.submitted_instructions()


class RegistrationForm(TargetForm):
    """The form for a new target."""

    version = None  # type: ignore[assignment]
    url = forms.CharField(
        label="URL",
        max_length=MAX_URL_BYTES,
        widget=UnfoldAdminTextInputWidget(attrs={"autofocus": True}),
    )
    reference_id = RuleField(
        ReferenceIdField(),
        label="Reference ID",
        strip=False,
        help_text="An ID for what refers to the URL, such as a document's path. If left blank, the "
        "target is pinned.",
    )

    class Meta:
        model = Target
        fields = ["url", *POLICY_FIELDS]

    def clean_url(self) -> str:
        url: str = self.cleaned_data["url"]
        try:
            accept_url(url)
        except ApiError as error:
            raise forms.ValidationError(error.message) from None
        return url

    def registration(self) -> Registration:
        """Return the validated registration."""
        valid = self.cleaned_data
        return Registration(
            url=valid["url"],
            canonical=accept_url(valid["url"]),
            reference_id=valid["reference_id"],
            policy={name: valid[name] for name in POLICY_FIELDS if valid[name]},
        )
