"""Exports and deletes the short links of an account."""

from collections.abc import Iterator
from datetime import datetime

from accounts import teams
from accounts.sharing import owned_by
from foundation.app import OwnedRows
from foundation.database.paging import in_pages
from shortener import services
from shortener.models import ShortURL


def export(user_id: int) -> Iterator[OwnedRows]:
    """Yield the account's short links, except those in teams that the user is not in."""
    links = ShortURL.objects.filter(owned_by(user_id)).prefetch_related("tags", "team")
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
                "team": row.team and row.team.name,
                "for_everyone": row.for_everyone,
            }
            for row in in_pages(links)
        ),
    )


def delete(user_id: int, *, now: datetime, limit: int) -> int:
    """Delete, or transfer, up to `limit` links of the account; return how many.

    The keys of deleted links are retired. A team's links are transferred to another active member,
    if there is one.
    """
    own = ShortURL.objects.filter(owner=user_id).order_by("created_at", "key")
    links = dict(own.values_list("key", "team")[:limit])
    new_owners = teams.next_owners(links, account=user_id)
    services.transfer(new_owners, owner_id=user_id)
    services.delete_all([key for key in links if key not in new_owners], now=now)
    return len(links)
