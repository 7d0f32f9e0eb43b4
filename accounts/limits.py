"""SIGN_IN_LIMIT: how often one client may try a password, a code or a link."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import redis
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from foundation.http.client_address import client_address
from foundation.valkey.rate_limit import Admission, admit

_ROUTE = "POST sign-in"


def count_attempt(request: HttpRequest) -> Admission | None:
    """Count an attempt; None while Redis is out of reach, for a limit is no gate."""
    address = client_address(
        request.META.get("REMOTE_ADDR"), request.META.get("HTTP_X_FORWARDED_FOR", "")
    )
    try:
        return admit(_ROUTE, address, rate=settings.SIGN_IN_LIMIT)
    except redis.RedisError:
        return None


def limited(post: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Wrap `post` of a page with a form: 429 after SIGN_IN_LIMIT attempts of one client."""

    @wraps(post)
    def count_first(view: Any, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        admission = count_attempt(request)
        if admission is None or admission.admitted:
            return post(view, request, *args, **kwargs)
        context = view.get_context_data(wait=admission.reset)
        response: HttpResponse = view.render_to_response(context, status=429)
        response["Retry-After"] = str(admission.reset)
        return response

    return count_first
