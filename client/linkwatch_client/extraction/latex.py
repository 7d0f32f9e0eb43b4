"""Links in LaTeX: \\url, \\href, and bare ones; not in comments and listings."""

import re
from collections.abc import Iterator

from linkwatch_client.extraction.links import MAX_URL, Mention, short

_BRACED = r"\{([^{}\n]*(?:\{[^{}\n]*\}[^{}\n]*)*)\}"
BARE = rf"https?://(?:[^\s{{}}\\\"<>`^|]|\\[_%&#$~](?:\{{\}})?){{1,{MAX_URL}}}"
_MARK = re.compile(
    rf"\\(?:url|nolinkurl|path)[ \t]*{_BRACED}"
    rf"|\\href[ \t]*(?:\[[^\]\n]{{0,200}}\])?[ \t]*{_BRACED}(?:\s?\{{([^{{}}]{{0,400}}))?"
    r"|\\begin\{(verbatim\*?|lstlisting|minted|comment)\}"
    rf"|({BARE})|\\.|%[^\n]*"
)
_ESCAPED = re.compile(r"\\([_%&#$~{}])(?:\{\})?")
_AFTER = ".,;:!?')]*~"


def find(text: str) -> Iterator[Mention]:
    """Yield the links of a document."""
    at = 0
    while found := _MARK.search(text, at):
        at = found.end()
        if found[1] is not None:
            yield found.start(1), plain(found[1]), "", ""
        elif found[2] is not None:
            yield found.start(2), plain(found[2]), short(found[3] or ""), ""
        elif found[4]:
            closing = text.find(f"\\end{{{found[4]}}}", at)
            at = closing if closing >= 0 else len(text)
        elif found[5]:
            yield found.start(5), plain(found[5]).rstrip(_AFTER), "", ""


def plain(url: str) -> str:
    """Return a URL without LaTeX's escapes, as in `foo\\_bar`."""
    return _ESCAPED.sub(r"\1", url).strip()
