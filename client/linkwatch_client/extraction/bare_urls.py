"""Bare URLs in plain text: http://, https://, `www.` and `doi:`."""

import re
from collections.abc import Iterator

from linkwatch_client.extraction.links import MAX_URL, Mention

# What ends a URL: whitespace, quotes, <, > and the punctuation of languages without spaces.
_END_CHARACTERS = (
    r"\s<>\"`\\^{}|\u00ab\u00bb\u2018-\u201f\u3000-\u3003\u3008-\u3011"
    r"\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f"
)


def _pattern(end_characters: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?<![A-Za-z0-9+.\-])(?:(?:https?://|www\.)(?=[\w\[])"
        rf"|doi:[ \t]?(?=10\.[0-9]{{4,9}}/))[^{end_characters}]{{1,{MAX_URL}}}",
        re.IGNORECASE,
    )


BARE = _pattern(_END_CHARACTERS)
BARE_NO_BRACKETS = _pattern(_END_CHARACTERS + r"\[\]")  # where brackets are markup
# The end of a URL's prefix. The pattern begins with rare characters, so that searches are fast.
HINT = r"\.(?<=[wW]{3}\.)|:(?:(?<=[tT][tT][pP]:)//|(?<=[tT][tT][pP][sS]:)//|(?<=[dD][oO][iI]:))"
_HINT = re.compile(HINT)
_TRAILING_PUNCTUATION = ".,;:!?'*_~…"  # part of the sentence, not of the URL
_OPENERS = {")": "(", "]": "["}
_BRACKET = re.compile(r"[()\[\]]")


def find(text: str, start: int = 0, end: int | None = None) -> Iterator[Mention]:
    """Yield the URLs in the text, or in a part of it."""
    end = len(text) if end is None else end
    at = start
    while hint := _HINT.search(text, at, end):
        match = match_at(text, hint.start(), at, end)
        at = match.end() if match else hint.end()
        if match:
            yield mention(match)


def match_at(
    text: str, hint: int, start: int, end: int, pattern: re.Pattern[str] = BARE
) -> re.Match[str] | None:
    """Return the match of the URL whose HINT is at `hint`, or None.

    The URL must begin at or after `start`.
    """
    prefix_length = 3
    if text.startswith("://", hint):
        prefix_length = 5 if text[hint - 1] in "sS" else 4
    return pattern.match(text, hint - prefix_length, end) if hint - prefix_length >= start else None


def mention(match: re.Match[str]) -> Mention:
    """Return the mention of the URL that BARE matched."""
    return match.start(), completed(trimmed(match[0])), "", ""


def completed(written: str) -> str:
    """Return a URL with a scheme: `www.` gets http://, as on GitHub; `doi:`, the resolver's URL."""
    beginning = written[:4].lower()
    if beginning == "doi:":
        return f"https://doi.org/{written[4:].lstrip()}"
    return f"http://{written}" if beginning == "www." else written


def trimmed(url: str) -> str:
    """Return a URL without the punctuation after it, as in `(see https://a.example/).`"""
    depths = dict.fromkeys(_OPENERS.values(), 0)
    for bracket in _BRACKET.finditer(url):
        if opener := _OPENERS.get(bracket[0]):
            depths[opener] -= 1
            if depths[opener] < 0:  # the bracket was not opened within the URL
                url = url[: bracket.start()]
                break
        else:
            depths[bracket[0]] += 1
    return url.rstrip(_TRAILING_PUNCTUATION)
