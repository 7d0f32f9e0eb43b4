"""Links as CSV: import with a preview, and export."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render

from console.forms import UploadForm
from console.imports import ImportPage, truncate
from console.links.forms import LinkSearchForm
from console.links.views import LinkPage
from foundation.database.clock import database_now
from foundation.http.client_disconnects import ConnectionCheck
from foundation.http.errors import ApiError, error_response
from foundation.http.exports import stream_csv
from shortener import link_csv


class LinkImportForm(UploadForm):
    """Links in a file or in pasted text."""

    file = UploadForm.file_field("Upload a CSV file", ".csv,.txt,text/csv,text/plain")
    text = UploadForm.text_field(
        "CSV with column names on the first line, or one URL per line.",
        placeholder="long_url,key,ttl,tags\nhttps://example.org/a,spring,30d,news",
    )
    columns = link_csv.COLUMNS[1:]  # the first is required


class LinkImportPage(ImportPage):
    """Creates short links from a file or pasted text."""

    permission_required = ("shortener.view_shorturl", "shortener.add_shorturl")
    form_class = LinkImportForm
    form_template = "console/links/import.html"
    max_rows = link_csv.MAX_ROWS

    def plan(
        self, form: LinkImportForm, check_connected: ConnectionCheck
    ) -> link_csv.LinkImportPlan:
        return link_csv.plan(
            form.content(), by=self.actor, now=database_now(), check_connected=check_connected
        )

    def preview(self, planned: link_csv.LinkImportPlan, form: LinkImportForm) -> HttpResponse:
        return self._show(planned, file=planned.file())

    def run_import(
        self, planned: link_csv.LinkImportPlan, check_connected: ConnectionCheck
    ) -> HttpResponse:
        created = link_csv.create(
            planned, by=self.actor, now=database_now(), check_connected=check_connected
        )
        messages.success(self.request, f"Links created: {len(created):,}.")
        return self._show(planned, created=created) if planned.refused else redirect("links")

    def _show(self, planned: link_csv.LinkImportPlan, **context: Any) -> HttpResponse:
        context |= {"planned": planned, "now": database_now()}
        context |= truncate({"new": planned.new, "refused": planned.refused})
        return render(self.request, "console/links/plan.html", context)


class LinkExportView(LinkPage):
    """A CSV file of the links that the user may see, newest first.

    `?whose=` filters them as in the list; the other filters of the list are ignored.
    """

    def get(self, request: HttpRequest) -> HttpResponseBase:
        by = self.actor
        filters = LinkSearchForm(request.GET).ownership_filter(by)
        pieces = link_csv.pieces(filters, by=by, now=database_now())
        try:
            return stream_csv(pieces, filename="links.csv")
        except ApiError as error:
            return error_response(request, error)
