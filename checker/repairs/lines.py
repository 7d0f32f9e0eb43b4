"""Repairs as CSV: a line for each document with an old address."""

from collections.abc import Iterator

from checker.repairs.finding import RepairSearch
from foundation.files.cells import marked
from foundation.files.lists import csv_line

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
