"""Reads other programs' files, within limits and as a whole or not at all.

Each entry has the line where it begins.
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from linkwatch_client.errors import InputOutputError
from linkwatch_client.extraction.json_files import members, skip_blanks
from linkwatch_client.importers.export_entries import ExportEntry

_MAX_BYTES = 32 * 1024 * 1024
_MAX_YAML_LENGTH = 1024 * 1024  # characters; the parser reads half a million per second
_MAX_ENTRIES = 100_000
_MAX_ALIASES = 1000
_MAX_MERGED_KEYS = 1000  # of a mapping


def read_text(path: Path) -> str:
    """Return the text of a file.

    Raises InputOutputError if the file can't be read, is too large or is not UTF-8 text.
    """
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
    except OSError as error:
        raise InputOutputError(f"{path} can't be read: {error.strerror}.") from error
    if len(data) > _MAX_BYTES:
        raise InputOutputError(f"{path} is larger than {_MAX_BYTES // 1024**2} MiB.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputOutputError(f"{path} is not UTF-8 text: {error}.") from error
    if "\0" in text:
        raise InputOutputError(f"{path} is not text: it contains NUL bytes.")
    return text


def is_json(text: str) -> bool:
    """Return whether the text is meant to be JSON."""
    return text.lstrip()[:1] in ("{", "[")


def json_entries(path: Path, text: str, *keys: str) -> Iterator[ExportEntry]:
    """Yield the objects in the list or object at these keys.

    Yields nothing if there is neither, and leaves out values that are not objects. Raises
    InputOutputError for invalid JSON or too many entries.
    """
    try:
        json.loads(text)  # so that a file with an error at its end is refused
        values = list(_values_at(text, skip_blanks(text, 0), keys))
    except (ValueError, RecursionError) as error:
        raise InputOutputError(f"{path} is not valid JSON: {error}.") from error
    line, at, entries = 1, 0, []
    for start, value in values:
        line, at = line + text.count("\n", at, start), start
        if isinstance(value, Mapping):
            entries.append(ExportEntry(line, value))
    yield from limit_entries(path, entries)


def _values_at(text: str, at: int, keys: tuple[str, ...]) -> Iterator[tuple[int, Any]]:
    """Yield the values below these keys of valid JSON, each with its offset."""
    if keys:
        if text[at] == "{":
            for member in members(text, at):
                if member.name == keys[0]:
                    yield from _values_at(text, member.start, keys[1:])
        return
    if text[at] in "{[":
        for member in members(text, at):
            yield member.start, member.value


def csv_entries(path: Path, text: str) -> Iterator[ExportEntry]:
    """Yield the nonempty rows, with the column names of the first line as keys.

    Keys are lowercase, without spaces, underscores and hyphens. Raises InputOutputError for
    invalid CSV or too many entries.
    """
    first_line = text.partition("\n")[0]
    separator = ";" if first_line.count(";") > first_line.count(",") else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    entries: list[ExportEntry] = []
    names: list[str] = []
    line = 1
    try:
        for row in reader:
            if not names:
                names = [re.sub(r"[\s_-]", "", name).lower() for name in row]
            elif any(row):
                entries.append(ExportEntry(line, dict(zip(names, row, strict=False))))
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputOutputError(f"{path}, line {line}: not valid CSV: {error}.") from error
    yield from limit_entries(path, entries)


def yaml_entries(path: Path, text: str, key: str) -> Iterator[ExportEntry]:
    """Yield the mappings in the list at this key.

    Raises InputOutputError for invalid YAML, a file that is too large, or too many entries.
    """
    if len(text) > _MAX_YAML_LENGTH:
        raise InputOutputError(f"{path} is larger than {_MAX_YAML_LENGTH // 1024} KiB.")
    loader = _BoundedLoader(text)
    try:
        root = loader.get_single_node()
        nodes = [
            node
            for name, value in (root.value if isinstance(root, yaml.MappingNode) else [])
            if name.value == key and isinstance(value, yaml.SequenceNode)
            for node in value.value
        ]
        values = [(node.start_mark.line + 1, loader.construct_document(node)) for node in nodes]
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        message = " ".join(str(error).split())[:300]
        raise InputOutputError(f"{path} is not valid YAML: {message}.") from error
    finally:
        loader.dispose()
    mappings = [ExportEntry(line, value) for line, value in values if isinstance(value, Mapping)]
    yield from limit_entries(path, mappings)


class _BoundedLoader(yaml.SafeLoader):
    """A loader that refuses aliases and merged keys that would make a small file large."""

    alias_count = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            self.alias_count += 1
            if self.alias_count > _MAX_ALIASES:
                raise yaml.YAMLError("too many aliases")
        return super().compose_node(parent, index)

    def flatten_mapping(self, node: Any) -> None:
        super().flatten_mapping(node)
        if len(node.value) > _MAX_MERGED_KEYS:
            raise yaml.YAMLError("a mapping has too many keys")


def limit_entries(path: Path, entries: Iterable[ExportEntry]) -> Iterator[ExportEntry]:
    """Yield the entries; raises InputOutputError for more than _MAX_ENTRIES."""
    listed = list(entries)
    if len(listed) > _MAX_ENTRIES:
        raise InputOutputError(f"{path} has more than {_MAX_ENTRIES:,} entries.")
    yield from listed


def not_an_export(path: Path, program: str, missing: str) -> InputOutputError:
    """Return the error for a file that is not an export of this program."""
    return InputOutputError(f"{path} is not an export from {program}: it has no {missing}.")
