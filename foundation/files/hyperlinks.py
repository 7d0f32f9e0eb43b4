"""Links in a page or a text, each with its line. Linear in the length, whatever is in it.

The standard library's HTMLParser is not: 180 kB of `<a href='` took it half a minute.
"""

import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import urlsplit

from ada_url import URL

from foundation.files.lists import UnreadableFileError

_AT_ONCE = 64 * 1024  # characters that are searched while all other threads wait
# A tag with an href. It has no `<`, not even within quotes, so each `<` is tried only once.
_TAG = re.compile(
    r"<(a|area|base)\b(?=[^<]*href)((?:[^<>\"']++|\"[^\"<]*+\"|'[^'<]*+')*+)>", re.IGNORECASE
)
_ATTRIBUTE = re.compile(
    r"([^\s\"'<>/=]++)(?:\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'<>]++)))?"
)
# What nobody sees of a page, with what ends it; without that it goes on to the page's end.
_UNSEEN = re.compile(r"<!--|<(script|style|template|textarea)\b", re.IGNORECASE)
_ENDS = {"": re.compile("-->")} | {
    name: re.compile(f"</{name}", re.IGNORECASE)
    for name in ("script", "style", "template", "textarea")
}
LONGEST_BASE = 2048  # characters: no address that begins so would be accepted
_LONGEST = 4096  # characters of an address that is unescaped: with escapes it may be long
_IN_ADDRESS = re.compile(r"[\t\n\r]")  # which a browser leaves out
# What leads to no other page, and is no mistake either.
_ASIDE = re.compile(r"#|(?:mailto|tel|sms|data|blob|about):|$", re.IGNORECASE)

_FENCE = re.compile(r" {0,3}(```|~~~)")
_CODE = re.compile(r"(`++)(?:(?!\1).){1,999}+\1(?!`)")
# Of a text: an image, which is passed over; Markdown's `[words](address)`, `<address>` and
# `[name]: address`; or an address as it stands. Its brackets may be one deep in others.
_MENTION = re.compile(
    r"!\[[^\[\]]{0,999}\]\([^()]{0,2048}\)"
    r"|\]\(\s{0,9}(?:<([^<>]{0,2048})>|([^\s()<>]{0,2048}(?:\([^\s()]{0,999}\)[^\s()<>]{0,2048}){0,9})(?=\s{0,9}[)\"'(]))"
    r"|^ {0,3}\[[^\[\]]{1,999}\]:\s{0,9}<?([^\s<>]{1,2048})"
    r"|(?<![a-z0-9+.-])(https?://[^\s<>\"`]{1,2100})",
    re.IGNORECASE,
)
_ESCAPED = re.compile(r"\\([_%&#$~{}])(?:\{\})?")  # of LaTeX, also in Markdown
_AFTER = ".,;:!?'*_~…"  # what follows an address in a sentence, and is none of it
_PAIRS = {")": "(", "]": "[", "}": "{"}

Hyperlink = tuple[int, str]  # number of the line, and the address as it is written


def in_html(page: str) -> Iterator[Hyperlink]:
    """Yield the links of an HTML page; relative ones are resolved by its `<base>`, if it has one.

    A `<base>` over LONGEST_BASE is ignored.
    """
    base, line, at = "", 1, 0
    joined: dict[str, str] = {}
    for found in _tags(page):
        address = _href(found[2])
        if found[1].lower() == "base":
            if not base and len(address) <= LONGEST_BASE:
                base, joined = address, {}
        elif not _ASIDE.match(address):
            if address not in joined:  # a page leads to many of them more than once
                joined[address] = _joined(base, address)
            line, at = line + page.count("\n", at, found.start()), found.start()
            yield line, joined[address]


def _tags(page: str) -> Iterator[re.Match[str]]:
    """Yield what _TAG finds in the parts of a page that are seen."""
    start = 0
    while start < len(page):
        end = _end_of_piece(page, start)
        unseen = _UNSEEN.search(page, start, end)
        yield from _TAG.finditer(page, start, unseen.start() if unseen else end)
        start = _end_of_unseen(page, unseen) if unseen else end


def _end_of_piece(page: str, start: int) -> int:
    """Return where this piece ends: before a `<`, which is never in the middle of a match."""
    end = page.rfind("<", start + 1, start + _AT_ONCE)
    end = end if end > 0 else page.find("<", start + 1)
    return end if end > 0 else len(page)


def _end_of_unseen(page: str, unseen: re.Match[str]) -> int:
    end = _ENDS[(unseen[1] or "").lower()].search(page, unseen.end())
    return end.end() if end else len(page)


def _href(attributes: str) -> str:
    for name, *values in _ATTRIBUTE.findall(attributes):
        if name.lower() == "href":
            value = "".join(values)
            text = unescape(value) if len(value) <= _LONGEST else value
            return _IN_ADDRESS.sub("", text).strip()
    return ""


def _joined(base: str, address: str) -> str:
    try:
        return address if not base or urlsplit(address).scheme else str(URL(address, base).href)
    except ValueError:  # as of `http://[`, which the caller's validation reports
        return address


def in_text(text: str) -> Iterator[Hyperlink]:
    """Yield the links of a text, whose marks are Markdown's if it has any; those in code are none.

    Besides those that Markdown marks: whatever begins with http:// or https://, up to a blank or a
    quote, without the punctuation that ends the sentence. Raises UnreadableFileError for a line
    that has no blank in 64 KiB.
    """
    fence = ""
    for number, line in enumerate(text.split("\n"), start=1):
        if mark := _FENCE.match(line):
            fence = "" if fence == mark[1] else fence or mark[1]
        elif not fence:
            for piece in _pieces(line, number):
                yield from ((number, address) for address in _mentioned(_CODE.sub(" ", piece)))


def _pieces(line: str, number: int) -> Iterator[str]:
    """Yield a line in pieces of _AT_ONCE at most. Raises UnreadableFileError for a long word."""
    while len(line) > _AT_ONCE:
        end = max(line.rfind(blank, 0, _AT_ONCE) for blank in " \t")
        if end < 1:
            raise UnreadableFileError(f"Line {number} is not text: it has no spaces.")
        yield line[:end]
        line = line[end:]
    yield line


def _mentioned(line: str) -> Iterator[str]:
    for found in _MENTION.finditer(line):
        bracketed, inline, defined, bare = found.groups()
        marked = bracketed or inline or defined
        address = unescape(marked.replace("\\", "")) if marked else _trimmed(_plain(bare or ""))
        if not _ASIDE.match(address):
            yield address.strip()


def _plain(address: str) -> str:
    """Return an address without the escapes of LaTeX, as in BibTeX's `\\url{…/foo\\_bar}`."""
    return _ESCAPED.sub(r"\1", address)


def _trimmed(address: str) -> str:
    """Return an address without what follows it in a sentence: `(see https://a.example/).`"""
    unopened = {mark: address.count(mark) - address.count(_PAIRS[mark]) for mark in _PAIRS}
    end = len(address)
    while end:
        last = address[end - 1]
        if last not in _AFTER and unopened.get(last, 0) <= 0:
            break
        if last in unopened:
            unopened[last] -= 1
        end -= 1
    return address[:end]
