"""Links as files: CSV in, after a look at what would be made, and out."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render

from console.links.views import LinkPage
from foundation.database.clock import database_now
from foundation.files.lists import UnreadableFileError
from shortener import spreadsheets

SHOWN = 100  # rows of what would be made, and of what is refused


class FileForm(forms.Form):
    """Links that somebody brings, in a file or pasted."""

    file = forms.FileField(
        label="A CSV file",
        required=False,
        widget=forms.FileInput(attrs={"accept": ".csv,.txt,text/csv,text/plain"}),
    )
    text = forms.CharField(
        label="Or paste it here",
        required=False,
        strip=False,
        help_text="CSV with a first line that names the columns, or just one URL on each line.",
        widget=forms.Textarea(
            attrs={
                "rows": 8,
                "spellcheck": "false",
                "placeholder": "long_url,key,ttl,tags\nhttps://example.org/a,spring,30d,news",
            }
        ),
    )

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        if bool(given.get("file")) == bool(given.get("text", "").strip()) and not self.errors:
            self.add_error("text", "Choose a file or paste something, not both.")
        if not self.errors and len(self.content()) > spreadsheets.MAX_BYTES:
            self.add_error(self.source(), "This is larger than 2 MB; split it.")
        return given

    def source(self) -> str:
        """Return the field that was filled in."""
        return "file" if self.cleaned_data["file"] else "text"

    def content(self) -> bytes:
        """Return what was brought."""
        if self.source() == "text":
            text: str = self.cleaned_data["text"]
            return text.encode()
        self.cleaned_data["file"].seek(0)
        content: bytes = self.cleaned_data["file"].read()
        return content


class ImportPage(LinkPage):
    """Shows what would be made of a file, with each line that is refused; then makes it."""

    permission_required = ("shortener.view_shorturl", "shortener.add_shorturl")

    def get(self, request: HttpRequest) -> HttpResponse:
        return self._ask(FileForm())

    def post(self, request: HttpRequest) -> HttpResponse:
        form = FileForm(request.POST, request.FILES)
        if not form.is_valid():
            return self._ask(form)
        now = database_now()
        try:
            planned = spreadsheets.plan(form.content(), by=self.actor, now=now)
        except UnreadableFileError as error:
            form.add_error(form.source(), str(error))
            return self._ask(form)
        context: dict[str, Any] = {"planned": planned, "now": now}
        if "confirmed" not in request.POST:
            return self._show(context | {"file": planned.file()})
        made = spreadsheets.make(planned, by=self.actor, now=now)
        messages.success(request, f"Links made: {len(made):,}.")
        if not planned.refused:
            return redirect("links")
        return self._show(context | {"made": made})

    def _ask(self, form: FileForm) -> HttpResponse:
        context = {"form": form, "most": spreadsheets.MAX_ROWS}
        return render(self.request, "console/links/import.html", context)

    def _show(self, context: dict[str, Any]) -> HttpResponse:
        planned: spreadsheets.Plan = context["planned"]
        context |= {
            "new": planned.new[:SHOWN],
            "more_new": max(0, len(planned.new) - SHOWN),
            "refused": planned.refused[:SHOWN],
            "more_refused": max(0, len(planned.refused) - SHOWN),
        }
        return render(self.request, "console/links/plan.html", context)


class ExportView(LinkPage):
    """The links that one may know of as CSV, the newest first; `?whose=mine`: one's own."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        by = self.actor
        wanted = {"owner": by.user} if request.GET.get("whose") == "mine" else {}
        pieces = spreadsheets.pieces(wanted, by=by, now=database_now())
        disposition = {"Content-Disposition": 'attachment; filename="links.csv"'}
        return StreamingHttpResponse(
            pieces, content_type="text/csv; charset=utf-8", headers=disposition
        )
