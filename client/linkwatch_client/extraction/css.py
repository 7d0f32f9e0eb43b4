"""Links in style sheets: url() and @import."""

import re
from collections.abc import Iterator

from linkwatch_client.extraction.links import Mention

_COMMENT = r"/\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/)?"
_URL = re.compile(
    rf"{_COMMENT}|url\(\s*(?:\"([^\"\n]*)\"|'([^'\n]*)'|([^\s\"'()]+))|@import\s+(?:\"([^\"\n]*)\"|'([^'\n]*)')",
    re.IGNORECASE,
)


def find(text: str, start: int = 0, end: int | None = None) -> Iterator[Mention]:
    """Yield the links of a style sheet, which may be a part of `text`."""
    for match in _URL.finditer(text, start, len(text) if end is None else end):
        if group := match.lastindex:
            yield match.start(group), match[group].strip(), "", ""
