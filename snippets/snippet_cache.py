"""Fast reads of snippets: one step in Redis checks the rate limit and returns the entry.

Keys: `snippet:{id}` (the JSON that the API returns), `meta:{id}` (the same as a hash, without the
content), `snippet:{id}:page` (the page), and `lock:snippet:…` while an entry is being filled.
Source: docs/requirements.md#snippets-reads, #snippets-keys.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from typing import Any, NamedTuple

import redis
from django.core.exceptions import ValidationError
from django.db.models import Q
from rest_framework.renderers import JSONRenderer

from accounts.actors import Actor
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from foundation.ids import is_id
from foundation.times import rfc3339
from foundation.valkey import cache_aside, rate_limit, scripts
from foundation.valkey.cache_aside import (
    CacheAnswer,
    CacheHit,
    CacheStatus,
    Entry,
    Gone,
    Key,
    Load,
    Missing,
)
from foundation.valkey.clients import client
from foundation.valkey.invalidation import Invalidation
from foundation.valkey.rate_limit import Admission
from foundation.valkey.resp import OnReply, Reply
from foundation.valkey.scripts import CLOCK, Script
from snippets.models import RemovedSnippet, Snippet, Visibility
from snippets.serializers import represent


class SnippetRendering(NamedTuple):
    """A representation of a snippet, as JSON, which is cached only if it is `lasting`."""

    payload: bytes
    lasting: bool = True


Render = Callable[[Snippet], SnippetRendering]

RAW_HEADERS = {
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "X-Content-Type-Options": "nosniff",
}

# KEYS: the rate limit's window, the entry, its `meta:` key. ARGV: as for `admit`.
_ADMIT_AND_LOOK = Script(
    CLOCK,
    rate_limit.ADMIT,
    cache_aside.LOOK,
    """
    local now = milliseconds()
    local admitted, remaining, reset =
      admit(KEYS[1], now, tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3])
    if admitted == 0 then return {0, remaining, reset, false, -1} end
    return {1, remaining, reset, look({unpack(KEYS, 2)}, now)}
    """,
)


def not_found() -> ApiError:
    return ApiError("not_found", "There is no such snippet.", status=404)


def expired() -> ApiError:
    return ApiError("expired", "This snippet has expired.", status=410)


def used_up() -> ApiError:
    return ApiError("used_up", "This snippet has reached its view limit.", status=410)


def must_be_revealed(snippet: Snippet) -> ApiError:
    """Return the error with which the API responds instead of a snippet with a view limit."""
    return ApiError(
        "must_be_revealed",
        "This snippet has a view limit. A POST to `reveal` shows it and counts as a view.",
        status=409,
        details={
            "reveal": f"/v1/snippets/{snippet.id}/reveal",
            "max_views": snippet.max_views,
            "views_left": snippet.views_left,
            "expires_at": rfc3339(snippet.expires_at),
        },
        headers=NOINDEX,
    )


def headers(cache: CacheStatus) -> dict[str, str]:
    """Return the headers of all responses that show a snippet.

    They forbid caching, because views served by other caches would not be counted.
    """
    return {"X-Cache": cache.value, **NO_STORE}


NO_STORE = {"Cache-Control": "private, no-store"}
NOINDEX = {"X-Robots-Tag": "noindex"}


def robots_headers(snippet: Snippet) -> dict[str, str]:
    """Return the headers that keep a snippet out of search engines unless it is public."""
    return {} if snippet.visibility == Visibility.PUBLIC else NOINDEX


def entry_key(snippet_id: str) -> Key:
    """Return the Redis key of the API's response."""
    return Key(f"snippet:{snippet_id}", meta=f"meta:{snippet_id}")


def page_key(snippet_id: str) -> Key:
    """Return the Redis key of the snippet's page."""
    return Key(f"snippet:{snippet_id}:page")


def represent_whole(snippet: Snippet, *, is_revealed: bool = False) -> dict[str, Any]:
    """Return the JSON of a snippet, without the content of a sealed one unless it `is_revealed`.

    Only the response to `reveal` includes that content: the response to the snippet's creation is
    stored for an Idempotency-Key, and may outlive the content in the database.
    """
    hides_content = snippet.is_sealed and not is_revealed
    return {**represent(snippet), "content": None if hides_content else snippet.content}


_PUBLIC = b'"visibility":"public"'
_VISIBILITY_OFFSET = len('{"id":"s_0000000000000000000000",')


def is_public(payload: bytes) -> bool:
    """Return whether a snippet as JSON from `as_json` is public, without parsing all of it."""
    return payload.startswith(_PUBLIC, _VISIBILITY_OFFSET)


def as_json(snippet: Snippet) -> SnippetRendering:
    """Return the body of the API's response."""
    return SnippetRendering(bytes(JSONRenderer().render(represent_whole(snippet))))


GetActor = Callable[[], Actor | None]  # returns None if anonymous; may query the database


def nobody() -> None:
    """Return None: the reader is anonymous."""


def get(snippet_id: str, *, now: datetime, get_actor: GetActor = nobody) -> Snippet:
    """Return the snippet from the database, with its content.

    Raises ApiError `not_found` (also if the actor may not see it), `expired`, `used_up` and
    `must_be_revealed`.
    """
    snippet = find_for(snippet_id, now=now, get_actor=get_actor)
    if snippet.is_sealed:
        raise must_be_revealed(snippet)
    return snippet


