"""Operations on batches. Each is one transaction, which locks slots, targets by id, then batches.

Recent statuses are returned at once. Other URLs become due, and the checker checks them under the
usual leases of hosts; those that nobody watches are rows of `targets.unregistered`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.db.models import Count

from accounts import audit_log
from accounts.actors import DEPLOYMENT, Actor
from batches.ending import end_locked
from batches.models import Batch, BatchItem, ItemState
from foundation import kept_secrets
from foundation.database import rows
from foundation.database.transactions import StartOverError, restartable
from foundation.http.errors import ApiError, error_body
from foundation.ids import is_id, raw_id
from foundation.net.egress import guard_of
from foundation.net.guard import ForbiddenAddressError
from hosts import reservations
from hosts.models import Purpose
from lookups.url_status import known_by_url
from targets import services, unregistered
from targets.canonical import (
    MAX_URL_BYTES,
    CanonicalURL,
    InvalidURLError,
    canonicalize,
    url_to_fetch,
)

_QUEUE_LOCK = 0x4C57_0006  # PostgreSQL's advisory lock for adding to the queue
_RETRY_AFTER = "60"  # seconds: by then, part of the queue has been checked
_ITEM_COLUMNS = (
    *("batch_id", "number", "url", "canonical_url", "host", "target_id", "state", "is_high"),
    "error",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewBatch:
    """A request for the status of URLs; everything except the URLs is validated."""

    urls: Sequence[Any]
    max_age: timedelta
    give_up: timedelta
    is_high: bool = False
    callback_url: str = ""  # as `clean_callback` returns it


@dataclass(slots=True)
class _Plan:
    """The decision for each distinct URL of a batch, by canonical URL."""

    states: dict[str, ItemState] = field(default_factory=dict)
    ids: dict[str, UUID] = field(default_factory=dict)  # of known URLs
    targets_to_check: list[UUID] = field(default_factory=list)
    other_urls_to_check: list[str] = field(default_factory=list)


def clean_callback(url: str, *, by: Actor) -> str:
    """Return the URL to request for the callback.

    Raises ApiError `invalid`, or `outside_token_bounds` (403).
    """
    try:
        canonical = canonicalize(url)
        guard = guard_of(is_open=not by.checks_only_public)
        guard.check_literal(canonical.host, port=canonical.port)
    except (InvalidURLError, ForbiddenAddressError) as error:
        raise ApiError("invalid", str(error), details={"callback_url": [str(error)]}) from None
    by.check_may_look_up(canonical.url)  # a public token must not send messages to others
    return url_to_fetch(url)


def create(new: NewBatch, *, now: datetime, by: Actor) -> tuple[Batch, str]:
    """Create a batch and make its unknown or stale URLs due; return the batch and its secret.

    The secret signs the callback and is empty without one. It is stored encrypted, so show it now.
    Raises ApiError `rate_limited` (429) and accepts nothing if too many URLs are waiting.
    """
    is_public = by.checks_only_public
    validated = [_validate(url, is_public=is_public, by=by) for url in new.urls]
    secret = kept_secrets.new_webhook_secret() if new.callback_url else ""
    batch = Batch(
        owner=by.owner,
        token_digest=by.token_digest,
        created_at=now,
        fresh_since=now - new.max_age,
        gives_up_at=now + new.give_up,
        is_high=new.is_high,
        callback_url=new.callback_url,
        callback_secret=kept_secrets.encrypt(secret) if secret else "",
    )
    _write(batch, new.urls, validated, is_public=is_public, by=by)
    return batch, secret


def _validate(url: Any, *, is_public: bool, by: Actor) -> CanonicalURL | ApiError:
    if not isinstance(url, str):
        return ApiError("invalid_url", "The URL must be a string.")
    try:
        canonical = services.accept_url(url, is_public=is_public)
        by.check_may_look_up(canonical.url)
    except ApiError as error:
        return error
    return canonical


@restartable
def _write(
    batch: Batch,
    urls: Sequence[Any],
    validated: Sequence[CanonicalURL | ApiError],
    *,
    is_public: bool,
    by: Actor,
) -> None:
    now = batch.created_at
    distinct: dict[str, tuple[str, CanonicalURL]] = {}
    for url, result in zip(urls, validated, strict=True):
        if isinstance(result, CanonicalURL):
            distinct.setdefault(result.url, (url, result))
    lock_queue()
    plan = _plan(distinct, fresh_since=batch.fresh_since, is_public=is_public)
    waiting_hosts = [
        result.host
        for result in validated
        if isinstance(result, CanonicalURL) and plan.states[result.url] is ItemState.WAITING
    ]
    _check_room(Counter(waiting_hosts))
    reservations.schedule(dict.fromkeys(waiting_hosts, now), purpose=Purpose.CHECK, now=now)
    services.check_now(plan.targets_to_check, now=now)
    others = {url: distinct[url] for url in plan.other_urls_to_check}
    to_check = {url: (text, form.host) for url, (text, form) in others.items()}
    plan.ids |= unregistered.check_now(to_check, is_public=is_public, now=now)
    batch.save(force_insert=True)
    rows.insert(BatchItem, _ITEM_COLUMNS, list(_item_rows(batch, urls, validated, plan)))
    if not waiting_hosts:
        end_locked(batch, now=now)
    audit_log.write(by, "create", "batch", [batch.pk], now=now)


def lock_queue() -> None:
    """Serialize the transactions that create batches or delete targets that no batch refers to.

    Otherwise, two batches could take the same space in the queue. On SQLite, all writing
    transactions are serialized anyway.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_QUEUE_LOCK])


