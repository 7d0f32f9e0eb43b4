"""The blocks of a Markdown document, as in CommonMark and on GitHub, with their places.

`BlockScanner` yields the blocks that may have links: paragraphs, headings and table cells (INLINE),
and HTML. It skips code. Block quote markers are replaced by spaces, so that offsets refer to the
document. The time is linear in the document's length: nesting deeper than MAX_DEPTH is text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from linkwatch_client.extraction.html_blocks import HTML_BLOCKS, LONE_TAG_START

MAX_DEPTH = 32  # nested block quotes, list items, footnotes and admonitions
MAX_LINES = 10_000  # lines of a paragraph in a block quote, after which a new one begins

_BARE_HINT = re.compile(r"\.(?<=[wW]{3}\.)|:(?<=[dD][oO][iI]:)")
# Outside of containers, a line with this beginning starts or continues a paragraph.
_WORD_START = r"[^\s>+*0-9\[!?=#`~<|_:-]"
_WORD_LINE = re.compile(_WORD_START)
_WORD_LINES_END = re.compile(rf"\n(?!{_WORD_START})")
_ROWS_END = re.compile(r"\n(?!\|)")
_ITEM = re.compile(r"(?:[-+*]|[0-9]{1,9}[.)])(?=[ \t\n]|$)")
_RULE = re.compile(r"(?:\*[ \t]*){3,}$|(?:-[ \t]*){3,}$|(?:_[ \t]*){3,}$")
_FENCE = re.compile(r"(`{3,})[^`]*$|(~{3,})")
_CLOSING_FENCE = re.compile(r"\n {0,3}(`{3,}|~{3,})[ \t]*(?=\n|\Z)")
_HEADING = re.compile(r"#{1,6}(?=[ \t]|$)")
_UNDERLINE = re.compile(r"(?:=+|-+)[ \t]*$")
_FOOTNOTE = re.compile(r"\[\^[^\s\[\]]{1,200}\]:")
_ADMONITION = re.compile(
    r"(?:!!!|\?\?\?\+?|===!?|\+\+\+)[ \t]+[\w\"]"
)  # of MkDocs and its extensions
_DELIMITER_ROW = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$")
_CELL = re.compile(r"[^|\\]*(?:\\.[^|\\]*)*")

TITLE = r"\"[^\"\\]*(?:\\.[^\"\\]*)*\"|'[^'\\]*(?:\\.[^'\\]*)*'|\([^()\\]*(?:\\.[^()\\]*)*\)"
DEFINITION = re.compile(
    r"[ \t]*\[((?:[^\[\]\\]|\\.){1,999})\]:\s*(?:<((?:[^<>\n\\]|\\.)*)>|([^\s<]\S*))"
    r"(?=\s|$)"
)
_TITLE = re.compile(
    rf"[ \t]*(?:\n[ \t]*)?(?<=\s)(?:{TITLE})[ \t]*(?:\n|$)",
    re.DOTALL,
)
_LINE_END = re.compile(r"[ \t]*(?:\n|$)")


class BlockKind(Enum):
    """The syntax of a block's text."""

    INLINE = "inline"
    HTML = "html"


Block = tuple[BlockKind, int, str]  # its kind, the start of its text, and the text
Definition = tuple[int, str]  # the start of the URL, and the URL as written


class _LeafKind(Enum):
    """The kind of the block to which lines are added."""

    NONE = "none"
    PARAGRAPH = "paragraph"
    FENCE = "fence"
    HTML = "html"
    TABLE = "table"


@dataclass(slots=True)
class _Container:
    """A block quote (width 0), or a list item, footnote or admonition (width: its indentation)."""

    width: int
    is_empty: bool = False  # its first line was blank


