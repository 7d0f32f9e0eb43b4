"""Points in time as the API writes them."""

from datetime import datetime


def rfc3339(time: datetime | None) -> str | None:
    """Return a UTC time as JSON has it."""
    return None if time is None else time.isoformat().replace("+00:00", "Z")
