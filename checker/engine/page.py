"""An HTML page, prepared for the search for marks: title, headings, text, refresh.

This takes time linear in the size of the page.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from django.utils.functional import cached_property

from checker.engine.charset import decode, unescape
from foundation.net.inflate import inflate

_MAX_HEADING = 500  # characters of a title or heading that are read
_MAX_PASSAGE = 2000  # characters of markup below a heading whose words are read
_MAX_HEADINGS = 4  # consecutive headings that are read
_MAX_PIECES = 40  # pieces of text between tags
_PIECE_LENGTHS = range(6, 301)  # characters of each
_MAX_BUTTONS = 12  # buttons that are read
_MAX_GAP = 40  # characters between two headings that belong together
_MIN_PROSE_BYTES = 60  # of a piece of text that is prose, not a menu
_MIN_PROSE_CHARACTERS = 20  # may have as many bytes in UTF-8
_MAX_REFRESH = 5.0  # seconds of a refresh that counts as a redirect

# Elements that a browser does not show as text. Without an end tag, they extend to the end.
_UNSEEN = re.compile(r"<(?=[!stn])(?:!--|(script|style|template|svg|noscript|textarea)\b)")
# A part that a script shows when needed. It ends at the first matching end tag.
_HIDDEN_WORDS = (" hidden", "display:none", "display: none")
_HIDDEN_PART = re.compile(r"<(div|section|p|dialog|aside|h[1-6]|span|ul|li)\s[^<>]*>")
_MAX_HIDDEN, _MAX_TAG = 20, 400  # parts that are searched for; characters of a tag
_TAG = re.compile(r"<[^<>]*>")
_LONG_PIECE = re.compile(r">[^<>]{60,}")
_HEADING = re.compile(r"<h[1-4]\b[^<>]*>")
_ANY_HEADING = re.compile(r"<h[1-6]\b")
_FOOTER_OR_MENU = re.compile(r"<(?:footer|nav|aside)\b")
_META = re.compile(r"<meta\b[^<>]*")
_CONTENT = re.compile(r"\bcontent\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\"'][^\"'>]*))", re.IGNORECASE)
# Possessive: otherwise whitespace could be split between two `\s*` in many ways.
_HTTP_EQUIV_REFRESH = re.compile(r"http-equiv\s*+=\s*+[\"']?+\s*+refresh\b")
_REFRESH = re.compile(
    r"\s*+(\d{0,5}(?:\.\d{0,9})?)(?:\s*+[;,]|\s)\s*+(?:url\s*+=\s*+)?[\"']?\s*+(?!url\s*+=)"
    r"([^\"'\s][^\"']*)",
    re.IGNORECASE,
)
_LANGUAGE = re.compile(r"<html\b[^<>]*?\blang\s*=\s*[\"']?([a-z]{2,3})")
_PASSWORD = re.compile(r"type\s*=\s*[\"']?password\b")


class Passage:
    """A part of a page's markup."""

    def __init__(self, markup: str, *, is_last: bool) -> None:
        self._markup = markup
        self.is_last = is_last  # no heading follows

    @property
    def prose_size(self) -> int:
        """The number of bytes of running text."""
        return _prose_size(self._markup)

    @property
    def text(self) -> str:
        """The words at its beginning, up to the page's footer or next menu."""
        return words(self._beginning)

    @property
    def paragraphs(self) -> tuple[str, ...]:
        """The pieces of running text in the same part as `text`."""
        pieces = _long_pieces(self._beginning)
        return tuple(words(piece) for piece in pieces if len(piece.encode()) >= _MIN_PROSE_BYTES)

    @property
    def _beginning(self) -> str:
        foot = _FOOTER_OR_MENU.search(self._markup)
        end = len(self._markup) if foot is None else foot.start()
        return self._markup[: min(end, _MAX_PASSAGE)]


