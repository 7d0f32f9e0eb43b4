"""SIGN_IN_LIMIT: how often a client may try a password, a code or a link."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from foundation.http.throttling import count_request
from foundation.valkey.rate_limit import Admission

_ROUTE = "POST sign-in"


def count_attempt(request: HttpRequest) -> Admission | None:
    """Count an attempt and return the result.

    Returns None if Redis is unavailable, because the limit must not lock people out.
    """
    return count_request(_ROUTE, request, rate=settings.SIGN_IN_LIMIT)


def limited(post: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Wrap `post` of a page with a form: 429 after SIGN_IN_LIMIT attempts by one client."""

    @wraps(post)
    def count_first(view: Any, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        admission = count_attempt(request)
        if admission is None or admission.admitted:
            return post(view, request, *args, **kwargs)
        context = view.get_context_data(wait=admission.reset, form=_blank_form(view))
        response: HttpResponse = view.render_to_response(context, status=429)
        response["Retry-After"] = str(admission.reset)
        return response

    return count_first


def _blank_form(view: Any) -> Any:
    """Return the page's form without the submitted data, which is not read."""
    form_kwargs = view.get_form_kwargs()
    for name in ("data", "files"):
        form_kwargs.pop(name, None)
    return view.get_form_class()(**form_kwargs)
