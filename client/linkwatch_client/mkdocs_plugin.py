"""MkDocs plug-in `linkwatch`: marks dead links in the built pages.

Makes one lookup per build. Each dead link is logged as a warning, which fails a `strict` build. The
link gets an attribute `data-linkwatch` with the verdict and, unless it has a title, the verdict as
its title. The text of `mark`, with the class `linkwatch-dead`, follows the link, and then a link to
the verified copy with the text of `copy_text`.
"""

import contextlib
import html
import logging
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any

from mkdocs.config import base, config_options
from mkdocs.plugins import BasePlugin

from linkwatch_client.errors import ClientError
from linkwatch_client.site_links import COPY_TEXT, DEAD_CLASS, DEAD_TEXT, DeadLink, dead_links

_logger = logging.getLogger("mkdocs.plugins.linkwatch")


class MkDocsPluginConfig(base.Config):  # type: ignore[no-untyped-call]
    """The plug-in's settings in mkdocs.yml."""

    mark = config_options.Type(str, default=DEAD_TEXT)
    copy_text = config_options.Type(str, default=COPY_TEXT)
    max_age = config_options.Type(str, default="1d")


class LinkwatchPlugin(BasePlugin[MkDocsPluginConfig]):  # type: ignore[no-untyped-call]
    """Collects the links of all pages, asks the server once, and marks dead links."""

    def __init__(self) -> None:
        self._urls: dict[str, set[str]] = {}  # by page
        self._dead: dict[str, DeadLink] = {}

    def on_pre_build(self, *, config: Any) -> None:
        """Forget the previous build."""
        self._urls, self._dead = {}, {}

    def on_page_content(self, html: str, *, page: Any, **_: Any) -> None:
        """Collect the links of a page."""
        self._urls[page.file.src_uri] = {link.url for link in read_anchors(html)}

    def on_env(self, env: Any, **_: Any) -> None:
        """Look up the links of all pages, before any page is written."""
        try:
            self._dead = dead_links(set().union(*self._urls.values()), max_age=self.config.max_age)
        except ClientError as error:
            _logger.info("Links were not looked up. %s", error)  # not a failure of a strict build
        for name, urls in sorted(self._urls.items()):
            for url in sorted(urls & self._dead.keys()):
                _logger.warning("%s: %s is dead: %s", name, url, self._dead[url].verdict)

    def on_page_context(self, context: Any, *, page: Any, **_: Any) -> None:
        """Mark the dead links of a page's content."""
        if not self._urls.get(page.file.src_uri, set()).isdisjoint(self._dead):
            page.content = mark_anchors(
                page.content, self._dead, mark=self.config.mark, copy_text=self.config.copy_text
            )


@dataclass(slots=True)
class PageAnchor:
    """A link on a page: its URL, and the offsets of its attributes and of its end, if any."""

    url: str
    attributes_at: int
    has_title: bool = False
    end: int | None = None


def read_anchors(page: str) -> list[PageAnchor]:
    """Return the links of an HTML page, in order; none after a `<![` that Python can't parse."""
    reader = _AnchorReader(page)
    with contextlib.suppress(AssertionError):
        reader.feed(page)
        reader.close()
    return reader.anchors


def mark_anchors(page: str, dead: dict[str, DeadLink], *, mark: str, copy_text: str = "") -> str:
    """Return the page with dead links marked and nothing else changed."""
    edits: list[tuple[int, str]] = []
    for link in read_anchors(page):
        if link.url in dead:
            verdict = html.escape(dead[link.url].verdict)
            title = "" if link.has_title else f' title="{verdict}"'
            edits.append((link.attributes_at, f' data-linkwatch="{verdict}"{title}'))
            if link.end is None:
                continue
            mark_html = f'<span class="{DEAD_CLASS}">{html.escape(mark)}</span>' if mark else ""
            inserted = filter(None, [mark_html, dead[link.url].copy_html(link.url, copy_text)])
            edits.append((link.end, "".join(f" {part}" for part in inserted)))
    parts, at = [], 0
    for offset, text in sorted(edits):
        parts += [page[at:offset], text]
        at = offset
    return "".join([*parts, page[at:]])


class _AnchorReader(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.anchors: list[PageAnchor] = []
        self._open_anchor: PageAnchor | None = None
        self._line_starts = [0]
        for line in page.split("\n"):
            self._line_starts.append(self._line_starts[-1] + len(line) + 1)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record a link and the start of its attributes."""
        attributes = dict(attrs)
        if tag == "a" and attributes.get("href"):
            at = self._offset() + len("<a")
            self._open_anchor = PageAnchor(attributes["href"] or "", at, "title" in attributes)
            self.anchors.append(self._open_anchor)

    def handle_endtag(self, tag: str) -> None:
        """Record the end of a link."""
        if tag == "a" and self._open_anchor is not None:
            self._open_anchor.end = self._offset() + len("</a>")
            self._open_anchor = None

    def _offset(self) -> int:
        line, column = self.getpos()
        return self._line_starts[line - 1] + column
