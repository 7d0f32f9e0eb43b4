"""The time zone of who reads a page: as the account says, else as the browser says, else UTC."""

from collections.abc import Callable
from datetime import UTC, tzinfo
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django.contrib.auth.mixins import AccessMixin
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

COOKIE = "zone"  # which static/linkwatch/times.js writes
_ADMIN = "/admin/"


@cache
def zone_names() -> frozenset[str]:
    """Return the names of all time zones that there are."""
    return frozenset(available_timezones())


def own_zone(user: Any) -> str:
    """Return the name of the zone that the account says, empty for none."""
    reading = getattr(user, "reading", None)
    return "" if reading is None else str(reading.zone)


def reader_zone(request: HttpRequest) -> tzinfo:
    """Return the time zone in which this request's page speaks."""
    name = own_zone(request.user) or request.COOKIES.get(COOKIE, "")
    return ZoneInfo(name) if name in zone_names() else UTC


class ReaderZoneMiddleware:
    """Let pages behind sign-in speak in the reader's time zone, their forms as well.

    Public pages, some of which are cached for everybody, speak in UTC.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            return self.get_response(request)
        finally:
            timezone.deactivate()

    def process_view(self, request: HttpRequest, view: Any, *_: Any) -> None:
        page = getattr(view, "view_class", None)
        is_private = isinstance(page, type) and issubclass(page, AccessMixin)
        if is_private or request.path.startswith(_ADMIN):
            zone = reader_zone(request)
            if zone is not UTC:
                timezone.activate(zone)
