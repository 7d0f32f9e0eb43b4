"""Plain reads of snippets as an ASGI callable, ahead of Django: the JSON and the raw text.

It takes requests that nothing needs to be known for but the address; all others are Django's, where
the same addresses give the same answers (the tests hold both to that).
"""

import json
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import NamedTuple

from django.conf import settings
from rest_framework.exceptions import APIException, Throttled
from rest_framework.renderers import JSONRenderer

from accounts.actors import sender_of
from analytics import stream
from foundation.database.clock import database_now
from foundation.database.thread_pool import in_thread
from foundation.http import cors
from foundation.http.asgi import Scope, Send, address_of, is_our_host
from foundation.http.client_address import client_address
from foundation.http.errors import ApiError, answered, error_body
from foundation.http.negotiation import LONGEST
from foundation.ids import id_pattern
from foundation.valkey import scripts
from foundation.valkey.cache_aside import Answer, Cache, Found, Gone
from foundation.valkey.rate_limit import Admission
from foundation.valkey.resp import Reply, Then
from snippets import reads
from snippets.models import Snippet

Header = tuple[bytes, bytes]
Headers = list[Header]

REPLY = "linkwatch.reply"  # in a scope: what Redis has said to `Wanted.ask`

_PATH = re.compile(f"/v1/snippets/({id_pattern('snippet')})(/raw)?")
_TARGET = re.compile(_PATH.pattern.encode())
# What DRF takes JSON or HTML for, in the order of its preference; whoever adds parameters asks it.
_TYPES = {
    "application/json": "JSON",
    "text/html": "HTML",
    "application/*": "JSON",
    "text/*": "HTML",
    "*/*": "JSON",
}


def encode(headers: Mapping[str, str]) -> Headers:
    """Return headers as ASGI takes them."""
    return [(name.lower().encode(), value.encode()) for name, value in headers.items()]


# What Django's middleware and DRF say on these answers.
_COMMON = {
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Content-Type": "application/json",
}


@dataclass(frozen=True, slots=True)
class Form:
    """One of the forms in which a snippet is answered."""

    route: str
    error_headers: Headers
    headers: Headers
    body: Callable[[bytes], bytes]  # from the entry's payload


def _form(route: str, body: Callable[[bytes], bytes], **headers: dict[str, str]) -> Form:
    told = _COMMON | headers["always"]
    found = told | headers.get("found", {})
    return Form(f"GET {route}", encode(told), encode(found), body)


def _content(payload: bytes) -> bytes:
    content: str = json.loads(payload)["content"]
    return content.encode()


_JSON = _form(
    "v1/snippets/<str:pk>",
    bytes,
    always={"Vary": "Accept, Cookie", "Allow": "GET, PATCH, DELETE, HEAD, OPTIONS"},
)
_RAW = _form(
    "v1/snippets/<str:pk>/raw",
    _content,
    always={"Vary": "Cookie", "Allow": "GET, HEAD, OPTIONS"},
    found=reads.RAW_HEADERS,
)


def plain_read(scope: Scope) -> Callable[[Send], Awaitable[None]] | None:
    """Return what answers this request; None for one that is left to Django."""
    path = _PATH.fullmatch(scope["path"])
    if path is None or scope["method"] not in ("GET", "HEAD"):
        return None
    headers = dict(scope["headers"])
    if len(headers) < len(scope["headers"]) or not is_plain(headers):
        return None
    form = _form_of(headers, is_raw=bool(path[2]))
    return None if form is None else partial(_answer, scope, headers, path[1], form)


class Wanted(NamedTuple):
    """A read of a snippet that Redis can answer alone, if it has the snippet."""

    snippet_id: str
    form: Form
    headers: Mapping[bytes, bytes]  # of the request
    address: str

    def ask(self, then: Then) -> None:
        """Ask Redis; `then` is told what `answer` takes."""
        reads.ask(self.snippet_id, then, route=self.form.route, address=self.address)

    def answer(self, reply: Reply) -> tuple[Headers, bytes] | None:
        """Return the headers and the body of the 200, with the view counted.

        None where Redis is not enough: then the request is for `plain_read`, with REPLY.
        """
        hit = reads.hit(reply)
        if hit is None:
            return None
        told, body = _found(self.form, hit.entry, Cache.HIT, hit.admission)
        _count(self.snippet_id, self.address, self.headers)
        told.append(_length(body))
        return cors.allowed(told, self.headers), body


