"""Search box: the target that a text means, or the offer to watch it."""

from dataclasses import dataclass
from datetime import datetime

from django.core.exceptions import ValidationError

from foundation.http.errors import ApiError
from targets import registration, services
from targets.models import Target


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """A target, or a URL that could be one, or what is wrong with the text."""

    target_id: str | None = None
    offer: str = ""
    problem: str = ""


def find(text: str) -> SearchResult:
    """Return the target of an id or a URL, with its scheme or without; or what to offer instead."""
    if not text:
        return SearchResult(problem="Paste a URL, such as https://example.org/page.")
    if target_id := _by_id(text):
        return SearchResult(target_id=target_id)
    try:
        forms = [services.canonical_url(url) for url in _urls(text)]
        known = dict(
            Target.objects.filter(canonical_url__in=forms).values_list("canonical_url", "pk")
        )
        if not known:
            services.accept_url(_urls(text)[0])
    except ApiError as error:
        return SearchResult(problem=error.message)
    first = next((known[form] for form in forms if form in known), None)
    return SearchResult(target_id=first, offer=_urls(text)[0])


def register(text: str, *, now: datetime) -> registration.RegistrationResult:
    """Watch a URL by hand: it is pinned. Raises ApiError `invalid_url`, `forbidden_url`."""
    wish = registration.Registration(url=text, canonical=services.accept_url(text))
    return registration.register([wish], now=now)[0]


def _by_id(text: str) -> str | None:
    try:
        return Target.objects.filter(pk=text).values_list("pk", flat=True).first()
    except ValidationError:
        return None


def _urls(text: str) -> list[str]:
    """Return the URLs that the text may mean, the likeliest first."""
    return [text] if "://" in text else [f"https://{text}", f"http://{text}"]
