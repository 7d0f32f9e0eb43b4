"""Template filters and tags for numbers and shares."""

from collections.abc import Mapping
from typing import Any

from django import template

register = template.Library()

_DECIMALS_BELOW = 10  # smaller numbers are shown with decimals


@register.filter
def number(value: float) -> str:
    """Show a number, rounded to an integer, with thousands separators."""
    return f"{value:,.0f}"


@register.filter
def rate(value: float) -> str:
    """Show a rate as an integer, or below 10 with up to two digits: `1,250`, `3.4`, `0.05`, `0`."""
    if value >= _DECIMALS_BELOW or value == 0:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 1 else f"{value:.2g}"


@register.filter
def seconds(milliseconds: float | None) -> str:
    """Show milliseconds as seconds with one decimal; nothing for None."""
    return "" if milliseconds is None else f"{milliseconds / 1000:,.1f} s"


@register.filter
def percent(part: float, whole: float) -> str:
    """Show a share in percent, with one decimal below 10 and above 90; 0 if `whole` is 0.

    A positive share is never shown as 0, nor a partial one as 100.
    """
    share = 100 * part / whole if whole else 0.0
    if 0 < share < 0.1:
        return "< 0.1%"
    if 99.9 < share < 100:
        return "> 99.9%"
    is_round = share in (0, 100) or _DECIMALS_BELOW <= share <= 100 - _DECIMALS_BELOW
    return f"{share:.0f}%" if is_round else f"{share:.1f}%"


@register.simple_tag
def stack(counts: Mapping[str, int]) -> list[dict[str, Any]]:
    """Return the pieces of a stacked bar: `name`, and `x` and `width` in percent of the bar."""
    total = sum(counts.values())
    pieces, x = [], 0.0
    for name, count in counts.items():
        width = 100 * count / total if total else 0.0
        pieces.append({"name": name, "x": f"{x:.3f}", "width": f"{width:.3f}"})
        x += width
    return pieces


@register.filter
def scaled(value: float, longest: float) -> str:
    """Return the length of a bar in percent of the longest."""
    return f"{100 * value / longest:.1f}" if longest else "0"