class FetchedPage:
    """One HTML page. Words are in lower case; in the source, only ASCII is."""

    def __init__(self, text: str) -> None:
        self._text = text
        # Only ASCII, because tags are ASCII: this is fast, and offsets stay the same.
        self.source = text.encode("utf-8", "replace").lower().decode()

    @cached_property
    def markup(self) -> str:
        """The source without invisible parts."""
        return "".join(self.source[start:end] for start, end in self._visible_spans)

    def without_hidden(self) -> "FetchedPage":
        """Return the page without the parts that its markup hides; itself if there are none."""
        positions = sorted(
            position
            for word in _HIDDEN_WORDS
            for position in _positions(self.source, word, limit=_MAX_HIDDEN)
        )
        parts, copied_to = [], 0
        for position in positions:
            start = self.source.rfind("<", max(position - _MAX_TAG, copied_to), position)
            opening = _HIDDEN_PART.match(self.source, start) if start >= 0 else None
            if opening is None or position >= opening.end():
                continue
            end = self.source.find(f"</{opening[1]}", opening.end())
            parts.append(self._text[copied_to:start])
            copied_to = end if end >= 0 else len(self._text)
        return FetchedPage("".join([*parts, self._text[copied_to:]])) if parts else self

    @cached_property
    def _original_markup(self) -> str:
        """The markup in its original case."""
        return "".join(self._text[start:end] for start, end in self._visible_spans)

    @cached_property
    def title(self) -> str:
        """The words of the first title; empty without one."""
        return self.written_title.lower()

    @cached_property
    def written_title(self) -> str:
        """The first title in its original case."""
        start, end = self._title_span
        return _plain(self._original_markup[start:end]) if end else ""

    @cached_property
    def _title_span(self) -> tuple[int, int]:
        """Start and end of the first title in the markup; equal without a title."""
        opening = self.markup.find("<title")
        start = self.markup.find(">", opening) + 1 if opening >= 0 else 0
        end = self.markup.find("</title", start, start + _MAX_HEADING)
        return (start, end) if start and end >= 0 else (0, 0)

    @cached_property
    def headings(self) -> tuple[str, ...]:
        """The words of the first heading and of those directly after it, four at most."""
        return tuple(heading for heading, _ in self._headings)

    @cached_property
    def _headings(self) -> list[tuple[str, int]]:
        """The words of these headings, and the end of each in the markup."""
        headings: list[tuple[str, int]] = []
        opening = _HEADING.search(self.markup)
        for _ in range(_MAX_HEADINGS):
            if opening is None:
                break
            start = opening.end()
            end = self.markup.find("</h", start, start + _MAX_HEADING)
            if end < 0:
                break
            headings.append((words(self.markup[start:end]), end))
            opening = _HEADING.search(self.markup, end, end + _MAX_HEADING)
            if opening and len(words(self.markup[end : opening.start()])) > _MAX_GAP:
                break
        return [(heading, end) for heading, end in headings if heading]

    def below(self, number: int) -> "Passage":
        """Return the part between one of the headings and the next."""
        start = self._headings[number][1]
        following = _ANY_HEADING.search(self.markup, start)
        end = len(self.markup) if following is None else following.start()
        return Passage(self.markup[start:end], is_last=following is None)

    def prose_size_above(self, number: int) -> int:
        """Return the bytes of running text before the end of one of the headings."""
        return _prose_size(self.markup[: self._headings[number][1]])

    @cached_property
    def text(self) -> str:
        """All visible words, without the title's."""
        end = self.markup.find("</title")
        return words(self.markup[max(end, 0) :])

    @cached_property
    def prose_size(self) -> int:
        """The number of bytes of running text; menus, buttons and short lines do not count."""
        return _prose_size(self.markup)

    def has_more_prose_than(self, size: int) -> bool:
        """Return whether there are more than `size` characters of running text.

        The markup is read only as far as needed.
        """
        for piece in _LONG_PIECE.finditer(self.markup):
            size -= len(piece[0])
            if size < 0:
                return True
        return False

    @cached_property
    def running_text(self) -> str:
        """The words of the running text that `prose_size` counts."""
        pieces = _long_pieces(self.markup)
        return words(" ".join(piece for piece in pieces if len(piece.encode()) >= _MIN_PROSE_BYTES))

    @cached_property
    def pieces(self) -> tuple[str, ...]:
        """The first pieces of text between tags, each of 6 to 300 characters."""
        end = max(self.markup.find("</title"), 0)
        parts = (part.rpartition(">") for part in self.markup[end:].split("<")[:-1])
        pieces = (text for _, tag_end, text in parts if tag_end and len(text) in _PIECE_LENGTHS)
        texts = map(words, islice(pieces, _MAX_PIECES))
        return tuple(text for text in texts if len(text) in _PIECE_LENGTHS)

    @cached_property
    def buttons(self) -> tuple[str, ...]:
        """The words of the first buttons."""
        parts = self.markup.split("<button", _MAX_BUTTONS)[1:]
        inside = (part.partition(">")[2].partition("</button")[0] for part in parts)
        return tuple(filter(None, (words(text[:_MAX_HEADING]) for text in inside)))

    @cached_property
    def site_name(self) -> str:
        """The site's name in the page's metadata; empty without one."""
        position = self.markup.find("og:site_name")
        if position < 0:
            return ""
        tag = self.markup.rfind("<", 0, position)
        content = _CONTENT.search(self.markup[tag : self.markup.find(">", position)][:_MAX_HEADING])
        return words(next(filter(None, content.groups()), "")) if content else ""

    @cached_property
    def home_link(self) -> str:
        """The words of the first link to the root; empty without one."""
        positions = (self.markup.find(f"href={quote}/{quote or '>'}") for quote in ('"', "'", ""))
        position = min((position for position in positions if position >= 0), default=-1)
        if position < 0:
            return ""
        link = self.markup[position : position + _MAX_HEADING].partition("</a")[0]
        return words(link.partition(">")[2])

    @cached_property
    def language(self) -> str:
        """The declared language of the page, such as `en`; empty without one."""
        match = _LANGUAGE.search(self.source[:4096])
        return match[1] if match else ""

    @cached_property
    def asks_for_password(self) -> bool:
        """Whether the page has a password field."""
        return "password" in self.markup and _PASSWORD.search(self.markup) is not None

    @cached_property
    def refresh(self) -> str | None:
        """The URL, which may be relative, of a refresh within 5 s; None if there is none."""
        if "refresh" not in self.markup:
            return None
        for tag in _META.finditer(self.markup):
            if _HTTP_EQUIV_REFRESH.search(tag[0]):
                content = _CONTENT.search(self._original_markup[tag.start() : tag.end()])
                return read_refresh(next(filter(None, content.groups()), "")) if content else None
        return None

    @cached_property
    def _visible_spans(self) -> list[tuple[int, int]]:
        """Start and end of the visible parts of the source."""
        parts, start = [], 0
        while (unseen := _UNSEEN.search(self.source, start)) is not None:
            parts.append((start, unseen.start()))
            closing = f"</{unseen[1]}" if unseen[1] else "-->"
            start = self.source.find(closing, unseen.start() + len("<!"))
            if start < 0:
                return parts
            start += len(closing)
        return [*parts, (start, len(self.source))]


