"""Shared by the plug-ins for site generators: the lookup, and the mark and copy of a dead link."""

import html
import os
from collections.abc import Iterable
from dataclasses import dataclass

from linkwatch_client.api import LinkwatchApi
from linkwatch_client.credentials import credentials_file, read_credentials
from linkwatch_client.fixing import new_url, robust_attributes
from linkwatch_client.printable import printable
from linkwatch_client.status_requests import http_urls
from linkwatch_client.url_status import UrlStatus

DEAD_CLASS = "linkwatch-dead"
DEAD_TEXT = "(dead link)"
COPY_CLASS = "linkwatch-copy"
COPY_TEXT = "copy from {day}"


@dataclass(frozen=True, slots=True)
class DeadLink:
    """A dead link as shown on a site: a sentence, and its verified copy, if it has one."""

    verdict: str
    copy_url: str = ""
    copy_day: str = ""

    def copy_text(self, text: str) -> str:
        """Return the text of the link to the copy; empty if there is no copy or no text."""
        return text.replace("{day}", self.copy_day) if self.copy_url else ""

    def copy_html(self, url: str, text: str) -> str:
        """Return the link to the copy as HTML, a Robust Link; empty if there is none."""
        if not (link_text := self.copy_text(text)):
            return ""
        attributes = robust_attributes(url, self.copy_url, self.copy_day)
        href = html.escape(self.copy_url)
        return f'<a class="{COPY_CLASS}" href="{href}" {attributes}>{html.escape(link_text)}</a>'


def dead_links(urls: Iterable[str], *, max_age: str = "1d") -> dict[str, DeadLink]:
    """Look up these URLs; return the verdict and copy of each dead one, by URL.

    Uses the server from the environment or from `linkwatch login`. Raises ClientError.
    """
    lookup_urls = sorted(http_urls(urls))
    if not lookup_urls:
        return {}
    with LinkwatchApi(read_credentials(os.environ, credentials_file())) as api:
        statuses = api.look_up(lookup_urls, max_age=max_age)
    return {url: _dead_link(url, status) for url, status in statuses.items() if status.is_dead}


def _dead_link(url: str, status: UrlStatus) -> DeadLink:
    verdict = f"{status.sentence} Failing since {status.first_failed_at[:10]}.".strip()
    copy = new_url(url, status, archive=True)
    return DeadLink(printable(verdict), *([copy.url, copy.copied_on] if copy else []))
