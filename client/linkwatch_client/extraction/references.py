"""Links in bibliographies (BibTeX and RIS), with the keys of their entries."""

import re
from collections.abc import Iterator

from linkwatch_client.extraction import bare_urls, latex
from linkwatch_client.extraction.json_files import doi_url
from linkwatch_client.extraction.links import Mention, short

_KEY_OR_URL = re.compile(
    r"@([A-Za-z]{1,40})\s*[{(]\s*([^\s,{}()\"=]{1,250})\s*,"
    r"|\bdoi\s*=\s*[{\"]\s*"
    rf"((?:doi:\s*)?10\.(?:[^\s{{}}\"]|{latex.BRACED_ESCAPE}){{1,1000}})"
    rf"|({latex.BARE})",
    re.IGNORECASE,
)
_RIS_LINE = re.compile(r"^([A-Z][A-Z0-9]) {1,2}-(?: (.*))?$", re.MULTILINE)


def find_in_bibtex(text: str) -> Iterator[Mention]:
    """Yield the URLs and DOIs in BibTeX, each with the key of its entry."""
    key = ""
    for match in _KEY_OR_URL.finditer(text):
        if match[1]:
            key = match[2]
        elif match[3]:
            yield match.start(3), doi_url(latex.plain(match[3])), "", key
        else:
            yield match.start(4), bare_urls.trimmed(latex.plain(match[4])), "", key


def find_in_ris(text: str) -> Iterator[Mention]:
    """Yield the URLs and DOIs in RIS, each with the title and id of its entry."""
    links: list[tuple[int, str]] = []
    key = title = ""
    for match in _RIS_LINE.finditer(text):
        name, value = match[1], (match[2] or "").strip()
        if name in ("TY", "ER"):
            yield from ((at, url, short(title), short(key)) for at, url in links)
            links, key, title = [], "", ""
        elif name in ("UR", "LK", "L1", "L2") and value:
            links.append((match.start(2), value))
        elif name == "DO" and value:
            links.append((match.start(2), doi_url(value)))
        elif name == "ID":
            key = value
        elif name in ("TI", "T1"):
            title = value
    yield from ((at, url, short(title), short(key)) for at, url in links)