def wanted(target: bytes, headers: Mapping[bytes, bytes], peer: str) -> Wanted | None:
    """Return the read that a plain GET of `target` is; None for one that `plain_read` has to judge.

    None also while Redis is out of reach.
    """
    path = _TARGET.fullmatch(target)
    if path is None or not scripts.BREAKER.is_closed or not is_plain(headers):
        return None
    form = _form_of(headers, is_raw=bool(path[2]))
    if form is None:
        return None
    forwarded_for = headers.get(b"x-forwarded-for", b"").decode("latin-1")
    return Wanted(path[1].decode(), form, headers, client_address(peer, forwarded_for))


def _form_of(headers: Mapping[bytes, bytes], *, is_raw: bool) -> Form | None:
    if is_raw:
        return _RAW
    return _JSON if _wants_plain_json(headers.get(b"accept", b"*/*")) else None


def is_plain(headers: Mapping[bytes, bytes]) -> bool:
    """Tell of a request whether there is no body, and a host that is ours."""
    if b"transfer-encoding" in headers or headers.get(b"content-length", b"0") != b"0":
        return False
    return is_our_host(headers.get(b"host", b""), tuple(settings.ALLOWED_HOSTS))


@lru_cache(maxsize=256)
def _wants_plain_json(accept: bytes) -> bool:
    if b";" in accept or len(accept) > LONGEST:
        return False
    types = {part.strip() for part in accept.decode("latin-1").lower().split(",")}
    return next((form for name, form in _TYPES.items() if name in types), "") == "JSON"


async def _answer(
    scope: Scope, headers: Mapping[bytes, bytes], snippet_id: str, form: Form, send: Send
) -> None:
    address = address_of(scope)
    is_get = scope["method"] == "GET"
    try:
        admission, answer = await reads.read(
            snippet_id, route=form.route, address=address, reply=scope.get(REPLY)
        )
    except reads.RefusedError as refused:
        limits = encode(refused.admission.headers)
        error = Throttled(refused.admission.reset)
        await send_error(send, error, [*form.error_headers, *limits], with_body=is_get)
        return
    try:
        seen = await _see(answer, snippet_id, scope["headers"])
    except ApiError as error:
        limits = encode({**(admission.headers if admission else {}), **error.headers})
        await send_error(send, error, [*form.error_headers, *limits], with_body=is_get)
        return
    told, body = _found(form, seen.entry, seen.cache, admission)
    if is_get and seen.is_view:
        _count(snippet_id, address, headers)
    await send_whole(send, 200, told, body, with_body=is_get)


class _Seen(NamedTuple):
    entry: Found
    cache: Cache = Cache.MISS
    is_view: bool = True  # if it is seen by a GET


async def _see(answer: Answer, snippet_id: str, headers: Headers) -> _Seen:
    """Return what whoever sends these headers is to see; raises ApiError where that is nothing."""
    if isinstance(answer.entry, Found):
        return _Seen(answer.entry, answer.cache)
    if answer.entry == reads.GUARDED:
        snippet = await in_thread(partial(look, snippet_id, headers))
        return _Seen(Found(reads.as_json(snippet).payload), is_view=not snippet.is_private)
    raise reads.expired() if isinstance(answer.entry, Gone) else reads.not_found()


def look(snippet_id: str, headers: Headers) -> Snippet:
    """Return a guarded snippet, which whoever sends these headers may see whole.

    Raises ApiError as `reads.get` does. To be run in a thread.
    """
    who = partial(sender_of, headers, package="snippets")
    return reads.get(snippet_id, now=database_now(), who=who)


def _count(snippet_id: str, address: str, headers: Mapping[bytes, bytes]) -> None:
    stream.view(snippet_id, address, headers.get(b"user-agent", b""))


def _found(
    form: Form, entry: Found, cache: Cache, admission: Admission | None
) -> tuple[Headers, bytes]:
    """Return the headers of a 200, all but its length, and the body."""
    limits = encode(admission.headers) if admission else []
    told = [*form.headers, *limits, *_CACHE_HEADERS[cache]]
    if not reads.is_public(entry.payload):
        told += _NOINDEX
    return told, form.body(entry.payload)


_NOINDEX = encode(reads.NOINDEX)
_CACHE_HEADERS = {cache: encode(reads.headers(cache)) for cache in Cache}


async def send_error(send: Send, error: APIException, headers: Headers, *, with_body: bool) -> None:
    """Send an error in the envelope."""
    body = JSONRenderer().render(answered(error_body(error)))
    await send_whole(send, error.status_code, headers, body, with_body=with_body)


async def send_whole(
    send: Send, status: int, headers: Iterable[tuple[bytes, bytes]], body: bytes, *, with_body: bool
) -> None:
    """Send an answer with its length; without its body to a HEAD."""
    told = [*headers, _length(body)]
    await send({"type": "http.response.start", "status": status, "headers": told})
    await send({"type": "http.response.body", "body": body if with_body else b""})


def _length(body: bytes) -> Header:
    return (b"content-length", b"%d" % len(body))
