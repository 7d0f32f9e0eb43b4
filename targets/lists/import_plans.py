"""Imports of URLs to watch: previewed line by line, then registered.

For large lists, use the command `import_targets`, which streams.
"""

import csv
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any, TypeVar

from django.db.models import TextChoices
from rest_framework.exceptions import ValidationError

from accounts.actors import Actor
from foundation.files.csv_cells import mark_formula, unmark
from foundation.files.lists import (
    BLANKS,
    Entry,
    UnreadableFileError,
    check_line_count,
    csv_line,
    limit_rows,
    parsed_entries,
    read_csv,
    read_lines,
)
from foundation.http.client_disconnects import ConnectionCheck, never_stop
from foundation.http.serializers import FROM_TEXT
from linkwatch_client.extraction import Link, UnreadableFile
from linkwatch_client.extraction import kind_of as kind_of_name
from linkwatch_client.extraction.file_kinds import extract_as, kind_of_content
from targets import registration
from targets.lists import importing
from targets.lists.formats import COLUMNS, Format
from targets.models import Target
from targets.registration import Registration, RegistrationResult
from targets.serializers import MAX_BULK, RegistrationSerializer

T = TypeVar("T")

MAX_ROWS = 10 * MAX_BULK  # URLs that are read, including repeated ones
_MAX_SNIFFED = 4096  # characters that determine the kind
_TAG = re.compile(r"<(?:!doctype\s+html|[a-z][a-z0-9]*(?:\s[^<>]*)?)>", re.IGNORECASE)


class PlanKind(TextChoices):
    """The kind of the imported content."""

    LIST = "list", "List (one URL per line)"
    CSV = "csv", "CSV (the first line names the columns)"
    HTML = "html", "HTML (all links)"
    TEXT = "text", "Text or Markdown (all links)"
    BOOKMARKS = "bookmarks", "Browser bookmarks (folders and titles become reference IDs)"
    OPML = "opml", "OPML (folders and titles become reference IDs)"
    BIBTEX = "bibtex", "BibTeX (keys become reference IDs)"
    RIS = "ris", "RIS (IDs become reference IDs)"
    CSL = "csl-json", "CSL-JSON (IDs become reference IDs)"
    SITEMAP = "sitemap", "Sitemap"
    PDF = "pdf", "PDF (all links)"
    DOCX = "docx", "DOCX (all links)"
    ODT = "odt", "ODT (all links)"
    JUPYTER = "jupyter", "Jupyter notebook (all links in its text)"
    REST = "rst", "reStructuredText (all links)"
    ASCIIDOC = "asciidoc", "AsciiDoc (all links)"
    LATEX = "latex", "LaTeX (all links)"
    CSS = "css", "Style sheet (all links)"


_BINARY_KINDS = (PlanKind.PDF, PlanKind.DOCX, PlanKind.ODT)
# Valid links that do not lead to another page.
_SKIPPED_LINK = re.compile(r"#|(?:mailto|tel|sms|data|blob|about):", re.IGNORECASE)


def kind_of(content: bytes, name: str = "") -> PlanKind:
    """Guess the kind from the file's name or its beginning."""
    if Path(name).suffix.lower() == ".csv":
        return PlanKind.CSV
    kind = kind_of_name(name)
    if kind == "markdown":
        return PlanKind.TEXT
    sniffed = kind_of_content(content)
    if kind is None or kind == "text" or sniffed == "bookmarks":  # browsers save these as .html
        kind = sniffed
    if kind not in ("html", "markdown") or kind_of_name(name) == "html":
        return PlanKind(kind)
    beginning = content[:_MAX_SNIFFED].decode(errors="replace").lstrip("\ufeff")
    lines = [line.strip(BLANKS) for line in beginning.splitlines() if line.strip(BLANKS)]
    if lines and COLUMNS[0] in _cells(lines[0]):
        return PlanKind.CSV
    if _TAG.match(lines[0] if lines else "") or len(_TAG.findall(beginning)) > len(lines):
        return PlanKind.HTML
    urls = sum(line.lower().startswith(("http://", "https://", "#")) for line in lines)
    return PlanKind.LIST if 2 * urls > len(lines) else PlanKind.TEXT


def _cells(line: str) -> list[str]:
    """Return the cells of the first line of a CSV file, in lower case; empty if it is not CSV."""
    try:
        return [cell.strip().lower() for cell in next(csv.reader([line], strict=True), [])]
    except csv.Error:
        return []


@dataclass(frozen=True, slots=True)
class PlanRow:
    """A line that can be registered."""

    line: int
    item: dict[str, str]  # fields as text
    new_target: Registration
    is_known: bool = False  # the URL is already watched, and gets the reference


@dataclass(slots=True)
class TargetImportPlan:
    """The targets that an import would register."""

    kind: PlanKind
    rows: list[PlanRow] = field(default_factory=list)
    repeated: list[tuple[int, int, str]] = field(default_factory=list)  # line, first line, URL
    refused: list[tuple[int, str, str]] = field(default_factory=list)  # line, URL, reason

    @property
    def new(self) -> list[PlanRow]:
        """The rows whose URL is not watched yet."""
        return [row for row in self.rows if not row.is_known]

    @property
    def known(self) -> list[PlanRow]:
        """The rows whose URL is already watched."""
        return [row for row in self.rows if row.is_known]

    @property
    def unit(self) -> str:
        """What the numbers of rows count: lines, or links in files without lines."""
        return "link" if self.kind in _BINARY_KINDS else "line"

    def file(self) -> str:
        """Return the rows as CSV, from which `plan` makes the same rows, given the same prefix."""
        cells = [[mark_formula(row.item.get(name, "")) for name in COLUMNS] for row in self.rows]
        return "".join(map(csv_line, [COLUMNS, *cells]))


