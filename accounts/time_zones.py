"""The time zone of a page's reader: the account's, the browser's or UTC."""

from collections.abc import Callable
from datetime import UTC, tzinfo
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django.contrib.auth.mixins import AccessMixin
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

COOKIE = "zone"  # set by static/linkwatch/navigation.js
_ADMIN = "/admin/"


@cache
def zone_names() -> frozenset[str]:
    """Return the names of all time zones, except the two that browsers don't know."""
    return frozenset(available_timezones() - {"Factory", "localtime"})


def own_zone(user: Any) -> str:
    """Return the name of the account's zone, or an empty string."""
    reading = getattr(user, "reading", None)
    return "" if reading is None else str(reading.zone)


def reader_zone(request: HttpRequest) -> tzinfo:
    """Return the time zone for this request's page: the account's, the browser's or UTC."""
    return zone_named(own_zone(request.user) or request.COOKIES.get(COOKIE, ""))


def zone_named(name: str) -> tzinfo:
    """Return the time zone with this name, or UTC for an unknown name."""
    return ZoneInfo(name) if name in zone_names() else UTC


class ReaderZoneMiddleware:
    """Activates the reader's time zone on pages behind sign-in, including their forms.

    Public pages use UTC, because some of them are cached for everyone.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            return self.get_response(request)
        finally:
            timezone.deactivate()

    def process_view(self, request: HttpRequest, view: Any, *_: Any) -> None:
        page_class = getattr(view, "view_class", None)
        is_private = isinstance(page_class, type) and issubclass(page_class, AccessMixin)
        if is_private or request.path.startswith(_ADMIN):
            zone = reader_zone(request)
            if zone is not UTC:
                timezone.activate(zone)
