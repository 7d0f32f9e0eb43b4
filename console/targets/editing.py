"""`/targets/{id}/edit`: how a target is checked, with the admin's form."""

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

_GROUPS = {
    "Policy": POLICY_FIELDS,
    "Requests and results": INSTRUCTIONS,
    "Checks": ("paused", "pinned"),
}


class TargetEditPage(ActorPage):
    """Changes the policy and the instructions of a target, and pauses or pins it."""

    permission_required = ("targets.view_target", "targets.change_target")

    def get(self, request: HttpRequest, target_id: str) -> HttpResponse:
        target = get_target(target_id)
        return self._show(target, TargetForm(instance=target))

    def post(self, request: HttpRequest, target_id: str) -> HttpResponse:
        target = get_target(target_id)
        form = TargetForm(request.POST, instance=target)
        if not form.is_valid():
            return self._show(target, form)
        if changes := form.changes():
            try:
                version = form.cleaned_data["version"]
                services.update(target, changes, now=database_now(), version=version, by=self.actor)
            except ApiError as error:
                form.add_error(None, error.message)
                return self._show(target, form)
            messages.success(request, "Saved.")
        return redirect(target)

    def _show(self, target: Target, form: TargetForm) -> HttpResponse:
        return show_form(
            self.request,
            form,
            _GROUPS,
            title="How this target is checked",
            subject=ascii_url(target.url),
            back=target.get_absolute_url(),
        )
