"""The registry's status of URLs, without checking or storing anything.

Takes one SQL statement, and another for the copies of dead pages.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

from accounts.actors import Actor
from foundation.database import rows
from foundation.http.errors import ApiError, error_body
from foundation.ids import public_id, raw_id
from foundation.times import rfc3339
from hosts.models import Host
from targets.advice_provider import Advice, advice_of
from targets.copies import copy_json
from targets.flags import ACCEPTED_FLAG
from targets.models import Target, TargetCopy, UnregisteredTarget
from targets.public_targets import is_seen_by_all
from targets.services import canonical_url
from targets.state import Outcome, State

Key = TypeVar("Key", str, UUID)
_OUTCOMES = {outcome.mark: outcome.value for outcome in Outcome}
_BY_URL = "SELECT {columns} FROM targets_target WHERE canonical_url {texts}"
_BY_ID = "SELECT {{columns}} FROM {table} WHERE id {{ids}}"


class KnownTarget(NamedTuple):
    """The columns of a target that lookups return, in this order, and its copy."""

    id: UUID
    canonical_url: str
    host: str
    state: str
    recent: str
    last_checked_at: datetime | None
    first_failed_at: datetime | None
    last_status_code: int | None
    last_reason: str
    last_error: str | None
    moved_to: str
    flags: list[str]
    next_check_at: datetime | None
    is_internal: bool | None
    # For registered targets only.
    paused: bool = False
    instructions: Any = None
    copy: dict[str, Any] | None = None  # JSON; not a column


_TARGET_COLUMNS = KnownTarget._fields[:-1]
_UNREGISTERED_COLUMNS = _TARGET_COLUMNS[:-2]


def look_up(
    urls: Sequence[Any], *, max_age: timedelta, now: datetime, by: Actor
) -> list[dict[str, Any]]:
    """Return the status of each of these URLs, in order, as LookupSerializer's JSON.

    Invalid URLs, and those that the token of `by` may not ask about, get `error`, the API's error
    envelope. For members and bound tokens, targets that only ALLOW_NETWORKS, `accept` or secret
    headers made visible are unknown.
    """
    canonical_urls: list[str | ApiError] = [_canonical(url, by=by) for url in urls]
    valid = {url for url in canonical_urls if isinstance(url, str)}
    targets = known_by_url(valid, is_public=by.sees_only_public)
    fresh_since = now - max_age
    return [
        {
            "url": url,
            "canonical_url": canonical,
            **describe(targets.get(canonical), fresh_since=fresh_since),
        }
        if isinstance(canonical, str)
        else invalid_item(url, error_body(canonical))
        for url, canonical in zip(urls, canonical_urls, strict=True)
    ]


def invalid_item(url: Any, error: dict[str, Any]) -> dict[str, Any]:
    """Return LookupSerializer's JSON for a URL that is not looked up."""
    return {**_INVALID, "url": url if isinstance(url, str) else None, "error": error}


def _canonical(url: Any, *, by: Actor) -> str | ApiError:
    if not isinstance(url, str):
        return ApiError("invalid_url", "The URL must be a string.")
    try:
        canonical = canonical_url(url)
        by.check_may_look_up(canonical)
    except ApiError as error:
        return error
    return canonical


def known_by_url(urls: Collection[str], *, is_public: bool) -> dict[str, KnownTarget]:
    """Return the targets with these canonical URLs, by URL.

    `is_public`: exclude targets that only ALLOW_NETWORKS, `accept` or secret headers made visible.
    """
    selected = rows.select(Target, _TARGET_COLUMNS, _BY_URL, {"texts": list(urls)}) if urls else []
    targets = {row[1]: KnownTarget(*row) for row in selected}
    return _with_copies(_without_hidden(targets) if is_public else targets)


def known_by_id(ids: Collection[UUID], *, is_public: bool) -> dict[UUID, KnownTarget]:
    """Return the targets with these ids, registered or not, by id.

    `is_public`: as for `known_by_url`.
    """
    params = {"ids": list(ids)}
    if not ids:
        return {}
    sql = _BY_ID.format(table=Target._meta.db_table)
    selected = rows.select(Target, _TARGET_COLUMNS, sql, params)
    registered = {row[0]: KnownTarget(*row) for row in selected}
    registered = _with_copies(_without_hidden(registered) if is_public else registered)
    sql = _BY_ID.format(table=UnregisteredTarget._meta.db_table)
    if is_public:
        sql += " AND is_public"  # the batch's owner may no longer be an operator
    unregistered = rows.select(UnregisteredTarget, _UNREGISTERED_COLUMNS, sql, params)
    return {row[0]: KnownTarget(*row) for row in unregistered} | registered


def _without_hidden(targets: dict[Key, KnownTarget]) -> dict[Key, KnownTarget]:
    """Return the targets that an ordinary request from the internet would also see."""
    names = list({target.host for target in targets.values()})
    hosts = Host.objects.filter(name__among=names, instructions__isnull=False)
    by_host = dict(hosts.values_list("name", "instructions"))
    return {
        key: target
        for key, target in targets.items()
        if ACCEPTED_FLAG not in target.flags
        and is_seen_by_all(target.is_internal, target.instructions, by_host.get(target.host))
    }


def _with_copies(targets: dict[Key, KnownTarget]) -> dict[Key, KnownTarget]:
    """Return these targets, the dead ones with their copies."""
    dead = [public_id("target", row.id) for row in targets.values() if row.state == State.DEAD]
    if not dead:
        return targets
    copies_of_dead = TargetCopy.objects.filter(target__pk__among=dead).exclude(result="")
    copies = {raw_id("target", copy.target_id): copy_json(copy) for copy in copies_of_dead}
    return {key: row._replace(copy=copies.get(row.id)) for key, row in targets.items()}


def describe(target: KnownTarget | None, *, fresh_since: datetime) -> dict[str, Any]:
    """Return LookupSerializer's JSON, without the URLs, for a target; None is an unknown target."""
    if target is None:
        return UNKNOWN
    checked_at, reason = target.last_checked_at, target.last_reason
    advice = _advice(reason, target.last_status_code, tuple(target.flags)) if checked_at else None
    return {
        "known": True,
        "fresh": checked_at is not None and checked_at >= fresh_since,
        "state": target.state,
        "outcome": _OUTCOMES[target.recent[-1]] if target.recent else None,
        "reason": reason or None,
        "sentence": target.last_error,
        "summary": advice and advice.summary,
        "suggestion": advice and advice.suggestion,
        "flags": target.flags,
        "first_failed_at": rfc3339(target.first_failed_at),
        "last_checked_at": rfc3339(checked_at),
        "moved_to": target.moved_to or None,
        "copy": target.copy,
        "paused": target.paused,
        "error": None,
    }


@lru_cache(maxsize=1024)
def _advice(reason: str, status_code: int | None, flags: tuple[str, ...]) -> Advice:
    return advice_of(reason, status_code, flags)


# Where a target is unknown: the fields of LookupSerializer, without the URLs.
UNKNOWN: dict[str, Any] = {
    "known": False,
    "fresh": False,
    **dict.fromkeys(("state", "outcome", "reason", "sentence", "summary", "suggestion")),
    "flags": [],
    **dict.fromkeys(("first_failed_at", "last_checked_at", "moved_to", "copy")),
    "paused": False,
    "error": None,
}
_INVALID: dict[str, Any] = {"url": None, "canonical_url": None, **UNKNOWN}
