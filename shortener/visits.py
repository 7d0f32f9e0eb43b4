"""Visits of links: what the analytics counted, and what they brought with them."""

from collections.abc import Mapping, Sequence

from analytics import view_metrics
from analytics.stream import short_subject
from shortener.models import ShortURL


def totals(links: Sequence[ShortURL]) -> dict[str, int]:
    """Return the visits of these links by key; one look for all of them.

    A visit counts within a second or so. Where visits are limited those used are counted at once.
    """
    return with_counted({link.key: (link.earlier_visits, link.used_visits) for link in links})


def with_counted(known: Mapping[str, tuple[int, int]]) -> dict[str, int]:
    """Return the same for links given as a mapping of keys to earlier visits and used ones."""
    counted = view_metrics.totals([short_subject(key) for key in known])
    return {
        key: max(earlier + counted[short_subject(key)], used)
        for key, (earlier, used) in known.items()
    }
