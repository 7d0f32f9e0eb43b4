"""The limits of a snippet's size and lifetime."""

from datetime import datetime, timedelta

from django.conf import settings

from foundation.http.errors import ApiError

MAX_LIFETIME = timedelta(days=3650)


def check_size(content: str, *, limit: int | None = None) -> None:
    """Raise ApiError `content_too_large` (413) if the content has more than `limit` bytes of UTF-8.

    The default is SNIPPET_MAX_BYTES.
    """
    size, limit = len(content.encode()), limit or settings.SNIPPET_MAX_BYTES
    if size > limit:
        raise ApiError(
            "content_too_large",
            f"The content is larger than {limit:,} bytes.",
            status=413,
            details={"content": [f"It is {size:,} bytes long; the limit is {limit:,}."]},
        )


def check_expiry(expires_at: datetime | None, *, now: datetime) -> None:
    """Raise ApiError `invalid` for an expiry that is past, or more than MAX_LIFETIME ahead."""
    if expires_at is None:
        return
    if expires_at <= now:
        problem = "This time is in the past."
    elif expires_at > now + MAX_LIFETIME:
        problem = (
            "This is more than 3,650 days in the future. "
            "To keep the snippet forever, set no expiry."
        )
    else:
        return
    details = {"expires_at": [problem]}
    raise ApiError("invalid", "The request has invalid fields.", details=details)