def plan(
    content: bytes,
    kind: PlanKind,
    *,
    prefix: str = "",
    check_connected: ConnectionCheck = never_stop,
) -> TargetImportPlan:
    """Return the plan for this content; `prefix` precedes all reference ids.

    A row without a reference id gets `prefix`, if any, as its id. `check_connected` is called
    before each row, and may raise. Raises UnreadableFileError if the file is not of this kind, or
    has too many lines or more than MAX_ROWS URLs.
    """
    if kind not in _BINARY_KINDS:
        check_line_count(content)
    if (
        kind in (PlanKind.LIST, PlanKind.CSV)
        and b"\0" in content
        and not content.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
    ):
        raise UnreadableFileError("The file is not text: it contains NUL bytes.")
    planned, serializer = TargetImportPlan(kind), RegistrationSerializer(context=FROM_TEXT)
    first_lines: dict[tuple[str, str | None], int] = {}

    def parse_item(item: dict[str, str]) -> Registration:
        new_target = serializer.registration(_with_reference_id(item, prefix))
        _refuse_line_breaks(new_target)
        return new_target

    for entry, new_target, why in parsed_entries(
        _entries(content, kind), parse_item, check_connected=check_connected
    ):
        if new_target is None:
            url = str((entry.item or {}).get("url", ""))
            planned.refused.append((entry.first_line, url, why))
            continue
        identity = (new_target.canonical.url, new_target.reference_id)
        if identity in first_lines:
            planned.repeated.append((entry.first_line, first_lines[identity], new_target.url))
        else:
            first_lines[identity] = entry.first_line
            planned.rows.append(PlanRow(entry.first_line, entry.item, new_target))
    _mark_known(planned)
    return planned


def _with_reference_id(item: dict[str, str], prefix: str) -> dict[str, str]:
    reference_id = prefix + item.get("reference_id", "")
    return {**item, "reference_id": reference_id} if reference_id else item


def _refuse_line_breaks(new_target: Registration) -> None:
    """Refuse a reference id with line breaks, which a browser would change."""
    if set(new_target.reference_id or "") & {"\r", "\n"}:
        raise ValidationError({"reference_id": ["Must not contain a line break."]})


def _mark_known(planned: TargetImportPlan) -> None:
    urls = {row.new_target.canonical.url for row in planned.rows}
    watched = Target.objects.filter(canonical_url__among=urls)
    known_urls = set(watched.values_list("canonical_url", flat=True))
    planned.rows = [
        PlanRow(row.line, row.item, row.new_target, row.new_target.canonical.url in known_urls)
        for row in planned.rows
    ]


def _entries(content: bytes, kind: PlanKind) -> Iterator[Entry]:
    if kind is PlanKind.LIST:
        return _limited(importing.read(BytesIO(content), Format.TXT))
    if kind is PlanKind.CSV:
        return _limited(_csv_entries(content))
    try:
        name = "markdown" if kind is PlanKind.TEXT else kind.value
        links = extract_as(name, content, limit=MAX_ROWS)
    except UnreadableFile as error:
        raise UnreadableFileError(str(error)) from None
    return _link_entries(link for link in links if not _SKIPPED_LINK.match(link.url))


def _limited(rows: Iterable[T]) -> Iterator[T]:
    return limit_rows(rows, MAX_ROWS, "URLs")


def _csv_entries(content: bytes) -> Iterator[Entry]:
    """Yield the entries of a CSV file; columns outside COLUMNS are ignored."""
    for entry in read_csv(read_lines(BytesIO(content)), COLUMNS, ignore_others=True):
        cells: dict[str, Any] = entry.item or {}
        item = {name: unmark(cell) for name, cell in cells.items()}
        yield Entry(
            first_line=entry.first_line, last_line=entry.last_line, item=item, error=entry.error
        )


def _link_entries(links: Iterator[Link]) -> Iterator[Entry]:
    """Yield an entry for each distinct URL and key; pages repeat links."""
    seen: set[tuple[str, str]] = set()
    for link in links:
        if (link.url, link.key) not in seen:
            seen.add((link.url, link.key))
            item = {"url": link.url}
            if link.key:
                item["reference_id"] = link.key
            line = link.line or len(seen)  # without lines, the number of the link
            yield Entry(first_line=line, last_line=line, item=item)


def register(
    planned: TargetImportPlan,
    *,
    now: datetime,
    by: Actor,
    check_connected: ConnectionCheck = never_stop,
) -> list[RegistrationResult]:
    """Register the planned targets, MAX_BULK per transaction; a repeated call changes nothing.

    `check_connected` is called before each transaction, and may raise.
    """
    new_targets = [row.new_target for row in planned.rows]
    results: list[RegistrationResult] = []
    for start in range(0, len(new_targets), MAX_BULK):
        check_connected()
        results += registration.register(new_targets[start : start + MAX_BULK], now=now, by=by)
    return results
