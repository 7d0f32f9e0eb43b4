"""Reads all rows of a query in pages, so that statements are short and memory use is small."""

from collections.abc import Iterator
from typing import Any, TypeVar

from django.db.models import Model, Q, QuerySet

_PAGE_SIZE = 500
Row = TypeVar("Row", bound=Model)


def in_pages(
    rows: "QuerySet[Row]", *, by: str = "created_at", at_once: int = _PAGE_SIZE
) -> Iterator[Row]:
    """Yield these rows in the order of this indexed column, then of their keys."""
    last: tuple[Any, Any] | None = None
    while True:
        page = rows.order_by(by, "pk")
        if last is not None:
            moment, key = last
            page = page.filter(Q(**{f"{by}__gt": moment}) | Q(**{by: moment, "pk__gt": key}))
            page = page.filter(**{f"{by}__gte": moment})  # so that the index is used
        batch = list(page[:at_once])
        yield from batch
        if len(batch) < at_once:
            return
        last = getattr(batch[-1], by), batch[-1].pk
