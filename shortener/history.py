"""Where retargetable links led before, as files of links bring it; moves write it themselves."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from shortener.models import FormerDestination, ShortURL


class Former(NamedTuple):
    """Where the link of a key led before, and until when."""

    key: str
    long_url: str
    until: datetime


@transaction.atomic
def remember(rows: Sequence[Former]) -> set[str]:
    """Add to the history of links what is not in it yet; returns the keys that may have none.

    For links that come from elsewhere; `until` is told as it was there.
    """
    links = ShortURL.objects.filter(pk__among={row.key for row in rows}, retargetable=True)
    known = links.select_for_update().order_by("pk").in_bulk()
    there = FormerDestination.objects.filter(short_url__key__among=known)
    seen = set(there.values_list("short_url_id", "long_url", "until"))
    FormerDestination.objects.bulk_create(
        FormerDestination(short_url=known[row.key], long_url=row.long_url, until=row.until)
        for row in dict.fromkeys(rows)
        if row.key in known and row not in seen
    )
    return {row.key for row in rows} - known.keys()
