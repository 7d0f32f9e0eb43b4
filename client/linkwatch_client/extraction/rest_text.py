"""Links in reStructuredText: embedded URLs, targets, images and bare URLs.

Literal blocks and comments are skipped.
"""

import re
from collections.abc import Iterator

from linkwatch_client.extraction import bare_urls
from linkwatch_client.extraction.links import MAX_URL, Mention, short

_LITERAL_DIRECTIVE = re.compile(
    r"\.\. (?:code|code-block|sourcecode|parsed-literal|productionlist|prompt|raw|math|doctest"
    r"|testcode|testoutput|console|literalinclude|ipython|jupyter-execute|plot|graphviz|mermaid)::"
)
_DIRECTIVE_WITHOUT_ARGUMENT = re.compile(r"\.\. +(?:\|[^|]+\| )?[\w.:+-]+ ?::$")
# `..` that begins no target, footnote, citation, substitution or directive. `..` alone on its line
# begins a comment only if the next line has text.
_COMMENT = re.compile(
    r"\.\.(?:[ \t]*\n[ \t]*\S|[ \t]+(?![\s_|]|\[[\w.:+#*-]+\](?:\s|$)|[\w.:+-]+ ?::(?:\s|$)))"
)
# Indentation, and the markers of list items, as in `- 1. text`.
_BEFORE_TEXT = re.compile(
    r"[ \t]*(?:(?:[-*+\u2022\u2023\u2043]|\(?(?:[#A-Za-z]|[0-9]+|[ivxlcdmIVXLCDM]+)[.)])[ \t]+)*"
)
_LITERAL_OR_LINK = re.compile(
    rf"``[^`]*(?:`(?!`)[^`]*)*``|`([^`<>]{{0,1000}})<([^<>`]{{1,{MAX_URL}}})>`__?"
    r"|^[ \t]*(?:\.\. (?:_(`[^`\n]+`|[^`:\n\\][^:\n\\]*(?:\\.[^:\n\\]*)*):|__:)|__)"
    r"[ \t]+(\S+)[ \t]*$"
    r"|^[ \t]*(?:\.\. (?:\|[^|\n]+\| )?(?:image|figure)::|:target:)[ \t]+(\S+)"
    rf"|{bare_urls.HINT}",
    re.MULTILINE,
)
_BLANKS = re.compile(r"\s+")


def find(text: str) -> Iterator[Mention]:
    """Yield the links of a document."""
    for start, end in _passages(text):
        yield from _find_in_passage(text, start, end)


def _passages(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each passage.

    A passage has no literal block, no comment and no blank line.
    """
    at, passage_start, literal_indent = 0, -1, -1  # literal_indent: deeper lines are literal
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        line = text[at:end].rstrip()
        indent = len(line) - len(line.lstrip())
        is_literal = literal_indent >= 0 and (not line or indent > literal_indent)
        if line and not is_literal:
            before = _BEFORE_TEXT.match(line)
            start = before.end() if before else 0
            if _COMMENT.match(text, at + start):
                if passage_start >= 0:
                    yield passage_start, at
                passage_start, literal_indent = -1, start
            else:
                begins_literal = _LITERAL_DIRECTIVE.match(line, start) or (
                    line.endswith("::") and not _DIRECTIVE_WITHOUT_ARGUMENT.match(line, start)
                )
                literal_indent = start if begins_literal else -1
                passage_start = at if passage_start < 0 else passage_start
        if passage_start >= 0 and (not line or literal_indent >= 0):
            yield passage_start, end
            passage_start = -1
        at = end + 1
    if passage_start >= 0:
        yield passage_start, len(text)


def _find_in_passage(text: str, start: int, end: int) -> Iterator[Mention]:
    at = start
    while match := _LITERAL_OR_LINK.search(text, at, end):
        at = max(match.end(), at + 1)
        if match.lastindex:
            yield from _marked_up_link(match)
        elif match[0][0] in ":.":
            bare = bare_urls.match_at(text, match.start(), start, end)
            if bare:
                yield bare_urls.mention(bare)
                at = max(at, bare.end())


def _marked_up_link(match: re.Match[str]) -> Iterator[Mention]:
    """Yield the link, unless it has the name of another link, ending in `_`, instead of a URL."""
    group = match.lastindex or 0
    url = _BLANKS.sub("", match[group])
    if not url.endswith("_") or "/" in url:
        yield (
            match.start(group),
            url.replace("\\", ""),
            short((match[1] or match[3] or "").strip("`")),
            "",
        )
