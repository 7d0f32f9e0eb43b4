"""Responses to reads of a snippet: its JSON, its raw text and its page.

Used by the fast path, the ASGI application and DRF's views; `pages` renders the page.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial

from django.conf import settings
from rest_framework.exceptions import APIException, Throttled
from rest_framework.renderers import JSONRenderer

from accounts.actors import sender_of
from analytics import stream
from foundation.database.clock import database_now
from foundation.database.thread_pool import in_thread
from foundation.http.answers import Answer, Headers, Read, RequestFacts, encode, facts_of_scope
from foundation.http.asgi import Scope, is_our_host
from foundation.http.errors import ApiError, error_body, with_request_id
from foundation.http.negotiation import MAX_ACCEPT
from foundation.ids import id_pattern
from foundation.valkey.cache_aside import CacheHit, CacheStatus, Gone, Key
from foundation.valkey.resp import Reply
from snippets import snippet_cache
from snippets.snippet_cache import GetActor

REPLY = "linkwatch.reply"  # key in a scope for Redis's reply to `snippet_cache.start_lookup`

_PATH = re.compile(f"/v1/snippets/({id_pattern('snippet')})(/raw)?")
# The media types for which DRF answers with JSON or HTML, in order of preference. DRF handles
# Accept headers with parameters.
_TYPES = {
    "application/json": "JSON",
    "text/html": "HTML",
    "application/*": "JSON",
    "text/*": "HTML",
    "*/*": "JSON",
}
# The headers that Django's middleware and DRF add to these responses.
_COMMON_HEADERS = {
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Content-Type": "application/json",
}
_NO_INDEX = encode(snippet_cache.NOINDEX)
_CACHE_HEADERS = {cache: encode(snippet_cache.headers(cache)) for cache in CacheStatus}


@dataclass(frozen=True, slots=True)
class SnippetFormat:
    """A format of a snippet: JSON, raw text or page."""

    route: str  # for the rate limit
    key: Callable[[str], Key]  # of a snippet's entry in Redis
    render: snippet_cache.Render  # makes the entry's payload
    # Returns headers and body for a payload, or raises ApiError.
    show: Callable[[bytes, RequestFacts], tuple[Headers, bytes]]
    refuse: Callable[[str, APIException, RequestFacts], Answer]  # returns the response for an error


def _api_format(
    route: str, headers: dict[str, str], ok_headers: dict[str, str], body: Callable[[bytes], bytes]
) -> SnippetFormat:
    """Return a format that the API serves.

    All responses have `headers`; a 200 also has `ok_headers`.
    """
    all_headers = _COMMON_HEADERS | headers
    public, refused = encode(all_headers | ok_headers), encode(all_headers)
    hidden = public + _NO_INDEX

    def show(payload: bytes, _facts: RequestFacts) -> tuple[Headers, bytes]:
        return public if snippet_cache.is_public(payload) else hidden, body(payload)

    def refuse(_id: str, error: APIException, _facts: RequestFacts) -> Answer:
        envelope = JSONRenderer().render(with_request_id(error_body(error)))
        headers = refused + encode(getattr(error, "headers", {}))
        return Answer(error.status_code, headers, envelope)

    return SnippetFormat(
        f"GET {route}", snippet_cache.entry_key, snippet_cache.as_json, show, refuse
    )


def _content(payload: bytes) -> bytes:
    content: str = json.loads(payload)["content"]
    return content.encode()


JSON = _api_format(
    "v1/snippets/<str:pk>",
    {"Vary": "Accept, Cookie", "Allow": "GET, PATCH, DELETE, HEAD, OPTIONS"},
    {},
    bytes,
)
RAW = _api_format(
    "v1/snippets/<str:pk>/raw",
    {"Vary": "Cookie", "Allow": "GET, HEAD, OPTIONS"},
    snippet_cache.RAW_HEADERS,
    _content,
)


def plain_read(scope: Scope) -> Read | None:
    """Return the read that answers a request for JSON or raw text; None if Django must answer."""
    facts = facts_of_scope(scope)
    parsed = parse_request(scope["path"], facts)
    if parsed is None or len(facts.headers) < len(scope["headers"]):
        return None
    snippet_id, format_ = parsed
    return partial(answer, snippet_id, format_, facts, reply=scope.get(REPLY))


def parse_request(path: str, facts: RequestFacts) -> tuple[str, SnippetFormat] | None:
    """Return the id and the format that are requested by a plain GET or HEAD of `path`.

    None if DRF must answer: another path, method or host, a body, an unusual Accept header.
    """
    match = _PATH.fullmatch(path)
    if match is None or facts.method not in ("GET", "HEAD") or not is_plain(facts):
        return None
    if match[2]:
        return match[1], RAW
    return (match[1], JSON) if _accepts_json(facts.headers.get(b"accept", b"*/*")) else None


def is_plain(facts: RequestFacts) -> bool:
    """Return whether a request has no body and is for one of our hosts."""
    headers = facts.headers
    if b"transfer-encoding" in headers or headers.get(b"content-length", b"0") != b"0":
        return False
    return is_our_host(facts.host, tuple(settings.ALLOWED_HOSTS))


@lru_cache(maxsize=256)
def _accepts_json(accept: bytes) -> bool:
    if b";" in accept or len(accept) > MAX_ACCEPT:
        return False
    types = {part.strip() for part in accept.decode("latin-1").lower().split(",")}
    return next((kind for name, kind in _TYPES.items() if name in types), "") == "JSON"


async def answer(
    snippet_id: str, format_: SnippetFormat, facts: RequestFacts, *, reply: Reply = None
) -> Answer:
    """Return the response to a GET or HEAD, and count the request.

    A GET that shows a snippet that is not private counts as a view. `reply` is Redis's reply to
    `snippet_cache.start_lookup`, if any. Raises database errors.
    """
    load = partial(snippet_cache.load, snippet_id, format_.render)
    admission, cached = await snippet_cache.admit_and_read(
        format_.key(snippet_id), load, route=format_.route, address=facts.address, reply=reply
    )
    if cached is None:
        throttled = Throttled(admission.reset if admission else None)
        result = format_.refuse(snippet_id, throttled, facts)
    elif isinstance(cached.entry, CacheHit):
        result = _shown(snippet_id, cached.entry, cached.cache, format_, facts)
    elif cached.entry == snippet_cache.GUARDED:
        get_actor = partial(sender_of, facts.headers.items(), package="snippets")
        read = partial(answer_from_database, snippet_id, format_, facts, get_actor=get_actor)
        result = await in_thread(read)
    else:
        error = (
            snippet_cache.expired() if isinstance(cached.entry, Gone) else snippet_cache.not_found()
        )
        result = format_.refuse(snippet_id, error, facts)
    if admission is not None:
        result.headers = [*result.headers, *encode(admission.headers)]
    return result


def answer_from_redis(
    snippet_id: str, format_: SnippetFormat, facts: RequestFacts, reply: Reply
) -> Answer | None:
    """If this reply is a hit, return the same as `answer`; otherwise None, and count no view."""
    hit = snippet_cache.hit(reply)
    if hit is None:
        return None
    admission, entry = hit
    result = _shown(snippet_id, entry, CacheStatus.HIT, format_, facts)
    result.headers = [*result.headers, *encode(admission.headers)]
    return result


def answer_from_database(
    snippet_id: str, format_: SnippetFormat, facts: RequestFacts, *, get_actor: GetActor
) -> Answer:
    """Return the response for the actor, without cache and rate limit. Call it in a thread.

    A GET that shows a snippet that is not private counts as a view.
    """
    try:
        snippet = snippet_cache.get(snippet_id, now=database_now(), get_actor=get_actor)
    except ApiError as error:
        return format_.refuse(snippet_id, error, facts)
    entry, is_view = CacheHit(format_.render(snippet).payload), not snippet.is_private
    return _shown(snippet_id, entry, CacheStatus.MISS, format_, facts, is_view=is_view)


def _shown(
    snippet_id: str,
    entry: CacheHit,
    cache: CacheStatus,
    format_: SnippetFormat,
    facts: RequestFacts,
    *,
    is_view: bool = True,
) -> Answer:
    try:
        headers, body = format_.show(entry.payload, facts)
    except ApiError as error:
        return format_.refuse(snippet_id, error, facts)
    if is_view and facts.method == "GET":
        count_view(snippet_id, facts)
    return Answer(200, headers + _CACHE_HEADERS[cache], body)


def count_view(snippet_id: str, facts: RequestFacts) -> None:
    """Count a view. Never blocks, never raises."""
    stream.view(snippet_id, facts.address, facts.headers.get(b"user-agent", b""))
