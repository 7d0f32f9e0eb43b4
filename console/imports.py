"""Imports of files, with a preview.

They count towards RATE_LIMIT, few run at the same time, and they stop if the client disconnects.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial, wraps
from typing import Any, ClassVar

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from accounts.account_pages import ActorPage
from console.forms import UploadForm
from foundation.files.lists import UnreadableFileError
from foundation.http.client_disconnects import ClientLeftError, ConnectionCheck, stop_if_left
from foundation.http.concurrency_limit import ConcurrencyLimit
from foundation.http.errors import ApiError, error_response
from foundation.http.throttling import count_request
from foundation.templatetags.times import span_in_words

MAX_PREVIEW_ROWS = 100  # of each list
MAX_IMPORTS = 2  # concurrent imports per process, because each takes seconds of shared CPU time

_imports = ConcurrencyLimit(
    MAX_IMPORTS, "Too many imports and link checks are running right now. Try again in a moment."
)


def limit_imports(post: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Wrap `post` of a page that reads a file.

    Responds with 429 if RATE_LIMIT is exceeded, and with 503 while MAX_IMPORTS imports run.
    """

    @wraps(post)
    def limited_post(page: Any, request: HttpRequest) -> HttpResponse:
        try:
            _count_request(request)
            with _imports.slot():
                return post(page, request)
        except ApiError as error:
            return error_response(request, error)
        except ClientLeftError:
            return HttpResponse(status=408)  # no client reads it

    return limited_post


def _count_request(request: HttpRequest) -> None:
    admission = count_request(f"POST {request.path}", request)
    if admission is not None and not admission.admitted:
        wait = span_in_words(timedelta(seconds=admission.reset))
        message = f"Try again in {wait}."
        raise ApiError("rate_limited", message, status=429, headers=admission.headers)


class ImportPage(ActorPage, ABC):
    """Previews the import of a file, including rejected lines, and imports it once confirmed.

    A subclass sets `form_class`, the form for the file; `form_template`, which shows the form; and
    `max_rows`, which the template also gets.
    """

    form_class: ClassVar[type[UploadForm]]
    form_template: ClassVar[str]
    max_rows: ClassVar[int]

    @abstractmethod
    def plan(self, form: Any, check_connected: ConnectionCheck) -> Any:
        """Return what the file of a valid form would create. May raise UnreadableFileError.

        Call `check_connected` before each row: it raises ClientLeftError if the client has
        disconnected.
        """

    @abstractmethod
    def preview(self, planned: Any, form: Any) -> HttpResponse:
        """Return the preview; its confirmation posts the contents again, with `confirmed`."""

    @abstractmethod
    def run_import(self, planned: Any, check_connected: ConnectionCheck) -> HttpResponse:
        """Import the planned rows; return a page with the result, or a redirect."""

    def get(self, request: HttpRequest) -> HttpResponse:
        return self._show_form(self.form_class())

    @limit_imports
    def post(self, request: HttpRequest) -> HttpResponse:
        form = self.form_class(request.POST, request.FILES)
        if not form.is_valid():
            return self._show_form(form)
        check_connected = partial(stop_if_left, request)
        try:
            planned = self.plan(form, check_connected)
        except UnreadableFileError as error:
            form.add_error(form.source(), str(error))
            return self._show_form(form)
        if "confirmed" not in request.POST:
            return self.preview(planned, form)
        return self.run_import(planned, check_connected)

    def _show_form(self, form: UploadForm) -> HttpResponse:
        return render(self.request, self.form_template, {"form": form, "max_rows": self.max_rows})


def truncate(lists: dict[str, Sequence[Any]], *, limit: int = MAX_PREVIEW_ROWS) -> dict[str, Any]:
    """Return the first `limit` rows of each list, and the number of omitted rows as `more_NAME`."""
    context: dict[str, Any] = {}
    for name, rows in lists.items():
        context |= {name: rows[:limit], f"more_{name}": max(0, len(rows) - limit)}
    return context
