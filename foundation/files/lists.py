"""Reads lists from files: an entry for each line or CSV record, valid or not.

Only one line or CSV record is in memory at a time.
"""

import csv
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any, BinaryIO, Self, TypeVar

from rest_framework.exceptions import APIException, ParseError

from foundation.http.errors import ApiError, error_body
from foundation.http.parsers import SafeJSONParser

T = TypeVar("T")

# More than the longest valid entry: a URL of 2,048 bytes and its other fields, escaped.
MAX_LINE_BYTES = 64 * 1024
# Fields that may contain line ends (references) have at most 255 characters.
_MAX_RECORD_LINES = 255
# Each target may have 20 headers of 4,096 characters each, escaped, twice in CSV.
MAX_TARGET_LINE_BYTES = 512 * 1024
csv.field_size_limit(MAX_TARGET_LINE_BYTES)
MAX_LINES = 100_000  # of a file that is read as a whole, blank lines included
BLANKS = " \t\r\n"  # around the content of a line
_PLACE_IN_JSON = re.compile(r": line 1 column (\d+) \(char \d+\)$")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


class UnreadableFileError(Exception):
    """The file as a whole is not a list; the message says why in one sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """The content of a line, or of the lines of one CSV record."""

    first_line: int  # counted from 1
    last_line: int
    item: Any = None  # the content, not validated
    error: str = ""  # a sentence, if there is no item


@dataclass(frozen=True, slots=True)
class ImportLine:
    """A line of the file; `error` says in a sentence why it is not readable."""

    number: int
    text: str  # with its line end
    error: str = ""


def sentence(error: APIException) -> str:
    """Return the error of an item, safe to print on a terminal."""
    if isinstance(error, ApiError):
        return printable(error.message)
    return printable(" ".join(_flat_messages(error_body(error)["details"] or str(error.detail))))


def printable(text: str) -> str:
    """Return `text` with control characters replaced, because they could manipulate a terminal."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def _flat_messages(details: Any, name: str = "") -> Iterator[str]:
    if isinstance(details, dict):
        for key, inner in details.items():
            yield from _flat_messages(inner, "" if key == "non_field_errors" else str(key))
    elif isinstance(details, list):
        for inner in details:
            yield from _flat_messages(inner, name)
    else:
        yield f"{name}: {details}" if name else str(details)


def check_line_count(content: bytes) -> None:
    """Raise UnreadableFileError for more than MAX_LINES lines; blank ones count, too."""
    if content.count(b"\n") > MAX_LINES:
        raise UnreadableFileError(f"A file can have at most {MAX_LINES:,} lines; split it.")


def read_lines(file: BinaryIO, *, max_bytes: int = MAX_LINE_BYTES) -> Iterator[ImportLine]:
    """Yield the lines, counted from 1; a line that is too long or not UTF-8 has an `error`.

    Raises UnreadableFileError for a file in UTF-16.
    """
    number = 0
    while raw := file.readline(max_bytes + 1):
        number += 1
        if number == 1:
            raw = _strip_bom(raw)
        if len(raw) > max_bytes:
            while raw and not raw.endswith(b"\n"):
                raw = file.readline(max_bytes)
            yield ImportLine(number, "", f"The line is longer than {max_bytes} bytes.")
            continue
        try:
            yield ImportLine(number, raw.decode())
        except UnicodeDecodeError:
            yield ImportLine(number, "", "The line is not UTF-8.")


def parse_lines(
    lines: Iterator[ImportLine], parse: Callable[[str], Any], *, from_line: int
) -> Iterator[Entry]:
    """Yield an entry for each line from `from_line` on, parsed by `parse`.

    Skips blank lines and those for which `parse` returns None. A ParseError becomes an `error`.
    """
    for line in lines:
        if line.number < from_line:
            continue
        if line.error:
            yield error_entry(line, line.error)
        elif line.text.strip(BLANKS):
            try:
                item = parse(line.text.strip(BLANKS))
            except ParseError as error:
                yield error_entry(line, _PLACE_IN_JSON.sub(r" at column \1.", str(error.detail)))
            else:
                if item is not None:
                    yield Entry(first_line=line.number, last_line=line.number, item=item)


def parse_json(text: str) -> Any:
    """Parse a line of JSON; raises ParseError."""
    item = SafeJSONParser().parse(BytesIO(text.encode()))
    if item is None:
        raise ParseError("The line is null.")
    return item


def parsed_entries(
    entries: Iterable[Entry],
    parse_item: Callable[[Any], T],
    *,
    check_connected: Callable[[], object],
) -> Iterator[tuple[Entry, T | None, str]]:
    """Yield each entry with the result of `parse_item` for its item, or with an error.

    `parse_item` raises an APIException for items that it refuses. `check_connected` is called
    before each entry, and may raise an exception to stop.
    """
    for entry in entries:
        check_connected()
        if entry.error:
            yield entry, None, entry.error
            continue
        try:
            yield entry, parse_item(entry.item), ""
        except APIException as error:
            yield entry, None, sentence(error)


