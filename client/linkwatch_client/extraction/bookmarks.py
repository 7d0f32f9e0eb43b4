"""Links in bookmark files (the format that all browsers export), with their folders and titles."""

import re
from collections.abc import Iterator

from linkwatch_client.extraction.html_pages import TAG_REST
from linkwatch_client.extraction.links import MAX_URL, Mention, decoded, short

MAX_FOLDERS = 50  # nested levels
_MARK = re.compile(rf"<(?:(/?dl)\b[^>]*>|(h3|a)(?=[\s>]){TAG_REST}([^<]*))", re.IGNORECASE)
_HREF = re.compile(r"\bhref\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'<>]+))", re.IGNORECASE)


def find(text: str) -> Iterator[Mention]:
    """Yield the bookmarks; the key is their folders and title."""
    folders: list[str] = []
    folder = ""
    for match in _MARK.finditer(text):
        tag = (match[1] or match[2]).lower()
        if tag == "dl":
            folders.append(folder)
            folder = ""
        elif tag == "/dl":
            folders = folders[:-1]
        elif tag == "h3":
            folder = short(decoded(match[4]))
        elif href := _HREF.search(match[3]):
            group = href.lastindex or 1
            title = short(decoded(match[4]))
            url = href[group].strip()
            yield (
                match.start(3) + href.start(group),
                decoded(url) if len(url) <= 2 * MAX_URL else url,
                title,
                bookmark_path(folders, title),
            )


def bookmark_path(folders: list[str], title: str) -> str:
    """Return the path of a bookmark: its folders and its title."""
    return short("/".join([*filter(None, folders[:MAX_FOLDERS]), title]))
