"""Exports and deletes the snippets of an account."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from accounts import teams
from accounts.sharing import owned_by
from foundation.app import OwnedRows
from foundation.database.paging import in_pages
from snippets import services
from snippets.models import Snippet

_BATCH_SIZE = 10  # contents in memory at once


def export(user_id: int) -> Iterator[OwnedRows]:
    """Yield the account's snippets and their versions, by kind.

    Leaves out those in teams that the user is not in.
    """
    snippets = Snippet.objects.filter(owned_by(user_id)).prefetch_related("tags", "team")
    yield (
        "snippets",
        (
            {
                "id": row.pk,
                "title": row.title,
                "content": row.content,
                "language": row.language,
                "visibility": row.visibility,
                "tags": row.tag_names,
                "created_at": row.created_at,
                "expires_at": row.expires_at,
                "team": row.team and row.team.name,
                "for_everyone": row.for_everyone,
            }
            for row in in_pages(snippets, page_size=_BATCH_SIZE)
        ),
    )
    yield "snippet_versions", _versions(user_id)


def _versions(user_id: int) -> Iterator[dict[str, Any]]:
    for snippet in in_pages(Snippet.objects.filter(owned_by(user_id)).defer("content")):
        for row in snippet.versions.order_by("number").iterator(chunk_size=_BATCH_SIZE):
            yield {
                "snippet": snippet.pk,
                "number": row.number,
                "title": row.title,
                "content": row.content,
                "language": row.language,
                "at": row.at,
            }


def delete(user_id: int, *, now: datetime, limit: int) -> int:
    """Delete, or transfer, up to `limit` snippets of the account; return how many.

    A team's snippets are transferred to another active member, if there is one.
    """
    own = Snippet.objects.filter(owner=user_id).order_by("created_at", "pk")
    ids = dict(own.values_list("pk", "team")[:limit])
    new_owners = teams.next_owners(ids, account=user_id)
    services.transfer(new_owners, owner_id=user_id)
    services.delete_all([id_ for id_ in ids if id_ not in new_owners], now=now)
    return len(ids)
