"""docs/verdicts.md as HTML: the page that results, messages and the API link to."""

import re
from functools import cache

import markdown
from django.conf import settings
from django.utils.safestring import SafeString, mark_safe

_FOR_DEVELOPERS = "\n## To change a rule\n"  # the document is cut here
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
# A table wider than the screen can be scrolled, even by keyboard.
_TABLE = '<div class="scroll" tabindex="0" role="region" aria-label="{title}"><table class="table">'


@cache
def verdicts() -> SafeString:
    """Return the document as HTML, without its title, its links and the part for developers."""
    text = (settings.BASE_DIR / "docs" / "verdicts.md").read_text(encoding="utf-8")
    _, _, body = text.partition(_FOR_DEVELOPERS)[0].partition("\n")
    html: str = markdown.markdown(_LINK.sub(r"\1", body), extensions=["tables"])
    return mark_safe(_with_scrollable_tables(html))  # noqa: S308 - a document of this project


def _with_scrollable_tables(html: str) -> str:
    """Return the document with each table in a scrollable region, labeled by its section.

    The table before the first section is that of the outcomes.
    """
    first, *others = re.split(r"(?<=<h2>)(.*?)(?=</h2>)", html)
    scrollable = first.replace("<table>", _TABLE.format(title="Outcomes"))
    for title, text in zip(others[::2], others[1::2], strict=True):
        scrollable += title + text.replace("<table>", _TABLE.format(title=title))
    return scrollable.replace("</table>", "</table></div>")
