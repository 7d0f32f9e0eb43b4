"""Links in lists of references: BibTeX and RIS, with the entries' keys."""

import re
from collections.abc import Iterator

from linkwatch_client.extraction import latex
from linkwatch_client.extraction.json_files import of_doi
from linkwatch_client.extraction.links import Mention, short

_MARK = re.compile(
    r"@([A-Za-z]{1,40})\s*[{(]\s*([^\s,{}()\"=]{1,250})\s*,"
    r"|\bdoi\s*=\s*[{\"]\s*((?:doi:\s*)?10\.[^\s{}\"]{1,1000})"
    rf"|({latex.BARE})",
    re.IGNORECASE,
)
_RIS_LINE = re.compile(r"^([A-Z][A-Z0-9]) {1,2}-(?: (.*))?$", re.MULTILINE)
_AFTER = ".,;:!?')]*~"


def in_bibtex(text: str) -> Iterator[Mention]:
    """Yield the URLs and DOIs of BibTeX's entries, each with its entry's key."""
    key = ""
    for found in _MARK.finditer(text):
        if found[1]:
            key = found[2]
        elif found[3]:
            yield found.start(3), of_doi(latex.plain(found[3])), "", key
        else:
            yield found.start(4), latex.plain(found[4]).rstrip(_AFTER), "", key


def in_ris(text: str) -> Iterator[Mention]:
    """Yield the URLs and DOIs of RIS's entries, each with its entry's id and title."""
    links: list[tuple[int, str]] = []
    key = title = ""
    for found in _RIS_LINE.finditer(text):
        name, value = found[1], (found[2] or "").strip()
        if name in ("TY", "ER"):
            yield from ((at, url, short(title), short(key)) for at, url in links)
            links, key, title = [], "", ""
        elif name in ("UR", "LK", "L1", "L2") and value:
            links.append((found.start(2), value))
        elif name == "DO" and value:
            links.append((found.start(2), of_doi(value)))
        elif name == "ID":
            key = value
        elif name in ("TI", "T1"):
            title = value
    yield from ((at, url, short(title), short(key)) for at, url in links)
