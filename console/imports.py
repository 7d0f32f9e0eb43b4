"""Imports of files: counted by RATE_LIMIT, few at once, stopped when their client leaves."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse

from foundation.http.errors import ApiError, answer_page
from foundation.http.few_at_once import FewAtOnce
from foundation.http.leaving import ClientLeftError
from foundation.http.throttling import count_request

MOST = 2  # at once in one process: each is seconds of work, which all other requests share

_imports = FewAtOnce(MOST, f"{MOST} files are being read already. Try again in a moment.")


def bounded(post: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Wrap `post` of a page that reads a file: 429 over RATE_LIMIT, 503 while MOST others run."""

    @wraps(post)
    def admit_first(page: Any, request: HttpRequest) -> HttpResponse:
        try:
            _count(request)
            with _imports.one():
                return post(page, request)
        except ApiError as error:
            return answer_page(request, error)
        except ClientLeftError:
            return HttpResponse(status=408)  # which nobody reads

    return admit_first


def _count(request: HttpRequest) -> None:
    admission = count_request(f"POST {request.path}", request)
    if admission is not None and not admission.admitted:
        message = f"Too many files at once. Try again in {admission.reset} seconds."
        raise ApiError("rate_limited", message, status=429, headers=admission.headers)
