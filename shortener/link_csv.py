"""CSV files of links for spreadsheets: exports, and imports with a preview.

`export_urls` and `import_urls` are for whole deployments.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from io import BytesIO
from typing import Any

from accounts import teams
from accounts.actors import Actor
from foundation.files.csv_cells import mark_formula, unmark
from foundation.files.lists import (
    Entry,
    check_line_count,
    csv_line,
    limit_rows,
    parse_lines,
    parsed_entries,
    printable,
    read_csv,
    read_lines,
)
from foundation.http.client_disconnects import ConnectionCheck, never_stop
from foundation.http.errors import ApiError
from foundation.http.serializers import FROM_TEXT
from shortener import services, visits
from shortener.export_urls_csv import cells_of, in_file_order, split_tags
from shortener.link_search import LinkSearch
from shortener.models import LinkState, ShortURL
from shortener.serializers import MAX_BULK, LinkSerializer
from shortener.services import NewLink

MAX_ROWS = 5 * MAX_BULK
# Columns of a new link, and those that an import ignores, so that exported files can be imported.
COLUMNS = in_file_order(LinkSerializer().fields)
_READ_ONLY = ("short_url", "state", "visits", "visits_left", "created_at", "owner")
_EXPORTED = tuple(name for name in (*COLUMNS, *_READ_ONLY) if name != "ttl")
_PAGE_SIZE = 1000  # links


def pieces(filters: Mapping[str, Any], *, by: Actor, now: datetime) -> Iterator[str]:
    """Yield the header, then lines for the links that LinkSearch finds, newest first.

    A piece has many lines, because each piece goes from a thread to the event loop.
    """
    yield csv_line(_EXPORTED)
    token: str | None = None
    while True:
        search = LinkSearch()
        links = search.find(filters, by=by, now=now, limit=_PAGE_SIZE, token=token)
        counts = visits.totals(links)
        rows = [cells_of(link, visits=counts[link.key], now=now) for link in links]
        yield "".join(csv_line([mark_formula(row[name]) for name in _EXPORTED]) for row in rows)
        token = search.next_page_token
        if token is None:
            return


@dataclass(slots=True)
class LinkImportPlan:
    """What an import of a file would do."""

    new: list[tuple[Entry, NewLink]] = field(default_factory=list)
    known: int = 0  # rows whose link already exists with the same destination
    refused: list[tuple[int, str]] = field(default_factory=list)  # line number, and why

    def file(self) -> str:
        """Return the new links as a CSV file; `plan` of that file gives the same new links."""
        rows = [
            {**entry.item, "tags": csv_line(new_link.tags).strip()} for entry, new_link in self.new
        ]
        cells = [[mark_formula(row.get(name, "")) for name in COLUMNS] for row in rows]
        return "".join(map(csv_line, [COLUMNS, *cells]))


def plan(
    content: bytes, *, by: Actor, now: datetime, check_connected: ConnectionCheck = never_stop
) -> LinkImportPlan:
    """Return the plan of an import from a CSV file, or from a list of URLs, one per line.

    `check_connected` is called before each row, and may raise. Raises UnreadableFileError for any
    other file, or for too many lines or more than MAX_ROWS rows.
    """
    check_line_count(content)
    planned, serializer = LinkImportPlan(), LinkSerializer(context=FROM_TEXT)

    def parse_row(row: Mapping[str, str]) -> tuple[dict[str, str], NewLink]:
        cells = {name: unmark(cell) for name, cell in row.items()}
        item = {name: cell for name, cell in cells.items() if name in COLUMNS}
        return cells, serializer.new_link(split_tags(item), now=now)

    entries = limit_rows(_entries(content), MAX_ROWS, "links")
    for entry, row, why in parsed_entries(entries, parse_row, check_connected=check_connected):
        if row is None:
            planned.refused.append((entry.first_line, why))
        else:
            cells, new_link = row
            planned.new.append((replace(entry, item=cells), new_link))
    _leave_out_existing(planned, by)
    planned.refused.sort()
    return planned


def _entries(content: bytes) -> Iterator[Entry]:
    lines = read_lines(BytesIO(content))
    first = content.lstrip().partition(b"\n")[0].partition(b",")[0]
    if b"://" in first:
        return parse_lines(lines, lambda text: {"long_url": text}, from_line=1)
    return read_csv(lines, (*COLUMNS, *_READ_ONLY))


def _leave_out_existing(planned: LinkImportPlan, by: Actor) -> None:
    """Leave out existing links; refuse used keys, unknown teams and links that had ended."""
    keys = [new_link.key for _, new_link in planned.new if new_link.key]
    links = by.reach(ShortURL.objects.filter(pk__among=keys))
    destinations = dict(links.values_list("pk", "long_url"))
    used, new = services.used_keys(keys), []
    teams_by_name = teams.by_name((new_link.team for _, new_link in planned.new), by=by)
    for entry, new_link in planned.new:
        state = entry.item.get("state", LinkState.ACTIVE)
        if new_link.key is not None and destinations.get(new_link.key) == new_link.long_url:
            planned.known += 1
        elif new_link.key in used:
            planned.refused.append((entry.first_line, services.key_taken(new_link.key).message))
        elif new_link.team not in teams_by_name:
            planned.refused.append((entry.first_line, teams.unknown_team(new_link.team).message))
        elif state != LinkState.ACTIVE:
            why = f"The link had already ended when it was exported: {printable(state)[:40]}."
            planned.refused.append((entry.first_line, why))
        else:
            new.append((entry, new_link))
            if new_link.key is not None:
                used.add(new_link.key)
                destinations[new_link.key] = new_link.long_url
    planned.new = new


def create(
    planned: LinkImportPlan,
    *,
    by: Actor,
    now: datetime,
    check_connected: ConnectionCheck = never_stop,
) -> list[ShortURL]:
    """Create the planned links, MAX_BULK per transaction; return them.

    Rows that can no longer be created, such as those whose key has been taken in the meantime, are
    added to `refused`. `check_connected` is called before each transaction, and may raise.
    """
    created: list[ShortURL] = []
    for start in range(0, len(planned.new), MAX_BULK):
        check_connected()
        batch: Sequence[tuple[Entry, NewLink]] = planned.new[start : start + MAX_BULK]
        results = services.create([new_link for _, new_link in batch], now=now, by=by)
        for (entry, _), link in zip(batch, results, strict=True):
            if isinstance(link, ApiError):
                planned.refused.append((entry.first_line, link.message))
            else:
                created.append(link)
    return created
