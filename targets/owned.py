"""Exports what an account owns in the registry, and removes its references."""

from collections.abc import Iterator
from datetime import datetime

from django.contrib.auth.models import User

from accounts.actors import Actor
from accounts.models import ReferenceShare
from accounts.sharing import owned_by
from foundation.app import OwnedRows
from foundation.database.paging import in_pages
from targets import services, shares
from targets.models import PublicList, Reference, Repair, ReplacedReference, TargetNote


def export(user_id: int) -> Iterator[OwnedRows]:
    """Yield what the account owns, by kind: references, notes, public lists, repairs, and shares
    and pairs of references.

    Leaves out references in a team that the account has left.
    """
    by = Actor(User.objects.get(pk=user_id))
    own = by.reach(Reference.objects.filter(owner=user_id), to_change=True)
    references = own.select_related("target").with_occurrences()
    yield (
        "references",
        (
            {
                "id": row.object_id,
                "url": row.target.url,
                "created_at": row.created_at,
                "occurrences": row.occurrences,
            }
            for row in in_pages(references)
        ),
    )
    notes = TargetNote.objects.filter(author=user_id).select_related("target")
    yield (
        "notes",
        (
            {"url": row.target.url, "text": row.text, "written_at": row.written_at}
            for row in in_pages(notes, order_by="written_at")
        ),
    )
    lists = PublicList.objects.filter(owner=user_id)
    yield (
        "public_lists",
        (
            {"name": row.name, "prefix": row.prefix, "created_at": row.created_at}
            for row in in_pages(lists)
        ),
    )
    accepted = Repair.objects.filter(accepted_by=user_id)
    yield (
        "repairs",
        (
            {
                "url": row.old_url,
                "moved_to": row.new_url,
                "reference_count": row.reference_count,
                "accepted_at": row.accepted_at,
                "undone_at": row.undone_at,
            }
            for row in in_pages(accepted, order_by="accepted_at")
        ),
    )
    own_shares = ReferenceShare.objects.filter(owned_by(user_id)).select_related("team")
    yield (
        "reference_shares",
        (
            {
                "prefix": row.prefix,
                "team": row.team and row.team.name,
                "for_everyone": row.for_everyone,
                "created_at": row.created_at,
            }
            for row in in_pages(own_shares)
        ),
    )
    pairs = ReplacedReference.objects.filter(old__owner=user_id, old__in=own.values("pk"))
    yield (
        "replaced_references",
        (
            {"id": row.old.object_id, "url": row.old.target.url, "moved_to": row.new.target.url}
            for row in in_pages(pairs.select_related("old__target", "new__target"), order_by="pk")
        ),
    )


def delete(user_id: int, *, now: datetime, limit: int) -> int:
    """Remove up to `limit` references of the account, or transfer them; return how many.

    References that are shared with a team pass to another member of the team, if it has an active
    one (`shares.transfer`). Notes, public lists and repairs are left to the account's deletion.
    """
    own = Reference.objects.filter(owner=user_id).order_by("created_at", "pk")
    keys = list(own.values_list("target_id", "object_id", "owner_id")[:limit])
    shares.transfer([object_id for _, object_id, _ in keys], owner_id=user_id)
    services.unregister_all(keys, now=now)  # those that the account still owns
    return len(keys)
