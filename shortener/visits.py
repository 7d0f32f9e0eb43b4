"""Visits of links: what the analytics counted, and what they brought with them."""

from collections.abc import Sequence

from analytics import view_metrics
from analytics.stream import short_subject
from shortener.models import ShortURL


def totals(links: Sequence[ShortURL]) -> dict[str, int]:
    """Return the visits of these links by key; one look for all of them.

    A visit counts within a second or so. Where visits are limited those used are counted at once.
    """
    counted = view_metrics.totals([short_subject(link.key) for link in links])
    return {
        link.key: max(link.earlier_visits + counted[short_subject(link.key)], link.used_visits)
        for link in links
    }
