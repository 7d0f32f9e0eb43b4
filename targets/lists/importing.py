"""Reads lists of targets from files: an entry for each line, valid or not."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import BinaryIO

from rest_framework.exceptions import ParseError

from foundation.files.lists import (
    MAX_TARGET_LINE_BYTES,
    Entry,
    parse_json,
    parse_lines,
    printable,
    read_csv,
    read_lines,
)
from targets.lists.formats import FIELDS, JSON_FIELDS, Format


def read(file: BinaryIO, file_format: Format, *, from_line: int = 1) -> Iterator[Entry]:
    """Yield the entries of `file` that start on line `from_line` or later.

    Skips blank lines and, in txt files, comments. Raises UnreadableFileError if the first line of a
    csv file does not name the columns.
    """
    lines = read_lines(file, max_bytes=MAX_TARGET_LINE_BYTES)
    if file_format is Format.CSV:
        return map(_with_parsed_json, read_csv(lines, FIELDS, from_line=from_line))
    parse = _parse_text if file_format is Format.TXT else parse_json
    return parse_lines(lines, parse, from_line=from_line)


def _with_parsed_json(entry: Entry) -> Entry:
    """Return a csv entry with its JSON cells parsed, or with an error if one is not JSON."""
    if entry.error:
        return entry
    item = dict(entry.item)
    for name in item.keys() & set(JSON_FIELDS):
        try:
            item[name] = parse_json(item[name])
        except ParseError as error:
            return replace(entry, item=None, error=printable(f"{name}: {error.detail}"))
    return replace(entry, item=item)


def _parse_text(text: str) -> dict[str, str] | None:
    if text.startswith("#"):
        return None
    url, *rest = re.split(r"[ \t]+", text, maxsplit=1)
    return {"url": url, "reference_id": rest[0]} if rest else {"url": url}
