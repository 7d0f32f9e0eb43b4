"""Search results as CSV for spreadsheets; `export_targets` writes lists for import."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from accounts.actors import Actor
from foundation.files.csv_cells import mark_formula
from foundation.files.lists import csv_line
from foundation.times import rfc3339
from targets.models import Target
from targets.occurrences import Place, by_reference, describe_all
from targets.search.criteria import Criteria
from targets.search.target_search import TargetSearch

COLUMNS = (
    *("url", "title", "state", "last_reason", "last_error", "last_status_code"),
    *("last_checked_at", "state_changed_at", "failures", "inconclusive_since", "flags", "paused"),
    *("moved_to", "host", "reference_ids", "reference_count", "created_at", "id"),
    *("summary", "suggestion", "occurrences", "copy", "copy_url", "copied_at"),
)
_PAGE_SIZE = 500  # targets
# Limits on the references with occurrences in a cell, and on the occurrences of each.
_MAX_REFERENCES, _MAX_PLACES = 10, 3


def pieces(criteria: Criteria, *, by: Actor, order: str) -> Iterator[str]:
    """Yield the header, then lines for the items that TargetSearch finds in this order.

    `reference_ids` has the first ids that the actor may see, one per line of the cell;
    `occurrences` has the first places in the documents of the first references. A piece has many
    lines, because each piece goes from a thread to the event loop.
    """
    yield csv_line(COLUMNS)
    token: str | None = None
    while True:
        search = TargetSearch(criteria, by=by, order=order)
        page = [row.target for row in search.find(limit=_PAGE_SIZE, token=token)]
        references = [row for target in page for row in target.first_references[:_MAX_REFERENCES]]
        places = by_reference(references)
        rows = [_row(target, places) for target in page]
        yield "".join(csv_line([mark_formula(row[name]) for name in COLUMNS]) for row in rows)
        token = search.next_page_token
        if token is None:
            return


def _row(target: Target, places: Mapping[int, Sequence[Place]]) -> dict[str, Any]:
    advice, copy = target.advice, target.shown_copy
    occurrences = [
        f"{reference.object_id} {place}"
        for reference in target.first_references[:_MAX_REFERENCES]
        for place in describe_all(places.get(reference.pk, ())[:_MAX_PLACES])
    ]
    return {
        "url": target.url,
        "title": target.title,
        "state": target.state,
        "last_reason": target.last_reason,
        "last_error": target.last_error or "",
        "last_status_code": target.last_status_code,
        "last_checked_at": rfc3339(target.last_checked_at),
        "state_changed_at": rfc3339(target.state_changed_at),
        "failures": target.failures,
        "inconclusive_since": rfc3339(target.inconclusive_since),
        "flags": " ".join(target.flags),
        "paused": "true" if target.paused else "false",
        "moved_to": target.moved_to,
        "host": target.host,
        "reference_ids": "\n".join(row.object_id for row in target.first_references),
        "reference_count": target.reference_count,
        "created_at": rfc3339(target.created_at),
        "id": target.id,
        "summary": advice.summary or "",
        "suggestion": advice.suggestion or "",
        "occurrences": "\n".join(occurrences),
        "copy": copy.result if copy else "",
        "copy_url": copy.address if copy else "",
        "copied_at": rfc3339(copy.captured_at) if copy else "",
    }