def limit_rows(rows: Iterable[T], limit: int, noun: str) -> Iterator[T]:
    """Yield the rows. Raises UnreadableFileError if there are more than `limit`."""
    for number, row in enumerate(rows):
        if number >= limit:
            raise UnreadableFileError(
                f"An import can have at most {limit:,} {noun}; split the file."
            )
        yield row


def _strip_bom(raw: bytes) -> bytes:
    if raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        raise UnreadableFileError("The file is UTF-16; save it as UTF-8.")
    return raw.removeprefix(BOM_UTF8)


def error_entry(line: ImportLine, error: str) -> Entry:
    """Return an entry with this error for a line."""
    return Entry(first_line=line.number, last_line=line.number, error=printable(error))


def read_csv(
    lines: Iterator[ImportLine],
    columns: Sequence[str],
    *,
    from_line: int = 1,
    ignore_others: bool = False,
) -> Iterator[Entry]:
    """Yield an entry for each record that starts on line `from_line` or later.

    Its item has the non-empty cells, by column. The first line names some of `columns`; the first
    of them is required. Other columns are refused, or left out with `ignore_others`. Raises
    UnreadableFileError when reading that line.
    """
    header = _read_header(lines, columns, ignore_others=ignore_others)
    for record in _records(line for line in lines if line.number >= from_line):
        if record.error or record.item:
            yield record if record.error else _name_cells(record, header)


def _read_header(
    lines: Iterator[ImportLine], columns: Sequence[str], *, ignore_others: bool
) -> list[str]:
    """Return the names of the columns, in lower case; empty for a column to leave out."""
    first = next(lines, ImportLine(1, ""))
    try:
        cells = next(csv.reader([first.text], strict=True), []) if not first.error else []
    except csv.Error:
        cells = []
    header = [cell.strip().lower() for cell in cells]
    if columns[0] not in header:
        raise UnreadableFileError(
            f"The first line must list the column names, separated by commas. {columns[0]} is "
            f"required; {', '.join(columns[1:])} are optional."
        )
    allowed, seen = set(columns), set[str]()
    for name in header:
        if name not in allowed and not ignore_others:
            raise UnreadableFileError(f"Unknown column: “{name[:40]}”.")
        if name in allowed & seen:
            raise UnreadableFileError(f"The first line names the column {name[:40]} twice.")
        seen.add(name)
    return [name if name in allowed else "" for name in header]


def _name_cells(record: Entry, header: Sequence[str]) -> Entry:
    cells: list[str] = record.item
    if any(cells[len(header) :]):
        return replace(
            record, item=None, error="The line has more cells than the first line has columns."
        )
    pairs = zip(header, cells, strict=False)  # cells missing at the end are empty
    return replace(record, item={name: cell for name, cell in pairs if name and cell})


class _ReaderInput:
    """The input of a csv.reader: several lines for a record whose cells contain line ends."""

    def __init__(self, lines: Iterator[ImportLine]) -> None:
        self._lines = lines
        self.first = self.last = 0  # lines of the current record; first is 0 before it begins

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.first = self.first or line.number
        self.last = line.number
        if line.error:
            raise _LineError(line.error)
        if self.last - self.first >= _MAX_RECORD_LINES:
            raise csv.Error("a quote is never closed")
        return line.text


class _LineError(csv.Error):
    """A line could not be read."""


def _records(lines: Iterator[ImportLine]) -> Iterator[Entry]:
    """Yield the CSV records, with their cells as items.

    An unclosed quote turns the lines up to the next quote into one bad record.
    """
    source = _ReaderInput(lines)
    reader = csv.reader(source, strict=True)
    while True:
        source.first = 0
        item, problem = None, ""
        try:
            item = next(reader)
        except StopIteration:
            return
        except _LineError as error:
            problem = str(error)
        except csv.Error as error:
            record = f"The record on lines {source.first} to {source.last}"
            record = record if source.last > source.first else "This"
            problem = printable(f"{record} is not valid CSV: {error}.")
        yield Entry(first_line=source.first, last_line=source.last, item=item, error=problem)


class _Echo:
    def write(self, text: str) -> Any:
        return text


# The writer returns what its file's write returns. Because its line end is CR LF, it quotes cells
# that contain a lone CR.
_writer = csv.writer(_Echo())


def csv_line(cells: Iterable[Any]) -> str:
    """Return one CSV record with its line end."""
    return str(_writer.writerow(cells))
