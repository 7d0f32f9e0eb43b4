"""Asks a server about URLs: lookups first, then a batch for URLs that need a check now."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from linkwatch_client.api import LinkwatchApi
from linkwatch_client.batches import check_now
from linkwatch_client.errors import ApiRefusalError, CannotAskError
from linkwatch_client.progress import Progress
from linkwatch_client.url_status import UrlStatus

_NO_BATCHES = {
    403: "this token can only look up URLs",
    404: "this server does not support batches",
}


@dataclass(slots=True, kw_only=True)
class UrlAnswers:
    """The status of URLs, and sentences about URLs that could not be asked about."""

    statuses: dict[str, UrlStatus] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)

    @property
    def known(self) -> int:
        """The number of URLs that the server watches."""
        return sum(status.known for status in self.statuses.values())


def ask(
    api: LinkwatchApi,
    urls: Collection[str],
    *,
    new: Collection[str],
    max_age: str,
    patience: int,
    progress: Progress,
) -> UrlAnswers:
    """Return the server's status of these URLs. Raises CannotAskError.

    New URLs that are not known to be fine, and dead ones whose last check is older than `max_age`,
    are checked now if server and token allow it, within `patience` seconds unless that is 0. URLs
    that the token may not ask about are counted in a notice and left out.
    """
    progress(f"Looking up {len(urls):,} URLs")
    answers = _without_outside(api.look_up(urls, max_age=max_age))
    doubtful = [url for url, status in answers.statuses.items() if _needs_check(status, url in new)]
    if not doubtful or not patience:
        return answers
    try:
        checked = check_now(api, doubtful, max_age=max_age, patience=patience, progress=progress)
    except CannotAskError as error:
        answers.notices.append(f"{_urls(len(doubtful))} not checked now: {_why(error)}")
        return answers
    for url, status in checked.items():
        if status.known or status.error:
            answers.statuses[url] = status
    if missing := len(doubtful) - len(checked):
        answers.notices.append(f"{_urls(missing)} not checked within {patience} s.")
    return answers


def _without_outside(statuses: dict[str, UrlStatus]) -> UrlAnswers:
    outside = [status for status in statuses.values() if status.is_outside_token]
    answers = UrlAnswers(statuses=statuses)
    if outside:
        answers.notices.append(f"{_urls(len(outside))} not looked up: {outside[0].error}")
        for status in outside:
            del statuses[status.url]
    return answers


def _needs_check(status: UrlStatus, is_new: bool) -> bool:
    if status.error:
        return False
    if status.is_dead:
        return not status.fresh
    return is_new and not (status.fresh and status.outcome == "success")


def _why(error: CannotAskError) -> str:
    status = error.status if isinstance(error, ApiRefusalError) else 0
    return f"{_NO_BATCHES[status]}." if status in _NO_BATCHES else str(error)


def _urls(number: int) -> str:
    return "1 URL was" if number == 1 else f"{number:,} URLs were"


def http_urls(urls: Iterable[str]) -> list[str]:
    """Return the distinct URLs that a server can be asked about."""
    return list(dict.fromkeys(url for url in urls if is_http(url)))


def is_http(url: str) -> bool:
    """Whether a link is an http or https URL."""
    return url[:8].lower().startswith(("http://", "https://"))
