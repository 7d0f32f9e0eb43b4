"""Links in a page or a text, each with its line. Linear in the length, whatever is in it.

The standard library's HTMLParser is not: 180 kB of `<a href='` took it half a minute.
"""

import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import urljoin, urlsplit

# A tag that leads somewhere. No `<` in it, not even within quotes: so each is looked at but once.
_TAG = re.compile(r"<(a|area|base)\b((?:[^<>\"']++|\"[^\"<]*+\"|'[^'<]*+')*+)>", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    r"([^\s\"'<>/=]++)(?:\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'<>]++)))?"
)
# What nobody sees of a page, with what ends it; without that it goes on to the page's end.
_UNSEEN = re.compile(r"<!--|<(script|style|template|textarea)\b", re.IGNORECASE)
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
_AFTER = ".,;:!?'*_~…"  # what follows an address in a sentence, and is none of it
_PAIRS = {")": "(", "]": "[", "}": "{"}

Hyperlink = tuple[int, str]  # number of the line, and the address as it is written


def in_html(page: str) -> Iterator[Hyperlink]:
    """Yield the links of an HTML page; relative ones as its `<base>` means them, if it has one."""
    base, line, at = "", 1, 0
    for found in _tags(page):
        line += page.count("\n", at, found.start())
        at = found.start()
        address = _href(found[2])
        if found[1].lower() == "base":
            base = base or address
        elif not _ASIDE.match(address):
            yield line, _joined(base, address)


def _tags(page: str) -> Iterator[re.Match[str]]:
    """Yield what _TAG finds in the parts of a page that are seen."""
    start = 0
    while True:
        unseen = _UNSEEN.search(page, start)
        yield from _TAG.finditer(page, start, unseen.start() if unseen else len(page))
        if unseen is None:
            return
        mark = f"</{unseen[1]}" if unseen[1] else "-->"
        end = re.compile(re.escape(mark), re.IGNORECASE).search(page, unseen.end())
        if end is None:
            return
        start = end.end()


def _href(attributes: str) -> str:
    for name, *values in _ATTRIBUTE.findall(attributes):
        if name.lower() == "href":
            return _IN_ADDRESS.sub("", unescape("".join(values))).strip()
    return ""


def _joined(base: str, address: str) -> str:
    try:
        return address if not base or urlsplit(address).scheme else urljoin(base, address)
    except ValueError:  # as of `http://[`, which is told where it is judged
        return address


def in_text(text: str) -> Iterator[Hyperlink]:
    """Yield the links of a text, whose marks are Markdown's if it has any; those in code are none.

    Besides those that Markdown marks: whatever begins with http:// or https://, up to a blank or a
    quote, without the punctuation that ends the sentence.
    """
    fence = ""
    for number, line in enumerate(text.split("\n"), start=1):
        if mark := _FENCE.match(line):
            fence = "" if fence == mark[1] else fence or mark[1]
        elif not fence:
            yield from ((number, address) for address in _mentioned(_CODE.sub(" ", line)))


def _mentioned(line: str) -> Iterator[str]:
    for found in _MENTION.finditer(line):
        bracketed, inline, defined, bare = found.groups()
        marked = bracketed or inline or defined
        address = unescape(marked.replace("\\", "")) if marked else _trimmed(bare or "")
        if not _ASIDE.match(address):
            yield address.strip()


def _trimmed(address: str) -> str:
    """Return an address without what follows it in a sentence: `(see https://a.example/).`"""
    while address:
        last = address[-1]
        is_unopened = last in _PAIRS and address.count(_PAIRS[last]) < address.count(last)
        if last not in _AFTER and not is_unopened:
            break
        address = address[:-1]
    return address
