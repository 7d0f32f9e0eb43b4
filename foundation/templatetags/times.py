"""Template filters and tags for times: relative, with the exact time on hover."""

from datetime import UTC, datetime, timedelta

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()

_MOMENT = timedelta(seconds=5)
# A time so little ahead is past: the row was read after the clock.
_AHEAD = timedelta(seconds=1)
# Units, longest first, each with the number of units from which it is used.
_UNITS = (
    (timedelta(days=365), "year", 2),
    (timedelta(days=30), "month", 2),
    (timedelta(days=1), "day", 2),
    (timedelta(hours=1), "hour", 2),
    (timedelta(minutes=1), "minute", 2),
    (timedelta(seconds=1), "second", 0),
)


def span_in_words(span: timedelta, *, rounded: bool = False) -> str:
    """Return a span in one whole unit, such as `3 hours`, truncated or `rounded`.

    For elapsed times; for settings there is `foundation.durations.duration_in_words`.
    """
    unit, name = next((unit, name) for unit, name, minimum in _UNITS if span >= minimum * unit)
    count = (span + unit / 2) // unit if rounded else span // unit
    return f"{count} {name}{'' if count == 1 else 's'}"


def relative(time: datetime, now: datetime) -> str:
    """Return how far `time` lies from `now`: `3 hours ago`, `just now`, `in a few seconds`.

    Future times are rounded: 30 days are "in 30 days", not "in 29 days" a moment later.
    """
    distance = time - now
    if -_MOMENT < distance < _AHEAD:
        return "just now"
    if _AHEAD <= distance < _MOMENT:
        return "in a few seconds"
    if distance > timedelta(0):
        return f"in {span_in_words(distance, rounded=True)}"
    return f"{span_in_words(-distance)} ago"


def _local(time: datetime) -> datetime:
    """Return a time in the reader's zone; in UTC if it is out of range there, as 9999-12-31 may be.

    0.2.0 let operators pause a host until then, and servers choose when their certificates expire.
    """
    try:
        return timezone.localtime(time)
    except OverflowError:
        return time.astimezone(UTC)


@register.filter
def exact(time: datetime) -> str:
    """Return a time to the second with its zone: the reader's if signed in, otherwise UTC."""
    return f"{_local(time):%Y-%m-%d %H:%M:%S %Z}"


@register.simple_tag
def when(time: datetime | None, now: datetime, none: str = "never") -> SafeString:
    """Show a time relative to `now`, with the exact time on hover; the text `none` for None."""
    if time is None:
        return format_html("{}", none)
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        time.astimezone(UTC).isoformat(),
        exact(time),
        relative(time, now),
    )


@register.simple_tag
def due(time: datetime | None, now: datetime) -> str:
    """Show when something is due: like `when`, but `due now` for past times."""
    if time is not None and time <= now:
        return "due now"
    return when(time, now)


@register.simple_tag
def lasting(time: datetime, now: datetime) -> SafeString:
    """Show how long something has lasted (`for 3 hours`) or will last (`for another 3 hours`).

    `time` is its start or its end; within five seconds of `now`, shows `for a few seconds`.
    """
    words = relative(time, now)
    if words in {"just now", "in a few seconds"}:
        words = "for a few seconds"
    elif words.startswith("in "):
        words = f"for another {words.removeprefix('in ')}"
    elif words.endswith(" ago"):
        words = f"for {words.removesuffix(' ago')}"
    return format_html(
        '<time datetime="{}" title="{}" data-lasting>{}</time>',
        time.astimezone(UTC).isoformat(),
        exact(time),
        words,
    )


@register.simple_tag
def clock(time: datetime) -> SafeString:
    """Show a time to the minute, with its zone, which is UTC if the reader's is unknown.

    `times.js` formats it for the reader's language, in the zone of `data-clock` or the browser's.
    """
    zone = timezone.get_current_timezone_name()
    return format_html(
        '<time datetime="{}" title="{}" data-clock="{}">{}</time>',
        time.astimezone(UTC).isoformat(),
        exact(time),
        "" if zone == "UTC" else zone,
        f"{_local(time):%Y-%m-%d %H:%M %Z}",
    )


@register.simple_tag
def day(time: datetime) -> SafeString:
    """Show the date of a time, in the reader's zone."""
    local = _local(time)
    return format_html(
        '<time datetime="{}" data-date>{}</time>', local.isoformat(), local.date().isoformat()
    )


@register.filter
def in_words(span: timedelta) -> str:
    """Show a span in words, such as `3 hours`; spans under a second as `1 second`."""
    return span_in_words(max(span, timedelta(seconds=1)))


@register.filter
def milliseconds(count: object) -> str:
    """Show a number of milliseconds; a dash if not measured."""
    return f"{count:.4g} ms" if isinstance(count, int | float) else "\N{EN DASH}"
