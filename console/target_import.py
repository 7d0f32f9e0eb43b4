"""URLs to be watched, from a file or a paste: looked at first, then registered."""

from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError as DjangoValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from rest_framework.exceptions import ValidationError

from accounts.pages import ActorPage
from accounts.roles import Role
from console.forms import PLAIN, UploadForm
from console.imports import bounded
from foundation.database.clock import database_now
from foundation.files.lists import UnreadableFileError
from foundation.http.leaving import GoOn, stop_if_left
from targets import plans
from targets.plans import Kind, Plan
from targets.registration import RegistrationResult
from targets.serializers import ReferenceIdField

SHOWN = 100  # rows of what would be registered
SHOWN_REFUSED = 1000


class ImportForm(UploadForm):
    """What somebody brings to be watched."""

    file = UploadForm.file_field(
        "A file", ".csv,.txt,.html,.htm,.md,text/csv,text/plain,text/html,text/markdown"
    )
    text = UploadForm.text_field(
        "One URL on each line, CSV, HTML, or any text with links in it.",
        placeholder="https://example.org/a\nhttps://example.org/b",
    )
    kind = forms.ChoiceField(
        label="What it is", required=False, choices=[("", "Find out"), *Kind.choices]
    )
    reference_id = forms.CharField(
        label="Reference id",
        required=False,
        strip=False,
        empty_value="",
        help_text="If you like: by what you find them again, such as handbook/. It is put before "
        "the ids that lines have of their own.",
        widget=forms.TextInput(attrs={**PLAIN, "placeholder": "handbook/"}),
    )

    def clean_reference_id(self) -> str:
        text: str = self.cleaned_data["reference_id"]
        try:
            return text and ReferenceIdField().run_validation(text)
        except ValidationError as error:
            raise DjangoValidationError([str(each) for each in error.detail]) from None

    def plan(self, *, go_on: GoOn) -> Plan:
        """Return what would be registered; raises UnreadableFileError."""
        content, upload = self.content(), self.cleaned_data["file"]
        chosen = self.cleaned_data["kind"]
        kind = Kind(chosen) if chosen else plans.kind_of(content, upload.name if upload else "")
        prefix = self.cleaned_data["reference_id"]
        return plans.plan(content, kind, prefix=prefix, go_on=go_on)


class ImportPage(ActorPage):
    """Shows what would be registered, with each line that is refused; then registers it."""

    permission_required = ("targets.view_target", "targets.add_target")

    def get(self, request: HttpRequest) -> HttpResponse:
        return self._ask(ImportForm())

    @bounded
    def post(self, request: HttpRequest) -> HttpResponse:
        form = ImportForm(request.POST, request.FILES)
        if not form.is_valid():
            return self._ask(form)
        go_on = partial(stop_if_left, request)
        try:
            planned = form.plan(go_on=go_on)
        except UnreadableFileError as error:
            form.add_error(form.source(), str(error))
            return self._ask(form)
        if "confirmed" not in request.POST:
            return self._show(planned, form.cleaned_data["reference_id"])
        done = plans.register(planned, now=database_now(), by=self.actor, go_on=go_on)
        messages.success(request, _sum(done))
        return redirect("targets")

    def _ask(self, form: ImportForm) -> HttpResponse:
        context = {"form": form, "most": plans.MAX_ROWS}
        return render(self.request, "console/target_import/ask.html", context)

    def _show(self, planned: Plan, reference_id: str) -> HttpResponse:
        context: dict[str, Any] = {
            "planned": planned,
            "reference_id": reference_id,
            "is_pinned": self.actor.role is not Role.MEMBER,
            "shown": planned.rows[:SHOWN],
            "more": max(0, len(planned.rows) - SHOWN),
            "refused": planned.refused[:SHOWN_REFUSED],
            "more_refused": max(0, len(planned.refused) - SHOWN_REFUSED),
            "repeated": planned.repeated[:SHOWN],
            "more_repeated": max(0, len(planned.repeated) - SHOWN),
        }
        return render(self.request, "console/target_import/plan.html", context)


def _sum(done: list[RegistrationResult]) -> str:
    """Return what became of it, in a sentence or two."""
    new = sum(row.is_new for row in done)
    said = [f"Watched from now on: {new:,}. The first checks are due now."] if new else []
    if known := len(done) - new:
        said.append(f"Watched already: {known:,}.")
    return " ".join(said)
