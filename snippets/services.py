"""Operations on snippets. Each call is one transaction; caches and counters are notified after it.

Functions take `now`, the database's time, so that all processes agree.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction

from accounts import audit_log, teams
from accounts.actors import DEPLOYMENT, Actor
from analytics.stream import ViewEventKind, emit
from foundation.database.transactions import restartable
from foundation.http.errors import ApiError
from foundation.http.preconditions import check_version
from foundation.ids import is_id
from snippets import snippet_cache
from snippets.models import RemovedSnippet, Snippet, SnippetQuerySet, SnippetVersion, Tag

AUDIT_KIND = "snippet"  # in the audit log
_BIDI_CONTROLS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_CONTROLS = (*range(32), *range(127, 160))
_CONTROL_REPLACEMENTS = {code: " " if chr(code).isspace() else None for code in _CONTROLS}
MAX_VERSIONS = 50  # old versions kept per snippet
_VERSIONED_FIELDS = frozenset({"title", "content", "language"})  # of SnippetVersion


def plain_title(text: str) -> str:
    """Return a title on one line, without control characters and bidirectional formatting."""
    return " ".join(_BIDI_CONTROLS.sub("", text).translate(_CONTROL_REPLACEMENTS).split())


@restartable
def create(fields: Mapping[str, Any], *, now: datetime, by: Actor = DEPLOYMENT) -> Snippet:
    """Create a snippet from valid fields; `tags` is a sequence of names.

    An anonymous snippet is created by the deployment: it has no owner and is not logged. Raises
    ApiError `unknown_team`.
    """
    values = {**fields, "title": plain_title(fields.get("title", ""))}
    values["team"] = teams.team_for_new(values.get("team"), by=by)
    tags = values.pop("tags", ())
    size = len(values["content"].encode())
    views_left = values.get("max_views")
    snippet = Snippet.objects.create(
        **values, size=size, views_left=views_left, owner=by.owner, created_at=now, updated_at=now
    )
    _tag(snippet, tags)
    audit_log.write(by, "create", AUDIT_KIND, [snippet.id], now=now)
    _notify_after_commit([snippet.id], ViewEventKind.CREATE, now=now)
    return snippet


@restartable
def update(
    snippet_id: str,
    changes: Mapping[str, Any],
    *,
    now: datetime,
    by: Actor = DEPLOYMENT,
    version: int | None = None,
) -> Snippet:
    """Change these fields; return the snippet.

    A new expiry revives an expired snippet that still exists. If the title, content or language
    changes, the previous text becomes a version. A new `max_views` ignores earlier views. Raises
    the ApiErrors of `get` and, for a new team, of `teams.team_for_change`; also `used_up` (410),
    and `version_mismatch` (412) if the snippet's version is not `version`.
    """
    rows = Snippet.objects.select_for_update()
    snippet = get(snippet_id, by=by, rows=rows, to_change=True)
    if snippet.is_used_up:
        raise snippet_cache.used_up()
    check_version(snippet.version, version)
    values = _with_derived(changes)
    if "team" in values:
        values["team"] = teams.team_for_change(values["team"], thing=snippet, by=by)
    if "tags" in values:
        snippet.tags.all().delete()
        _tag(snippet, values.pop("tags"))
    if any(values[name] != getattr(snippet, name) for name in _VERSIONED_FIELDS & values.keys()):
        _keep_version(snippet)
        values |= {"written_at": now, "written_by": by.user}
    values["updated_at"] = max(now, snippet.updated_at)
    values["version"] = snippet.version + bool(changes)
    for name, value in values.items():
        setattr(snippet, name, value)
    snippet.save(update_fields=list(values))
    audit_log.write(by, "change", AUDIT_KIND, [snippet.id], now=now, fields=changes.keys())
    _notify_after_commit([snippet.id], ViewEventKind.UPDATE, now=now)
    return snippet


def _with_derived(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the changes with the derived columns that they affect."""
    values = dict(changes)
    if "title" in values:
        values["title"] = plain_title(values["title"])
    if "content" in values:
        values["size"] = len(values["content"].encode())
    if {"content", "language"} & values.keys():
        values["stays_plain"] = False
    if "max_views" in values:
        values["views_left"] = values["max_views"]
    return values


def get(
    snippet_id: str,
    *,
    by: Actor,
    rows: SnippetQuerySet | None = None,
    to_change: bool = False,
) -> Snippet:
    """Return the snippet, expired or not, if the actor may see it; raises ApiError `not_found`.

    With `to_change`, raises ApiError `permission_denied` if the actor may only see it.
    """
    snippets = Snippet.objects.all() if rows is None else rows
    snippet = None
    if is_id("snippet", snippet_id):
        snippet = snippets.visible_to(by).filter(pk=snippet_id).first()
    if snippet is None:
        raise snippet_cache.not_found()
    if to_change:
        teams.check_may_change(snippet, by=by)
    return snippet


def _keep_version(snippet: Snippet) -> None:
    """Store the locked snippet's current text as a version; delete those beyond MAX_VERSIONS."""
    SnippetVersion.objects.create(
        snippet=snippet,
        number=snippet.version,
        title=snippet.title,
        content=snippet.content,
        size=snippet.size,
        language=snippet.language,
        at=snippet.written_at or snippet.created_at,
        by_id=snippet.written_by_id if snippet.written_at else snippet.owner_id,
    )
    numbers = snippet.versions.order_by("-number").values_list("number", flat=True)
    surplus = list(numbers[MAX_VERSIONS:])
    if surplus:
        snippet.versions.filter(number__in=surplus).delete()


