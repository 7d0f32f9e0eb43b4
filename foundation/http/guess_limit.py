"""A limit per client on requests that find nothing, against guessing of keys and secret links.

Requests for existing objects are never refused here, so misses are counted after the lookup.
Even without the limit, the length of secret links makes them safe.
"""

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from foundation.http.errors import ApiError, error_response
from foundation.http.throttling import count_request

ROUTE = "misses"  # one limit for pages, feeds, links in emails and short links together


class MissesMiddleware:
    """Returns 429 instead of 404 after RATE_LIMIT misses; the API counts its own requests."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if response.status_code != HTTPStatus.NOT_FOUND or "RateLimit" in response:
            return response
        admission = count_request(ROUTE, request)
        if admission is None or admission.admitted:
            return response
        sentence = "Too many requests for addresses that do not exist. Please wait a moment."
        error = ApiError("rate_limited", sentence, status=429, headers=admission.headers)
        return error_response(request, error)
