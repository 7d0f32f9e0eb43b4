"""Reading lists of targets from files: an entry for each line, whatever is wrong with it."""

import re
from collections.abc import Iterator
from typing import BinaryIO

from foundation.files.lists import Entry, parse_json, read_csv, read_each, read_lines
from targets.formats import COLUMNS, Format


def read(file: BinaryIO, form: Format, *, from_line: int = 1) -> Iterator[Entry]:
    """Yield the entries of `file` that start on line `from_line` or later.

    Comments and empty lines give none. Raises UnreadableFileError on reading the first line.
    """
    lines = read_lines(file)
    if form is Format.CSV:
        return read_csv(lines, COLUMNS, from_line=from_line)
    parse = _parse_text if form is Format.TXT else parse_json
    return read_each(lines, parse, from_line=from_line)


def _parse_text(text: str) -> dict[str, str] | None:
    if text.startswith("#"):
        return None
    url, *rest = re.split(r"[ \t]+", text, maxsplit=1)
    return {"url": url, "reference_id": rest[0]} if rest else {"url": url}
