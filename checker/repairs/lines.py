"""Repairs as CSV: a line for each document with an old address."""

from collections.abc import Iterator

from accounts.actors import Actor
from checker.repairs.finding import RepairSearch
from foundation.database.paging import in_pages
from foundation.files.cells import marked
from foundation.files.lists import csv_line
from targets.repairs import page_of, replaced

COLUMNS = ("reference_id", "url", "moved_to", "target_id")
_PAGE = 500  # targets


def pieces(search: RepairSearch) -> Iterator[str]:
    """Yield the header and the lines of all repairs, with the first references of each target."""
    yield csv_line(COLUMNS)
    token: str | None = None
    while True:
        found = search.find(limit=_PAGE, token=token)
        yield "".join(
            csv_line([marked(reference.object_id), row.url, row.moved_to, row.pk])
            for row in found
            for reference in row.first_references
        )
        token = search.next_page_token
        if token is None:
            return


def pieces_of_replaced(by: Actor, *, prefix: str = "") -> Iterator[str]:
    """Yield the header, then a line for each reference that followed its page and still stands."""
    yield csv_line(COLUMNS)
    for row in in_pages(replaced(by, prefix=prefix), by="pk"):
        old, new = row.old, row.new
        urls = (page_of(old.target), page_of(new.target))
        yield csv_line([marked(old.object_id), *urls, old.target_id])
