"""Operations on snippets. Each call is one transaction; caches and counters hear of it after.

Functions take `now`, the database's time, so that all processes agree.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction

from analytics.stream import Kind, emit
from foundation.http.errors import ApiError
from foundation.http.preconditions import check_version
from foundation.ids import PREFIXES, decode
from snippets import reads
from snippets.models import RemovedSnippet, Snippet, Tag

_TURNING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_CONTROLS = (*range(32), *range(127, 160))
_NO_CONTROLS = {code: " " if chr(code).isspace() else None for code in _CONTROLS}
LONGEST_LIFE = timedelta(days=3650)


def check_size(content: str) -> None:
    """Raise ApiError `content_too_large` (413) for content over SNIPPET_MAX_BYTES."""
    size, limit = len(content.encode()), settings.SNIPPET_MAX_BYTES
    if size > limit:
        raise ApiError(
            "content_too_large",
            f"The content is larger than {limit} bytes.",
            status=413,
            details={"content": [f"It has {size} bytes, at most {limit} are accepted."]},
        )


def check_expiry(expires_at: datetime | None, *, now: datetime) -> None:
    """Raise ApiError `invalid` for an end that is past, or too far away to be meant."""
    if expires_at is None:
        return
    if expires_at <= now:
        problem = "This time is in the past."
    elif expires_at > now + LONGEST_LIFE:
        problem = "This is more than 3650 days ahead; leave it out to keep the snippet for ever."
    else:
        return
    details = {"expires_at": [problem]}
    raise ApiError("invalid", "The request has invalid fields.", details=details)


def plain_title(text: str) -> str:
    """Return a title in one line, without what can't be seen or turns the direction of writing."""
    return " ".join(_TURNING.sub("", text).translate(_NO_CONTROLS).split())


@transaction.atomic
def create(fields: Mapping[str, Any], *, now: datetime) -> Snippet:
    """Make a snippet of these valid fields; `tags` is a sequence of names."""
    values = {**fields, "title": plain_title(fields.get("title", ""))}
    tags = values.pop("tags", ())
    size = len(values["content"].encode())
    snippet = Snippet.objects.create(**values, size=size, created_at=now, updated_at=now)
    _tag(snippet, tags)
    _tell_after_commit([snippet.id], Kind.CREATE, now=now)
    return snippet


@transaction.atomic
def update(
    snippet_id: str, changes: Mapping[str, Any], *, now: datetime, version: int | None = None
) -> Snippet:
    """Change these fields; a new end revives an expired snippet that is still there.

    Raises ApiError `not_found`, and `version_mismatch` (412) unless it has this `version`, if one
    is given.
    """
    snippet = Snippet.objects.select_for_update().filter(pk=snippet_id).first()
    if snippet is None:
        raise reads.not_found()
    check_version(snippet.version, version)
    values = dict(changes)
    if "tags" in values:
        snippet.tags.all().delete()
        _tag(snippet, values.pop("tags"))
    if "title" in values:
        values["title"] = plain_title(values["title"])
    if "content" in values:
        values["size"] = len(values["content"].encode())
    if {"content", "language"} & values.keys():
        values["stays_plain"] = False
    values["updated_at"] = max(now, snippet.updated_at)
    values["version"] = snippet.version + bool(changes)
    for name, value in values.items():
        setattr(snippet, name, value)
    snippet.save(update_fields=list(values))
    _tell_after_commit([snippet.id], Kind.UPDATE, now=now)
    return snippet


def keep_plain(snippet: Snippet) -> None:
    """Remember that this version can't be highlighted; a later one is left alone."""
    same = Snippet.objects.filter(pk=snippet.pk, updated_at=snippet.updated_at)
    same.update(stays_plain=True)


def delete(snippet_id: str, *, now: datetime) -> None:
    """Delete a snippet, expired or not. Raises ApiError `not_found`."""
    with transaction.atomic():
        rows = Snippet.objects.select_for_update().filter(pk=snippet_id)
        if not remove(list(rows.values_list("pk", flat=True)), now=now):
            raise reads.not_found()


def delete_all(ids: Collection[str], *, now: datetime) -> set[str]:
    """Delete these snippets; returns the ids of those that were there."""
    valid = {id_ for id_ in ids if _is_id(id_)}
    with transaction.atomic():
        rows = Snippet.objects.select_for_update().filter(pk__among=list(valid)).order_by("pk")
        found = set(rows.values_list("pk", flat=True))
        remove(found, now=now)
    return found


def _is_id(text: str) -> bool:
    prefix = PREFIXES["snippet"]
    try:
        decode(text.removeprefix(prefix))
    except ValueError:
        return False
    return text.startswith(prefix)


def reap(before: datetime, *, limit: int, now: datetime) -> int:
    """Delete up to `limit` snippets that had expired by `before`; returns how many.

    Those that another reaper, or a change that may revive them, has locked are left alone.
    """
    with transaction.atomic():
        rows = Snippet.objects.expired(before).select_for_update(skip_locked=True)
        return remove(list(rows.values_list("pk", flat=True)[:limit]), now=now)


def remove(ids: Collection[str], *, now: datetime) -> int:
    """Delete these locked snippets for good; returns how many there were."""
    RemovedSnippet.objects.bulk_create(RemovedSnippet(pk=pk, removed_at=now) for pk in ids)
    Snippet.objects.filter(pk__among=list(ids)).only("pk").delete()
    _tell_after_commit(ids, Kind.DELETE, now=now)
    return len(ids)


def _tag(snippet: Snippet, names: Sequence[str]) -> None:
    Tag.objects.bulk_create(
        Tag(snippet=snippet, name=name, created_at=snippet.created_at) for name in names
    )


def _tell_after_commit(ids: Collection[str], kind: Kind, *, now: datetime) -> None:
    transaction.on_commit(partial(_tell, ids, kind, now))


def _tell(ids: Collection[str], kind: Kind, now: datetime) -> None:
    reads.forget(ids)
    for snippet_id in ids:
        emit(kind, snippet_id, at=now)
