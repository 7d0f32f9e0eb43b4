"""Asks a server about URLs: look-ups first, and a batch for those that need a check now."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from linkwatch_client.api import LinkwatchApi
from linkwatch_client.url_status import UrlStatus

Progress = Callable[[str], None]  # takes a sentence on what is under way


@dataclass(slots=True, kw_only=True)
class UrlAnswers:
    """What is known of URLs, and sentences on what could not be asked."""

    statuses: dict[str, UrlStatus] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)

    @property
    def known(self) -> int:
        """How many of the URLs the server watches."""
        return sum(status.known for status in self.statuses.values())


def ask(
    api: LinkwatchApi,
    urls: Collection[str],
    *,
    max_age: str,
    progress: Progress,
) -> UrlAnswers:
    """Return what the server knows of these URLs. Raises CannotAskError."""
    progress(f"Looking up {len(urls):,} URLs")
    return UrlAnswers(statuses=api.look_up(urls, max_age=max_age))


def http_urls(urls: Collection[str]) -> list[str]:
    """Return the URLs that a server can be asked about, each once, without their fragments."""
    return list(dict.fromkeys(url for url in urls if is_http(url)))


def is_http(url: str) -> bool:
    """Whether a link leads to the web."""
    return url[:8].lower().startswith(("http://", "https://"))


def dead_among(statuses: Mapping[str, UrlStatus]) -> list[str]:
    """Return the URLs whose targets are dead."""
    return [url for url, status in statuses.items() if status.is_dead]
