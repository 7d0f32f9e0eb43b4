"""A server's status of a URL, validated from its JSON."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from linkwatch_client.errors import QueryFailedError

_OUTSIDE_BOUNDS_CODE = "outside_token_bounds"
_MAX_TEXT_LENGTH = 4096  # characters of one field
_TEXT_FIELDS = (
    *("state", "outcome", "reason", "sentence", "summary", "suggestion"),
    *("first_failed_at", "last_checked_at", "moved_to"),
)
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


@dataclass(frozen=True, slots=True)
class ArchivedCopy:
    """A verified copy of a dead page: its URL and its date (YYYY-MM-DD)."""

    url: str
    day: str


@dataclass(slots=True, kw_only=True)  # creating frozen instances takes 50 % longer
class UrlStatus:
    """The result of a lookup for one URL; times are RFC 3339 as the server wrote them."""

    url: str
    canonical_url: str
    known: bool = False
    fresh: bool = False
    state: str = ""
    outcome: str = ""
    reason: str = ""
    sentence: str = ""
    summary: str = ""
    suggestion: str = ""
    flags: tuple[str, ...] = ()
    first_failed_at: str = ""
    last_checked_at: str = ""
    moved_to: str = ""
    paused: bool = False
    copy: ArchivedCopy | None = None  # in a web archive, verified
    error: str = ""  # why the URL was not looked up or checked: a sentence
    is_outside_token: bool = False  # the token may not look up the URL
    failed_twice: bool = False  # in the last check and in an earlier one; known for batches only

    @property
    def is_dead(self) -> bool:
        """Whether the server has enough evidence that the page is dead."""
        return self.state == "dead"

    @property
    def has_moved(self) -> bool:
        """Whether the page has moved permanently to `moved_to`, an http or https URL."""
        return "moved" in self.flags and self.moved_to.startswith(("http://", "https://"))


def read_status(item: Any, *, url: str, failed_twice: bool = False) -> UrlStatus:
    """Return the status of the URL; raises QueryFailedError for unexpected JSON."""
    if not isinstance(item, Mapping):
        raise QueryFailedError("The server's response for a URL is not an object.")
    error = item.get("error")
    flags = item.get("flags") or []
    if not isinstance(flags, list) or not (error is None or isinstance(error, Mapping)):
        raise QueryFailedError("The server's response for a URL has fields of the wrong type.")
    return UrlStatus(
        url=url,
        canonical_url=_text(item, "canonical_url") or url,
        known=item.get("known") is True,
        fresh=item.get("fresh") is True,
        **{name: _text(item, name) for name in _TEXT_FIELDS},
        flags=tuple(flag for flag in flags[:50] if isinstance(flag, str)) if flags else (),
        paused=item.get("paused") is True,
        copy=_verified_copy(item.get("copy")),
        error=_text(error, "message") if error else "",
        is_outside_token=error is not None and error.get("code") == _OUTSIDE_BOUNDS_CODE,
        failed_twice=failed_twice,
    )


def _verified_copy(item: Any) -> ArchivedCopy | None:
    if item is None:  # servers before 0.3.0 have no copies
        return None
    if not isinstance(item, Mapping):
        raise QueryFailedError("The server's response for a URL has a copy that is not an object.")
    url, day = _text(item, "url"), _text(item, "captured_at")[:10]
    is_usable = url.startswith(("http://", "https://")) and _DAY.fullmatch(day)
    return ArchivedCopy(url, day) if item.get("result") == "verified" and is_usable else None


def _text(item: Mapping[str, Any], name: str) -> str:
    value = item.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise QueryFailedError(
            f"The server's response for a URL has a {name} that is not a string."
        )
    return value[:_MAX_TEXT_LENGTH]
