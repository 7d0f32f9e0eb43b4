"""Links in reStructuredText: embedded, targets, images and bare, except in literal blocks."""

import re
from collections.abc import Iterator

from linkwatch_client.extraction import bare_urls
from linkwatch_client.extraction.links import MAX_URL, Mention, short

_LITERAL = re.compile(
    r"\.\. (?:code|code-block|sourcecode|parsed-literal|productionlist|prompt|raw|math|doctest"
    r"|testcode|testoutput|console|literalinclude)::"
)
_MARK = re.compile(
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
        yield from _of_passage(text, start, end)


def _passages(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of passages between literal blocks; a passage has no blank line."""
    at, begun, literal = 0, -1, -1  # literal: lines indented further than this are literal
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        line = text[at:end].rstrip()
        indent = len(line) - len(line.lstrip())
        is_literal = literal >= 0 and (not line or indent > literal)
        if line and not is_literal:
            literal = indent if line.endswith("::") or _LITERAL.match(line, indent) else -1
            begun = at if begun < 0 else begun
        if begun >= 0 and (not line or literal >= 0):
            yield begun, end
            begun = -1
        at = end + 1
    if begun >= 0:
        yield begun, len(text)


def _of_passage(text: str, start: int, end: int) -> Iterator[Mention]:
    at = start
    while found := _MARK.search(text, at, end):
        at = max(found.end(), at + 1)
        if found.lastindex:
            yield from _marked(found)
        elif found[0][0] in ":.":
            bare = bare_urls.match_at(text, found.start(), start, end)
            if bare:
                yield bare_urls.mention(bare)
                at = max(at, bare.end())


def _marked(found: re.Match[str]) -> Iterator[Mention]:
    """Yield the marked-up link; a URL that ends with `_` is the name of another link."""
    group = found.lastindex or 0
    url = _BLANKS.sub("", found[group])
    if not url.endswith("_") or "/" in url:
        yield (
            found.start(group),
            url.replace("\\", ""),
            short((found[1] or found[3] or "").strip("`")),
            "",
        )
