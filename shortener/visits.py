"""How often links were followed: what the analytics counted, and what they brought with them."""

from collections.abc import Sequence

from shortener.models import ShortURL


def subject(key: str) -> str:
    """Return the name under which the analytics count the visits of a key."""
    return f"short:{key}"


def totals(links: Sequence[ShortURL]) -> dict[str, int]:
    """Return the visits of these links by key; one look for all of them."""
    return {link.key: link.earlier_visits for link in links}
