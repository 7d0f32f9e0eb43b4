"""The format of archives: JSON Lines, compressed by gzip; `zcat FILE | jq` reads it.

The first line is the header, an object: `format`, `version`, `release`, `made_at`, `secrets`,
`schema` (the last migration of each app). Then, for each table: an object with `table` and
`columns`, and an array for each row. The last line is an object with `tables` (for each, its `rows`
and the `sha256` of their lines), `withheld`, and the `sha256` of all lines before it. This way,
truncated and corrupted archives are detected.

Times are RFC 3339 in UTC, durations are microseconds, ids are UUIDs. See docs/adr/0036-backup.md.
"""

import gzip
import hashlib
import io
import json
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, BinaryIO

FORMAT = "linkwatch-backup"
VERSION = 1
MAX_CHUNK_ROWS = 2000  # rows in memory at once
_COMPRESSION_LEVEL = 4  # for results, 9 saves 4 % more, but takes three times as long
# Rows may contain unbounded JSON, such as an EVENT_BUILDER's; `tables` lists larger limits.
DEFAULT_MAX_ROW_BYTES = 8 * 1024 * 1024
_MAX_NAMES_BYTES = 1024 * 1024  # of the header, or of the names of a table and its columns
_CHUNK_BYTES = 4 * 1024 * 1024  # of lines, after which a chunk ends
_TABLE_START = b'{"table"'  # the beginning of a table's first line
_READ_ERRORS = (OSError, EOFError, zlib.error)  # BadGzipFile is an OSError
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode

Values = list[Any]  # a row's values, in the order of its table's columns


class BadArchiveError(Exception):
    """The archive can't be restored; the text is a sentence for people."""


class _LineTooLongError(BadArchiveError):
    """A line is longer than the maximum for its kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The header of an archive."""

    release: str
    made_at: str
    secrets: bool
    schema: Mapping[str, str]  # the last migration of each app


@dataclass(slots=True)
class ArchiveTally:
    """The rows and digest of one table."""

    rows: int = 0
    digest: Any = field(default_factory=hashlib.sha256)

    def add(self, lines: bytes, *, rows: int) -> None:
        """Count these lines."""
        self.rows += rows
        self.digest.update(lines)

    def as_json(self) -> dict[str, Any]:
        """Return the tally as the last line contains it."""
        return {"rows": self.rows, "sha256": self.digest.hexdigest()}


class Writer:
    """Writes an archive to a binary file."""

    def __init__(self, target: BinaryIO, header: Header) -> None:
        self.tallies: dict[str, ArchiveTally] = {}
        self.withheld: Counter[str] = Counter()  # withheld secrets, by kind
        self._digest = hashlib.sha256()
        self._file = gzip.GzipFile("", "wb", _COMPRESSION_LEVEL, target, mtime=0)
        self._write(_line({"format": FORMAT, "version": VERSION, **asdict(header)}))

    def begin(self, table: str, columns: Sequence[str]) -> None:
        """Begin a table; `write` adds to it."""
        self.tallies[table] = ArchiveTally()
        self._write(_line({"table": table, "columns": list(columns)}))

    def write(self, rows: Iterable[Values]) -> int:
        """Add rows to the current table; return how many."""
        lines = [_line(row) for row in rows]
        joined = b"".join(lines)
        self.tallies[next(reversed(self.tallies))].add(joined, rows=len(lines))
        self._write(joined)
        return len(lines)

    def close(self) -> None:
        """Write the last line, without which the archive is invalid."""
        tables = {table: tally.as_json() for table, tally in self.tallies.items()}
        last = {"tables": tables, "withheld": self.withheld, "sha256": self._digest.hexdigest()}
        self._write(_line(last))
        self._file.close()

    def _write(self, lines: bytes) -> None:
        self._digest.update(lines)
        self._file.write(lines)


def _line(value: Any) -> bytes:
    return f"{_encode(value)}\n".encode()


