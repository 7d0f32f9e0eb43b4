"""Links in JSON: the Markdown of Jupyter notebooks, and CSL-JSON (references)."""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from linkwatch_client.extraction import markdown
from linkwatch_client.extraction.links import Mention, UnreadableFile, short

DOI_RESOLVER = "https://doi.org/"
_DECODER = json.JSONDecoder()
_BLANKS = re.compile(r"[ \t\n\r]*")
# In strings, the characters that are escaped; between two strings of a list, what divides them.
_ESCAPE_OR_DIVIDER = re.compile(
    r"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u....|\\.|\"[^\"]*\"", re.DOTALL
)


class JSONMember(NamedTuple):
    """A value in an object or a list, with its place in the text."""

    name: str  # "" in a list
    value: Any
    start: int
    end: int


def members(text: str, at: int) -> Iterator[JSONMember]:
    """Yield the members of the object or list that begins at `at` in valid JSON."""
    is_object = text[at] == "{"
    at = skip_blanks(text, at + 1)
    while text[at] not in "}]":
        name = ""
        if is_object:
            name, at = _DECODER.raw_decode(text, at)
            at = skip_blanks(text, skip_blanks(text, at) + 1)  # after the colon
        value, end = _DECODER.raw_decode(text, at)
        yield JSONMember(name, value, at, end)
        at = skip_blanks(text, end)
        if text[at] == ",":
            at = skip_blanks(text, at + 1)


def skip_blanks(text: str, at: int) -> int:
    """Return the offset of the first character at or after `at` that is not blank in JSON."""
    blanks = _BLANKS.match(text, at)
    return blanks.end() if blanks else at


def find_in_notebook(text: str) -> Iterator[Mention]:
    """Yield the links of a notebook's Markdown, each at its place in the file."""
    notebook = _parsed(text)
    cells = _member(text, notebook, "cells") if isinstance(notebook.value, dict) else None
    if cells is None or not isinstance(cells.value, list):
        raise UnreadableFile("The file is not a Jupyter notebook: it has no cells.")
    for cell in members(text, cells.start):
        if isinstance(cell.value, dict) and cell.value.get("cell_type") == "markdown":
            source = _member(text, cell, "source")
            if source is not None:
                yield from _find_in_source(text, source)


def _find_in_source(text: str, source: JSONMember) -> Iterator[Mention]:
    """Yield the links of a cell's source, which is a string or a list of strings."""
    lines = source.value if isinstance(source.value, list) else [source.value]
    document = "".join(line for line in lines if isinstance(line, str))
    start = text.find('"', source.start) + 1
    parts = _ESCAPE_OR_DIVIDER.finditer(text, start, source.end)
    part = next(parts, None)
    shift = start  # from an offset in the document to the place in the file
    for offset, url, words, key in sorted(markdown.find(document)):
        while part is not None:
            decoded_length = 1 if part[0].startswith("\\") else 0
            if part.start() + decoded_length > shift + offset:
                break
            shift += len(part[0]) - decoded_length
            part = next(parts, None)
        yield shift + offset, url, words, key


def find_in_csl(text: str) -> Iterator[Mention]:
    """Yield the links of references in CSL-JSON; the key is their id."""
    root = _parsed(text)
    if isinstance(root.value, dict):
        root = _member(text, root, "items") or root
    entries = members(text, root.start) if isinstance(root.value, list) else [root]
    for entry in entries:
        if isinstance(entry.value, dict):
            yield from _find_in_entry(text, entry)


def _find_in_entry(text: str, entry: JSONMember) -> Iterator[Mention]:
    key, title = str(entry.value.get("id", "")), entry.value.get("title")
    words = short(title) if isinstance(title, str) else ""
    for name, value, start, _ in members(text, entry.start):
        if name in ("URL", "DOI") and isinstance(value, str) and value:
            url = doi_url(value) if name == "DOI" else value
            yield start + len('"'), url, words, short(key)


def doi_url(doi: str) -> str:
    """Return the URL of a DOI, which may already be a URL."""
    doi = doi.strip()
    if doi.lower().startswith(("http://", "https://")):
        return doi
    return DOI_RESOLVER + (doi[4:].lstrip() if doi[:4].lower() == "doi:" else doi)


def _member(text: str, parent: JSONMember, name: str) -> JSONMember | None:
    """Return an object's member, or None; the last one counts, as in json.loads."""
    found = [member for member in members(text, parent.start) if member.name == name]
    return found[-1] if found else None


def _parsed(text: str) -> JSONMember:
    try:
        return JSONMember("", json.loads(text), skip_blanks(text, 0), len(text))
    except RecursionError:
        raise UnreadableFile("The file is nested too deeply.") from None
    except ValueError as error:
        raise UnreadableFile(f"The file is not JSON: {error}.") from None
