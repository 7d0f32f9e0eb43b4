"""Which kind of file this is, by its name or else by how it begins; and the reader of each kind."""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

from linkwatch_client.extraction import bare_urls, css, html_pages, markdown
from linkwatch_client.extraction.links import (
    MAX_BYTES,
    Link,
    Mention,
    UnreadableFile,
    placed,
)

TextReader = Callable[[str], Iterator[Mention]]

_TEXT_READERS: dict[str, TextReader] = {
    "css": css.find,
    "html": html_pages.find,
    "markdown": markdown.find,
    "text": bare_urls.find,
}
_SUFFIXES = {
    **dict.fromkeys((".css",), "css"),
    **dict.fromkeys((".htm", ".html", ".xhtml"), "html"),
    **dict.fromkeys((".markdown", ".md", ".mdown", ".mdwn", ".mdx", ".mkd", ".mkdn"), "markdown"),
    **dict.fromkeys((".mkdown", ".qmd", ".rmd"), "markdown"),
    **dict.fromkeys((".text", ".txt"), "text"),
}
_BEGINNING = 4096  # characters that decide the kind
_IS_HTML = re.compile(r"\s*<(?:!doctype\s+html|html|head|body|!--)", re.IGNORECASE)
_CHARSET = re.compile(rb"<meta[^>]{1,200}charset=[\"']?([A-Za-z0-9_-]{1,40})", re.IGNORECASE)


def kind_of(name: str) -> str | None:
    """Return the kind that a file's name stands for, or None if it is none that is read."""
    return _SUFFIXES.get(PurePosixPath(name).suffix.lower())


def extract(name: str, data: bytes) -> list[Link]:
    """Return the links of a file, in their order. Raises UnreadableFile.

    A file whose name stands for no kind is read as what it looks like.
    """
    if len(data) > MAX_BYTES:
        raise UnreadableFile(f"The file is larger than {MAX_BYTES // 2**20} MiB.")
    text = _text(data)
    kind = kind_of(name) or _looks_like(text)
    return placed(text, _TEXT_READERS[kind](text))


def _looks_like(text: str) -> str:
    return "html" if _IS_HTML.match(text[:_BEGINNING]) else "markdown"


def _text(data: bytes) -> str:
    """Return a file's text, each line end one `\\n` as its last character."""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        text = data.decode("utf-16", errors="replace")
    elif b"\0" in data:
        raise UnreadableFile("The file is not text: it contains NUL bytes.")
    else:
        text = _decoded(data)
    if "\r" in text:
        text = text.replace("\r\n", " \n").replace("\r", "\n")
    return text


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        declared = _CHARSET.search(data[:_BEGINNING])
        charset = declared[1].decode("ascii") if declared else "cp1252"
        try:
            return data.decode(charset, errors="replace")
        except LookupError:
            return data.decode("cp1252", errors="replace")
