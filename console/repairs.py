"""`/repairs`: permanently moved pages, for documents with their old addresses."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from accounts.pages import ActorPage
from checker.repairs.finding import RepairSearch
from checker.repairs.lines import pieces
from console.reading import read_list
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from foundation.http.exports import stream_csv

SHOWN = 25  # on a page


class RepairsPage(ActorPage):
    """Moved pages with a reference that the user may see, in the order of registration."""

    permission_required = "targets.view_target"

    def get(self, request: HttpRequest) -> HttpResponse:
        token = request.GET.get("page_token")
        search = RepairSearch(by=self.actor, now=database_now())

        def find() -> list[Any]:
            return list(search.find(limit=SHOWN, token=token))

        try:
            found, age = read_list(request, find)
        except ApiError as error:
            raise Http404(error.message) from None
        context = {
            "targets": found,
            "age": age,
            "is_first": token is None,
            "next_page_token": search.next_page_token,
        }
        return render(request, "console/repairs.html", context)


class RepairsExport(ActorPage):
    """The same as CSV, a line for each reference."""

    permission_required = "targets.view_target"

    def get(self, request: HttpRequest) -> Any:
        search = RepairSearch(by=self.actor, now=database_now())
        return stream_csv(pieces(search), filename="repairs.csv")
