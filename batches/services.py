"""Operations on batches. Each call is one transaction; locks: slots, targets by id, then batches.

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
from targets.canonical import MAX_URL_BYTES, CanonicalURL, InvalidURLError, canonicalize, fetch_url

_LOCK = 0x4C57_0006  # PostgreSQL's advisory lock for adding to the queue
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
    targets: list[UUID] = field(default_factory=list)  # registered ones to be checked
    unregistered: list[str] = field(default_factory=list)  # other URLs to be checked


def clean_callback(url: str, *, by: Actor) -> str:
    """Return the callback URL as it is requested.

    Raises ApiError `invalid`, or `outside_token_bounds` (403).
    """
    try:
        canonical = canonicalize(url)
        guard_of(is_open=by.is_operator).check_literal(canonical.host, port=canonical.port)
    except (InvalidURLError, ForbiddenAddressError) as error:
        raise ApiError("invalid", str(error), details={"callback_url": [str(error)]}) from None
    by.check_may_look_up(canonical.url)  # a public token must not send messages to others
    return fetch_url(url)


def create(new: NewBatch, *, now: datetime, by: Actor) -> tuple[Batch, str]:
    """Create a batch, make its unknown or stale URLs due, and return it with its secret.

    The secret signs the callback; it is empty without a callback. It is stored encrypted, so show
    it now. Raises ApiError `rate_limited` (429) and accepts nothing if too many URLs are waiting.
    """
    is_public = not by.is_operator
    accepted = [_accept(url, is_public=is_public, by=by) for url in new.urls]
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
    _write(batch, new.urls, accepted, is_public=is_public, by=by)
    return batch, secret


def _accept(url: Any, *, is_public: bool, by: Actor) -> CanonicalURL | ApiError:
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
    accepted: Sequence[CanonicalURL | ApiError],
    *,
    is_public: bool,
    by: Actor,
) -> None:
    now = batch.created_at
    distinct: dict[str, tuple[str, CanonicalURL]] = {}
    for url, form in zip(urls, accepted, strict=True):
        if isinstance(form, CanonicalURL):
            distinct.setdefault(form.url, (url, form))
    lock_queue()
    plan = _plan(distinct, fresh_since=batch.fresh_since, is_public=is_public)
    hosts = {url: form.host for url, (_, form) in distinct.items()}
    waiting = [
        form.host
        for form in accepted
        if isinstance(form, CanonicalURL) and plan.states[form.url] is ItemState.WAITING
    ]
    _check_room(Counter(waiting))
    reservations.schedule(dict.fromkeys(waiting, now), purpose=Purpose.CHECK, now=now)
    services.check_now(plan.targets, now=now)
    urls_by_form = {url: (fetch_url(distinct[url][0]), hosts[url]) for url in plan.unregistered}
    plan.ids |= unregistered.check_now(urls_by_form, is_public=is_public, now=now)
    batch.save(force_insert=True)
    rows.insert(BatchItem, _ITEM_COLUMNS, list(_items(batch, urls, accepted, plan)))
    if not waiting:
        end_locked(batch, now=now)
    audit_log.write(by, "create", "batch", [batch.pk], now=now)


def lock_queue() -> None:
    """Serialize the transactions that create batches or delete targets that no batch refers to.

    Otherwise, two batches could take the same space in the queue. On SQLite, all writing
    transactions are serialized anyway.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])


def _plan(
    distinct: Mapping[str, tuple[str, CanonicalURL]],
    *,
    fresh_since: datetime,
    is_public: bool,
) -> _Plan:
    """Decide for each URL whether to check it, by its last check."""
    plan = _Plan()
    registered = known_by_url(distinct.keys(), is_public=is_public)
    sightings = unregistered.find(distinct.keys() - registered.keys(), is_public=is_public)
    for url in distinct:
        target, sighting = registered.get(url), sightings.get(url)
        row = target or sighting
        if row is not None:
            plan.ids[url] = row.id
        last = row.last_checked_at if row else None
        is_fresh = last is not None and last >= fresh_since
        if sighting is not None and sighting.next_check_at is not None:
            is_fresh = False  # a first failure needs a second check
        if is_fresh:
            plan.states[url] = ItemState.KNOWN
        elif target is not None and target.paused:
            plan.states[url] = ItemState.PAUSED
        else:
            plan.states[url] = ItemState.WAITING
            if target is not None:
                plan.targets.append(target.id)
            else:
                plan.unregistered.append(url)
    return plan


def _check_room(waiting: Mapping[str, int]) -> None:
    """Raise ApiError `rate_limited` if the queue has no room for these URLs."""
    if not waiting:
        return
    queued = BatchItem.objects.filter(state=ItemState.WAITING)
    if queued.count() + sum(waiting.values()) > settings.BATCH_QUEUE:
        raise _queue_full(f"At most {settings.BATCH_QUEUE:,} URLs in batches can wait for a check")
    counted = queued.filter(host__among=list(waiting)).order_by().values_list("host")
    queued_by_host = dict(counted.annotate(Count("pk")))
    for host, number in waiting.items():
        if queued_by_host.get(host, 0) + number > settings.BATCH_HOST_QUEUE:
            raise _queue_full(
                f"At most {settings.BATCH_HOST_QUEUE:,} URLs on {host} can wait for a check"
            )


def _queue_full(reason: str) -> ApiError:
    sentence = f"{reason}; nothing was accepted. Try again later, or with fewer URLs."
    return ApiError("rate_limited", sentence, status=429, headers={"Retry-After": _RETRY_AFTER})


def _items(
    batch: Batch,
    urls: Sequence[Any],
    accepted: Sequence[CanonicalURL | ApiError],
    plan: _Plan,
) -> Iterable[rows.Row]:
    batch_id = raw_id("batch", batch.pk)
    for number, (url, form) in enumerate(zip(urls, accepted, strict=True)):
        if isinstance(form, ApiError):
            text = storable(url) if isinstance(url, str) else None
            invalid = (ItemState.INVALID.value, batch.is_high, error_body(form))
            yield (batch_id, number, text, "", "", None, *invalid)
            continue
        target_id = plan.ids.get(form.url)
        if target_id is None:
            raise StartOverError  # deleted meanwhile
        outcome = (plan.states[form.url].value, batch.is_high, None)
        yield (batch_id, number, storable(url), form.url, form.host, target_id, *outcome)


def storable(text: str) -> str:
    """Return a text truncated to MAX_URL_BYTES; replaces characters that PostgreSQL can't store."""
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
