"""Bookmarks of linkding and LinkAce: pages to watch, with their titles as references.

Sources: linkding's API and `bookmarks/services/exporter.py`, LinkAce's `ExportController`.
"""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from linkwatch_client.extraction.bookmarks import find
from linkwatch_client.extraction.links import locate_links
from linkwatch_client.importers.export_entries import (
    ExportEntry,
    ProgramExport,
    RefusedEntryError,
    TargetEntry,
    flag_in,
    text_in,
)
from linkwatch_client.importers.export_files import (
    csv_entries,
    is_json,
    json_entries,
    limit_entries,
    not_an_export,
    read_text,
)

_MAX_REFERENCE_ID = 255  # characters


def read_linkding(path: Path, *, now: datetime) -> ProgramExport:
    """Read linkding's export of bookmarks (HTML), or a response of `GET /api/bookmarks/`."""
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
    bookmarks = list(entries)
    if not bookmarks or not {"url", "title"} <= bookmarks[0].fields.keys():
        raise not_an_export(path, program, "bookmark with url and title")

    def convert(entry: ExportEntry) -> TargetEntry:
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

    return ProgramExport(name=str(path)).add(bookmarks, convert)


def reference_id(program: str, name: str) -> str:
    """Return the reference id of an entry with this name, cut to _MAX_REFERENCE_ID."""
    printable = (character if character.isprintable() else " " for character in name)
    words = " ".join("".join(printable).split())
    return f"{program}:{words}"[:_MAX_REFERENCE_ID].rstrip()


def _html_entries(path: Path, text: str) -> Iterator[ExportEntry]:
    if "netscape-bookmark-file" not in text[:1000].lower():
        return
    links = locate_links(text, find(text))
    yield from limit_entries(
        path, (ExportEntry(link.line or 0, {"url": link.url, "title": link.text}) for link in links)
    )