def _plan(
    distinct: Mapping[str, tuple[str, CanonicalURL]],
    *,
    fresh_since: datetime,
    is_public: bool,
) -> _Plan:
    """Decide for each URL whether to check it, by its last check."""
    plan = _Plan()
    registered = known_by_url(distinct.keys(), is_public=is_public)
    others = unregistered.find(distinct.keys() - registered.keys(), is_public=is_public)
    for url in distinct:
        target, other = registered.get(url), others.get(url)
        row = target or other
        if row is not None:
            plan.ids[url] = row.id
        last_checked_at = row.last_checked_at if row else None
        is_fresh = last_checked_at is not None and last_checked_at >= fresh_since
        if other is not None and other.next_check_at is not None:
            is_fresh = False  # a first failure needs a second check
        if is_fresh:
            plan.states[url] = ItemState.KNOWN
        elif target is not None and target.paused:
            plan.states[url] = ItemState.PAUSED
        else:
            plan.states[url] = ItemState.WAITING
            if target is not None:
                plan.targets_to_check.append(target.id)
            else:
                plan.other_urls_to_check.append(url)
    return plan


def _check_room(new_by_host: Mapping[str, int]) -> None:
    """Raise ApiError `rate_limited` if the queue has no room for these numbers of URLs by host."""
    if not new_by_host:
        return
    queued = BatchItem.objects.filter(state=ItemState.WAITING)
    if queued.count() + sum(new_by_host.values()) > settings.BATCH_QUEUE:
        raise _queue_full(f"At most {settings.BATCH_QUEUE:,} URLs in batches can wait for a check")
    queued_hosts = queued.filter(host__among=list(new_by_host)).order_by().values_list("host")
    queued_by_host = dict(queued_hosts.annotate(Count("pk")))
    for host, number in new_by_host.items():
        if queued_by_host.get(host, 0) + number > settings.BATCH_HOST_QUEUE:
            raise _queue_full(
                f"At most {settings.BATCH_HOST_QUEUE:,} URLs on {host} can wait for a check"
            )


def _queue_full(reason: str) -> ApiError:
    sentence = f"{reason}; nothing was accepted. Try again later, or with fewer URLs."
    return ApiError("rate_limited", sentence, status=429, headers={"Retry-After": _RETRY_AFTER})


def _item_rows(
    batch: Batch,
    urls: Sequence[Any],
    validated: Sequence[CanonicalURL | ApiError],
    plan: _Plan,
) -> Iterable[rows.Row]:
    batch_id = raw_id("batch", batch.pk)
    for number, (url, result) in enumerate(zip(urls, validated, strict=True)):
        if isinstance(result, ApiError):
            text = storable(url) if isinstance(url, str) else None
            invalid = (ItemState.INVALID.value, batch.is_high, error_body(result))
            yield (batch_id, number, text, "", "", None, *invalid)
            continue
        target_id = plan.ids.get(result.url)
        if target_id is None:
            raise StartOverError  # deleted in the meantime
        valid = (plan.states[result.url].value, batch.is_high, None)
        yield (batch_id, number, storable(url), result.url, result.host, target_id, *valid)


def storable(text: str) -> str:
    """Return the text, cut to MAX_URL_BYTES; replaces characters that PostgreSQL can't store."""
    return text[:MAX_URL_BYTES].replace("\0", "\ufffd").encode(errors="replace").decode()


@restartable
def cancel(batch_id: str, *, now: datetime, by: Actor = DEPLOYMENT) -> None:
    """Cancel a batch: its waiting URLs are not checked, and there is no callback.

    Raises ApiError `not_found`. A batch that has ended is not changed.
    """
    batch = visible_batch(batch_id, by=by, lock=True)
    if batch.ended_at is None:
        end_locked(batch, now=now, is_cancelled=True)
        audit_log.write(by, "cancel", "batch", [batch.pk], now=now)


def visible_batch(batch_id: str, *, by: Actor, lock: bool = False) -> Batch:
    """Return a batch that the actor may see; raises ApiError `not_found`."""
    batches = Batch.objects.visible_to(by)
    if lock:
        batches = batches.select_for_update(no_key=True)
    batch = batches.filter(pk=batch_id).first() if is_id("batch", batch_id) else None
    if batch is None:
        raise ApiError("not_found", "There is no such batch.", status=404)
    return batch
