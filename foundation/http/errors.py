"""API errors: each is raised with a code and an HTTP status, and rendered in the same envelope.

The envelope is `{"code", "message", "details"}`, plus `request_id` in a response. Source:
docs/requirements.md#snippets-api.
"""

import logging
import sys
from collections.abc import Mapping
from datetime import timedelta
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers
from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import exceptions, serializers
from rest_framework.response import Response
from rest_framework.views import exception_handler

from foundation import request_id
from foundation.database import unavailable
from foundation.http.throttling import count_refusal
from foundation.templatetags.times import span_in_words

logger = logging.getLogger(__name__)


class ApiError(exceptions.APIException):
    """An error with its own code; raised by views and services, rendered by `render_error`.

    A 503 has a Retry-After of `unavailable.RETRY_AFTER`, unless `headers` has another one.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int = 400,
        details: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message, code)
        self.code = code
        self.message = message
        self.status_code = status
        self.details = dict(details or {})
        self.headers = {"Retry-After": str(unavailable.RETRY_AFTER)} if status == 503 else {}
        self.headers |= headers or {}


def database_unavailable(error: Exception) -> ApiError:
    """Return the 503 for a request that needs the database; `error` says why it is unavailable."""
    return ApiError("unavailable", unavailable.message(error), status=503)


def envelope(code: str, message: str, details: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the body of an API error."""
    return {"code": code, "message": message, "details": dict(details or {})}


def with_request_id(body: dict[str, Any]) -> dict[str, Any]:
    """Return an error's envelope with the id of the request, as the body of a response."""
    id_ = request_id.current()
    return {**body, "request_id": id_} if id_ else body


@extend_schema_serializer(
    examples=[
        OpenApiExample(
            "An invalid field",
            {
                "code": "invalid",
                "message": "The request has invalid fields.",
                "details": {"limit": ["Must be a whole number from 1 to 1000."]},
            },
        )
    ]
)
class ErrorSerializer(serializers.Serializer[Any]):
    """The envelope of every error."""

    code = serializers.RegexField("^[a-z_]+$", help_text="A machine-readable code.")
    message = serializers.CharField(help_text="A human-readable message.")
    details = serializers.DictField(
        help_text="For `invalid`: what is wrong, by field. Other codes may have other details."
    )
    request_id = serializers.CharField(
        required=False,
        help_text=(
            "The same as `X-Request-ID`; it also appears in the log. Absent within `results`."
        ),
    )


_CODES = {
    400: "bad_request",
    401: "not_authenticated",
    403: "permission_denied",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    413: "body_too_large",
    415: "unsupported_media_type",
    429: "rate_limited",
    501: "not_implemented",
    503: "unavailable",
}
_TOO_LARGE = "The body of the request is too large."


def error_body(error: exceptions.APIException) -> dict[str, Any]:
    """Return the envelope of one error; a validation error lists its messages by field."""
    if isinstance(error, ApiError):
        return envelope(error.code, error.message, error.details)
    if isinstance(error, exceptions.ValidationError):
        details = error.detail if isinstance(error.detail, dict) else {"body": error.detail}
        return envelope("invalid", "The request has invalid fields.", details)
    if isinstance(error, exceptions.Throttled) and (seconds := getattr(error, "wait", None)):
        wait = span_in_words(timedelta(seconds=seconds), rounded=True)
        return envelope("rate_limited", f"The rate limit has been exceeded. Try again in {wait}.")
    code = "parse_error" if isinstance(error, exceptions.ParseError) else ""
    return envelope(code or _CODES.get(error.status_code, "error"), str(error.detail))


