"""Links as files: CSV in, after a look at what would be made, and out."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render

from console.forms import UploadForm
from console.imports import bounded
from console.links.views import LinkPage
from foundation.database.clock import database_now
from foundation.files.lists import UnreadableFileError
from foundation.http.errors import ApiError, answer_page
from foundation.http.exports import stream_csv
from foundation.http.leaving import stop_if_left
from shortener import spreadsheets

SHOWN = 100  # rows of what would be made, and of what is refused


class FileForm(UploadForm):
    """Links that somebody brings, in a file or pasted."""

    file = UploadForm.file_field("A CSV file", ".csv,.txt,text/csv,text/plain")
    text = UploadForm.text_field(
        "CSV with a first line that names the columns, or just one URL on each line.",
        placeholder="long_url,key,ttl,tags\nhttps://example.org/a,spring,30d,news",
    )


class ImportPage(LinkPage):
    """Shows what would be made of a file, with each line that is refused; then makes it."""

    permission_required = ("shortener.view_shorturl", "shortener.add_shorturl")

    def get(self, request: HttpRequest) -> HttpResponse:
        return self._ask(FileForm())

    @bounded
    def post(self, request: HttpRequest) -> HttpResponse:
        form = FileForm(request.POST, request.FILES)
        if not form.is_valid():
            return self._ask(form)
        now, go_on = database_now(), partial(stop_if_left, request)
        try:
            planned = spreadsheets.plan(form.content(), by=self.actor, now=now, go_on=go_on)
        except UnreadableFileError as error:
            form.add_error(form.source(), str(error))
            return self._ask(form)
        context: dict[str, Any] = {"planned": planned, "now": now}
        if "confirmed" not in request.POST:
            return self._show(context | {"file": planned.file()})
        made = spreadsheets.make(planned, by=self.actor, now=now, go_on=go_on)
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
        try:
            return stream_csv(pieces, filename="links.csv")
        except ApiError as error:
            return answer_page(request, error)
