"""Bookmarks of linkding and LinkAce: pages to watch, with their titles as references.

Sources: linkding's API and `bookmarks/services/exporter.py`, LinkAce's `ExportController`.
"""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from linkwatch_client.extraction.bookmarks import find
from linkwatch_client.extraction.links import placed
from linkwatch_client.importers.export_entries import (
    ExportEntry,
    ProgramExport,
    RefusedEntryError,
    TargetEntry,
    flag_in,
    text_in,
)
from linkwatch_client.importers.export_files import (
    bounded,
    csv_entries,
    is_json,
    json_entries,
    read_text,
    refuse_other_file,
)

MAX_REFERENCE = 255  # characters


def read_linkding(path: Path, *, now: datetime) -> ProgramExport:
    """Read linkding's export of bookmarks (HTML), or an answer of `GET /api/bookmarks/`."""
    text = read_text(path)
    entries = json_entries(path, text, "results") if is_json(text) else _html_entries(path, text)
    return _read(path, entries, "linkding")


def read_linkace(path: Path, *, now: datetime) -> ProgramExport:
    """Read LinkAce's export as CSV or HTML."""
    text = read_text(path)
    is_html = text.lstrip()[:1] == "<"
    entries = _html_entries(path, text) if is_html else csv_entries(path, text)
    return _read(path, entries, "LinkAce")


def _read(path: Path, entries: Iterator[ExportEntry], program: str) -> ProgramExport:
    found = list(entries)
    if not found or not {"url", "title"} <= found[0].fields.keys():
        raise refuse_other_file(path, program, "bookmark with url and title")

    def understand(entry: ExportEntry) -> TargetEntry:
        url = text_in(entry, "url")
        if not url:
            raise RefusedEntryError("It has no URL.")
        if flag_in(entry, "checkdisabled"):
            raise RefusedEntryError("Its checks are turned off in LinkAce.")
        title = text_in(entry, "title") or url
        return TargetEntry(
            line=entry.line,
            item={"url": url, "reference_id": reference_id(program.lower(), title)},
        )

    return ProgramExport(name=str(path)).take(iter(found), understand)


def reference_id(program: str, name: str) -> str:
    """Return the reference id of an entry with this name."""
    words = " ".join("".join(one if one.isprintable() else " " for one in name).split())
    return f"{program}:{words}"[:MAX_REFERENCE].rstrip()


def _html_entries(path: Path, text: str) -> Iterator[ExportEntry]:
    if "netscape-bookmark-file" not in text[:1000].lower():
        return
    links = placed(text, find(text))
    yield from bounded(
        path, (ExportEntry(link.line or 0, {"url": link.url, "title": link.text}) for link in links)
    )
