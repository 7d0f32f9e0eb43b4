"""Links as a CSV file: what `export_urls` writes and `import_urls` reads back.

A row is a link; or, behind it, one of its former destinations, which has `key`, `long_url` and
`led_until` alone; or a retired key: then it has `key` and `retired` (the reason) alone. Without
those a key could lead elsewhere after a move. `tags` is itself a line of CSV.
"""

import csv
from collections.abc import Iterator
from typing import Any

from rest_framework.exceptions import ValidationError

from foundation.files.lists import csv_line
from foundation.times import rfc3339
from shortener import visits
from shortener.codes import looks_like_key
from shortener.models import FormerDestination, Reason, RetiredKey, ShortURL, WhenGone

COLUMNS = (
    *("long_url", "key", "created_at", "expires_at", "max_visits", "visits_left", "visits"),
    *("disabled", "watch", "when_gone", "retargetable", "led_until", "tags"),
    "retired",
)
_PAGE = 1000
Row = dict[str, Any]


def lines() -> Iterator[str]:
    """Yield the header, then a line for each link and each retired key."""
    yield csv_line(COLUMNS)
    for row in rows():
        yield csv_line(row.get(name, "") for name in COLUMNS)


def rows() -> Iterator[Row]:
    """Yield all links, a page's former destinations behind them, then all retired keys."""
    after = ""
    while page := list(ShortURL.objects.with_details().filter(pk__gt=after).order_by("pk")[:_PAGE]):
        counts = visits.totals(page)
        yield from (describe(link, counts[link.key]) for link in page)
        former = FormerDestination.objects.filter(
            short_url__key__among=[link.key for link in page if link.retargetable]
        )
        yield from (_former_row(row) for row in former.order_by("pk"))
        after = page[-1].key
    for retired in RetiredKey.objects.order_by("pk").iterator(chunk_size=_PAGE):
        yield {"key": retired.key, "retired": retired.reason}


def describe(link: ShortURL, count: int) -> Row:
    """Return the row of a link that was loaded with its details; `count`: its visits."""
    row: Row = {
        "long_url": link.long_url,
        "key": link.key,
        "created_at": rfc3339(link.created_at),
        "expires_at": rfc3339(link.expires_at),
        "max_visits": link.max_visits,
        "visits_left": link.visits_left,
        "visits": count,
        "disabled": "true" if link.disabled else None,
        "watch": "true" if link.target is not None else None,
        "when_gone": link.when_gone if link.when_gone != WhenGone.PAGE else None,
        "retargetable": "true" if link.retargetable else None,
        "tags": csv_line(link.tag_names).rstrip("\r\n"),
    }
    return {name: value for name, value in row.items() if value is not None}


def _former_row(former: FormerDestination) -> Row:
    return {
        "key": former.short_url_id,
        "long_url": former.long_url,
        "led_until": rfc3339(former.until),
    }


def split_tags(item: Row) -> Row:
    """Return the row with its tags as a list."""
    if "tags" not in item:
        return item
    try:
        return {**item, "tags": next(csv.reader([item["tags"]], strict=True), [])}
    except csv.Error:
        raise ValidationError({"tags": ["Separate tags by commas."]}) from None


def retired(item: Row) -> tuple[str, Reason]:
    """Return the key and the reason of a row of a retired one; raises ValidationError."""
    key, extra = item.get("key", ""), item.keys() - {"key", "retired"}
    if extra or not looks_like_key(key):
        raise ValidationError({"retired": ["A retired key has a key and nothing else."]})
    try:
        return key, Reason(item["retired"])
    except ValueError:
        raise ValidationError({"retired": [f"One of {', '.join(Reason.values)}."]}) from None
