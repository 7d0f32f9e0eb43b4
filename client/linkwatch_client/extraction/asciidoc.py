"""Links in AsciiDoc: link:, xref: to files, and URLs with or without text.

Listings, literal blocks, passthroughs and comments are skipped.
"""

import re
from collections.abc import Iterator

from linkwatch_client.extraction import bare_urls
from linkwatch_client.extraction.links import MAX_URL, Mention, short

# The first and the last line of a block that is not read; the first may name a language after ```.
_DELIMITER = re.compile(r"^(?:(-{4,}|\.{4,}|\+{4,}|/{4,})[ \t]*|```[^\n`]*)$", re.MULTILINE)
_WORD_CHARACTER = re.compile(r"\w")
_MARK = re.compile(
    rf"^//[^\n]*|`[^`\n]{{1,1000}}`|\b(?:link|xref):([^\s\[\]]{{1,{MAX_URL}}})(?:\[([^\]\n]{{0,1000}})\])?"
    rf"|{bare_urls.HINT}",
    re.MULTILINE,
)
_TEXT = re.compile(r"\[([^\]\n]{0,1000})\]")


def find(text: str) -> Iterator[Mention]:
    """Yield the links of a document; links with an attribute such as `{base}` are skipped."""
    at, delimiter = 0, ""  # delimiter: of the block that has begun
    for line in _DELIMITER.finditer(text):
        if delimiter:
            if line[0].rstrip() == delimiter:
                at, delimiter = line.end(), ""
        elif not _is_underline(text, line):
            yield from _find_in_passage(text, at, line.start())
            delimiter = line[1] or "```"
    if not delimiter:
        yield from _find_in_passage(text, at, len(text))


def _is_underline(text: str, line: re.Match[str]) -> bool:
    """Whether a line of `-` or `+` underlines a title, which has nearly the same length."""
    if not line[0].startswith(("-", "+")):
        return False
    title_end = max(line.start() - 1, 0)
    title_start = text.rfind("\n", 0, title_end) + 1
    title = text[title_start:title_end].rstrip()
    before_end = max(title_start - 1, 0)
    before = text[text.rfind("\n", 0, before_end) + 1 : before_end].strip()
    return (
        (not before or before.startswith("["))  # the title may have an anchor
        and not title.startswith((".", "[", "//"))
        and bool(_WORD_CHARACTER.search(title))
        and abs(len(title) - len(line[0].rstrip())) <= 1
    )


def _find_in_passage(text: str, start: int, end: int) -> Iterator[Mention]:
    at = start
    while match := _MARK.search(text, at, end):
        at = max(match.end(), at + 1)
        if match.lastindex:
            url = match[1]
            if match[2] is not None and "{" not in url and ("." in url or "/" in url or "#" in url):
                yield match.start(1), url, short(match[2]), ""
        elif match[0][0] in ":.":
            bare = bare_urls.match_at(text, match.start(), start, end, bare_urls.BARE_NO_BRACKETS)
            if bare:
                url = bare[0]
                following = _TEXT.match(text, bare.start() + len(url), end)
                url = url if following else bare_urls.trimmed(url)
                words = short(following[1]) if following else ""
                yield bare.start(), bare_urls.completed(url), words, ""
                at = max(at, bare.end())
