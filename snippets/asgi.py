"""Plain reads of snippets as an ASGI callable, ahead of Django: the JSON and the raw text.

It takes requests that nothing needs to be known for but the address; all others are Django's, where
the same addresses give the same answers (the tests hold both to that).
"""

import json
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial

from django.conf import settings
from rest_framework.exceptions import APIException, Throttled
from rest_framework.renderers import JSONRenderer

from analytics import stream
from foundation.http.asgi import Scope, Send, address_of, is_our_host
from foundation.http.errors import error_body
from foundation.ids import id_pattern
from foundation.valkey.cache_aside import Found, Gone
from snippets import reads

Headers = list[tuple[bytes, bytes]]

_PATH = re.compile(f"/v1/snippets/({id_pattern('snippet')})(/raw)?")
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
    if path[2]:
        return partial(_answer, scope, headers, path[1], _RAW)
    if _wants_plain_json(headers.get(b"accept", b"*/*")):
        return partial(_answer, scope, headers, path[1], _JSON)
    return None


def is_plain(headers: Mapping[bytes, bytes]) -> bool:
    """Tell of a request whether there is no body, and a host that is ours."""
    if b"transfer-encoding" in headers or headers.get(b"content-length", b"0") != b"0":
        return False
    return is_our_host(headers.get(b"host", b""), tuple(settings.ALLOWED_HOSTS))


@lru_cache(maxsize=256)
def _wants_plain_json(accept: bytes) -> bool:
    if b";" in accept:
        return False
    types = {part.strip() for part in accept.decode("latin-1").lower().split(",")}
    return next((form for name, form in _TYPES.items() if name in types), "") == "JSON"


async def _answer(
    scope: Scope, headers: Mapping[bytes, bytes], snippet_id: str, form: Form, send: Send
) -> None:
    address = address_of(scope)
    is_get = scope["method"] == "GET"
    try:
        admission, answer = await reads.read(snippet_id, route=form.route, address=address)
    except reads.RefusedError as refused:
        limits = encode(refused.admission.headers)
        error: APIException = Throttled(refused.admission.reset)
        await send_error(send, error, [*form.error_headers, *limits], with_body=is_get)
        return
    limits = encode(admission.headers) if admission else []
    if not isinstance(answer.entry, Found):
        error = reads.expired() if isinstance(answer.entry, Gone) else reads.not_found()
        await send_error(send, error, [*form.error_headers, *limits], with_body=is_get)
        return
    if is_get:
        stream.view(snippet_id, address, headers.get(b"user-agent", b""))
    told = [*form.headers, *limits, *encode(reads.headers(answer.cache))]
    await send_whole(send, 200, told, form.body(answer.entry.payload), with_body=is_get)


async def send_error(send: Send, error: APIException, headers: Headers, *, with_body: bool) -> None:
    """Send an error in the envelope."""
    body = JSONRenderer().render(error_body(error))
    await send_whole(send, error.status_code, headers, body, with_body=with_body)


async def send_whole(
    send: Send, status: int, headers: Iterable[tuple[bytes, bytes]], body: bytes, *, with_body: bool
) -> None:
    """Send an answer with its length; without its body to a HEAD."""
    told = [*headers, (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": told})
    await send({"type": "http.response.body", "body": body if with_body else b""})
