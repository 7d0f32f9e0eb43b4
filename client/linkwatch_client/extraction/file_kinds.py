"""Detects a file's kind by its name or else its first bytes, and reads its links."""

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

from linkwatch_client.extraction import (
    asciidoc,
    bare_urls,
    bookmarks,
    css,
    html_pages,
    json_files,
    latex,
    markdown,
    office,
    pdf,
    references,
    rest_text,
    xml_files,
)
from linkwatch_client.extraction.links import (
    MAX_BYTES,
    MAX_LINKS,
    Link,
    Mention,
    UnreadableFile,
    collect_links,
    locate_links,
)

TextReader = Callable[[str], Iterator[Mention]]

_TEXT_READERS: dict[str, TextReader] = {
    "asciidoc": asciidoc.find,
    "bibtex": references.find_in_bibtex,
    "bookmarks": bookmarks.find,
    "csl-json": json_files.find_in_csl,
    "css": css.find,
    "html": html_pages.find,
    "jupyter": json_files.find_in_notebook,
    "latex": latex.find,
    "markdown": markdown.find,
    "rst": rest_text.find,
    "ris": references.find_in_ris,
    "text": bare_urls.find,
}
_BYTES_READERS: dict[str, Callable[[bytes], Iterator[Link]]] = {
    "docx": office.find_in_docx,
    "odt": office.find_in_odt,
    "opml": xml_files.find_in_opml,
    "pdf": pdf.find,
    "sitemap": xml_files.find_in_sitemap,
}
KINDS = (*_TEXT_READERS, *_BYTES_READERS)
_KINDS_BY_SUFFIX = {
    **dict.fromkeys((".adoc", ".asc", ".asciidoc"), "asciidoc"),
    **dict.fromkeys((".htm", ".html", ".xhtml"), "html"),
    **dict.fromkeys((".markdown", ".md", ".mdown", ".mdwn", ".mdx", ".mkd", ".mkdn"), "markdown"),
    **dict.fromkeys((".mkdown", ".qmd", ".rmd"), "markdown"),
    **dict.fromkeys((".rest", ".rst"), "rst"),
    **dict.fromkeys((".text", ".txt"), "text"),
    **dict.fromkeys((".ltx", ".tex"), "latex"),
    ".bib": "bibtex",
    ".css": "css",
    ".docx": "docx",
    ".ipynb": "jupyter",
    ".odt": "odt",
    ".opml": "opml",
    ".pdf": "pdf",
    ".ris": "ris",
}
_STEMS = {".xml": (re.compile("sitemap"), "sitemap"), ".json": (re.compile(r"csl\b"), "csl-json")}
# How each kind of file begins; the first match wins, and a file without a match is Markdown.
_BEGINNINGS = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        ("pdf", rb"%PDF-"),
        ("docx", rb"PK\x03\x04(?s:.{0,4000})word/"),
        ("odt", rb"PK\x03\x04(?s:.{0,100})opendocument\.text"),
        ("docx", rb"PK\x03\x04"),
        ("bookmarks", rb"\s*<!doctype\s+netscape-bookmark"),
        ("opml", rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*-->\s*)?<opml"),
        ("sitemap", rb"\s*(?:<\?xml(?s:.{0,1000}?))?<(?:urlset|sitemapindex)\b"),
        ("jupyter", rb"\s*\{(?s:.{0,4000})\"(?:cells|cell_type|nbformat)\""),
        ("csl-json", rb"\s*[\[{](?s:.{0,4000})\"(?:DOI|URL|id)\"\s*:"),
        ("bibtex", rb"\s*(?:%[^\n]*\s+)*@[a-z]{1,40}\s*[{(]"),
        ("ris", rb"\s*TY {1,2}- "),
        ("latex", rb"\s*\\documentclass"),
        ("html", rb"\s*<(?:!doctype\s+html|html|head|body|!--)"),
    )
)
_BEGINNING_SIZE = 4096  # bytes that determine the kind
_CHARSET = re.compile(rb"<meta[^>]{1,200}charset=[\"']?([A-Za-z0-9_-]{1,40})", re.IGNORECASE)


def kind_of(name: str) -> str | None:
    """Return a file's kind by its name, or None if such files are not read."""
    path = PurePosixPath(name.lower())
    pattern, kind = _STEMS.get(path.suffix, (None, ""))
    if pattern and pattern.search(path.stem):
        return kind
    return _KINDS_BY_SUFFIX.get(path.suffix)


def extract(name: str, data: bytes) -> list[Link]:
    """Return the links of a file, in order. Raises UnreadableFile.

    If the name has no known kind, the content determines the kind.
    """
    return extract_as(kind_of(name) or kind_of_content(data), data)


def extract_as(kind: str, data: bytes, *, limit: int = MAX_LINKS) -> list[Link]:
    """Return the links of a file of this kind (one of KINDS), in order.

    Raises UnreadableFile, including for more than `limit` links.
    """
    if len(data) > MAX_BYTES:
        raise UnreadableFile(f"The file is larger than {MAX_BYTES // 2**20} MiB.")
    if read := _BYTES_READERS.get(kind):
        return collect_links(read(data), limit)
    if kind == "html" and kind_of_content(data) == "bookmarks":
        kind = "bookmarks"
    text = text_of(data)
    return locate_links(text, _TEXT_READERS[kind](text), limit)


def kind_of_content(data: bytes) -> str:
    """Return a file's kind by its first bytes; `markdown` if they match no kind."""
    beginning = data[:_BEGINNING_SIZE].removeprefix(BOM_UTF8)
    for kind, pattern in _BEGINNINGS:
        if pattern.match(beginning):
            return kind
    return "markdown"


def text_of(data: bytes) -> str:
    """Return a file's text with lines that end with `\\n`; CRLF becomes a space and `\\n`.

    Raises UnreadableFile for a file that is not text.
    """
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
        declared = _CHARSET.search(data[:_BEGINNING_SIZE])
        charset = declared[1].decode("ascii").lower() if declared else "cp1252"
        if charset.startswith(("utf-16", "utf-32")):  # which the declaration itself contradicts
            charset = "cp1252"
        try:
            return data.decode(charset, errors="replace")
        except (LookupError, UnicodeError):
            return data.decode("cp1252", errors="replace")
