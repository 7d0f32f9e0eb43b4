"""Search box: the targets that a text means, or the offer to watch it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.core.exceptions import ValidationError

from accounts.actors import Actor
from foundation.http.errors import ApiError
from targets import registration, services
from targets.models import Target

MOST = 20  # targets of one reference id that are listed


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """A target, or several, or a URL that could be one, or what is wrong with the text."""

    target_id: str | None = None
    targets: Sequence[Target] = ()  # that one refers to by this text, the newest first
    offer: str = ""
    problem: str = ""


def find(text: str, by: Actor) -> SearchResult:
    """Return the target of an id, a URL, with its scheme or without, or a reference id.

    Of references those that `by` may know of; or what to offer instead.
    """
    if not text:
        return SearchResult(problem="Paste a URL, such as https://example.org/page.")
    if target_id := _by_id(text) or _by_url(text):
        return SearchResult(target_id=target_id)
    if found := _by_reference(text, by):
        return SearchResult(target_id=found[0].pk if len(found) == 1 else None, targets=found)
    try:
        services.accept_url(_urls(text)[0])
    except ApiError as error:
        return SearchResult(problem=error.message)
    return SearchResult(offer=_urls(text)[0])


def register(text: str, *, now: datetime, by: Actor) -> registration.RegistrationResult:
    """Watch a URL by hand: it is pinned, or referred to. Raises ApiError as `accept_url`."""
    wish = registration.Registration(url=text, canonical=services.accept_url(text))
    return registration.register([wish], now=now, by=by)[0]


def _by_id(text: str) -> str | None:
    try:
        return Target.objects.filter(pk=text).values_list("pk", flat=True).first()
    except ValidationError:
        return None


def _by_url(text: str) -> str | None:
    try:
        forms = [services.canonical_url(url) for url in _urls(text)]
    except ApiError:
        return None
    known = dict(Target.objects.filter(canonical_url__in=forms).values_list("canonical_url", "pk"))
    return next((known[form] for form in forms if form in known), None)


def _by_reference(text: str, by: Actor) -> list[Target]:
    if "\0" in text:  # which PostgreSQL does not even compare
        return []
    return list(Target.objects.referred_to_by(text, by).order_by("-created_at", "-pk")[:MOST])


def _urls(text: str) -> list[str]:
    """Return the URLs that the text may mean, the likeliest first."""
    return [text] if "://" in text else [f"https://{text}", f"http://{text}"]
