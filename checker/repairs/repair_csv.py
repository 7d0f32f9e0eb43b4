"""Repairs as CSV: one line for each reference to an old address."""

from collections.abc import Iterable, Iterator

from accounts.actors import Actor
from checker.repairs.repair_search import RepairSearch
from foundation.database.paging import in_pages
from foundation.files.csv_cells import mark_formula
from foundation.files.lists import csv_line
from targets.models import Reference
from targets.repairs import page_url, replaced_pairs

COLUMNS = ("reference_id", "url", "moved_to", "target_id")
_PAGE_SIZE = 500  # targets


def repair_lines(search: RepairSearch) -> Iterator[str]:
    """Yield the header, then a line for each reference that has not been moved."""
    yield csv_line(COLUMNS)
    token: str | None = None
    while True:
        for target in search.find(limit=_PAGE_SIZE, token=token):
            references: Iterable[Reference] = target.first_references
            if target.reference_count > len(target.first_references):
                references = in_pages(search.references_of(target))
            for reference in references:
                reference_id = mark_formula(reference.object_id)
                yield csv_line([reference_id, target.url, target.moved_to, target.pk])
        token = search.next_page_token
        if token is None:
            return


def replaced_lines(by: Actor, *, prefix: str = "") -> Iterator[str]:
    """Yield the header, then a line for each reference that was moved with its page.

    Covers references that still exist and that the actor may change.
    """
    yield csv_line(COLUMNS)
    for row in in_pages(replaced_pairs(by, prefix=prefix), order_by="pk"):
        old, new = row.old, row.new
        urls = (page_url(old.target), page_url(new.target))
        yield csv_line([mark_formula(old.object_id), *urls, old.target_id])
