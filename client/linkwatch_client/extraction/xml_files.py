"""Links in XML: sitemaps and OPML. Files that declare entities are refused."""

from collections.abc import Callable, Iterator
from xml.parsers import expat

from linkwatch_client.extraction.bookmarks import MAX_FOLDERS, bookmark_path
from linkwatch_client.extraction.links import Link, UnreadableFile, short

MAX_DEPTH = 1000  # nested elements
Attributes = dict[str, str]


class XMLReader:
    """Calls `start` and `end` with the name of each element, without its namespace prefix."""

    def __init__(self, *, start: Callable[[str, Attributes], None], end: Callable[[str], None]):
        self._start, self._end = start, end
        self._depth = 0
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._on_start
        self.parser.EndElementHandler = self._on_end
        self.parser.EntityDeclHandler = self._refuse_entity

    def read(self, data: bytes) -> None:
        """Read a whole file. Raises UnreadableFile."""
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as error:
            raise UnreadableFile(f"The file is not XML: {error}.") from None

    def _on_start(self, name: str, attributes: Attributes) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise UnreadableFile("The file is nested too deeply.")
        self._start(name.rpartition(":")[2], attributes)

    def _on_end(self, name: str) -> None:
        self._depth -= 1
        self._end(name.rpartition(":")[2])

    def _refuse_entity(self, *_: object) -> None:
        raise UnreadableFile("The file declares entities, which are not supported.")


def find_in_sitemap(data: bytes) -> Iterator[Link]:
    """Return the URLs of a sitemap, or of a sitemap index."""
    links: list[Link] = []
    pieces: list[str] = []
    position: list[tuple[int, int]] = []

    def start(name: str, _: Attributes) -> None:
        pieces.clear()
        position.clear()

    def add(text: str) -> None:
        if text.strip() and not position:
            blanks = len(text) - len(text.lstrip())
            column = reader.parser.CurrentColumnNumber + blanks + 1
            position.append((reader.parser.CurrentLineNumber, column))
        pieces.append(text)

    def end(name: str) -> None:
        if name == "loc" and position:
            links.append(Link("".join(pieces).strip(), *position[0], ""))
        pieces.clear()

    reader = XMLReader(start=start, end=end)
    reader.parser.buffer_text = False  # otherwise the position would be that of the end
    reader.parser.CharacterDataHandler = add
    reader.read(data)
    return iter(links)


def find_in_opml(data: bytes) -> Iterator[Link]:
    """Return the feeds and pages of an OPML file, with their folders and titles."""
    links: list[Link] = []
    folders: list[str] = []

    def start(name: str, attributes: Attributes) -> None:
        if name != "outline":
            return
        title = short(attributes.get("title") or attributes.get("text") or "")
        for attribute in ("xmlUrl", "htmlUrl", "url"):
            if url := attributes.get(attribute, "").strip():
                line, column = reader.parser.CurrentLineNumber, reader.parser.CurrentColumnNumber
                links.append(Link(url, line, column + 1, title, bookmark_path(folders, title)))
        folders.append(title if len(folders) < MAX_FOLDERS else "")

    def end(name: str) -> None:
        if name == "outline":
            folders.pop()

    reader = XMLReader(start=start, end=end)
    reader.read(data)
    return iter(links)
