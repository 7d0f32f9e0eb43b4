"""Links, each with its place in its file."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import unescape
from itertools import islice

MAX_BYTES = 64 * 1024 * 1024  # in a file
MAX_LINKS = 250_000  # in a file
MAX_URL = 8192  # characters; far more than the 2048 bytes that Linkwatch accepts
MAX_TEXT = 200  # characters of a link's text

# A link: its offset in the document, its URL, its text, its key.
Mention = tuple[int, str, str, str]

_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_WHITESPACE = re.compile(r"\s+")


class UnreadableFile(ValueError):  # noqa: N818 - reads well in `except UnreadableFile`
    """The file can't be read; the message says why in one sentence."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link as written in a file."""

    url: str  # as written, with entities decoded; may be relative or a fragment
    line: int | None  # counted from 1; None where the format has no lines
    column: int | None  # counted from 1, in characters
    text: str  # the link's text, or ""
    key: str = ""  # in reference lists: the entry's key, or its folders and title


def decoded(text: str) -> str:
    """Return `text` with its HTML entities decoded; `&copy=1` without a semicolon is kept."""
    return _ENTITY.sub(lambda entity: unescape(entity[0]), text) if "&" in text else text


def short(text: str) -> str:
    """Return `text` on one line, cut to MAX_TEXT characters."""
    return _WHITESPACE.sub(" ", text[: 4 * MAX_TEXT]).strip()[:MAX_TEXT]


def collect_links(links: Iterable[Link], limit: int = MAX_LINKS) -> list[Link]:
    """Return the links of a file, without those whose URL is empty or longer than MAX_URL.

    Raises UnreadableFile for more than `limit` links.
    """
    usable = list(islice(_usable(links), limit + 1))
    _check_number(len(usable), limit)
    return usable


def _usable(links: Iterable[Link]) -> Iterator[Link]:
    return (link for link in links if 0 < len(link.url) <= MAX_URL)


def locate_links(text: str, mentions: Iterable[Mention], limit: int = MAX_LINKS) -> list[Link]:
    """Return a link with line and column for each mention, in the order of the text.

    Leaves out mentions whose URL is empty or longer than MAX_URL. Raises UnreadableFile for more
    than `limit` links.
    """
    usable = (mention for mention in mentions if 0 < len(mention[1]) <= MAX_URL)
    ordered = sorted(islice(usable, limit + 1))
    _check_number(len(ordered), limit)
    links = []
    line, line_start, at = 1, 0, 0
    for offset, url, words, key in ordered:
        newline = text.rfind("\n", at, offset)
        if newline >= 0:
            line += text.count("\n", at, offset)
            line_start = newline + 1
        at = offset
        links.append(Link(url, line, offset - line_start + 1, words, key))
    return links


def _check_number(count: int, limit: int) -> None:
    if count > limit:
        raise UnreadableFile(f"The file has more than {limit:,} links.")
