"""The search box: finds a target or text to search for, or offers to watch a URL."""

from dataclasses import dataclass
from datetime import datetime

from django.core.exceptions import ValidationError

from accounts.actors import Actor
from foundation.http.errors import ApiError
from targets import registration, services
from targets.models import Target
from targets.search.criteria import MAX_TEXT_LENGTH, Criteria
from targets.search.target_search import TargetSearch


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """A target, text to search for, a URL to watch, or an error.

    With both `offer` and `text`, no target has this URL, but other targets contain the text.
    """

    target_id: str | None = None
    text: str = ""  # to search for in the list of targets
    offer: str = ""  # the URL to watch
    problem: str = ""  # a sentence


def find(text: str, by: Actor) -> SearchResult:
    """Return the target with this id or URL (the scheme is optional), or what to do instead.

    If the text has no scheme and exactly one target contains it (in the URL, the title or a
    reference id that `by` may see), return that target. If several targets contain it, or if it
    is not a URL, return it as the text to search for. Otherwise, offer to watch the URL.
    """
    if target_id := _find_by_id(text) or _find_by_url(text):
        return SearchResult(target_id=target_id)
    is_url, rows = _looks_like_url(text), []
    if "\0" not in text and len(text) <= MAX_TEXT_LENGTH:
        search = TargetSearch(Criteria(text=text), by=by)
        rows = search.find(limit=2)
        if len(rows) == 1 and search.next_page_token is None and "://" not in text:
            return SearchResult(target_id=rows[0].target.pk)
        if not is_url or (rows and "://" not in text):
            return SearchResult(text=text)
    try:
        services.accept_url(_urls(text)[0])
    except ApiError as error:
        return SearchResult(problem=error.message)
    return SearchResult(offer=_urls(text)[0], text=text if rows else "")


def register(text: str, *, now: datetime, by: Actor) -> registration.RegistrationResult:
    """Watch a URL: add the reference `watch` for members, pin the target for others.

    Raises ApiError as `accept_url` does.
    """
    new_target = registration.Registration(url=text, canonical=services.accept_url(text))
    return registration.register([new_target], now=now, by=by)[0]


def _find_by_id(text: str) -> str | None:
    try:
        return Target.objects.filter(pk=text).values_list("pk", flat=True).first()
    except ValidationError:
        return None


def _find_by_url(text: str) -> str | None:
    try:
        urls = [services.canonical_url(url) for url in _urls(text)]
    except ApiError:
        return None
    ids = dict(Target.objects.filter(canonical_url__in=urls).values_list("canonical_url", "pk"))
    return next((ids[url] for url in urls if url in ids), None)


def _looks_like_url(text: str) -> bool:
    """Return whether the text looks like a URL.

    Such text has a scheme, or has no spaces and begins with a host that has a dot or a port.
    """
    if "://" in text:
        return True
    try:
        host = services.host_of(_urls(text)[0])
    except ApiError:
        return False
    return " " not in text and ("." in host.rstrip(".") or ":" in text)


def _urls(text: str) -> list[str]:
    """Return the URLs that the text may mean, most likely first."""
    return [text] if "://" in text else [f"https://{text}", f"http://{text}"]
