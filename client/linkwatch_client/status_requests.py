"""Queries a server about URLs: lookups first, then batches for URLs that need a check now."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from linkwatch_client.api import LinkwatchApi
from linkwatch_client.batches import check_now
from linkwatch_client.counted import counted
from linkwatch_client.errors import ApiRefusalError, QueryFailedError
from linkwatch_client.progress import Progress
from linkwatch_client.url_status import UrlStatus

_SURROGATE = re.compile("[\ud800-\udfff]")
_NO_BATCH_REASONS = {
    403: "this token can only look up URLs",
    404: "this server does not support batches",
}


@dataclass(slots=True, kw_only=True)
class QueryResult:
    """The status of URLs, and sentences about URLs that were not looked up or checked."""

    statuses: dict[str, UrlStatus] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)

    @property
    def watched_url_count(self) -> int:
        """The number of URLs that the server watches."""
        return sum(status.known for status in self.statuses.values())


def query(
    api: LinkwatchApi,
    urls: Collection[str],
    *,
    new: Collection[str],
    max_age: str,
    patience: int,
    progress: Progress,
) -> QueryResult:
    """Return the server's status of these URLs. Raises QueryFailedError.

    New URLs without a recent successful check, and dead ones whose last check is older than
    `max_age`, are checked within `patience` seconds, if the server and the token allow it; 0
    means no checks. The result leaves out URLs that the token may not look up. Notices count these,
    and URLs that should have been checked but were not.
    """
    progress(f"Looking up {counted(len(urls), 'URL')}")
    result = _without_forbidden(api.look_up(urls, max_age=max_age))
    to_check = [url for url, status in result.statuses.items() if _needs_check(status, url in new)]
    if not to_check or not patience:
        return result
    try:
        checked = check_now(api, to_check, max_age=max_age, patience=patience, progress=progress)
    except QueryFailedError as error:
        result.notices.append(f"{_urls_were(len(to_check))} not checked: {_reason(error)}")
        return result
    for url, status in checked.items():
        if status.known or status.error:
            result.statuses[url] = status
    if unchecked_count := len(to_check) - len(checked):
        result.notices.append(f"{_urls_were(unchecked_count)} not checked within {patience} s.")
    return result


def _without_forbidden(statuses: dict[str, UrlStatus]) -> QueryResult:
    forbidden = [status for status in statuses.values() if status.is_outside_token]
    result = QueryResult(statuses=statuses)
    if forbidden:
        result.notices.append(f"{_urls_were(len(forbidden))} not looked up: {forbidden[0].error}")
        for status in forbidden:
            del statuses[status.url]
    return result


def _needs_check(status: UrlStatus, is_new: bool) -> bool:
    if status.error:
        return False
    if status.is_dead:
        return not status.fresh
    return is_new and not (status.fresh and status.outcome == "success")


def _reason(error: QueryFailedError) -> str:
    status = error.status if isinstance(error, ApiRefusalError) else 0
    return f"{_NO_BATCH_REASONS[status]}." if status in _NO_BATCH_REASONS else str(error)


def _urls_were(number: int) -> str:
    return "1 URL was" if number == 1 else f"{number:,} URLs were"


def http_urls(urls: Iterable[str]) -> list[str]:
    """Return the distinct http and https URLs, in order: a server can look up no others."""
    return list(dict.fromkeys(url for url in urls if is_http(url)))


def is_http(url: str) -> bool:
    """Whether a link is an http or https URL, and can be sent: without lone surrogates."""
    is_sendable = url.isascii() or not _SURROGATE.search(url)
    return is_sendable and url[:8].lower().startswith(("http://", "https://"))
