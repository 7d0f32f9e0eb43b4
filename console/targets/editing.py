"""`/targets/{id}/edit`: how a target is checked, with the admin's form."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from accounts.account_pages import ActorPage
from console.editing import show_form
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from foundation.net.urls import ascii_url
from hosts.instructions_form import FIELDS as INSTRUCTIONS
from targets import services
from targets.forms import TargetForm
from targets.models import Target
from targets.registration import POLICY_FIELDS
from targets.views import get_target

_CONFLICT = (
    "Somebody changed this target while you had it open. Save again to overwrite their changes."
)
_GROUPS = {
    "Policy": POLICY_FIELDS,
    "Requests and results": INSTRUCTIONS,
    "Checks": ("paused", "pinned"),
}


class TargetEditForm(TargetForm):
    """The admin's form, with the target's `version` when it was rendered."""

    version = forms.IntegerField(widget=forms.HiddenInput, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["version"] = self.instance.version

    def changes(self) -> dict[str, Any]:
        """Return the changed fields, without `version`."""
        changes = super().changes()
        changes.pop("version", None)
        return changes

    def use_current_version(self) -> None:
        """Use the current version, so that saving again overwrites concurrent changes."""
        self.data = {**self.data.dict(), "version": str(self.instance.version)}  # type: ignore[attr-defined]


class TargetEditPage(ActorPage):
    """Changes the policy and the instructions of a target, and pauses or pins it."""

    permission_required = ("targets.view_target", "targets.change_target")

    def get(self, request: HttpRequest, target_id: str) -> HttpResponse:
        target = get_target(target_id)
        return self._show(target, TargetEditForm(instance=target))

    def post(self, request: HttpRequest, target_id: str) -> HttpResponse:
        target = get_target(target_id)
        form = TargetEditForm(request.POST, instance=target)
        if not form.is_valid():
            return self._show(target, form)
        if changes := form.changes():
            try:
                version = form.cleaned_data["version"]
                services.update(target, changes, now=database_now(), version=version, by=self.actor)
            except ApiError as error:
                form.add_error(
                    None, _CONFLICT if error.code == "version_mismatch" else error.message
                )
                form.use_current_version()
                return self._show(target, form)
            messages.success(request, "Saved.")
        return redirect(target)

    def _show(self, target: Target, form: TargetEditForm) -> HttpResponse:
        return show_form(
            self.request,
            form,
            _GROUPS,
            title="How this target is checked",
            subject=ascii_url(target.url),
            back=target.get_absolute_url(),
        )
