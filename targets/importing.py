"""Reading lists of targets from files: an entry for each line, whatever is wrong with it."""

import re
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any, BinaryIO

from rest_framework.exceptions import ParseError

from foundation.files.lists import Entry, Line, read_csv, read_lines, refused
from foundation.http.parsers import SafeJSONParser
from targets.formats import BLANKS, COLUMNS, Format

_PLACE_IN_JSON = re.compile(r": line 1 column (\d+) \(char \d+\)$")


def read(file: BinaryIO, form: Format, *, from_line: int = 1) -> Iterator[Entry]:
    """Yield the entries of `file` that start on line `from_line` or later.

    Comments and empty lines give none. Raises UnreadableFileError on reading the first line.
    """
    lines = read_lines(file)
    if form is Format.CSV:
        return read_csv(lines, COLUMNS, from_line=from_line)
    parse = _parse_text if form is Format.TXT else _parse_json
    return _read_each(lines, parse, from_line=from_line)


def _read_each(
    lines: Iterator[Line], parse: Callable[[str], Any], *, from_line: int
) -> Iterator[Entry]:
    for line in lines:
        if line.number < from_line:
            continue
        if line.error:
            yield refused(line, line.error)
        elif line.text.strip(BLANKS):
            try:
                item = parse(line.text.strip(BLANKS))
            except ParseError as error:
                yield refused(line, _PLACE_IN_JSON.sub(r" at column \1.", str(error.detail)))
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
