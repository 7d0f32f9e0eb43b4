"""Epochs of the feed: a restore begins a new one, because it reuses positions for other events."""

import secrets
from datetime import datetime

from foundation.http.errors import ApiError
from outbox.models import Epoch, Event

FIRST = ""  # the name of the first epoch


def begin(now: datetime) -> Epoch:
    """Begin an epoch after the last position. Call it before another position is assigned."""
    return Epoch.objects.create(
        name=secrets.token_urlsafe(12),
        began_at=now,
        began_behind=Event.objects.newest_position(),
    )


def check(name: str, *, position: int) -> str:
    """Return the name of the current epoch if `position`, from the epoch `name`, is still valid.

    A position is valid up to the one after which the next epoch began. Runs one short query. Raises
    ApiError `epoch_changed` (409) for a later position, and for an unknown epoch: one that began in
    another copy of the database, or after the restored backup was made.
    """
    begun = list(Epoch.objects.order_by("number").values_list("name", "began_behind"))
    names = [FIRST, *(epoch for epoch, _ in begun)]
    if name == names[-1]:
        return name
    ends = dict(zip(names, (position for _, position in begun), strict=False))
    if name not in ends or position > ends[name]:
        raise ApiError(
            "epoch_changed",
            "The database was restored from a backup that lacks some events before this "
            "page_token. Read the feed from the beginning, without a page_token; use the event ids "
            "to skip events that you have already seen.",
            status=409,
        )
    return names[-1]
