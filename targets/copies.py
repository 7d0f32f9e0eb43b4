"""Copies of dead pages in web archives, for the API, lookups, files and events."""

from typing import Any

from foundation.times import rfc3339
from targets.models import TargetCopy


def copy_json(copy: TargetCopy | None) -> dict[str, Any] | None:
    """Return the JSON of a page's copy; None if there is no copy."""
    if copy is None:
        return None
    return {
        "result": copy.result,
        "archive": copy.archive or None,
        "url": copy.address or None,
        "captured_at": rfc3339(copy.captured_at),
        "asked_at": rfc3339(copy.asked_at),
    }
