"""Links in AsciiDoc: link:, xref: to a file, URLs with their text or bare; not in listings."""

import re
from collections.abc import Iterator

from linkwatch_client.extraction import bare_urls
from linkwatch_client.extraction.links import MAX_URL, Mention, short

_DELIMITER = re.compile(r"^(-{4,}|\.{4,}|\+{4,}|/{4,}|```)[^\n`]*$", re.MULTILINE)
_MARK = re.compile(
    rf"^//[^\n]*|`[^`\n]{{1,1000}}`|\b(?:link|xref):([^\s\[\]]{{1,{MAX_URL}}})(?:\[([^\]\n]{{0,1000}})\])?"
    rf"|{bare_urls.HINT}",
    re.MULTILINE,
)
_TEXT = re.compile(r"\[([^\]\n]{0,1000})\]")


def find(text: str) -> Iterator[Mention]:
    """Yield the links of a document; links with an attribute such as `{base}` are skipped."""
    at = 0
    while at < len(text):
        begun = _DELIMITER.search(text, at)
        yield from _of_passage(text, at, begun.start() if begun else len(text))
        if begun is None:
            return
        closing = text.find(f"\n{begun[1]}", begun.end())
        if closing < 0:
            return
        at = closing + 1 + len(begun[1])


def _of_passage(text: str, start: int, end: int) -> Iterator[Mention]:
    at = start
    while found := _MARK.search(text, at, end):
        at = max(found.end(), at + 1)
        if found.lastindex:
            url = found[1]
            if found[2] is not None and "{" not in url and ("." in url or "/" in url or "#" in url):
                yield found.start(1), url, short(found[2]), ""
        elif found[0][0] in ":.":
            bare = bare_urls.match_at(text, found.start(), start, end, bare_urls.IN_BRACKETS)
            if bare:
                url = bare[0]
                following = _TEXT.match(text, bare.start() + len(url), end)
                url = url if following else bare_urls.trimmed(url)
                words = short(following[1]) if following else ""
                yield bare.start(), bare_urls.completed(url), words, ""
                at = max(at, bare.end())
