"""Reading lists of targets from files: an entry for each line, whatever is wrong with it.

It streams: memory holds one line, or the few of one CSV record, however long the file.
"""

import csv
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any, BinaryIO

from rest_framework.exceptions import APIException, ParseError

from linkwatch.lib.errors import ApiError, error_body
from linkwatch.lib.parsers import SafeJSONParser
from targets.formats import BLANKS, COLUMNS, Format

# More than the longest valid entry: 2,048 bytes of URL and a reference id, escaped throughout.
MAX_LINE_BYTES = 64 * 1024
# Only a reference id may have line ends in it, and it has 255 characters at most.
_MAX_CELL = 255
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_PLACE_IN_JSON = re.compile(r": line 1 column (\d+) \(char \d+\)$")


class UnreadableFileError(Exception):
    """The file as a whole is no list of targets; the message says why in one sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What stands on a line, or on the lines of one CSV record."""

    first_line: int  # counted from 1
    last_line: int
    item: Any = None  # the body of a `POST /v1/targets`, not validated
    error: str = ""  # a sentence, when there is no item


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    text: str  # with its line end
    error: str = ""


def read(file: BinaryIO, form: Format, *, from_line: int = 1) -> Iterator[Entry]:
    """Yield the entries of `file` that start on line `from_line` or later.

    Comments and empty lines give none. Raises UnreadableFileError on reading the first line.
    """
    lines = _lines(file)
    if form is Format.CSV:
        return _read_csv(lines, from_line=from_line)
    parse = _parse_text if form is Format.TXT else _parse_json
    return _read_each(lines, parse, from_line=from_line)


def sentence(error: APIException) -> str:
    """Return what is wrong with an item, fit to be printed on a terminal."""
    if isinstance(error, ApiError):
        return printable(error.message)
    return printable(" ".join(_flat(error_body(error)["details"] or str(error.detail))))


def printable(text: str) -> str:
    """Return `text` without control characters, which could steer a terminal."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def _flat(details: Any, name: str = "") -> Iterator[str]:
    if isinstance(details, dict):
        for key, inner in details.items():
            yield from _flat(inner, "" if key == "non_field_errors" else str(key))
    elif isinstance(details, list):
        for inner in details:
            yield from _flat(inner, name)
    else:
        yield f"{name}: {details}" if name else str(details)


def _lines(file: BinaryIO) -> Iterator[_Line]:
    number = 0
    while raw := file.readline(MAX_LINE_BYTES + 1):
        number += 1
        if number == 1:
            raw = _without_mark(raw)
        if len(raw) > MAX_LINE_BYTES:
            while raw and not raw.endswith(b"\n"):
                raw = file.readline(MAX_LINE_BYTES)
            yield _Line(number, "", f"The line is longer than {MAX_LINE_BYTES} bytes.")
            continue
        try:
            yield _Line(number, raw.decode())
        except UnicodeDecodeError:
            yield _Line(number, "", "The line is not UTF-8.")


def _without_mark(raw: bytes) -> bytes:
    if raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        raise UnreadableFileError("The file is UTF-16; save it as UTF-8.")
    return raw.removeprefix(BOM_UTF8)


def _read_each(
    lines: Iterator[_Line], parse: Callable[[str], Any], *, from_line: int
) -> Iterator[Entry]:
    for line in lines:
        if line.number < from_line:
            continue
        if line.error:
            yield _refused(line, line.error)
        elif line.text.strip(BLANKS):
            try:
                item = parse(line.text.strip(BLANKS))
            except ParseError as error:
                yield _refused(line, _PLACE_IN_JSON.sub(r" at column \1.", str(error.detail)))
            else:
                if item is not None:
                    yield Entry(first_line=line.number, last_line=line.number, item=item)


def _parse_text(text: str) -> dict[str, str] | None:
    if text.startswith("#"):
        return None
    url, *rest = re.split(r"[ \t]+", text, maxsplit=1)
    return {"url": url, "reference_id": rest[0]} if rest else {"url": url}


def _parse_json(text: str) -> Any:
    item = SafeJSONParser().parse(BytesIO(text.encode()))
    if item is None:
        raise ParseError("The line says null, which is no target.")
    return item


def _refused(line: _Line, error: str) -> Entry:
    return Entry(first_line=line.number, last_line=line.number, error=printable(error))


def _read_csv(lines: Iterator[_Line], *, from_line: int) -> Iterator[Entry]:
    header = _read_header(lines)
    for record in _records(line for line in lines if line.number >= from_line):
        if record.error or record.item:
            yield record if record.error else _name_cells(record, header)


def _read_header(lines: Iterator[_Line]) -> list[str]:
    first = next(lines, _Line(1, ""))
    try:
        cells = _parse_csv(first.text) if not first.error else []
    except csv.Error:
        cells = []
    header = [cell.strip().lower() for cell in cells]
    if "url" not in header:
        raise UnreadableFileError(
            f"The first line must name the columns, url and any of {', '.join(COLUMNS[1:])}, "
            "separated by commas."
        )
    for name in header:
        if name not in COLUMNS:
            raise UnreadableFileError(f"There is no column {name[:40]!r}.")
        if header.count(name) > 1:
            raise UnreadableFileError(f"The first line names the column {name} twice.")
    return header


def _name_cells(record: Entry, header: Sequence[str]) -> Entry:
    cells: list[str] = record.item
    if any(cells[len(header) :]):
        return replace(
            record, item=None, error="The line has more cells than the first line has columns."
        )
    named = zip(header, cells, strict=False)  # cells missing at the end are empty
    return replace(record, item={name: cell for name, cell in named if cell})


def _records(lines: Iterator[_Line]) -> Iterator[Entry]:
    """Yield the CSV records, their cells as item. A quote that never closes costs its own line.

    The lines read in search of its end are then read again, each for itself.
    """
    ahead: deque[_Line] = deque()
    while line := ahead.popleft() if ahead else next(lines, None):
        record = [line]
        if _is_open(line):
            _complete(record, ahead, lines)
        try:
            cells = _cells(record)
        except csv.Error as error:
            ahead.extendleft(reversed(record[1:]))
            yield _refused(line, line.error or f"The line is not valid CSV: {error}.")
        else:
            yield Entry(first_line=line.number, last_line=record[-1].number, item=cells)


def _cells(record: Sequence[_Line]) -> list[str]:
    if record[0].error:
        raise csv.Error
    cells = _parse_csv("".join(line.text for line in record))
    if any("\n" in cell and len(cell) > _MAX_CELL for cell in cells):
        raise csv.Error("a quote is never closed")
    return cells


def _is_open(line: _Line) -> bool:
    """Tell whether the line ends inside quotes; quotes elsewhere than around a cell are text."""
    if line.text.count('"') % 2 == 0:
        return False
    try:
        _parse_csv(line.text)
    except csv.Error:
        return True
    return False


def _complete(record: list[_Line], ahead: deque[_Line], lines: Iterator[_Line]) -> None:
    """Add lines up to the one that closes the quotes, as far as a reference id can reach."""
    for _ in range(_MAX_CELL):
        line = ahead.popleft() if ahead else next(lines, None)
        if line is None:
            return
        record.append(line)
        if line.error or line.text.count('"') % 2:
            return


def _parse_csv(text: str) -> list[str]:
    """Return the cells of one record; raises csv.Error, also when its quotes stay open."""
    return next(csv.reader([text], strict=True), [])
