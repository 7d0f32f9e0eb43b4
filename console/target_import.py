"""Imports URLs to watch from a file or pasted text, after a preview."""

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError as DjangoValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from rest_framework.exceptions import ValidationError

from console.forms import UploadForm
from console.imports import ImportPage, truncate
from foundation.admin.forms import PLAIN
from foundation.database.clock import database_now
from foundation.http.client_disconnects import ConnectionCheck
from targets.lists import import_plans
from targets.lists.import_plans import PlanKind, TargetImportPlan
from targets.registration import RegistrationResult
from targets.serializers import ReferenceIdField

MAX_REFUSED_SHOWN = 1000  # rejected lines in a preview


class TargetImportForm(UploadForm):
    """URLs to watch, in a file or pasted text."""

    file = UploadForm.file_field(
        "Upload a file",
        ".csv,.txt,.html,.htm,.md,.rst,.adoc,.tex,.ipynb,.pdf,.docx,.odt,.xml,.bib,.ris,.json,.opml,"
        "text/csv,text/plain,text/html,text/markdown,application/pdf",
    )
    text = UploadForm.text_field(
        "One URL per line, CSV, HTML, BibTeX or any text with links.",
        placeholder="https://example.org/a\nhttps://example.org/b",
    )
    kind = forms.ChoiceField(
        label="Format", required=False, choices=[("", "Detect automatically"), *PlanKind.choices]
    )
    reference_id = forms.CharField(
        label="Reference prefix",
        required=False,
        strip=False,
        empty_value="",
        help_text="Optional prefix for reference IDs, such as handbook/.",
        widget=forms.TextInput(attrs={**PLAIN, "placeholder": "handbook/"}),
    )

    def clean_reference_id(self) -> str:
        text: str = self.cleaned_data["reference_id"]
        try:
            return text and ReferenceIdField().run_validation(text)
        except ValidationError as error:
            raise DjangoValidationError([str(each) for each in error.detail]) from None

    def plan(self, *, check_connected: ConnectionCheck) -> TargetImportPlan:
        """Return the plan; raises UnreadableFileError, and whatever `check_connected` raises."""
        content, upload = self.content(), self.cleaned_data["file"]
        chosen = self.cleaned_data["kind"]
        kind = (
            PlanKind(chosen)
            if chosen
            else import_plans.kind_of(content, upload.name if upload else "")
        )
        prefix = self.cleaned_data["reference_id"]
        return import_plans.plan(content, kind, prefix=prefix, check_connected=check_connected)


class TargetImportPage(ImportPage):
    """Registers the URLs in a file or pasted text."""

    permission_required = ("targets.view_target", "targets.add_target")
    form_class = TargetImportForm
    form_template = "console/target_import/ask.html"
    max_rows = import_plans.MAX_ROWS

    def plan(self, form: TargetImportForm, check_connected: ConnectionCheck) -> TargetImportPlan:
        return form.plan(check_connected=check_connected)

    def preview(self, planned: TargetImportPlan, form: TargetImportForm) -> HttpResponse:
        context = {
            "planned": planned,
            "reference_id": form.cleaned_data["reference_id"],
            **truncate({"rows": planned.rows, "repeated": planned.repeated}),
            **truncate({"refused": planned.refused}, limit=MAX_REFUSED_SHOWN),
        }
        return render(self.request, "console/target_import/plan.html", context)

    def run_import(
        self, planned: TargetImportPlan, check_connected: ConnectionCheck
    ) -> HttpResponse:
        results = import_plans.register(
            planned, now=database_now(), by=self.actor, check_connected=check_connected
        )
        messages.success(self.request, summarize(results))
        return redirect("targets")


def summarize(results: list[RegistrationResult]) -> str:
    """Return sentences with the numbers of new and known targets; empty if there are no results."""
    new = sum(result.is_new for result in results)
    due = "The first check is due now." if new == 1 else "The first checks are due now."
    parts = [f"Now watched: {new:,}. {due}"] if new else []
    if existing := len(results) - new:
        parts.append(f"Already watched: {existing:,}.")
    return " ".join(parts)
