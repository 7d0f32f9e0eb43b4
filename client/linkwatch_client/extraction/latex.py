"""Links in LaTeX: \\url, \\href, and bare URLs. Comments and listings are skipped."""

import re
from collections.abc import Iterator

from linkwatch_client.extraction import bare_urls
from linkwatch_client.extraction.links import MAX_URL, Mention, short

_BRACED = r"\{([^{}\n]*(?:\{[^{}\n]*\}[^{}\n]*)*)\}"
BRACED_ESCAPE = r"\{\\[_%&#$~](?:\{\})?\}"  # as in `foo{\_}bar`
BARE = rf"https?://(?:[^\s{{}}\\\"<>`^|]|\\[_%&#$~](?:\{{\}})?|{BRACED_ESCAPE}){{1,{MAX_URL}}}"
_MARK = re.compile(
    rf"\\(?:url|nolinkurl|path)[ \t]*{_BRACED}"
    rf"|\\href[ \t]*(?:\[[^\]\n]{{0,200}}\])?[ \t]*{_BRACED}(?:\s?\{{([^{{}}]{{0,400}}))?"
    r"|\\begin\{(verbatim\*?|lstlisting|minted|comment)\}"
    rf"|({BARE})|\\.|%[^\n]*"
)
_ESCAPED = re.compile(r"\{\\([_%&#$~])(?:\{\})?\}|\\([_%&#$~{}])(?:\{\})?")


def find(text: str) -> Iterator[Mention]:
    """Yield the links of a document."""
    at = 0
    while match := _MARK.search(text, at):
        at = match.end()
        if match[1] is not None:
            yield match.start(1), plain(match[1]), "", ""
        elif match[2] is not None:
            yield match.start(2), plain(match[2]), short(match[3] or ""), ""
        elif match[4]:
            closing = text.find(f"\\end{{{match[4]}}}", at)
            at = closing if closing >= 0 else len(text)
        elif match[5]:
            yield match.start(5), bare_urls.trimmed(plain(match[5])), "", ""


def plain(url: str) -> str:
    """Return a URL without LaTeX's escapes, as in `foo\\_bar`."""
    return _ESCAPED.sub(r"\1\2", url).strip()
