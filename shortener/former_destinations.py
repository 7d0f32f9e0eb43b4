"""Adds former destinations from imported files to retargetable links."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.db.models import QuerySet

from shortener.models import FormerDestination, ShortURL


class FormerDestinationRow(NamedTuple):
    """A former destination of the link with this key, and the time until which it applied."""

    key: str
    long_url: str
    until: datetime


def _retargetable_links(keys: Collection[str]) -> QuerySet[ShortURL]:
    return ShortURL.objects.filter(pk__among=keys, retargetable=True)


def retargetable_among(keys: Collection[str]) -> set[str]:
    """Return which of these keys belong to retargetable links."""
    return set(_retargetable_links(keys).values_list("pk", flat=True))


@transaction.atomic
def add_missing(rows: Sequence[FormerDestinationRow]) -> set[str]:
    """Add the missing former destinations; return the keys that no retargetable link has."""
    links = _retargetable_links({row.key for row in rows})
    links_by_key = links.select_for_update().order_by("pk").in_bulk()
    existing = FormerDestination.objects.filter(short_url__key__among=links_by_key)
    seen = set(existing.values_list("short_url_id", "long_url", "until"))
    FormerDestination.objects.bulk_create(
        FormerDestination(short_url=links_by_key[row.key], long_url=row.long_url, until=row.until)
        for row in dict.fromkeys(rows)
        if row.key in links_by_key and row not in seen
    )
    return {row.key for row in rows} - links_by_key.keys()
