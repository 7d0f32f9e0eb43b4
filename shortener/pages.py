"""The pages of links: previews, notices of dead destinations, and errors."""

from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from functools import lru_cache
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string

from foundation.net.urls import ascii_url
from foundation.templatetags.times import relative
from foundation.times import rfc3339
from shortener import link_cache, visits
from shortener.destinations import PREFIX, location, short_url
from shortener.models import LinkState, ShortURL, WhenGone
from targets.models import CopyResult, TargetCopy
from targets.state import State

MAX_FORMER_DESTINATIONS = 100  # in a preview
_DEFAULT_FINDING = "The most recent checks failed."
# The state of a watched destination.
_TARGET_STATES = {
    "pending": "not checked yet",
    "alive": "works",
    "potentially_dead": "failed its recent checks",
    "dead": "no longer works",
}
# The message of an error, and a second sentence for people.
SENTENCES = {
    "expired": ("This link has expired.", "It was valid for a limited time."),
    "used_up": (
        "This link has reached its visit limit.",
        "It was valid for a limited number of visits.",
    ),
    "deleted": ("This link was deleted.", "Its address will never be used for another page."),
    "disabled": ("This link has been turned off.", "It may be turned on again."),
    "not_found": (
        "There is no such short link.",
        "Check the address: it is case-sensitive.",
    ),
    "unavailable": (
        "This link can't be looked up right now.",
        "Please reload the page in a moment.",
    ),
    "rate_limited": ("Too many requests.", "Please wait a moment, then reload the page."),
    "method_not_allowed": (
        "Short links only support GET and HEAD.",
        "The API is at /v1/urls.",
    ),
    "bad_request": ("This server does not serve this host name.", "Check the address."),
}


@dataclass(frozen=True, slots=True)
class Preview:
    """The public data of a link."""

    facts: dict[str, Any]

    @property
    def is_active(self) -> bool:
        """Whether the link redirects."""
        return bool(self.facts["state"] == LinkState.ACTIVE)

    def page(self) -> bytes:
        """Return the preview as HTML."""
        facts = self.facts
        times = {name: _time(facts[name]) for name in ("created_at", "expires_at", "checked_at")}
        former = [{**row, "until": _time(row["until"])} for row in facts["former_destinations"]]
        context = {
            **facts,
            **times,
            "former_destinations": former,
            "destination": _TARGET_STATES.get(facts["target_state"], ""),
            "sentence": SENTENCES.get(facts["state"], ("",))[0],
            "place": facts["short_url"].partition("://")[2].removesuffix(facts["key"]),
            "home": _home(),
            "about": settings.BASE_URL,
        }
        return render_to_string("shortener/preview.html", context).encode()


async def preview(key: str) -> Preview | None:
    """Return the preview of a link, even of an ended one; None if the link does not exist.

    Raises one of link_cache.DATABASE_ERRORS.
    """
    return await link_cache.from_database(lambda: _preview(key))


def _preview(key: str) -> Preview | None:
    now = link_cache.CLOCK.measure()
    link = ShortURL.objects.select_related("target__copy").filter(pk=key).first()
    if link is None:
        return None
    state, target = link.state(now), link.target
    is_active = state is LinkState.ACTIVE
    copy = _copy_for_redirect(link) if is_active else None
    return Preview(
        {
            "key": link.key,
            "short_url": short_url(link.key),
            "state": state.value,
            # The destination of an ended link is private.
            "long_url": ascii_url(link.long_url) if is_active else None,
            "created_at": rfc3339(link.created_at),
            "expires_at": rfc3339(link.expires_at),
            "retargetable": link.retargetable,
            "when_gone": link.chosen_when_gone.value,
            "copy_url": copy.address if copy else None,
            "former_destinations": _history(link) if is_active else [],
            "visits": visits.totals([link])[link.key],
            "visits_left": link.visits_left,
            "target_state": target.state if target and is_active else None,
            "checked_at": rfc3339(target.last_checked_at) if target and is_active else None,
        }
    )


def _history(link: ShortURL) -> list[dict[str, Any]]:
    """Return a link's last former destinations with their `until` times, newest first."""
    if not link.retargetable:
        return []
    rows = link.former_destinations.order_by("-pk")[:MAX_FORMER_DESTINATIONS]
    return [{"long_url": ascii_url(row.long_url), "until": rfc3339(row.until)} for row in rows]


@dataclass(frozen=True, slots=True)
class DeadDestination:
    """The response to a link whose destination is dead: a notice, or a redirect to a copy."""

    page: bytes  # the notice for people; empty if there is a copy
    copy: bytes = b""  # URL to which everybody is redirected instead, or empty
    link: bytes = b""  # the Link header of the redirect to the copy


async def dead_destination(key: str) -> DeadDestination | None:
    """Return the response to people who follow a link to a dead destination.

    Returns None unless, according to the database, the link is active, has a notice, and leads to a
    dead destination. Raises one of link_cache.DATABASE_ERRORS.
    """
    return await link_cache.from_database(lambda: _dead_destination(key))


def _dead_destination(key: str) -> DeadDestination | None:
    now = link_cache.CLOCK.measure()
    links = ShortURL.objects.active(now).select_related("target__copy")
    link = links.filter(pk=key, when_gone=WhenGone.PAGE, target__state=State.DEAD).first()
    if link is None or link.target is None:
        return None
    try:
        destination = location(link.long_url)
    except ValueError:  # the link does not redirect either
        return None
    target, copy = link.target, _copy_for_redirect(link)
    if copy is not None and copy.captured_at is not None:
        link_header = _memento_link(destination, copy.address, at=copy.captured_at)
        return DeadDestination(b"", copy.address.encode(), link_header)
    since = target.first_failed_at or target.state_changed_at
    context = {
        "destination": destination,
        "since": since,
        "age": relative(since, now),
        "finding": target.last_error or _DEFAULT_FINDING,
        "checked_at": target.last_checked_at,
        "retargetable": link.retargetable,
        "copy": target.shown_copy,
        "preview": f"{PREFIX}{key}+",
        "home": _home(),
        "about": settings.BASE_URL,
    }
    return DeadDestination(render_to_string("shortener/gone.html", context).encode())


def _memento_link(destination: str, copy_url: str, *, at: datetime) -> bytes:
    """Return the Link header of a redirect to a copy. Source: RFC 7089, 2.2."""
    captured_at = format_datetime(at.astimezone(UTC), usegmt=True)
    return (
        f'<{destination}>; rel="original", <{copy_url}>; rel="memento"; datetime="{captured_at}"'
    ).encode()


def _copy_for_redirect(link: ShortURL) -> TargetCopy | None:
    """Return the verified copy to which a link redirects while its destination is dead, if any."""
    copy = link.target.shown_copy if link.target and link.archive_when_gone else None
    is_shown = copy is not None and link.has_notice and copy.result == CopyResult.VERIFIED
    return copy if is_shown else None


@lru_cache(maxsize=1024)
def error_page(status: int, code: str, *, key: str) -> bytes:
    """Return the page of an error; with a key, the page links to the preview of that link."""
    heading, sentence = SENTENCES[code]
    context = {
        "status": f"{status} {HTTPStatus(status).phrase}",
        "heading": heading.removesuffix("."),
        "sentence": sentence,
        "preview": f"{PREFIX}{key}+" if key else "",
        "home": _home(),
        "about": settings.BASE_URL,
    }
    return render_to_string("shortener/notice.html", context).encode()


def _home() -> str:
    """Return the URL of the start page, which is not below SHORT_DOMAIN."""
    return f"{settings.BASE_URL}/"


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