def find_for(snippet_id: str, *, now: datetime, get_actor: GetActor) -> Snippet:
    """Like `get`, but also returns sealed snippets, which only `reveal` may show."""
    snippet = find(snippet_id)
    if snippet is None or (snippet.is_private and not snippet.may_be_read_by(get_actor())):
        raise not_found()
    if snippet.is_used_up:
        raise used_up()
    if snippet.has_expired(now):
        raise expired()
    return snippet


def find(snippet_id: str) -> Snippet | None:
    """Return the snippet, expired or not; None if it does not exist or the id is invalid."""
    try:
        return Snippet.objects.prefetch_related("tags").filter(pk=snippet_id).first()
    except ValidationError:
        return None


def check_exists(snippet_id: str, *, get_actor: GetActor) -> None:
    """Raise ApiError `not_found` unless the snippet, expired or not, exists for the actor.

    A cached snippet needs no query: it is not private.
    """
    with suppress(redis.RedisError), scripts.BREAKER.around_call():
        if client().exists(entry_key(snippet_id).meta):
            return
    snippet = None
    with suppress(ValidationError):  # an invalid id
        snippet = Snippet.objects.defer("content").filter(pk=snippet_id).first()
    if snippet is None or (snippet.is_private and not snippet.may_be_read_by(get_actor())):
        raise not_found()


def private_among(subjects: Collection[str]) -> set[str]:
    """Return the given subjects of views that are private snippets."""
    return _among(subjects, Q(visibility=Visibility.PRIVATE))


def unlisted_among(subjects: Collection[str]) -> set[str]:
    """Return the given subjects of views that are snippets not listed for others."""
    return _among(subjects, ~Q(visibility=Visibility.PUBLIC) | Q(max_views__isnull=False))


def _among(subjects: Collection[str], condition: Q) -> set[str]:
    ids = [subject for subject in subjects if is_id("snippet", subject)]
    if not ids:
        return set()
    return set(Snippet.objects.filter(condition, pk__among=ids).values_list("pk", flat=True))


GUARDED = Gone("guarded")  # the entry of a guarded snippet: the reader must be known


def load(snippet_id: str, render: Render = as_json) -> Entry:
    """Return the entry of a snippet, from the database; GUARDED for a guarded one."""
    now = database_now()
    snippet = find(snippet_id)
    if snippet is None:
        return Missing()
    if snippet.is_guarded:
        return GUARDED
    if snippet.has_expired(now):
        return Gone(expired().code)
    left = None if snippet.expires_at is None else (snippet.expires_at - now).total_seconds()
    meta = represent(snippet) | {"tags": ",".join(snippet.tag_names)}
    fields = {name: "" if value is None else value for name, value in meta.items()}
    payload, lasting = render(snippet)
    return CacheHit(payload, left, lasting, meta=fields)


def start_lookup(key: Key, then: OnReply, *, route: str, address: str) -> None:
    """Count a request and look up the entry; `then` gets the reply, for `hit` or `admit_and_read`.

    Do not call it while Redis is known to be unavailable.
    """
    names = [rate_limit.key_of(route, address), *key.names]
    _ADMIT_AND_LOOK.run_with_callback(then, names, *rate_limit.arguments())


def hit(reply: Reply) -> tuple[Admission, CacheHit] | None:
    """Return the admission and the entry in this reply to `start_lookup`, and count a cache hit.

    Returns None for an error, a refused request, a tombstone, or no entry.
    """
    if isinstance(reply, Exception) or not reply[0]:
        return None
    *rate, raw, left = reply
    entry = cache_aside.parse(raw, left)
    if not isinstance(entry, CacheHit):
        return None
    cache_aside.counted_hit(entry)
    return rate_limit.admission(*rate), entry


async def admit_and_read(
    key: Key, load: Load, *, route: str, address: str, reply: Reply = None
) -> tuple[Admission | None, CacheAnswer | None]:
    """Count the request and return the entry, in one round trip if it is cached.

    `reply` is Redis's reply to `start_lookup`, if any: the request is then already counted. Without
    Redis, there is no admission, and the entry comes from `load`. Over the limit, there is no
    entry. Raises the errors of `load`.
    """
    names = [rate_limit.key_of(route, address), *key.names]
    try:
        if reply is None:
            reply = await _ADMIT_AND_LOOK.run(names, *rate_limit.arguments())
        elif isinstance(reply, Exception):
            raise reply
    except redis.RedisError:
        return None, await cache_aside.fill(key, load)
    *rate, raw, left = reply
    admission = rate_limit.admission(*rate)
    if not admission.admitted:
        return admission, None
    entry = cache_aside.parse(raw, left)
    if entry is None:
        return admission, await cache_aside.fill(key, load)
    return admission, cache_aside.counted_hit(entry)


def forget(ids: Iterable[str]) -> None:
    """Invalidate the cache entries of these snippets, after the commit. Never raises.

    `INVALIDATION` repeats an invalidation that Redis missed.
    """
    with INVALIDATION.best_effort():
        _forget(ids)


def _forget(ids: Iterable[str]) -> None:
    cache_aside.invalidate(key for pk in ids for key in (entry_key(pk), page_key(pk)))


def _changed_since(time: datetime) -> Iterator[str]:
    yield from Snippet.objects.filter(updated_at__gte=time).values_list("pk", flat=True)
    yield from RemovedSnippet.objects.filter(removed_at__gte=time).values_list("pk", flat=True)


INVALIDATION = Invalidation("snippets", forget=_forget, changed_since=_changed_since)
