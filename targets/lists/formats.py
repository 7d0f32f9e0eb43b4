"""The formats of lists of targets in files, for import and export.

txt: a URL per line, optionally followed by blanks or tabs and a reference id; `#` starts a comment
line. csv: a header with some of LISTED. jsonl: the body of `POST /v1/targets` per line, with the
rest of LISTED. Fields for operators only (`paused` and instructions) need the commands.
"""

from enum import StrEnum
from pathlib import Path

from hosts import instructions
from targets.registration import POLICY_FIELDS

COLUMNS = ("url", "reference_id", *POLICY_FIELDS)
LISTED = (*COLUMNS, "occurrences", "paused", *instructions.FIELDS)
AS_JSON = ("occurrences", "accept", "expect", "headers")  # in a cell of csv


class Format(StrEnum):
    """A format of lists of targets."""

    TXT = "txt"
    CSV = "csv"
    JSONL = "jsonl"


_SUFFIXES = {f".{form}": form for form in Format} | {".ndjson": Format.JSONL}


def format_of(name: str) -> Format | None:
    """Return the format of a file name's suffix, or None."""
    return _SUFFIXES.get(Path(name).suffix.lower())