def render_error(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler: return the response to a known error, in the envelope.

    Returns None for an unknown error, which becomes a 500.
    """
    if isinstance(error, Http404):
        error = exceptions.NotFound()
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied()
    elif isinstance(error, RequestDataTooBig):
        error = ApiError("body_too_large", _TOO_LARGE, status=413)
    elif unavailable.is_outage(error):
        logger.error("The database is unavailable", exc_info=error)
        error = database_unavailable(error)
    error = _or_throttled(error, context)
    response = exception_handler(error, context)
    if response is not None and isinstance(error, exceptions.APIException):
        response.data = with_request_id(error_body(error))
        for name, value in getattr(error, "headers", {}).items():
            response[name] = value
    return response


def _or_throttled(error: Exception, context: dict[str, Any]) -> Exception:
    """Return the error, or Throttled instead of a 401 or 403 if this client got too many."""
    if getattr(error, "status_code", None) in (401, 403):
        try:
            count_refusal(context["request"])
        except exceptions.Throttled as throttled:
            return throttled
    return error


# Headings of error pages, above the sentence.
_HEADINGS = {
    400: "Bad request",
    403: "Access denied",
    404: "Page not found",
    413: "Request too large",
    429: "Too many requests",
    500: "Server error",
    503: "Temporarily unavailable",
}


def _page(
    request: HttpRequest, status: int, message: str, *, with_user: bool = True
) -> HttpResponse:
    """Return a page for browsers, or the envelope for other clients.

    The envelope's code follows from the status. With `with_user`, a page's header shows the user,
    which needs the session and the database.
    """
    if not _is_browser(request):
        body = with_request_id(envelope(_CODES.get(status, "server_error"), message))
        response: HttpResponse = JsonResponse(body, status=status)
    else:
        user_request = request if with_user else None
        leads_home = request.path != "/"
        page = render_error_page(status, message, request=user_request, leads_home=leads_home)
        response = HttpResponse(page, status=status)
    patch_vary_headers(response, ["Accept"])
    return response


def error_response(request: HttpRequest, error: ApiError) -> HttpResponse:
    """Return this error as the response to a request for a page, or for a file of a page."""
    response = _page(request, error.status_code, error.message)
    for name, value in error.headers.items():
        response[name] = value
    return response


def render_error_page(
    status: int, message: str, *, request: HttpRequest | None = None, leads_home: bool = True
) -> str:
    """Return an error page; without a request, its header shows no user.

    `leads_home`: the page has a button to the home page.
    """
    phrase = HTTPStatus(status).phrase
    context = {
        "status": f"{status} {phrase}",
        "heading": _HEADINGS.get(status, phrase),
        "sentence": message,
        "leads_home": leads_home,
    }
    return render_to_string("linkwatch/notice.html", context, request)


def _is_browser(request: HttpRequest) -> bool:
    """Return whether the client is a browser, which accepts HTML by name."""
    return "text/html" in request.headers.get("Accept", "")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler400: a malformed request, or one that is too large."""
    if isinstance(exception, RequestDataTooBig):
        return _page(request, 413, _TOO_LARGE, with_user=False)
    return _page(request, 400, "The request is malformed.", with_user=False)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler403."""
    return _page(request, 403, "You do not have permission to do this.")


def csrf_failure(request: HttpRequest, reason: str) -> HttpResponse:
    """Django's CSRF_FAILURE_VIEW: a form without a valid CSRF token."""
    message = (
        "The form has expired or came from another site. Allow cookies, reload the page and "
        "submit the form again."
    )
    return _page(request, 403, message)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler404: no such path or object."""
    return _page(request, 404, "There is nothing at this address.")


def server_error(request: HttpRequest) -> HttpResponse:
    """Django's handler500; the traceback is in the log, never in the response.

    While the database is unavailable, the status is 503.
    """
    error = sys.exc_info()[1]  # Django calls this while it handles the error
    if unavailable.is_outage(error):
        response = _page(request, 503, unavailable.message(error), with_user=False)
        response["Retry-After"] = str(unavailable.RETRY_AFTER)
        return response
    message = "Something went wrong on our side; the error has been logged."
    return _page(request, 500, message, with_user=False)
