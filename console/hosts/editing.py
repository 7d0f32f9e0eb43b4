"""`/hosts/{host}/edit`: a host's delay, alias and instructions, with the admin's form."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from console.editing import show_form
from console.hosts.views import HostDetailPage
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from hosts import services
from hosts.forms import HostForm
from hosts.instructions_form import FIELDS as INSTRUCTIONS
from hosts.models import Host

_GROUPS = {"Delay and alias": ("delay", "alias"), "Requests and results": INSTRUCTIONS}


class HostEditForm(HostForm):
    """The admin's form with the alias, but without the pause, which the host's own page has."""

    sleep_until = None  # type: ignore[assignment]
    alias = forms.CharField(
        required=False,
        max_length=255,
        help_text="Hosts with the same alias are never checked at the same time and share a delay. "
        "Leave blank if the host has no alias.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["alias"] = self.instance.slot.key if self.instance.slot.is_alias else ""

    def clean_alias(self) -> str:
        text: str = self.cleaned_data["alias"]
        try:
            return services.read_alias(text) if text else ""
        except ApiError as error:
            raise forms.ValidationError(error.message) from None


class HostEditPage(HostDetailPage):
    """Changes the delay, the alias and the instructions of a host."""

    permission_required = ("hosts.view_host", "targets.view_target", "hosts.change_host")

    def get(self, request: HttpRequest, host: str) -> HttpResponse:
        row = self._row(host)
        return self._show(row, HostEditForm(instance=row))

    def post(self, request: HttpRequest, host: str) -> HttpResponse:
        row, now = self._row(host), database_now()
        form = HostEditForm(request.POST, instance=row)
        if not form.is_valid():
            return self._show(row, form)
        try:
            services.edit(
                row.name,
                form.changes(),
                alias=form.cleaned_data["alias"] if "alias" in form.changed_data else None,
                version=form.cleaned_data["version"],
                now=now,
                by=self.actor,
            )
        except ApiError as error:
            form.add_error(None, error.message)
            return self._show(row, form)
        if form.changed_data:
            messages.success(request, "Saved.")
        return redirect("host", row.name)

    def _row(self, text: str) -> Host:
        row = Host.objects.filter(name=self.find_name(text)).select_related("slot").first()
        if row is None:
            raise Http404("There is no such host.")
        return row

    def _show(self, host: Host, form: HostEditForm) -> HttpResponse:
        return show_form(
            self.request,
            form,
            _GROUPS,
            title="How this host is checked",
            subject=host.name,
            back=reverse("host", args=[host.name]),
        )
