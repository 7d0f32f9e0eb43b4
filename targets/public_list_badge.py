"""The badge of a public list, such as `412 links, 3 dead`, as an SVG image."""

from typing import Any

from django.template.loader import render_to_string


def draw(total: int, dead: int) -> str:
    """Return the badge of a list with this many targets."""
    left = f"{total:,} link{'' if total == 1 else 's'}"
    right = f"{dead:,} dead" if dead else "none dead"
    return render_to_string("targets/badge.svg", _geometry(left, right) | {"is_bad": dead > 0})


def _geometry(left: str, right: str) -> dict[str, Any]:
    """Return both labels with their positions: letters of 11 pixels are about 6.6 pixels wide."""
    widths = [round(6.6 * len(text)) for text in (left, right)]
    boxes = [width + 12 for width in widths]
    return {
        "left": left,
        "right": right,
        "left_length": widths[0],
        "right_length": widths[1],
        "left_box": boxes[0],
        "right_box": boxes[1],
        "right_text": boxes[0] + 6,
        "width": sum(boxes),
    }
