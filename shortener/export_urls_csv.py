"""Links as a CSV file, which `export_urls` writes and `import_urls` reads.

A row is a link, a former destination (only `key`, `long_url` and `led_until`) below its link, or a
retired key (only `key` and `retired`, the reason), so that no key gets a different destination in
another deployment. The cell of `tags` is itself a line of CSV.
"""

import csv
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from rest_framework.exceptions import ValidationError

from foundation.files.lists import csv_line
from foundation.times import rfc3339
from shortener import visits
from shortener.models import FormerDestination, Reason, RetiredKey, ShortURL
from shortener.serializers import ImportSerializer, represent
from shortener.short_keys import looks_like_key

# The columns of files of 0.2.0, in this order; columns that are declared later follow.
_FIRST_COLUMNS = (
    *("long_url", "key", "created_at", "expires_at", "ttl", "max_visits", "visits_left", "visits"),
    *("disabled", "watch", "when_gone", "retargetable", "led_until", "tags", "retired"),
)


def in_file_order(names: Iterable[str]) -> tuple[str, ...]:
    """Return these names of columns in the order of files."""
    present = dict.fromkeys(names)
    return (
        *(name for name in _FIRST_COLUMNS if name in present),
        *(name for name in present if name not in _FIRST_COLUMNS),
    )


COLUMNS = in_file_order(
    name for name in (*ImportSerializer().fields, "led_until", "retired") if name != "ttl"
)
_PAGE_SIZE = 1000
_DEFAULTS = {field.name: field.default for field in ShortURL._meta.fields if field.has_default()}
Row = dict[str, Any]


def lines(now: datetime) -> Iterator[str]:
    """Yield the header, then a line for each of `rows`."""
    yield csv_line(COLUMNS)
    for row in rows(now):
        yield csv_line(row.get(name, "") for name in COLUMNS)


def rows(now: datetime) -> Iterator[Row]:
    """Yield all links, each page followed by its former destinations, then all retired keys."""
    after = ""
    links = ShortURL.objects.with_details().order_by("pk")
    while page := list(links.filter(pk__gt=after)[:_PAGE_SIZE]):
        counts = visits.totals(page)
        yield from (cells_of(link, visits=counts[link.key], now=now) for link in page)
        former_destinations = FormerDestination.objects.filter(
            short_url__key__among=[link.key for link in page if link.retargetable]
        )
        yield from map(_former_row, former_destinations.order_by("pk"))
        after = page[-1].key
    for retired in RetiredKey.objects.order_by("pk").iterator(chunk_size=_PAGE_SIZE):
        yield {"key": retired.key, "retired": retired.reason}


def cells_of(link: ShortURL, *, visits: int, now: datetime) -> Row:
    """Return the cells of a link that was loaded with its details; defaults are empty cells."""
    shown = represent(link, visits=visits, now=now)
    return {name: _cell(value, _DEFAULTS.get(name)) for name, value in shown.items()}


def _cell(value: Any, default: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else ""
    if isinstance(value, list):
        return csv_line(value).rstrip("\r\n")
    return "" if value is None or value == default else value


def _former_row(former: FormerDestination) -> Row:
    return {
        "key": former.short_url_id,
        "long_url": former.long_url,
        "led_until": rfc3339(former.until),
    }


def split_tags(item: Row) -> Row:
    """Return the row with its tags as a list; raises ValidationError."""
    if "tags" not in item:
        return item
    try:
        return {**item, "tags": next(csv.reader([item["tags"]], strict=True), [])}
    except csv.Error:
        raise ValidationError({"tags": ["Separate tags with commas."]}) from None


def parse_retired(item: Row) -> tuple[str, Reason]:
    """Return the key and the reason in the row of a retired key; raises ValidationError."""
    key, extra = item.get("key", ""), item.keys() - {"key", "retired"}
    if extra or not looks_like_key(key):
        sentence = "A line for a retired key must contain only the key and the reason."
        raise ValidationError({"retired": [sentence]})
    try:
        return key, Reason(item["retired"])
    except ValueError:
        raise ValidationError(
            {"retired": [f"Must be one of {', '.join(Reason.values)}."]}
        ) from None