class ArchiveReader:
    """Reads an archive from a binary file; raises BadArchiveError, at the latest at the file's end.

    `tallies` and `withheld` are complete after `chunks`.
    """

    def __init__(self, source: BinaryIO, *, max_bytes: Mapping[str, int]) -> None:
        """Read the header; `max_bytes` is the maximum size of a row in bytes, by table."""
        self._max_bytes = max_bytes
        self._file = io.BufferedReader(gzip.GzipFile(fileobj=source), 1024 * 1024)
        self._digest = hashlib.sha256()
        self.tallies: dict[str, ArchiveTally] = {}
        self.withheld: dict[str, int] = {}
        self.header = self._read_header()

    def _read_header(self) -> Header:
        try:
            line = self._read("the header", _MAX_NAMES_BYTES)
            header = _parse(line)
        except _LineTooLongError:
            raise
        except BadArchiveError:
            raise BadArchiveError("The file is not a complete backup of Linkwatch.") from None
        self._digest.update(line)
        if not isinstance(header, dict) or header.get("format") != FORMAT:
            raise BadArchiveError("The file is not a backup of Linkwatch.")
        if header.get("version") != VERSION:
            raise BadArchiveError(
                f"The backup was made by Linkwatch {header.get('release')} in version "
                f"{header.get('version')} of the format; this release reads only version {VERSION}."
            )
        names = ("release", "made_at", "secrets", "schema")
        if not header.keys() >= set(names) or not _is_dict_of(header["schema"], str):
            raise _damage_error()
        return Header(**{name: header[name] for name in names})

    def chunks(self) -> Iterator[tuple[str, list[str], list[Values]]]:
        """Yield each table in one or more chunks: its name, its columns and some of its rows.

        Finally verifies the whole archive against its last line. Raises BadArchiveError.
        """
        line = self._read("a table's names", _MAX_NAMES_BYTES)
        while line.startswith(_TABLE_START):
            table, columns = self._begin(line)
            max_bytes = self._max_bytes.get(table, DEFAULT_MAX_ROW_BYTES)
            lines: list[bytes] = []
            size = 0
            while (line := self._read(table, max_bytes)).startswith(b"["):
                lines.append(line)
                size += len(line)
                if len(lines) == MAX_CHUNK_ROWS or size > _CHUNK_BYTES:
                    yield table, columns, self._rows(table, lines)
                    lines, size = [], 0
            yield table, columns, self._rows(table, lines)
        self._check_end(line)

    def _begin(self, line: bytes) -> tuple[str, list[str]]:
        self._digest.update(line)
        start = _parse(line)
        table, columns = start["table"], start.get("columns")
        if not isinstance(table, str) or not isinstance(columns, list) or table in self.tallies:
            raise _damage_error()
        self.tallies[table] = ArchiveTally()
        return table, columns

    def _rows(self, table: str, lines: list[bytes]) -> list[Values]:
        joined = b"".join(lines)
        self._digest.update(joined)
        self.tallies[table].add(joined, rows=len(lines))
        return [_parse(line) for line in lines]

    def _check_end(self, line: bytes) -> None:
        last = _parse(line)
        if not isinstance(last, dict) or "tables" not in last:
            raise _damage_error()
        tables = {table: tally.as_json() for table, tally in self.tallies.items()}
        if last["tables"] != tables or last.get("sha256") != self._digest.hexdigest():
            raise BadArchiveError("The backup is damaged: its checksums do not match.")
        self.withheld = last.get("withheld", {})
        if not _is_dict_of(self.withheld, int):
            raise _damage_error()
        try:
            if self._file.read(1):
                raise BadArchiveError("The backup is damaged: there is data after its end.")
        except _READ_ERRORS:
            raise _damage_error() from None

    def _read(self, what: str, max_bytes: int) -> bytes:
        """Return the next complete line; `what` names it in errors. Raises BadArchiveError."""
        try:
            line = self._file.readline(max_bytes + 1)
        except EOFError:
            line = b""
        except _READ_ERRORS:
            raise _damage_error() from None
        if len(line) > max_bytes:
            raise _LineTooLongError(
                f"The backup is damaged: a line of {what} is longer than the maximum of "
                f"{max_bytes:,} bytes."
            )
        if not line.endswith(b"\n"):
            raise BadArchiveError("The backup was cut short: its end is missing.")
        return line


def _parse(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise _damage_error() from None


def _is_dict_of(value: Any, kind: type) -> bool:
    return isinstance(value, dict) and all(isinstance(item, kind) for item in value.values())


def _damage_error() -> BadArchiveError:
    return BadArchiveError("The backup is damaged: a part of it cannot be read.")
