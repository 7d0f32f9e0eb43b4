"""Links in Markdown: inline, by reference, in angle brackets, bare, and in HTML.

A reference link's place is that of its definition, which has the URL; the link's text is that of
its first use. Follows CommonMark, and GitHub for tables and bare URLs.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from linkwatch_client.extraction import bare_urls, html_pages
from linkwatch_client.extraction.html_blocks import TAG
from linkwatch_client.extraction.links import MAX_URL, Mention, decoded, short
from linkwatch_client.extraction.markdown_blocks import (
    TITLE,
    Block,
    BlockKind,
    BlockScanner,
    Definition,
    normalize_label,
)

MAX_OPEN_BRACKETS = 1000  # earlier ones are text
MAX_PARENTHESES = 3  # nested levels in a URL
MAX_MISSES = 10_000  # occurrences of `](` without a URL in a document; later ones are text

_FRONT_MATTER = re.compile(r"(---|\+\+\+)[ \t]*\n")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
# Each alternative begins with a literal character, so that `re` searches only for those.
_OTHER = rf"\\[!-/:-@\[-`{{-~]|`[^`]+`(?!`)|``*|<(?=[\w.!#$%&'*+/=?^`{{|}}~-])|{bare_urls.HINT}"
_TOKEN = re.compile(rf"\[|\]|{_OTHER}")
_TOKEN_OUTSIDE_BRACKETS = re.compile(rf"\[|{_OTHER}")
_TEXT_TOKEN = re.compile(_OTHER)  # where brackets do not begin links
_BACKTICKS = re.compile(r"`+")
_AUTOLINK = re.compile(r"<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>\x00-\x20]*)>")
_EMAIL = re.compile(r"<([\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*)>", re.ASCII)
_TAG = re.compile(TAG)
_SIMPLE_URL = re.compile(r"\(([^\s()<>\\]+)\)")
_SIMPLE_LINK = re.compile(rf"\[([^\[\]`\\<]*)\]{_SIMPLE_URL.pattern}")
_OPENING = re.compile(r"\(\s*")
_ANGLE_URL = re.compile(r"<([^<>\n\\]*(?:\\.[^<>\n\\]*)*)>")
_URL_PART = re.compile(r"(?:[^\s()\\]+|\\[!-/:-@\[-`{-~]|\\)+")
_ENDING = re.compile(rf"(?:\s+(?:{TITLE}))?\s*\)", re.DOTALL)
_LABEL = re.compile(r"\[((?:[^\[\]\\]|\\.){0,999})\]", re.DOTALL)
_IMAGE = re.compile(r"!\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])?")
_TRAILING_ENTITY = re.compile(r"&[A-Za-z0-9]+;[)'*,.:;!?_~…]*")  # and punctuation after it
_MARKUP = re.compile(r"[*`]+|<[^<>]*>|\\(?=[!-/:-@\[-`{-~])")


def find(text: str) -> Iterator[Mention]:
    """Yield the links of a Markdown document."""
    start = end_of_front_matter(text)
    yield from bare_urls.find(text, 0, start)
    document = _DocumentState()
    scanner = BlockScanner(text)
    blocks: Iterable[Block] = scanner.blocks(start)
    if "]:" in text:  # definitions may come after their uses
        blocks, document.definitions = list(blocks), scanner.definitions
    for kind, offset, block in blocks:
        if kind is BlockKind.HTML:
            for at, url, words, key in html_pages.find(block):
                yield offset + at, url, words, key
        else:
            yield from _InlineScanner(block, offset, document).mentions()
    for label, words in document.texts.items():
        offset, written = document.definitions[label]
        yield offset, _unescaped(written), words, ""


def end_of_front_matter(text: str) -> int:
    """Return the end of the front matter (YAML or TOML), or 0 without front matter."""
    first = _FRONT_MATTER.match(text)
    if first is None:
        return 0
    end = re.compile(rf"^{re.escape(first[1])}[ \t]*$\n?", re.MULTILINE).search(text, first.end())
    return end.end() if end else 0


def _unescaped(url: str) -> str:
    """Return a URL without the escapes of Markdown and HTML."""
    return decoded(_ESCAPED.sub(r"\1", url) if "\\" in url else url)


def _plain(words: str) -> str:
    """Return the text of a link without markup."""
    words = words[:2000]
    if "!" in words:
        words = _IMAGE.sub(r"\1", words)
    return short(decoded(_MARKUP.sub("", words)))


@dataclass(slots=True)
class _DocumentState:
    """The state shared by the blocks of a document."""

    definitions: dict[str, Definition] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)  # of each label's first use
    misses: int = 0  # number of `](` without a URL


@dataclass(slots=True)
class _OpenBracket:
    """A `[` that may begin a link."""

    end: int  # of the bracket, where the link's text starts
    is_image: bool
    links_before: int  # number of links found before the bracket
    is_active: bool = True
    has_brackets: bool = False  # whether the link's text has brackets


@dataclass(slots=True)
class _InlineScanner:
    """Finds the links in a block of text, from left to right."""

    text: str
    offset: int  # of the text in the document
    document: _DocumentState
    _links: list[tuple[Mention, bool]] = field(default_factory=list)  # and whether the URL is bare
    _open: list[_OpenBracket] = field(default_factory=list)
    _backticks: dict[int, list[int]] | None = None  # positions of runs of backticks, by length
    _may_have_comment_end: bool = True  # a `-->` may follow

    def mentions(self) -> Iterator[Mention]:
        """Yield the links."""
        at = 0
        inside, outside = _TOKEN, _TOKEN_OUTSIDE_BRACKETS
        if not self._may_have_links():
            inside = outside = _TEXT_TOKEN
        while token := (inside if self._open else outside).search(self.text, at):
            at = self._read(token[0][0], *token.span())
            if self._links and not self._open:
                yield from (mention for mention, _ in self._links)
                self._links.clear()
            if self.document.misses >= MAX_MISSES and not self.document.definitions:
                inside = outside = _TEXT_TOKEN
        yield from (mention for mention, _ in self._links)

    def _may_have_links(self) -> bool:
        """Whether a bracket may belong to a link."""
        document = self.document
        return bool(document.definitions) or (document.misses < MAX_MISSES and "](" in self.text)

    def _read(self, char: str, start: int, end: int) -> int:
        """Read the syntax that begins at a token; return where to continue."""
        match char:
            case "[":
                return self._begin_link(start)
            case "]":
                return self._end_link(start)
            case "`":
                is_whole_code = self.text[start + 1 : end].strip("`") != ""
                return end if is_whole_code else self._skip_code(start, end)
            case "<":
                return self._read_angle(start)
            case ":" | ".":
                return self._read_bare(start, end)
        return end

    def _is_escaped(self, at: int) -> bool:
        """Whether an odd number of backslashes precedes a character."""
        first = at
        while first and self.text[first - 1] == "\\":
            first -= 1
        return (at - first) % 2 == 1

    def _add(self, at: int, url: str, words: str = "", *, is_bare: bool = False) -> None:
        self._links.append(((self.offset + at, url, words, ""), is_bare))

    def _begin_link(self, start: int) -> int:
        """Read a `[`, or the whole of a simple link; return where to continue."""
        is_image = start > 0 and self.text[start - 1] == "!" and not self._is_escaped(start - 1)
        if self.document.misses < MAX_MISSES and (link := _SIMPLE_LINK.match(self.text, start)):
            self._add(link.start(2), _unescaped(link[2]), _plain(link[1]))
            if self._open:
                self._open[-1].has_brackets = True
                self._deactivate_outer(is_image=is_image)
            return link.end()
        if len(self._open) >= MAX_OPEN_BRACKETS:
            del self._open[: MAX_OPEN_BRACKETS // 2]
        self._open.append(_OpenBracket(start + 1, is_image, len(self._links)))
        return start + 1

    def _end_link(self, at: int) -> int:
        """Read the text after a `]`, and return where to continue."""
        bracket = self._open.pop()
        if self._open:
            self._open[-1].has_brackets = True
        if not bracket.is_active:
            return at + 1
        end = self._add_inline_link(bracket, at) or self._record_reference(bracket, at)
        if not end:
            return at + 1
        self._deactivate_outer(is_image=bracket.is_image)
        return end

    def _deactivate_outer(self, *, is_image: bool) -> None:
        """Mark the open brackets of links as text, because a link can't contain a link."""
        if not is_image:
            for outer in self._open:
                outer.is_active = outer.is_active and outer.is_image

    def _words(self, bracket: _OpenBracket, at: int) -> str:
        return _plain(self.text[bracket.end : at])

    def _add_inline_link(self, bracket: _OpenBracket, at: int) -> int | None:
        """Add the link to the URL in the parentheses that follow; return their end, or None."""
        text, document = self.text, self.document
        if document.misses >= MAX_MISSES or not text.startswith("(", at + 1):
            return None
        if simple := _SIMPLE_URL.match(text, at + 1):
            start, written, end = at + 2, simple[1], simple.end()
        else:
            destination = self._destination(at + 1)
            if destination is None or not destination[1]:
                document.misses += 1
            if destination is None:
                return None
            start, written, end = destination
        self._drop_bare_urls(bracket)
        words = self._words(bracket, at)
        self._add(start, _unescaped(written), words)
        return end

    def _drop_bare_urls(self, bracket: _OpenBracket) -> None:
        """Drop the bare URLs in a link's text."""
        if len(self._links) > bracket.links_before:
            self._links[bracket.links_before :] = [
                link for link in self._links[bracket.links_before :] if not link[1]
            ]

    def _destination(self, at: int) -> tuple[int, str, int] | None:
        """Return the start of the URL in `(URL "title")`, the URL, and the end of the whole."""
        text = self.text
        opening = _OPENING.match(text, at)
        start = opening.end() if opening else at
        if text.startswith("<", start):
            bracketed = _ANGLE_URL.match(text, start)
            if bracketed is None:
                return None
            start, written, end = start + 1, bracketed[1], bracketed.end()
        else:
            end = self._end_of_url(start)
            written = text[start:end]
        ending = _ENDING.match(text, end)
        return (start, written, ending.end()) if ending else None

    def _end_of_url(self, start: int) -> int:
        """Return the end of the URL at `start`, or `start` if its parentheses are unbalanced."""
        text, at, depth = self.text, start, 0
        while True:
            if part := _URL_PART.match(text, at):
                at = part.end()
            if text.startswith("(", at):
                depth += 1
                if depth > MAX_PARENTHESES:
                    return start
            elif text.startswith(")", at) and depth:
                depth -= 1
            else:
                return start if depth else at
            at += 1

    def _record_reference(self, bracket: _OpenBracket, at: int) -> int | None:
        """Record the use of a definition, such as `[text][label]` or `[label]`; return its end."""
        if not self.document.definitions:
            return None
        label, end = "", at + 1
        if following := _LABEL.match(self.text, at + 1):
            label, end = following[1], following.end()
        if not label:
            if bracket.has_brackets or at - bracket.end > 999:
                return None
            label = self.text[bracket.end : at]
        key = normalize_label(label)
        if key not in self.document.definitions:
            return None
        self._drop_bare_urls(bracket)
        self.document.texts.setdefault(key, self._words(bracket, at))
        return end

    def _skip_code(self, start: int, end: int) -> int:
        """Return the end of the code that these backticks begin, or of the backticks."""
        if self._backticks is None:
            self._backticks = {}
            for run in _BACKTICKS.finditer(self.text):
                self._backticks.setdefault(len(run[0]), []).append(run.start())
        positions = self._backticks.get(end - start, [])
        following = bisect_left(positions, end)
        return positions[following] + end - start if following < len(positions) else end

    def _read_angle(self, start: int) -> int:
        """Read a link in angle brackets, or HTML; return where to continue."""
        text = self.text
        if autolink := _AUTOLINK.match(text, start):
            self._add(start + 1, decoded(autolink[1]))
            return autolink.end()
        if email := _EMAIL.match(text, start, start + MAX_URL):
            self._add(start + 1, f"mailto:{email[1]}")
            return email.end()
        if text.startswith("<!--", start):
            return self._skip_comment(start)
        tag = _TAG.match(text, start)
        if tag is None:
            return start + 1
        if opened := html_pages.TAG.match(text, start, tag.end()):
            for at, url, words, _ in html_pages.find_in_tag(text, opened, opened[1].lower()):
                self._add(at, url, words)
        return tag.end()

    def _skip_comment(self, start: int) -> int:
        end = self.text.find("-->", start + 4) if self._may_have_comment_end else -1
        if end < 0:
            self._may_have_comment_end = False
            return start + 1
        return end + 3

    def _read_bare(self, hint: int, end: int) -> int:
        """Read a bare URL; return where to continue."""
        text = self.text
        match = bare_urls.match_at(text, hint, 0, len(text), bare_urls.BARE_NO_BRACKETS)
        if match is None:
            return end
        url = match[0]
        while (at := url.rfind("&")) >= 0 and _TRAILING_ENTITY.fullmatch(url, at):
            url = url[:at]
        url = decoded(bare_urls.trimmed(url))
        self._add(match.start(), bare_urls.completed(url), is_bare=True)
        return match.end()
