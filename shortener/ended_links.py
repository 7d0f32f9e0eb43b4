"""Links that the reaper deleted: destination, owner, times and visits, kept for a while.

If a person deletes a link, only the retired key is kept.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import QuerySet

from foundation.database import rows
from shortener import visits
from shortener.models import EndedLink, ShortURL


def are_kept() -> bool:
    """Return whether this deployment keeps ended links."""
    return settings.ENDED_LINKS_RETENTION is not None


def keep(links: Sequence[ShortURL], *, now: datetime) -> None:
    """Create an EndedLink for each of these expired links, in the transaction that deletes them."""
    totals = visits.totals(links)
    EndedLink.objects.bulk_create(
        (
            EndedLink(
                key=link.key,
                long_url=link.long_url,
                owner_id=link.owner_id,
                created_at=link.created_at,
                expires_at=link.expires_at,
                ended_at=now,
                visits=totals[link.key],
            )
            for link in links
            if link.expires_at is not None
        ),
        ignore_conflicts=True,
    )


def write_visits(stored: Mapping[str, tuple[int, int]]) -> None:
    """Write the visits of new rows; `stored` is that of `visits.with_counted`."""
    totals = visits.with_counted(stored).items()
    rows.update(EndedLink, ("key", "visits"), [(key, total) for key, total in totals if total])


def rows_to_delete(now: datetime) -> list[QuerySet[EndedLink]]:
    """Return querysets of the rows to delete: all if ENDED_LINKS_RETENTION is off, otherwise those
    older than it, and those of accounts that a process of 0.2.0 deleted."""
    links = EndedLink.objects.all()
    if settings.ENDED_LINKS_RETENTION is None:
        return [links]
    owners = set(links.exclude(owner=None).order_by().values_list("owner", flat=True).distinct())
    deleted = owners - set(User.objects.filter(pk__in=owners).values_list("pk", flat=True))
    return [
        links.filter(ended_at__lt=now - settings.ENDED_LINKS_RETENTION),
        links.filter(owner__in=deleted),
    ]
