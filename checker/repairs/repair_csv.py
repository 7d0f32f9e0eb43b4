"""Repairs as CSV: one line for each reference to an old address."""

from collections.abc import Iterable, Iterator

from accounts.actors import Actor
from checker.repairs.repair_search import RepairSearch
from foundation.database.paging import in_pages
from foundation.files.csv_cells import mark_formula
from foundation.files.lists import csv_line
from targets.models import Reference
from targets.repairs import page_of, replaced

COLUMNS = ("reference_id", "url", "moved_to", "target_id")
_PAGE = 500  # targets


def pieces(search: RepairSearch) -> Iterator[str]:
    """Yield the header, then a line for each reference that has not been moved."""
    yield csv_line(COLUMNS)
    token: str | None = None
    while True:
        for row in search.find(limit=_PAGE, token=token):
            references: Iterable[Reference] = row.first_references
            if row.reference_count > len(row.first_references):
                references = in_pages(search.references_of(row))
            for reference in references:
                yield csv_line([mark_formula(reference.object_id), row.url, row.moved_to, row.pk])
        token = search.next_page_token
        if token is None:
            return


def pieces_of_replaced(by: Actor, *, prefix: str = "") -> Iterator[str]:
    """Yield the header, then a line for each reference that was moved with its page.

    Covers existing references that the actor may change.
    """
    yield csv_line(COLUMNS)
    for row in in_pages(replaced(by, prefix=prefix), order_by="pk"):
        old, new = row.old, row.new
        urls = (page_of(old.target), page_of(new.target))
        yield csv_line([mark_formula(old.object_id), *urls, old.target_id])
