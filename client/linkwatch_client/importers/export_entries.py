"""Entries in other programs' exports: short links, targets, and refused entries."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

Json = Mapping[str, Any]


class RefusedEntryError(ValueError):
    """An entry can't be imported; the message says why in one sentence."""


@dataclass(frozen=True, slots=True)
class ExportEntry:
    """An entry in a file: the number of its first line, and its fields as in the file."""

    line: int
    fields: Json


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortLinkEntry:
    """A short link: an item of `POST /v1/urls/bulk`."""

    line: int
    item: Json
    notes: tuple[str, ...] = ()  # sentences about fields without a counterpart


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetEntry:
    """A page to watch: an item of `POST /v1/targets/bulk`."""

    line: int
    item: Json
    settings: Json = field(default_factory=dict)  # fields of `PATCH /v1/targets`; may be secret
    notes: tuple[str, ...] = ()  # sentences about fields without a counterpart


@dataclass(slots=True, kw_only=True)
class ProgramExport:
    """The entries of one file."""

    name: str  # of the file
    links: list[ShortLinkEntry] = field(default_factory=list)
    targets: list[TargetEntry] = field(default_factory=list)
    refused: list[tuple[int, str]] = field(default_factory=list)  # the line and the reason

    def add(
        self,
        entries: Iterable[ExportEntry],
        convert: Callable[[ExportEntry], ShortLinkEntry | TargetEntry],
    ) -> "ProgramExport":
        """Add the result of `convert` for each entry, and record refused entries."""
        for entry in entries:
            try:
                converted = convert(entry)
            except RefusedEntryError as error:
                self.refused.append((entry.line, f"{_label(entry)}{error}"))
                continue
            if isinstance(converted, ShortLinkEntry):
                self.links.append(converted)
            else:
                self.targets.append(converted)
        return self


def _label(entry: ExportEntry) -> str:
    """Return the name of an entry, as shown to people, and a colon; or ""."""
    names = ("shortCode", "shortcode", "keyword", "address", "link", "name", "title", "url")
    values = (entry.fields.get(name) for name in names)
    label = next((value for value in values if isinstance(value, str) and value), "")
    return f"{label[:60]}: " if label else ""


def text_in(entry: ExportEntry, *names: str) -> str:
    """Return the text of the first of these fields that is not empty, or "".

    Raises RefusedEntryError if a field is neither a string nor a whole number.
    """
    for name in names:
        value = entry.fields.get(name)
        if value is None or value == "":
            continue
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise RefusedEntryError(f"{name} is not a string.")
        if text := str(value).strip():
            return text
    return ""


def number_in(entry: ExportEntry, *names: str) -> int | None:
    """Return the number in the first of these fields that is set, or None.

    Raises RefusedEntryError for anything but a whole number.
    """
    for name in names:
        if text := text_in(entry, name):
            if not (text.isascii() and text.isdigit() and len(text) <= 15):
                raise RefusedEntryError(f"{name} is not a whole number.")
            return int(text)
    return None


def flag_in(entry: ExportEntry, name: str) -> bool:
    """Return whether a field is true, as JSON, SQL or CSV write it."""
    return entry.fields.get(name) in (True, 1, "1", "true", "True")


def tags_in(value: Any, *separators: str) -> list[str]:
    """Return the distinct tags in a list, or in text divided by one of these separators."""
    if isinstance(value, str):
        separator = next((text for text in separators if text in value), separators[0])
        value = value.split(separator)
    if not isinstance(value, list):
        return []
    names = [name.strip() for name in value if isinstance(name, str)]
    return list(dict.fromkeys(name for name in names if name))
