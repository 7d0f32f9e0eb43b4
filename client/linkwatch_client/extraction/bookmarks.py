"""Links in bookmark files (the format that all browsers export), with folders and title."""

import re
from collections.abc import Iterator

from linkwatch_client.extraction.html_pages import REST
from linkwatch_client.extraction.links import MAX_URL, Mention, decoded, short

MAX_FOLDERS = 50  # nested levels
_MARK = re.compile(rf"<(?:(/?dl)\b[^>]*>|(h3|a)(?=[\s>]){REST}([^<]*))", re.IGNORECASE)
_HREF = re.compile(r"\bhref\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'<>]+))", re.IGNORECASE)


def find(text: str) -> Iterator[Mention]:
    """Yield the bookmarks; the key is their folders and title."""
    folders: list[str] = []
    name = ""
    for found in _MARK.finditer(text):
        tag = (found[1] or found[2]).lower()
        if tag == "dl":
            folders.append(name)
            name = ""
        elif tag == "/dl":
            folders = folders[:-1]
        elif tag == "h3":
            name = short(decoded(found[4]))
        elif href := _HREF.search(found[3]):
            group = href.lastindex or 1
            title = short(decoded(found[4]))
            url = href[group].strip()
            yield (
                found.start(3) + href.start(group),
                decoded(url) if len(url) <= 2 * MAX_URL else url,
                title,
                key_of(folders, title),
            )


def key_of(folders: list[str], title: str) -> str:
    """Return the path of a bookmark: its folders and its title."""
    return short("/".join([*filter(None, folders[:MAX_FOLDERS]), title]))
