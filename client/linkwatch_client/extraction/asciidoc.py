"""Links in AsciiDoc: link:, xref: to files, and URLs with or without a text.

Listings are skipped.
"""

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
        opening = _DELIMITER.search(text, at)
        yield from _find_in_passage(text, at, opening.start() if opening else len(text))
        if opening is None:
            return
        closing = text.find(f"\n{opening[1]}", opening.end())
        if closing < 0:
            return
        at = closing + 1 + len(opening[1])


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
