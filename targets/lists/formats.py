"""The formats of lists of targets in files, for import and export.

txt: a URL per line, optionally followed by spaces or tabs and a reference id; `#` starts a comment
line. csv: the first line names some of the fields in FIELDS. jsonl: a JSON object per line, with
fields in FIELDS. Only the commands accept `paused` and instructions, which are for operators.
"""

from enum import StrEnum
from pathlib import Path

from hosts import instructions
from targets.registration import POLICY_FIELDS

COLUMNS = ("url", "reference_id", *POLICY_FIELDS)
FIELDS = (*COLUMNS, "occurrences", "paused", *instructions.FIELDS)
JSON_FIELDS = ("occurrences", "accept", "expect", "headers")  # JSON in cells of csv


class Format(StrEnum):
    """A format of lists of targets."""

    TXT = "txt"
    CSV = "csv"
    JSONL = "jsonl"


_SUFFIXES = {f".{file_format}": file_format for file_format in Format} | {".ndjson": Format.JSONL}


def format_of(name: str) -> Format | None:
    """Return the format for a file name's suffix, or None if it is unknown."""
    return _SUFFIXES.get(Path(name).suffix.lower())