def versions(snippet: Snippet) -> list[SnippetVersion]:
    """Return the versions of a snippet, newest first, starting with the current text.

    The current version is not a row; the rows are without content. Numbers have gaps, because not
    every change affects the text.
    """
    rows = snippet.versions.defer("content").select_related("by").order_by("-number")
    return [_current_version(snippet), *rows]


def version(snippet: Snippet, number: int) -> SnippetVersion:
    """Return one version, which may be the current one; raises ApiError `not_found`."""
    if number == snippet.version:
        return _current_version(snippet)
    row = snippet.versions.select_related("by").filter(number=number).first()
    if row is None:
        raise ApiError("not_found", "There is no such version.", status=404)
    return row


def _current_version(snippet: Snippet) -> SnippetVersion:
    return SnippetVersion(
        snippet=snippet,
        number=snippet.version,
        title=snippet.title,
        content=snippet.content,
        size=snippet.size,
        language=snippet.language,
        at=snippet.written_at or snippet.created_at,
        by=snippet.written_by if snippet.written_at else snippet.owner,
    )


@transaction.atomic
def reveal(snippet_id: str, *, get_actor: snippet_cache.GetActor, now: datetime) -> Snippet:
    """Return the snippet with its content, and count the view if it has `max_views`.

    The last view deletes the stored content and its versions. `get_actor` returns the reader; it is
    called only for private snippets. Raises ApiError `not_found`, `expired` (410), and `used_up`
    (410) after the last view.
    """
    if not (is_id("snippet", snippet_id) and Snippet.objects.use_one_view(snippet_id, now)):
        snippet = snippet_cache.find_for(snippet_id, get_actor=get_actor, now=now)
        if snippet.is_sealed:  # sealed in the meantime
            raise snippet_cache.used_up()
        return snippet
    snippet = Snippet.objects.prefetch_related("tags").get(pk=snippet_id)
    if snippet.is_private:
        by = get_actor()
        if by is None or not snippet.may_be_read_by(by):
            raise snippet_cache.not_found()  # rolls back the count
        audit_log.write(by, "reveal", AUDIT_KIND, [snippet_id], now=now)
    if snippet.is_used_up:
        snippet.versions.all().delete()
        Snippet.objects.filter(pk=snippet_id).update(content="", size=0, updated_at=now)
    return snippet


def keep_plain(snippet: Snippet) -> None:
    """Record that this text is too hard to highlight, unless the snippet has changed since."""
    unchanged = Snippet.objects.filter(pk=snippet.pk, updated_at=snippet.updated_at)
    unchanged.update(stays_plain=True)


def delete(snippet_id: str, *, now: datetime, by: Actor = DEPLOYMENT) -> None:
    """Delete a snippet, expired or not. Raises the ApiErrors of `get`."""
    get(snippet_id, by=by, to_change=True)
    if not delete_all([snippet_id], now=now, by=by):
        raise snippet_cache.not_found()


def delete_all(ids: Collection[str], *, now: datetime, by: Actor = DEPLOYMENT) -> set[str]:
    """Delete the given snippets that `by` may change; return their ids."""
    valid = {id_ for id_ in ids if is_id("snippet", id_)}
    with transaction.atomic():
        snippets = Snippet.objects.select_for_update().visible_to(by, to_change=True)
        rows = snippets.filter(pk__among=list(valid))
        deleted = set(rows.order_by("pk").values_list("pk", flat=True))
        remove(deleted, now=now)
        audit_log.write(by, "delete", AUDIT_KIND, deleted, now=now)
    return deleted


def transfer(new_owners: Mapping[str, int], *, owner_id: int) -> None:
    """Give these snippets of an account to other users."""
    for snippet_id, user_id in new_owners.items():
        Snippet.objects.filter(pk=snippet_id, owner=owner_id).update(owner=user_id)


def reap(before: datetime, *, limit: int, now: datetime) -> int:
    """Delete up to `limit` snippets that had expired by `before`; return how many.

    Skips snippets locked by another reaper, or by a change that may revive them.
    """
    with transaction.atomic():
        rows = Snippet.objects.expired(before).select_for_update(skip_locked=True)
        return remove(list(rows.values_list("pk", flat=True)[:limit]), now=now)


def remove(ids: Collection[str], *, now: datetime) -> int:
    """Delete these locked snippets, and record the removals for caches; return how many."""
    RemovedSnippet.objects.bulk_create(RemovedSnippet(pk=pk, removed_at=now) for pk in ids)
    Snippet.objects.filter(pk__among=list(ids)).only("pk").delete()
    _notify_after_commit(ids, ViewEventKind.DELETE, now=now)
    return len(ids)


def _tag(snippet: Snippet, names: Sequence[str]) -> None:
    Tag.objects.bulk_create(
        Tag(snippet=snippet, name=name, created_at=snippet.created_at) for name in names
    )


def _notify_after_commit(ids: Collection[str], kind: ViewEventKind, *, now: datetime) -> None:
    transaction.on_commit(partial(_emit, ids, kind, now))


def _emit(ids: Collection[str], kind: ViewEventKind, now: datetime) -> None:
    snippet_cache.forget(ids)
    for snippet_id in ids:
        emit(kind, snippet_id, at=now)
