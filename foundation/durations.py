"""Durations as people write them: `200ms`, `15s`, `10d`, `1h30m`."""

import re
from datetime import timedelta

_UNITS = {
    "ms": timedelta(milliseconds=1),
    "s": timedelta(seconds=1),
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
}
_PART = r"(\d{1,9})(ms|s|m|h|d)"
_DURATION = re.compile(f"(?:{_PART})+", re.ASCII)
PATTERN = "^([0-9]{1,9}(ms|s|m|h|d))+$"  # the same, for JSON Schema
MAX_DURATION = timedelta(days=3650)


def parse_duration(text: str) -> timedelta:
    """Return the time span of at most MAX_DURATION that `text` denotes.

    Raises ValueError with a sentence for anything else, including signs, spaces and bare numbers.
    """
    if not _DURATION.fullmatch(text):
        raise ValueError(f"{text[:40]!r} is not a duration such as 200ms, 15s, 1h30m or 10d.")
    # Sum in milliseconds: 999999999d alone would overflow a timedelta.
    total_ms = sum(
        int(number) * (_UNITS[unit] // _UNITS["ms"]) for number, unit in re.findall(_PART, text)
    )
    if total_ms > MAX_DURATION // _UNITS["ms"]:
        raise ValueError(f"{text[:40]!r} is longer than {format_duration(MAX_DURATION)}.")
    return timedelta(milliseconds=total_ms)


def duration_in_words(span: timedelta) -> str:
    """Return `span` in the largest unit that divides it: `10 days`, `36 hours`, `1.5 seconds`.

    For settings; for elapsed times there is `foundation.templatetags.times.span_in_words`.
    """
    units = (("d", "day"), ("h", "hour"), ("m", "minute"))
    unit, name = next(
        ((_UNITS[letter], name) for letter, name in units if span and not span % _UNITS[letter]),
        (_UNITS["s"], "second"),
    )
    count = f"{span / unit:,.3f}".rstrip("0").rstrip(".")
    return f"{count} {name}{'' if count == '1' else 's'}"


def period_in_words(span: timedelta) -> str:
    """Return `span` in the form that follows "every": `10 days`, `day`."""
    return duration_in_words(span).removeprefix("1 ")


def format_duration(span: timedelta) -> str:
    """Return `span`, rounded down to milliseconds, in the form that `parse_duration` reads."""
    rest, parts = span // _UNITS["ms"], []
    for unit in ("d", "h", "m", "s", "ms"):
        count, rest = divmod(rest, _UNITS[unit] // _UNITS["ms"])
        if count:
            parts.append(f"{count}{unit}")
    return "".join(parts) or "0s"
