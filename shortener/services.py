"""Operations on short links. Each call is one transaction.

Locks are taken in this order: slots, targets, links. Functions take `now`, the database's time, and
`by`, the actor, for whom hidden links do not exist (docs/adr/0027).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef

from accounts import audit_log, teams
from accounts.actors import DEPLOYMENT, Actor
from accounts.models import Team
from analytics.stream import ViewEventKind, emit, short_subject
from foundation.database.transactions import StartOverError, restartable
from foundation.http.errors import ApiError
from foundation.http.preconditions import check_version
from hosts import reservations
from shortener import link_cache
from shortener.destinations import accept, accept_watched
from shortener.models import (
    FormerDestination,
    LinkState,
    Reason,
    RetiredKey,
    ShortURL,
    Tag,
    WhenGone,
)
from shortener.short_keys import looks_like_key, random_key
from targets import registration
from targets import services as targets
from targets.canonical import CanonicalURL
from targets.models import Reference, Target

AUDIT_KIND = "short link"  # in the audit log
_GONE = {
    Reason.EXPIRED.value: "This link has expired and was removed; its key will never be reused.",
    Reason.DELETED.value: "This link was deleted; its key will never be reused.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class NewLink:
    """A validated request for a short link."""

    long_url: str
    canonical: CanonicalURL
    key: str | None = None  # None: a random key
    watch: bool = False
    team: str | None = None
    tags: Sequence[str] = ()
    columns: Mapping[str, Any] = field(default_factory=dict)  # the other fields


def reference_id(key: str) -> str:
    """Return the id of the reference by which a link watches its destination."""
    return f"short:{key}"


def key_taken(key: str) -> ApiError:
    """Return the error for a key that can't be chosen."""
    message = f"The key {key} is taken or was used before."
    return ApiError("key_taken", message, status=409, details={"key": [key]})


def missing_error(key: str) -> ApiError:
    """Return the error for a link that does not exist: 410 if its key is retired, otherwise 404."""
    return _error_of(RetiredKey.objects.filter(pk=key).values_list("reason", flat=True).first())


def _error_of(reason: str | None) -> ApiError:
    if reason is None:
        return ApiError("not_found", "There is no such short link.", status=404)
    return ApiError(reason, _GONE[reason], status=410)


def get(key: str, *, by: Actor = DEPLOYMENT, to_change: bool = False) -> ShortURL:
    """Return the link with its details; raises `missing_error`, also for a hidden link.

    With `to_change`, raises ApiError `permission_denied` for a link that the actor may only see.
    """
    if not looks_like_key(key):  # such as one with NUL, which PostgreSQL refuses even to compare
        raise _error_of(None)
    link = by.reach(ShortURL.objects.with_details()).filter(pk=key).first()
    if link is None:
        raise missing_error(key)
    if to_change:
        teams.check_may_change(link, by=by)
    return link


@restartable
def create(
    new_links: Sequence[NewLink], *, now: datetime, by: Actor = DEPLOYMENT, announce: bool = True
) -> list[ShortURL | ApiError]:
    """Create the links; return for each, in order, the link or an ApiError.

    The errors are `key_taken`, and `unknown_team` for a team that `by` is not in.

    A key belongs to the transaction that commits it first. The number of statements does not depend
    on the number of links. `announce`: whether to send an event for each link to analytics.
    """
    keys = _choose_keys(new_links)
    teams_by_name = teams.by_name((new_link.team for new_link in new_links), by=by)
    accepted = [
        (key, new_link)
        for key, new_link in zip(keys, new_links, strict=True)
        if key is not None and new_link.team in teams_by_name
    ]
    owner_id = None if by.owner is None else by.owner.pk
    to_watch = {key: new_link for key, new_link in accepted if new_link.watch}
    targets_by_key = _watch(to_watch, owner_id, now=now)
    links: dict[str, ShortURL] = {}
    for key, new_link in accepted:
        target, team = targets_by_key.get(key), teams_by_name[new_link.team]
        links[key] = _new_link(key, new_link, target, team, now=now, by=by)
    _insert(links)
    Tag.objects.bulk_create(
        Tag(short_url=links[key], name=name, created_at=links[key].created_at)
        for key, new_link in accepted
        for name in new_link.tags
    )
    audit_log.write(by, "create", AUDIT_KIND, list(links), now=now)
    transaction.on_commit(partial(link_cache.forget_absence, list(links)))
    if announce:
        _announce_after_commit(links, ViewEventKind.CREATE, now=now)
    return [
        key_taken(new_link.key or "")
        if key is None
        else links.get(key) or teams.unknown_team(new_link.team)
        for key, new_link in zip(keys, new_links, strict=True)
    ]


