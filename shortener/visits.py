"""Visits of links: those that analytics counted, and those from before an import."""

from collections.abc import Mapping, Sequence

from analytics import view_metrics
from analytics.stream import short_subject
from shortener.models import ShortURL


def totals(links: Sequence[ShortURL]) -> dict[str, int]:
    """Return the visits of these links by key, including earlier ones, in one query.

    A visit is counted within about a second, or immediately if the link has a visit limit.
    """
    return with_counted({link.key: (link.earlier_visits, link.used_visits) for link in links})


def with_counted(stored: Mapping[str, tuple[int, int]]) -> dict[str, int]:
    """Return the visits by key, given each key's earlier and used visits."""
    counted = view_metrics.totals([short_subject(key) for key in stored])
    return {
        key: max(earlier + counted[short_subject(key)], used)
        for key, (earlier, used) in stored.items()
    }
