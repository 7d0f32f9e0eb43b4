"""Reads all rows of a query in pages, so that statements are short and use little memory."""

from collections.abc import Iterator
from typing import Any, TypeVar

from django.db.models import Model, Q, QuerySet

_PAGE_SIZE = 500
Row = TypeVar("Row", bound=Model)


def in_pages(
    rows: "QuerySet[Row]", *, order_by: str = "created_at", page_size: int = _PAGE_SIZE
) -> Iterator[Row]:
    """Yield these rows in the order of this indexed column, then of their primary keys."""
    last: tuple[Any, Any] | None = None
    while True:
        page = rows.order_by(order_by, "pk")
        if last is not None:
            value, key = last
            after = Q(**{f"{order_by}__gt": value}) | Q(**{order_by: value, "pk__gt": key})
            page = page.filter(after, **{f"{order_by}__gte": value})  # so that the index is used
        batch = list(page[:page_size])
        yield from batch
        if len(batch) < page_size:
            return
        last = getattr(batch[-1], order_by), batch[-1].pk
