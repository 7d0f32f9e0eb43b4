"""`/snippets/{id}`: a snippet for people. Rendered once per version; each GET is a view."""

import json
import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from typing import Any

import redis
from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError
from django.template.loader import render_to_string
from rest_framework.exceptions import MethodNotAllowed

from accounts.actors import Actor
from analytics import counters, stream
from foundation.database import away
from foundation.database.thread_pool import in_thread
from foundation.http.asgi import Scope, Send, address_of
from foundation.http.authentication import session_user
from foundation.http.csp import policy
from foundation.http.errors import ApiError
from foundation.ids import id_pattern
from foundation.valkey.cache_aside import Answer, Cache, Found, Gone
from snippets import reads, services
from snippets.asgi import Headers, encode, is_plain, look, send_error, send_whole
from snippets.highlighting import CodeHTML, TooBusy, TooHard, highlight, plain
from snippets.models import Snippet

logger = logging.getLogger(__name__)

_PATH = re.compile(r"/snippets/([^/]+)")
_ID = re.compile(id_pattern("snippet"))
_ROUTE = "GET snippets/<str:pk>"
_VIEWS = "<!--views-->"  # in the page: content is escaped and can't have it
_DETAILS = "<!--details-->"  # where who may change it is led on
_NO_IDS = ("new",)  # pages behind sign-in that are as long
_HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "private, no-store",  # a copy elsewhere would hide views
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
_SEALED = "must_be_revealed"
_NOTICES = {
    "not_found": (
        404,
        "There is no such snippet",
        "It may have been deleted, or the address is wrong.",
    ),
    "expired": (410, "This snippet has expired", "Its author chose how long it is kept."),
    "used_up": (
        410,
        "This snippet has been shown for the last time",
        "Its author chose how often it is shown; it is kept nowhere any more.",
    ),
    _SEALED: (
        200,
        "This snippet is shown a limited number of times",
        "Its text is not on this page, and opening this page uses nothing up.",
    ),
    "unavailable": (503, "Please try again in a moment", away.MESSAGE),
    "rate_limited": (429, "Too many requests", "Please wait a moment, then reload the page."),
}


def render(snippet: Snippet) -> reads.Rendering:
    """Return the page as JSON, but for what changes without the snippet: its views."""
    code = highlighted(snippet)
    page = {
        "html": render_to_string("snippets/page.html", context_of(snippet, code)),
        "headers": reads.robots(snippet),
        "is_private": snippet.is_private,
    }
    return reads.Rendering(json.dumps(page).encode(), lasting=not isinstance(code, TooBusy))


def context_of(snippet: Snippet, code: CodeHTML) -> dict[str, Any]:
    """Return what the page's template takes."""
    return {"snippet": snippet, "code": code, "digits": len(str(code.lines))}


def highlighted(snippet: Snippet) -> CodeHTML:
    """Return the content as HTML; whether it can be highlighted is found out once."""
    if snippet.stays_plain:
        return plain(snippet.content)
    code = highlight(snippet.content, snippet.language)
    if isinstance(code, TooHard):
        with suppress(DatabaseError):  # a full disk, say: the page is shown all the same
            services.keep_plain(snippet)
    return code


def page(scope: Scope) -> Callable[[Send], Awaitable[None]] | None:
    """Return what answers a request for a page; None for any other request."""
    path = _PATH.fullmatch(scope["path"])
    if path is None or path[1] in _NO_IDS:
        return None
    if scope["method"] not in ("GET", "HEAD"):
        return partial(_refuse, scope["method"])
    headers = dict(scope["headers"])
    if not is_plain(headers):
        return None
    if _ID.fullmatch(path[1]):
        return partial(_answer, scope, headers, path[1])
    return partial(_notice, scope, "not_found", {})


