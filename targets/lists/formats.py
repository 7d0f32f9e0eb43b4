"""The formats of a list of targets in a file, the same for what comes in and what goes out.

txt: a URL a line, then after blanks or tabs maybe a reference id; `#` starts a comment line.
csv: a header that names some of LISTED. jsonl: the body of `POST /v1/targets`, one a line, with the
rest of LISTED. What operators alone may set (`paused` and instructions) goes by commands only.
"""

from enum import StrEnum
from pathlib import Path

from hosts import instructions
from targets.registration import POLICY_FIELDS

COLUMNS = ("url", "reference_id", *POLICY_FIELDS)
LISTED = (*COLUMNS, "occurrences", "paused", *instructions.FIELDS)
AS_JSON = ("occurrences", "accept", "expect", "headers")  # in a cell of csv


class Format(StrEnum):
    """How a list of targets is written down."""

    TXT = "txt"
    CSV = "csv"
    JSONL = "jsonl"


_SUFFIXES = {f".{form}": form for form in Format} | {".ndjson": Format.JSONL}


def format_of(name: str) -> Format | None:
    """Return the format that the suffix of a file name stands for, or None."""
    return _SUFFIXES.get(Path(name).suffix.lower())
