"""Links in DOCX and ODT files: ZIP archives of XML, read up to a limit."""

from collections.abc import Iterator
from io import BytesIO
from zipfile import BadZipFile, ZipFile
from zlib import error as ZlibError  # noqa: N812 - a class, named as one

from linkwatch_client.extraction import bare_urls
from linkwatch_client.extraction.links import Link, UnreadableFile, short
from linkwatch_client.extraction.xml_files import Attributes, XMLReader

MAX_UNPACKED_BYTES = 64 * 1024 * 1024  # of an archive's parts in total
# Beginnings of the names of a DOCX's parts that contain text.
_TEXT_PART_PREFIXES = ("document", "footnotes", "endnotes", "comments", "header", "footer")
# Elements that stand for line breaks and spaces, which end a URL.
_DOCX_BLANKS = ("br", "cr", "tab")
_ODT_BLANKS = ("line-break", "tab", "s")


class OfficeArchive:
    """A ZIP archive, of which at most MAX_UNPACKED_BYTES are read."""

    def __init__(self, data: bytes) -> None:
        self._bytes_left = MAX_UNPACKED_BYTES
        try:
            self._zip = ZipFile(BytesIO(data))
        except (BadZipFile, ValueError, NotImplementedError):
            raise UnreadableFile("The file is not a ZIP archive.") from None
        self.names = self._zip.namelist()

    def read_part(self, name: str) -> bytes:
        """Return the content of a part; empty if it does not exist.

        Raises UnreadableFile for a damaged archive, or if more than MAX_UNPACKED_BYTES were read.
        """
        if name not in self.names:
            return b""
        try:
            with self._zip.open(name) as file:
                content = file.read(self._bytes_left + 1)
        except (BadZipFile, ZlibError, EOFError, OSError, RuntimeError, NotImplementedError):
            raise UnreadableFile(f"The archive is damaged at {name[:100]!r}.") from None
        self._bytes_left -= len(content)
        if self._bytes_left < 0:
            raise UnreadableFile(f"The archive holds more than {MAX_UNPACKED_BYTES // 2**20} MiB.")
        return content


class ParagraphReader:
    """Collects the links of paragraphs, and the bare URLs in their text."""

    def __init__(self) -> None:
        self.links: list[Link] = []
        self._texts: list[str] = []  # of the paragraph's text outside links
        self._link_texts: list[str] | None = None  # of the current link's text
        self._url = ""

    def add(self, text: str) -> None:
        """Add text to the current link, or else to the paragraph."""
        (self._texts if self._link_texts is None else self._link_texts).append(text)

    def begin_link(self, url: str) -> None:
        """Begin a link; text added from now on is its text."""
        self._url, self._link_texts = url.strip(), []

    def end_link(self) -> None:
        """End the current link, if there is one."""
        if self._link_texts is not None and self._url:
            self.links.append(Link(self._url, None, None, short("".join(self._link_texts))))
        self._link_texts = None

    def end_paragraph(self) -> None:
        """End the paragraph, and add the bare URLs in its text."""
        self.end_link()
        for _, url, _, _ in bare_urls.find("".join(self._texts)):
            self.links.append(Link(url, None, None, ""))
        self._texts.clear()


def find_in_docx(data: bytes) -> Iterator[Link]:
    """Yield the links in the text, notes, comments, headers and footers of a DOCX."""
    archive = OfficeArchive(data)
    if "word/document.xml" not in archive.names:
        raise UnreadableFile("The archive is not a DOCX: it has no word/document.xml.")
    for name in sorted(archive.names, key=lambda name: (name != "word/document.xml", name)):
        folder, _, file = name.rpartition("/")
        if folder == "word" and file.endswith(".xml") and file.startswith(_TEXT_PART_PREFIXES):
            relations = _relations(archive.read_part(f"word/_rels/{file}.rels"))
            yield from _find_in_part(archive.read_part(name), relations)


def _relations(data: bytes) -> dict[str, str]:
    """Return the targets of a part's links, by id."""
    targets: dict[str, str] = {}

    def start(name: str, attributes: Attributes) -> None:
        if name == "Relationship" and attributes.get("TargetMode") == "External":
            targets[attributes.get("Id", "")] = attributes.get("Target", "")

    if data:
        XMLReader(start=start, end=lambda name: None).read(data)
    return targets


def _find_in_part(data: bytes, relations: dict[str, str]) -> Iterator[Link]:
    paragraphs = ParagraphReader()

    def start(name: str, attributes: Attributes) -> None:
        if name == "hyperlink":
            url = relations.get(attributes.get("r:id", ""), "")
            anchor = attributes.get("w:anchor", "")
            paragraphs.begin_link(f"{url}#{anchor}" if anchor and url else url)
        elif name in _DOCX_BLANKS:
            paragraphs.add("\n")

    def end(name: str) -> None:
        if name == "hyperlink":
            paragraphs.end_link()
        elif name == "p":
            paragraphs.end_paragraph()

    reader = XMLReader(start=start, end=end)
    reader.parser.CharacterDataHandler = paragraphs.add
    reader.read(data)
    return iter(paragraphs.links)


def find_in_odt(data: bytes) -> Iterator[Link]:
    """Yield the links in the text of an ODT."""
    archive = OfficeArchive(data)
    if "content.xml" not in archive.names:
        raise UnreadableFile("The archive is not an ODT: it has no content.xml.")
    paragraphs = ParagraphReader()

    def start(name: str, attributes: Attributes) -> None:
        if name == "a":
            paragraphs.begin_link(attributes.get("xlink:href", ""))
        elif name in _ODT_BLANKS:
            paragraphs.add("\n")

    def end(name: str) -> None:
        if name == "a":
            paragraphs.end_link()
        elif name in ("p", "h"):
            paragraphs.end_paragraph()

    reader = XMLReader(start=start, end=end)
    reader.parser.CharacterDataHandler = paragraphs.add
    reader.read(archive.read_part("content.xml"))
    yield from paragraphs.links
