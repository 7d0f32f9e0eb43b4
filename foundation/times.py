"""Times in the API's format."""

from datetime import datetime


def rfc3339(time: datetime | None) -> str | None:
    """Return a UTC time in RFC 3339, as in JSON; None for None."""
    return None if time is None else time.isoformat().replace("+00:00", "Z")