async def _answer(
    scope: Scope, headers: Mapping[bytes, bytes], snippet_id: str, send: Send
) -> None:
    address = address_of(scope)
    limits: Mapping[str, str] = {}
    try:
        admission, answer = await reads.read_page(snippet_id, render, route=_ROUTE, address=address)
        limits = admission.headers if admission else {}
        page = await _see(answer, snippet_id, scope["headers"])
    except reads.RefusedError as refused:
        await _notice(scope, "rate_limited", refused.admission.headers, send)
        return
    except ApiError as error:
        told = {**limits, **error.headers}
        await _notice(scope, error.code, told, send, snippet_id=snippet_id)
        return
    except (OperationalError, InterfaceError) as error:
        if not away.is_away(error):
            raise
        logger.exception("The page of %s can't be loaded", snippet_id)
        await _notice(scope, "unavailable", {"Retry-After": str(away.RETRY_AFTER)}, send)
        return
    html, told = page["html"], {**limits, **page["headers"]}
    cookies = headers.get(b"cookie", b"").decode("latin-1")
    if settings.SESSION_COOKIE_NAME in cookies and await in_thread(
        partial(_may_change, snippet_id, cookies)
    ):
        link = f'<a class="button" href="/snippets/{snippet_id}/details">Edit</a>'
        html = html.replace(_DETAILS, link, 1)
    if not page["is_private"]:
        html = html.replace(_VIEWS, await _views(snippet_id), 1)
        if scope["method"] == "GET":
            stream.view(snippet_id, address, headers.get(b"user-agent", b""))
    await _send(scope, 200, told, html, send)


def _may_change(snippet_id: str, cookies: str) -> bool:
    """Tell whether whoever has this session may change the snippet; no while nobody can tell."""
    try:
        user = session_user(cookies)
        if not (user.is_active and user.has_perm("snippets.change_snippet")):
            return False
        return Snippet.objects.reached_by(Actor(user)).filter(pk=snippet_id).exists()
    except DatabaseError:  # the page itself came from elsewhere
        return False


async def _see(answer: Answer, snippet_id: str, headers: Headers) -> dict[str, Any]:
    """Return the page that whoever sends these headers is to see; raises ApiError for none."""
    if isinstance(answer.entry, Found):
        payload, cache = answer.entry.payload, answer.cache
    elif answer.entry == reads.GUARDED:
        cache = Cache.MISS
        payload = await in_thread(lambda: render(look(snippet_id, headers)).payload)
    else:
        raise reads.expired() if isinstance(answer.entry, Gone) else reads.not_found()
    page: dict[str, Any] = json.loads(payload)
    page["headers"]["X-Cache"] = cache.value
    return page


async def _refuse(method: str, send: Send) -> None:
    """Say that a page can only be looked at; the body of such a request is not read."""
    told = {"Content-Type": "application/json", "Allow": "GET, HEAD", "Connection": "close"}
    await send_error(send, MethodNotAllowed(method), encode(told), with_body=True)


async def _views(snippet_id: str) -> str:
    """Return the views so far, this one not among them; unknown while Redis is away."""
    try:
        return f"{(await counters.atotals([snippet_id]))[snippet_id]:,}"
    except redis.RedisError:
        return "\N{EN DASH}"


async def _notice(
    scope: Scope, code: str, headers: Mapping[str, str], send: Send, *, snippet_id: str = ""
) -> None:
    """Say why there is no snippet to see, or ask whether it is to be."""
    status, html = notice(code, snippet_id=snippet_id)
    forms = "'self'" if code == _SEALED else "'none'"
    await _send(scope, status, headers, html, send, forms=forms)


def notice(code: str, *, snippet_id: str = "") -> tuple[int, str]:
    """Return the status and the page of an error of `reads`."""
    status, heading, sentence = _NOTICES[code]
    phrase = f"{status} {HTTPStatus(status).phrase}" if status >= 400 else ""
    context = {"heading": heading, "sentence": sentence, "status": phrase, "id": snippet_id}
    template = "snippets/sealed.html" if code == _SEALED else "linkwatch/notice.html"
    return status, render_to_string(template, context)


async def _send(
    scope: Scope,
    status: int,
    headers: Mapping[str, str],
    html: str,
    send: Send,
    *,
    forms: str = "'none'",
) -> None:
    host = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
    told = _HEADERS | {"Content-Security-Policy": policy(host, forms=forms)} | dict(headers)
    with_body = scope["method"] == "GET"
    await send_whole(send, status, encode(told), html.encode(), with_body=with_body)