def _positions(text: str, word: str, *, limit: int) -> Iterator[int]:
    """Yield the positions of a word in text, at most `limit`."""
    position = -1
    for _ in range(limit):
        position = text.find(word, position + 1)
        if position < 0:
            return
        yield position


def _prose_size(markup: str) -> int:
    sizes = (len(piece.encode()) for piece in _long_pieces(markup))
    return sum(size for size in sizes if size >= _MIN_PROSE_BYTES)


def _long_pieces(markup: str) -> list[str]:
    """Return the pieces of text between tags that may have _MIN_PROSE_BYTES bytes."""
    pieces = markup.replace(">", "<").split("<")  # three times as fast as a pattern
    return [piece.strip() for piece in pieces if len(piece) >= _MIN_PROSE_CHARACTERS]


def read_page(*, headers: Mapping[str, str], body: bytes) -> FetchedPage | None:
    """Return the page in a response; None if it is empty or declares a type other than HTML."""
    content_type = headers.get("content-type", "html")
    if "html" not in content_type.lower() or not body:
        return None
    text = inflate(body, encoding=headers.get("content-encoding", ""))
    return FetchedPage(decode(text, content_type=content_type))


def read_refresh(value: str) -> str | None:
    """Return the URL in the value of a Refresh header or meta element.

    None without a URL, or if the refresh takes more than 5 s.
    """
    match = _REFRESH.match(value)
    if match is None or float(match[1].rstrip(".") or 0) > _MAX_REFRESH:
        return None
    return unescape(match[2]).strip()


def words(markup: str) -> str:
    """Return the words between tags in lower case, entities decoded, spaces collapsed."""
    return _plain(markup).lower()


def _plain(markup: str) -> str:
    if "<" in markup:
        markup = _TAG.sub(" ", markup)
    if "&" in markup:
        markup = unescape(markup)
    return " ".join(markup.split())
