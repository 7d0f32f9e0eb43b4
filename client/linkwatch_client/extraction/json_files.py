"""Links in JSON: the Markdown of Jupyter notebooks, and CSL-JSON (references)."""

import json
from collections.abc import Iterator
from typing import Any

from linkwatch_client.extraction import markdown
from linkwatch_client.extraction.links import Mention, UnreadableFile, short

DOI_RESOLVER = "https://doi.org/"


class _StringFinder:
    """Finds strings in a JSON text, each after the previous one, in linear time."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def find(self, string: str) -> int:
        """Return the offset of a string; if it is not found, that of the last string found."""
        encodings = (json.dumps(string, ensure_ascii=False)[1:-1], json.dumps(string)[1:-1])
        for encoded in dict.fromkeys(encodings):
            offset = self._text.find(encoded, self._at, self._at + 16 * 1024 * 1024)
            if offset >= 0:
                self._at = offset
                return offset
        return self._at


def find_in_notebook(text: str) -> Iterator[Mention]:
    """Yield the links of a notebook's Markdown, each at its line in the file."""
    notebook = _parsed(text)
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        raise UnreadableFile("The file is not a Jupyter notebook: it has no cells.")
    finder = _StringFinder(text)
    for cell in cells:
        if isinstance(cell, dict) and cell.get("cell_type") == "markdown":
            yield from _find_in_cell(cell.get("source"), finder)


def _find_in_cell(source: Any, finder: _StringFinder) -> Iterator[Mention]:
    lines = source if isinstance(source, list) else [source]
    document = "".join(line for line in lines if isinstance(line, str))
    for _, url, words, key in sorted(markdown.find(document)):
        yield finder.find(url), url, words, key


def find_in_csl(text: str) -> Iterator[Mention]:
    """Yield the links of references in CSL-JSON; the key is their id."""
    entries = _parsed(text)
    entries = entries.get("items", [entries]) if isinstance(entries, dict) else entries
    finder = _StringFinder(text)
    for entry in entries if isinstance(entries, list) else []:
        if isinstance(entry, dict):
            yield from _find_in_entry(entry, finder)


def _find_in_entry(entry: dict[str, Any], finder: _StringFinder) -> Iterator[Mention]:
    key, title = str(entry.get("id", "")), entry.get("title")
    words = short(title) if isinstance(title, str) else ""
    for name in entry:
        value = entry[name]
        if name in ("URL", "DOI") and isinstance(value, str) and value:
            url = doi_url(value) if name == "DOI" else value
            yield finder.find(value), url, words, short(key)


def doi_url(doi: str) -> str:
    """Return the URL of a DOI, which may already be a URL."""
    doi = doi.strip()
    if doi.lower().startswith(("http://", "https://")):
        return doi
    return DOI_RESOLVER + (doi[4:].lstrip() if doi[:4].lower() == "doi:" else doi)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise UnreadableFile("The file is nested too deeply.") from None
    except ValueError as error:
        raise UnreadableFile(f"The file is not JSON: {error}.") from None