def _choose_keys(new_links: Sequence[NewLink]) -> list[str | None]:
    """Return a free key for each new link; None if the requested key is used."""
    candidates = [new_link.key or random_key() for new_link in new_links]
    taken = used_keys(candidates)
    keys: list[str | None] = []
    for new_link, key in zip(new_links, candidates, strict=True):
        while key in taken and new_link.key is None:
            key = random_key()
            taken |= used_keys([key])
        keys.append(None if key in taken else key)
        taken.add(key)
    return keys


def used_keys(keys: Collection[str]) -> set[str]:
    """Return which of these keys belong to a link or are retired."""
    links = ShortURL.objects.filter(pk__among=keys).values_list("pk", flat=True)
    return {*links, *_retired(keys)}


def _retired(keys: Iterable[str]) -> Iterable[str]:
    return RetiredKey.objects.filter(pk__among=keys).values_list("pk", flat=True)


def _watch(
    new_links: Mapping[str, NewLink], owner_id: int | None, *, now: datetime
) -> dict[str, Target]:
    """Register the destinations of these links for the owner; return the targets by key."""
    if not new_links:
        return {}
    results = registration.register_for(
        owner_id,
        [
            registration.Registration(
                url=new_link.long_url, canonical=new_link.canonical, reference_id=reference_id(key)
            )
            for key, new_link in new_links.items()
        ],
        now=now,
    )
    return {key: row.target for key, row in zip(new_links, results, strict=True)}


def _new_link(
    key: str,
    new_link: NewLink,
    target: Target | None,
    team: Team | None,
    *,
    now: datetime,
    by: Actor,
) -> ShortURL:
    defaults = {"created_at": now, "visits_left": new_link.columns.get("max_visits")}
    return ShortURL(
        key=key,
        long_url=new_link.long_url,
        host=new_link.canonical.host,
        target=target,
        owner=by.owner,
        team=team,
        **defaults | _as_stored(new_link.columns),
    )


