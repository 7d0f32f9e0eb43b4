"""Refuses forms that no browser would send, before they are parsed."""

import re
from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse

_FORM = "application/x-www-form-urlencoded"
_BARE_PERCENT = re.compile(rb"%(?![0-9A-Fa-f]{2})")


class FormMiddleware:
    """Refuses a form with a `%` that starts no escape, because browsers and programs write `%25`.

    Also refuses a form with more escapes than the longest snippet needs: parsing six million of
    them took five seconds.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the response; raises BadRequest if the request has such a form."""
        if request.content_type == _FORM:
            max_escapes = settings.MAX_BODY_BYTES // 4
            if request.body.count(b"%") > max_escapes or _BARE_PERCENT.search(request.body):
                raise BadRequest("The form has too many escapes, or a % without two hex digits.")
        return self._get_response(request)
