"""Deprecated operations of the API, declared on views, shown in headers and OpenAPI (ADR 67)."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, TypeVar

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.http import http_date

View = TypeVar("View", bound=Callable[..., Any])

MIN_NOTICE = timedelta(days=180)  # the minimum time from deprecation to removal: docs/api.md


@dataclass(frozen=True)
class Deprecation:
    """When an operation was deprecated, when it ends, and where the alternative is documented."""

    since: date
    sunset: date
    see: str  # a URL

    def headers(self) -> dict[str, str]:
        """Return Deprecation (RFC 9745), Sunset (RFC 8594) and a Link to the documentation."""
        return {
            "Deprecation": f"@{_timestamp(self.since)}",
            "Sunset": http_date(_timestamp(self.sunset)),
            "Link": f'<{self.see}>; rel="deprecation"; type="text/html"',
        }


def deprecated(*, since: date, sunset: date, see: str) -> Callable[[View], View]:
    """Declare an operation deprecated; raises ValueError for less notice than MIN_NOTICE."""
    if sunset < (earliest := since + MIN_NOTICE):
        raise ValueError(f"Deprecated on {since}, it must not be removed before {earliest}.")

    def mark(view: View) -> View:
        view.deprecation = Deprecation(since, sunset, see)  # type: ignore[attr-defined]
        return view

    return mark


def deprecation_of(view: type, action: str) -> Deprecation | None:
    """Return the deprecation declared on this method of a view, if any."""
    return getattr(getattr(view, action, None), "deprecation", None)


class DeprecationMiddleware:
    """Adds the headers to every response of a deprecated operation, errors included."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self._get_response(request)
        match = request.resolver_match
        view = getattr(match.func, "cls", None) if match else None
        if match is None or view is None:
            return response
        method = (request.method or "").lower()
        actions = getattr(match.func, "actions", None) or {}
        if deprecation := deprecation_of(view, actions.get(method, method)):
            for name, value in deprecation.headers().items():
                response[name] = value
        return response


def _timestamp(day: date) -> int:
    return int(datetime.combine(day, time(), UTC).timestamp())
