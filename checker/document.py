"""docs/verdicts.md as HTML: the page that results, messages and the API lead to.

It reads as much Markdown as that document has: headings, tables, lists, paragraphs; bold, italics,
code and links, of which those to other documents become plain words.
"""

import re
from collections.abc import Iterator
from functools import cache
from html import escape
from itertools import groupby

from django.conf import settings
from django.utils.safestring import SafeString, mark_safe

_FOR_DEVELOPERS = "\n## To change a rule\n"  # from here on
_INLINE = re.compile(
    r"`(?P<code>[^`]+)`|\*\*(?P<strong>[^*]+)\*\*|\*(?P<em>[^*]+)\*|\[(?P<words>[^\]]+)\]\([^)]*\)"
    r'|<a id="(?P<id>[a-z0-9-]+)"></a>'
)


@cache
def verdicts() -> SafeString:
    """Return the document as HTML without its title."""
    text = (settings.BASE_DIR / "docs" / "verdicts.md").read_text(encoding="utf-8")
    _, _, body = text.partition(_FOR_DEVELOPERS)[0].partition("\n")
    return mark_safe("\n".join(_blocks(body)))  # noqa: S308 - a document of ours, escaped


def _blocks(text: str) -> Iterator[str]:
    for block in filter(None, map(str.strip, re.split(r"\n{2,}", text))):
        for is_table, group in groupby(block.split("\n"), lambda line: line.startswith("|")):
            lines = list(group)
            yield _table(lines) if is_table else _prose("\n".join(lines))


def _prose(block: str) -> str:
    if block.startswith("## "):
        return f"<h2>{_inline(block[3:])}</h2>"
    first, *items = re.split(r"(?:^|\n)- ", block)
    paragraph = f"<p>{_inline(first)}</p>" if first else ""
    listed = "".join(f"<li>{_inline(item)}</li>" for item in items)
    return paragraph + (f"<ul>{listed}</ul>" if listed else "")


def _table(lines: list[str]) -> str:
    head, _, *rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    titles = "".join(f'<th scope="col">{_inline(cell)}</th>' for cell in head)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>\n" for row in rows)
    label = f'tabindex="0" role="region" aria-label="{escape(head[0])}"'
    return (
        f'<div class="scroll" {label}><table class="table">'
        f"<thead><tr>{titles}</tr></thead>\n<tbody>{body}</tbody></table></div>"
    )


def _cell(text: str) -> str:
    """Return a cell; one with an anchor is what the anchor leads to."""
    found = re.search(r'<a id="([a-z0-9-]+)"></a>', text)
    return f'<td id="{found[1]}">{_inline(text)}</td>' if found else f"<td>{_inline(text)}</td>"


def _inline(text: str) -> str:
    parts, end = [], 0
    for found in _INLINE.finditer(text):
        parts.append(escape(text[end : found.start()]))
        end = found.end()
        kind, words = found.lastgroup or "", found[found.lastgroup or 0]
        if kind == "words":
            parts.append(escape(words))
        elif kind != "id":
            parts.append(f"<{kind}>{escape(words)}</{kind}>")
    return "".join([*parts, escape(text[end:])])
