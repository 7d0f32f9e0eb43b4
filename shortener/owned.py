"""Short links of one account: all of them, and their end."""

from collections.abc import Iterator
from datetime import datetime

from foundation.app import OwnedRows
from foundation.database.paging import in_pages
from shortener import services
from shortener.models import ShortURL


def export(user_id: int) -> Iterator[OwnedRows]:
    """Yield what the account owns, by kind."""
    links = ShortURL.objects.filter(owner=user_id).prefetch_related("tags")
    yield (
        "short_links",
        (
            {
                "key": row.key,
                "long_url": row.long_url,
                "tags": row.tag_names,
                "created_at": row.created_at,
                "expires_at": row.expires_at,
                "max_visits": row.max_visits,
            }
            for row in in_pages(links)
        ),
    )


def delete(user_id: int, *, now: datetime, limit: int) -> int:
    """Delete up to `limit` links of the account and retire their keys; return how many."""
    own = ShortURL.objects.filter(owner=user_id).order_by("created_at", "key")
    keys = list(own.values_list("key", flat=True)[:limit])
    services.delete_all(keys, now=now)
    return len(keys)