@dataclass(slots=True)
class BlockScanner:
    """Splits a document into blocks; `definitions` maps labels of reference links to URLs."""

    text: str
    definitions: dict[str, Definition] = field(default_factory=dict)
    _stack: list[_Container] = field(default_factory=list)
    _leaf: _LeafKind = _LeafKind.NONE
    _parts: list[tuple[int, int]] = field(default_factory=list)  # of the leaf's text
    _fence: str = ""
    _html_end: re.Pattern[str] | None = None
    _finished: list[Block] = field(default_factory=list)
    _bracket: str = "["  # without this, brackets do not form a link
    _has_bare: bool = True  # `www.` or `doi:` may begin a link

    def __post_init__(self) -> None:
        lower = self.text.lower()
        self._bracket = "[" if "]:" in lower else "]("
        self._has_bare = "www." in lower or "doi:" in lower

    def blocks(self, start: int = 0) -> Iterator[Block]:
        """Yield the blocks from `start`, which is the beginning of a line."""
        size = len(self.text)
        while start < size:
            following = start if self._stack else self._read_plain(start)
            if following == start:
                end = self.text.find("\n", start)
                end = size if end < 0 else end
                self._read_line(start, end)
                following = end + 1
            start = following
            if self._finished:
                yield from self._finished
                self._finished.clear()
        self._close_leaf()
        yield from self._finished
        self._finished.clear()

    def _read_plain(self, start: int) -> int:
        """Read one or more lines outside of containers if their kind is obvious.

        Reads code in a fence, a blank line, rows of a table, or lines of a paragraph that begin
        with a word. Returns the start of the next line, or `start` for any other line.
        """
        text, leaf = self.text, self._leaf
        if leaf is _LeafKind.FENCE:
            return self._skip_fence(start)
        if leaf is _LeafKind.HTML:
            return start
        if text[start] == "\n":
            self._close_leaf()
            return start + 1
        if leaf is _LeafKind.TABLE and text[start] == "|":
            end = self._end_of_lines(_ROWS_END, start)
            self._add_rows(start, end)
        elif leaf is not _LeafKind.TABLE and _WORD_LINE.match(text, start):
            end = self._end_of_lines(_WORD_LINES_END, start)
            self._leaf = _LeafKind.PARAGRAPH
            self._add(start, end)
        else:
            return start
        return end + 1

    def _end_of_lines(self, pattern: re.Pattern[str], start: int) -> int:
        end = pattern.search(self.text, start)
        return end.start() if end else len(self.text)

    def _skip_fence(self, start: int) -> int:
        """Skip the code in a fence outside of containers; return the start of the next line."""
        for fence in _CLOSING_FENCE.finditer(self.text, start - 1):
            if fence[1].startswith(self._fence):
                self._leaf = _LeafKind.NONE
                return fence.end() + 1
        return len(self.text)

    def _read_line(self, start: int, end: int) -> None:
        at, column, base, matched = self._match_containers(start, end)
        is_blank = at == end
        is_inside = matched == len(self._stack)
        if is_inside and self._leaf is _LeafKind.FENCE:
            self._read_in_fence(at, end, column - base)
        elif is_inside and self._leaf is _LeafKind.HTML:
            self._read_in_html(start if not self._stack else at, end, is_blank=is_blank)
        elif is_blank:
            self._close_leaf()
            if not is_inside:
                del self._stack[matched:]
        else:
            self._read_text(at, end, column, base, matched)

    def _match_containers(self, start: int, end: int) -> tuple[int, int, int, int]:
        """Return four numbers: offset and column of the first character that is not blank, the
        column where the content of the continuing containers begins, and how many continue."""
        at, column = self._skip_blanks(start, end, 0)
        base = matched = 0
        for container in self._stack:
            if not container.width:
                if at == end or column - base > 3 or self.text[at] != ">":
                    break
                base = column + (2 if self.text[at + 1 : at + 2] in (" ", "\t") else 1)
                at, column = self._skip_blanks(at + 1, end, column + 1)
            elif at == end:
                if container.is_empty:
                    break
            elif column - base >= container.width:
                base += container.width
            else:
                break
            container.is_empty = False
            matched += 1
        return at, column, base, matched

    def _skip_blanks(self, at: int, end: int, column: int) -> tuple[int, int]:
        text = self.text
        while at < end:
            char = text[at]
            if char == " ":
                column += 1
            elif char == "\t":
                column += 4 - column % 4
            else:
                break
            at += 1
        return at, column

    def _read_in_fence(self, at: int, end: int, indent: int) -> None:
        line = self.text[at:end].rstrip(" \t") if self.text.startswith(self._fence, at) else ""
        if line and indent < 4 and not line.strip(self._fence[0]):
            self._leaf = _LeafKind.NONE

    def _read_in_html(self, at: int, end: int, *, is_blank: bool) -> None:
        if self._html_end is None:
            if is_blank:
                self._close_leaf()
            else:
                self._add(at, end)
        else:
            self._add(at, end)
            if self._html_end.search(self.text, at, end):
                self._close_leaf()

    def _read_text(self, at: int, end: int, column: int, base: int, matched: int) -> None:
        """Read a line that is not blank: new containers, then the leaf they hold."""
        depth = len(self._stack)
        is_inside, is_new = matched == depth, False
        while at < end and column - base < 4 and matched < MAX_DEPTH:
            opened = self._open_container(at, end, column, base)
            if opened is None:
                break
            container, at, column, base = opened
            if not is_new:
                self._close_leaf()
                del self._stack[matched:]
                is_new = True
            self._stack.append(container)
            matched += 1
        if at < end and (is_new or not self._extend(at, end, column - base, is_inside=is_inside)):
            self._replace_leaf(at, end, matched, is_indented=column - base >= 4)

    def _extend(self, at: int, end: int, indent: int, *, is_inside: bool) -> bool:
        """Add the line to the paragraph or table before it, and return whether it belongs there."""
        if self._leaf is _LeafKind.PARAGRAPH:
            continues = indent >= 4 or not self._ends_paragraph(at, end, is_inside=is_inside)
            if continues:
                self._add(at, end)  # a lazy continuation if its containers are missing
            return continues
        continues = self._leaf is _LeafKind.TABLE and is_inside and indent < 4
        if continues := continues and not self._starts_leaf(at, end):
            self._add_row(at, end)
        return continues

    def _replace_leaf(self, at: int, end: int, matched: int, *, is_indented: bool) -> None:
        """End the leaf before this line, and start the one that begins here."""
        is_inside = matched == len(self._stack)
        if self._leaf is _LeafKind.PARAGRAPH and is_inside:
            if _UNDERLINE.match(self.text, at, end):
                self._close_leaf()
                return
            if self._is_table(at, end):
                self._start_table()
                return
        self._close_leaf()
        del self._stack[matched:]
        if not is_indented:
            self._start_leaf(at, end)

    def _open_container(
        self, at: int, end: int, column: int, base: int
    ) -> tuple[_Container, int, int, int] | None:
        """Return the container that begins here, and offset, column and base after its marker."""
        text = self.text
        char = text[at]
        if char == ">":
            base = column + (2 if text[at + 1 : at + 2] in (" ", "\t") else 1)
            return _Container(0), *self._skip_blanks(at + 1, end, column + 1), base
        if char in "-+*0123456789":
            return self._open_item(at, end, column, base)
        if char == "[" and (footnote := _FOOTNOTE.match(text, at, end)):
            after = self._skip_blanks(footnote.end(), end, column + footnote.end() - at)
            return _Container(4), *after, after[1]
        if char in "!?=+" and _ADMONITION.match(text, at, end):
            return _Container(4), end, column, base
        return None

    def _open_item(
        self, at: int, end: int, column: int, base: int
    ) -> tuple[_Container, int, int, int] | None:
        text = self.text
        marker = _ITEM.match(text, at, end)
        if marker is None:
            if text.startswith("+++", at) and _ADMONITION.match(text, at, end):
                return _Container(4), end, column, base
            return None
        if self._is_rule(at, end):
            return None
        width = marker.end() - at
        after, after_column = self._skip_blanks(marker.end(), end, column + width)
        is_empty = after == end
        if is_empty or marker[0][:-1] not in ("", "1"):
            is_in_list = bool(self._stack) and self._stack[-1].width > 0
            if self._leaf is _LeafKind.PARAGRAPH and not is_in_list:
                return None  # does not end a paragraph
        blanks = after_column - column - width
        if is_empty or blanks > 4:
            blanks = 1
        content = column + width + blanks
        return _Container(content - base, is_empty), after, after_column, content

    def _ends_paragraph(self, at: int, end: int, *, is_inside: bool) -> bool:
        """Whether the line ends the paragraph before it."""
        char = self.text[at]
        if char.isalpha():
            return False
        if is_inside and char in "=-" and _UNDERLINE.match(self.text, at, end):
            return True
        if is_inside and char in "|:-" and self._is_table(at, end):
            return True
        return self._starts_leaf(at, end, in_paragraph=True)

    def _starts_leaf(self, at: int, end: int, *, in_paragraph: bool = False) -> bool:
        text = self.text
        match text[at]:
            case "#":
                return _HEADING.match(text, at, end) is not None
            case "`" | "~":
                return _FENCE.match(text, at, end) is not None
            case "<":
                return any(
                    opening.match(text, at, end)
                    for opening, _ in HTML_BLOCKS
                    if not (in_paragraph and opening is LONE_TAG_START)
                )
        return self._is_rule(at, end)

    def _start_leaf(self, at: int, end: int) -> None:
        text = self.text
        char = text[at]
        if char in "`~" and (fence := _FENCE.match(text, at, end)):
            self._leaf, self._fence = _LeafKind.FENCE, fence[1] or fence[2]
        elif char == "#" and _HEADING.match(text, at, end):
            self._add_text(BlockKind.INLINE, at, end)
        elif not self._is_rule(at, end) and not (char == "<" and self._start_html(at, end)):
            self._leaf = _LeafKind.PARAGRAPH
            self._add(at, end)

    def _is_rule(self, at: int, end: int) -> bool:
        return self.text[at] in "*-_" and _RULE.match(self.text, at, end) is not None

    def _start_html(self, at: int, end: int) -> bool:
        for start_pattern, end_pattern in HTML_BLOCKS:
            if opening := start_pattern.match(self.text, at, end):
                self._leaf, self._html_end = _LeafKind.HTML, end_pattern
                self._add(at, end)
                if end_pattern is not None:
                    after = at if end_pattern.pattern == ">" else opening.end()
                    if end_pattern.search(self.text, after, end):
                        self._close_leaf()
                return True
        return False

    def _is_table(self, at: int, end: int) -> bool:
        """Whether this line is the delimiter row of a table."""
        if len(self._parts) != 1:
            return False
        head, line = self.text[slice(*self._parts[0])], self.text[at:end]
        if "\n" in head or "|" not in head + line or _DELIMITER_ROW.match(line) is None:
            return False
        return _count_columns(head) == _count_columns(line)

    def _start_table(self) -> None:
        head = self._parts[0]
        self._parts.clear()
        self._leaf = _LeafKind.TABLE
        self._add_row(*head)

    def _add_rows(self, at: int, end: int) -> None:
        if self._may_have_links(at, end):
            for row in self.text[at:end].split("\n"):
                self._add_row(at, at + len(row))
                at += len(row) + 1

    def _add_row(self, at: int, end: int) -> None:
        if self._may_have_links(at, end):
            for cell in _CELL.finditer(self.text, at, end):
                self._add_text(BlockKind.INLINE, *cell.span())

    def _add(self, at: int, end: int) -> None:
        parts = self._parts
        if parts and not any(not container.width for container in self._stack):
            parts[-1] = (parts[-1][0], end)
        else:
            parts.append((at, end))
            if len(parts) > MAX_LINES:
                leaf = self._leaf
                self._close_leaf()
                self._leaf = leaf

    def _close_leaf(self) -> None:
        """Finish the leaf; keep its text if it may contain links."""
        if self._parts:
            start, end = self._parts[0][0], self._parts[-1][1]
            if self._may_have_links(start, end):
                chunk = self._join_parts()
                if self._leaf is _LeafKind.HTML:
                    self._finished.append((BlockKind.HTML, start, chunk))
                else:
                    skipped = self._collect_definitions(start, chunk)
                    self._finished.append((BlockKind.INLINE, start + skipped, chunk[skipped:]))
            self._parts.clear()
        self._leaf = _LeafKind.NONE

    def _join_parts(self) -> str:
        """Return the parts of the leaf, with whitespace between them."""
        start, end = self._parts[0]
        pieces = [self.text[start:end]]
        for start, next_end in self._parts[1:]:
            pieces += ["\n", " " * (start - end - 1), self.text[start:next_end]]
            end = next_end
        return "".join(pieces)

    def _collect_definitions(self, offset: int, chunk: str) -> int:
        """Collect the definitions at the start of a paragraph; return the start of its text."""
        at = 0
        while chunk.startswith("[", at) or chunk.startswith(" ", at):
            match = DEFINITION.match(chunk, at)
            if match is None:
                break
            title = _TITLE.match(chunk, match.end())
            ending = title or _LINE_END.match(chunk, match.end())
            if ending is None:
                break
            label = normalize_label(match[1])
            if not label:
                break
            group = 2 if match[2] is not None else 3
            self.definitions.setdefault(label, (offset + match.start(group), match[group]))
            at = ending.end()
        return at

    def _add_text(self, kind: BlockKind, start: int, end: int) -> None:
        if self._may_have_links(start, end):
            self._finished.append((kind, start, self.text[start:end]))

    def _may_have_links(self, start: int, end: int) -> bool:
        """Whether a part of the document contains characters that links need."""
        find = self.text.find
        return (
            find(self._bracket, start, end) >= 0
            or find("<", start, end) >= 0
            or find("://", start, end) >= 0
            or (self._has_bare and _BARE_HINT.search(self.text, start, end) is not None)
        )


def normalize_label(label: str) -> str:
    """Return a label normalized for comparison."""
    return " ".join(label.split()).casefold()


def _count_columns(row: str) -> int:
    cells = row.strip().removeprefix("|")
    if cells.endswith("|") and not cells.endswith("\\|"):
        cells = cells[:-1]
    return len([cell for cell in _CELL.finditer(cells) if cell[0]]) + cells.count("||")
