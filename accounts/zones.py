"""The time zone of who reads a page: as the account says, else as the browser says, else UTC."""

from datetime import UTC, tzinfo
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from django.http import HttpRequest

COOKIE = "zone"  # which static/linkwatch/times.js writes


@cache
def zone_names() -> frozenset[str]:
    """Return the names of all time zones that there are."""
    return frozenset(available_timezones())


def reader_zone(request: HttpRequest) -> tzinfo:
    """Return the time zone in which this request's page speaks."""
    name = request.COOKIES.get(COOKIE, "")
    return ZoneInfo(name) if name in zone_names() else UTC