def _as_stored(columns: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns with `when_gone` as it is stored: 0.2.0 does not know `archive`."""
    if "when_gone" not in columns:
        return dict(columns)
    is_archive = columns["when_gone"] == WhenGone.ARCHIVE
    when_gone = WhenGone.PAGE if is_archive else columns["when_gone"]
    return {**columns, "when_gone": when_gone, "archive_when_gone": is_archive}


def _accept_archive(link: ShortURL) -> None:
    """Raise ApiError `not_retargetable` unless the link was created to redirect to copies, or as
    retargetable."""
    if not (link.retargetable or link.archive_when_gone):
        message = (
            "This link can't redirect to a copy: it was created without that option, and its "
            "destination can't be changed."
        )
        raise ApiError("not_retargetable", message, status=409, details={"when_gone": [message]})


def _insert(links: Mapping[str, ShortURL]) -> None:
    """Insert the links; raises StartOverError if a key has just been taken or retired.

    An insert waits for a transaction that deletes the same key, so the query for retired keys, in a
    separate statement, sees the writes of that transaction.
    """
    try:
        ShortURL.objects.bulk_create([links[key] for key in sorted(links)])
    except IntegrityError:
        raise StartOverError from None
    if _retired(links):
        raise StartOverError


@restartable
def update(
    key: str,
    changes: Mapping[str, Any],
    *,
    now: datetime,
    by: Actor = DEPLOYMENT,
    version: int | None = None,
) -> ShortURL:
    """Change these fields, as returned by `LinkChangeSerializer`; return the link with its details.

    All caches forget the link. A new `max_visits` keeps the visits counted so far. With a new
    `long_url`, a watched link watches that URL, and the former one becomes a FormerDestination.
    Raises the ApiErrors of `get`; of `teams.team_for_change` for a new team; of `check_limit`; of
    `destinations.accept` for a new `long_url`; of `destinations.accept_watched` for a new `watch`;
    `not_retargetable` (409) for a `long_url` or an `archive` that the link does not permit; and
    `version_mismatch` (412) if the link's version is not `version`.
    """
    changed, changes = set(changes), _as_stored(changes)
    seen = get(key, by=by, to_change=True)
    if "team" in changes:
        changes["team"] = teams.team_for_change(changes["team"], thing=seen, by=by)
    if changes.get("archive_when_gone"):
        _accept_archive(seen)
    watch = changes.pop("watch", seen.target is not None)
    long_url = changes.pop("long_url", seen.long_url)
    new_destination = _accept_new_destination(seen, long_url, watch=watch)
    target = _change_watch(seen, watch, new_destination, now=now)
    link = _get_locked(seen)
    check_version(link.version, version)
    link.target = target
    if new_destination is not None:
        FormerDestination.objects.create(short_url=link, long_url=link.long_url, until=now)
        link.long_url, link.host = new_destination.long_url, new_destination.canonical.host
    if "max_visits" in changes:
        limit = changes["max_visits"]
        check_limit(link, limit)
        link.visits_left = None if limit is None else limit - link.used_visits
    if (tags := changes.pop("tags", None)) is not None:
        _set_tags(link, tags)
    for name, value in changes.items():
        setattr(link, name, value)
    link.end_told = link.end_told and "expires_at" not in changes
    link.changed_at = now
    link.version += bool(changed)
    link.save(force_update=True)
    if changed:
        audit_log.write(by, "change", AUDIT_KIND, [key], now=now, fields=changed)
    transaction.on_commit(partial(link_cache.forget, [key]))
    _announce_after_commit([key], ViewEventKind.UPDATE, now=now)
    return get(key)


def check_limit(link: ShortURL, limit: int | None) -> None:
    """Raise ApiError `invalid` if `limit` is a lower `max_visits` than the link's used visits.

    The database can't store it: the link would forget the visits over the limit.
    """
    if limit is not None and limit < link.used_visits:
        message = f"Must be at least {link.used_visits}, the number of visits so far."
        raise ApiError("invalid", message, details={"max_visits": [message]})


def _accept_new_destination(link: ShortURL, long_url: str, *, watch: bool) -> NewLink | None:
    """Return the new destination as a NewLink; None if the link already has it.

    Raises ApiError `not_retargetable`, and the errors of `destinations.accept`.
    """
    if long_url == link.long_url:
        return None
    if not link.retargetable:
        message = (
            "The destination of this link can't be changed: it was not created as retargetable."
        )
        raise ApiError("not_retargetable", message, status=409, details={"long_url": [message]})
    return NewLink(long_url=long_url, canonical=accept(long_url, watch=watch), watch=watch)


def _change_watch(
    link: ShortURL, watch: bool, new_destination: NewLink | None, *, now: datetime
) -> Target | None:
    """Register or unregister destinations; return the target, or None if none is watched."""
    watched = link.target
    if watched is not None and watch:
        if new_destination is None or new_destination.canonical.url == watched.canonical_url:
            return watched
        # Both before any target.
        reservations.lock_slots([watched.host, new_destination.canonical.host])
    if watched is not None:
        _unwatch(link, now=now)
    if not watch:
        return None
    new_link = new_destination or NewLink(
        long_url=link.long_url, canonical=accept_watched(link.long_url), watch=True
    )
    return _watch({link.key: new_link}, link.owner_id, now=now)[link.key]


def _unwatch(link: ShortURL, *, now: datetime) -> None:
    if link.target is not None:
        reference = (link.target.id, reference_id(link.key), link.owner_id)
        targets.unregister_all([reference], now=now)


def _get_locked(seen: ShortURL) -> ShortURL:
    """Lock and return the link; raises `missing_error`.

    Raises StartOverError if its target, destination, owner or team has changed.
    """
    link = ShortURL.objects.select_for_update().filter(pk=seen.key).first()
    if link is None:
        raise missing_error(seen.key)
    # None: the target was deleted with its last reference, possibly in this same transaction.
    if link.target_id not in (seen.target_id, None) or link.long_url != seen.long_url:
        raise StartOverError
    if (link.owner_id, link.team_id) != (seen.owner_id, seen.team_id):
        raise StartOverError
    return link


def _set_tags(link: ShortURL, names: Sequence[str]) -> None:
    current = set(link.tag_names)
    link.tags.exclude(name__in=names).delete()
    Tag.objects.bulk_create(
        Tag(short_url=link, name=name, created_at=link.created_at)
        for name in names
        if name not in current
    )


@restartable
def delete(key: str, *, now: datetime, by: Actor = DEPLOYMENT) -> None:
    """Delete a link and retire its key; raises the ApiErrors of `get`."""
    seen = get(key, by=by, to_change=True)
    _unwatch(seen, now=now)
    _get_locked(seen)
    remove([key], reason=Reason.DELETED, now=now)
    audit_log.write(by, "delete", AUDIT_KIND, [key], now=now)
    transaction.on_commit(partial(link_cache.forget, [key]))
    _announce_after_commit([key], ViewEventKind.DELETE, now=now)


@restartable
def delete_all(
    keys: Sequence[str], *, now: datetime, by: Actor = DEPLOYMENT
) -> list[ApiError | None]:
    """Delete these links as `delete` does; return None or the error of `get` for each.

    A key that is given twice no longer exists the second time. The number of statements depends
    only on the number of watched hosts.
    """
    requested = ShortURL.objects.filter(pk__among=keys)
    links = by.reach(requested, to_change=True)
    changeable = list(links.values_list("pk", "target_id", "owner_id"))
    seen = {key: (target, owner) for key, target, owner in changeable}
    refused = set(by.reach(requested).values_list("pk", flat=True)) - set(seen)
    watched = [(target, reference_id(key), owner) for key, target, owner in changeable if target]
    targets.unregister_all(watched, now=now)
    rows = links.select_for_update().order_by("pk").values_list("pk", "target_id", "owner_id")
    locked = {
        key
        for key, target, owner in rows
        if key in seen and target in (seen[key][0], None) and owner == seen[key][1]
    }
    if locked != set(seen):
        raise StartOverError
    remove(locked, reason=Reason.DELETED, now=now)
    audit_log.write(by, "delete", AUDIT_KIND, locked, now=now)
    transaction.on_commit(partial(link_cache.forget, list(locked)))
    _announce_after_commit(locked, ViewEventKind.DELETE, now=now)
    reasons = dict(RetiredKey.objects.filter(pk__among=keys).values_list("pk", "reason"))
    results: list[ApiError | None] = []
    remaining = set(locked)
    for key in keys:
        error = teams.read_only_error() if key in refused else _error_of(reasons.get(key))
        results.append(None if key in remaining else error)
        remaining.discard(key)
    return results


@transaction.atomic
def transfer(new_owners: Mapping[str, int], *, owner_id: int) -> None:
    """Give these links of an account to other users, with the references to their destinations."""
    links = ShortURL.objects.select_for_update().filter(pk__among=new_owners, owner=owner_id)
    for link in links.order_by("pk"):
        link.owner_id = new_owners[link.pk]
        link.save(update_fields=["owner"])
        references = Reference.objects.filter(object_id=reference_id(link.pk), owner=owner_id)
        existing = Reference.objects.filter(
            target=OuterRef("target"), object_id=OuterRef("object_id"), owner=link.owner_id
        )
        references.exclude(Exists(existing)).update(owner=link.owner_id)


def remove(keys: Collection[str], *, reason: Reason, now: datetime) -> None:
    """Delete these locked links with their tags and former destinations, and retire their keys."""
    RetiredKey.objects.bulk_create(
        (RetiredKey(key=key, reason=reason, retired_at=now) for key in sorted(keys)),
        ignore_conflicts=True,
    )
    Tag.objects.filter(short_url__key__among=keys).delete()
    FormerDestination.objects.filter(short_url__key__among=keys).delete()
    ShortURL.objects.filter(pk__among=keys).delete()


@transaction.atomic
def retire(reasons: Mapping[str, Reason], *, now: datetime) -> set[str]:
    """Retire keys of another deployment, except those of links here, which are returned."""
    in_use = set(ShortURL.objects.filter(pk__among=reasons).values_list("pk", flat=True))
    RetiredKey.objects.bulk_create(
        (
            RetiredKey(key=key, reason=reason, retired_at=now)
            for key, reason in sorted(reasons.items())
            if key not in in_use
        ),
        ignore_conflicts=True,
    )
    transaction.on_commit(partial(link_cache.forget_absence, list(reasons)))
    return in_use


def revive(key: str, *, now: datetime, by: Actor = DEPLOYMENT) -> ShortURL:
    """Make an ended link active: enable it, remove a past `expires_at`, allow as many visits again.

    Returns the link. Raises ApiError `unchanged` if it is active, and the ApiErrors of `get`.
    """
    link = get(key, by=by, to_change=True)
    state = link.state(now)
    if state is LinkState.ACTIVE:
        raise ApiError("unchanged", "already active", status=409)
    changes: dict[str, Any] = {"disabled": False}
    if link.expires_at is not None and link.expires_at <= now:
        changes["expires_at"] = None
    if link.visits_left == 0:
        changes["max_visits"] = 2 * (link.max_visits or 0)
    return update(key, changes, now=now, by=by)


def _announce_after_commit(keys: Iterable[str], kind: ViewEventKind, *, now: datetime) -> None:
    def announce() -> None:
        for key in keys:
            emit(kind, short_subject(key), at=now)

    transaction.on_commit(announce)
