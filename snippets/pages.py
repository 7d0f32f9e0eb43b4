"""`/snippets/{id}`: the page of a snippet, cached unless the snippet is private or sealed.

`/snippets/{id}/embed` shows the text of a public snippet in a frame, from the same cache entry.
Each GET is a view, except of a private snippet.
"""

import json
import logging
import re
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

import redis
from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError
from django.template.loader import render_to_string
from rest_framework.exceptions import APIException, MethodNotAllowed, Throttled
from rest_framework.renderers import JSONRenderer

from accounts.actors import Actor
from accounts.authentication import user_of_cookies
from analytics import view_metrics
from foundation.database import unavailable
from foundation.database.thread_pool import in_thread
from foundation.http.answers import Answer, Headers, Read, RequestFacts, encode, facts_of_scope
from foundation.http.asgi import Scope
from foundation.http.csp import policy
from foundation.http.errors import error_body, with_request_id
from foundation.ids import id_pattern
from snippets import read_answers, services, snippet_cache
from snippets.highlighting import CodeHTML, TooBusy, TooHard, highlight, plain
from snippets.models import Snippet, Visibility

logger = logging.getLogger(__name__)

_PATH = re.compile(r"/snippets/([^/]+)(/embed)?")
_ID = re.compile(id_pattern("snippet"))
_RESERVED = ("new",)  # a page behind sign-in
_VIEWS = b"<!--views-->"  # a placeholder; escaped content can't contain it
_DETAILS = b"<!--details-->"  # a placeholder for a link, for users who may change the snippet
_CODE = "<!--code-->"  # a placeholder in the framed page for this part of the page:
_CODE_IN_PAGE = re.compile(r"<pre .*</pre>", re.DOTALL)
_EMBED_HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
_HEADERS = _EMBED_HEADERS | {"X-Frame-Options": "DENY"}
# Any site may frame this page. It runs no scripts and loads only a style sheet and its fonts.
_EMBED_POLICY = (
    "default-src 'none'; style-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors *"
)
_SEALED = "must_be_revealed"
_NOTICES = {
    "not_found": (
        404,
        "There is no such snippet",
        "It may have been deleted, or the address is wrong.",
    ),
    "expired": (410, "This snippet has expired", "Its author set an expiry date."),
    "used_up": (
        410,
        "This snippet has reached its view limit",
        "Its text was deleted after the last permitted view.",
    ),
    _SEALED: (
        200,
        "This snippet has a view limit",
        "Opening this page does not count as a view.",
    ),
    "unavailable": (503, "Temporarily unavailable", unavailable.MESSAGE),
    "rate_limited": (429, "Too many requests", "Please wait a moment, then reload the page."),
}


def render(snippet: Snippet) -> snippet_cache.SnippetRendering:
    """Return the page as JSON, without the number of views, which changes independently."""
    code = highlight_snippet(snippet)
    context = context_of(snippet, code)
    page = {
        "html": render_to_string("snippets/page.html", context),
        # The framed page without the code; empty if the snippet can't be embedded.
        "embed": render_to_string("snippets/embed.html", context) if context["oembed"] else "",
        "headers": snippet_cache.robots_headers(snippet),
        # 0.2.0 reads the same key; remove this in 0.4.0.
        "is_private": snippet.is_private,
    }
    return snippet_cache.SnippetRendering(
        json.dumps(page).encode(), lasting=not isinstance(code, TooBusy)
    )


def context_of(snippet: Snippet, code: CodeHTML) -> dict[str, Any]:
    """Return the context of the page's template."""
    digits = len(str(code.lines))
    return {"snippet": snippet, "code": code, "digits": digits, "oembed": oembed_of(snippet)}


def oembed_of(snippet: Snippet) -> str:
    """Return the oEmbed URL of a snippet; empty if it can't be embedded."""
    if snippet.visibility != Visibility.PUBLIC or snippet.is_guarded:
        return ""
    query = urlencode({"url": f"{settings.BASE_URL}/snippets/{snippet.pk}", "format": "json"})
    return f"{settings.BASE_URL}/oembed?{query}"


def highlight_snippet(snippet: Snippet) -> CodeHTML:
    """Return the content as HTML; if it is too hard to highlight, record that in the database."""
    if snippet.stays_plain:
        return plain(snippet.content)
    code = highlight(snippet.content, snippet.language)
    if isinstance(code, TooHard):
        with suppress(DatabaseError):  # such as a full disk: show the page anyway
            services.keep_plain(snippet)
    return code


def page(scope: Scope) -> Read | None:
    """Return the read that answers a request for a page; None for requests that Django handles."""
    path = _PATH.fullmatch(scope["path"])
    if path is None or path[1] in _RESERVED:
        return None
    facts = facts_of_scope(scope)
    if facts.method not in ("GET", "HEAD"):
        return partial(_method_not_allowed, facts)
    if not read_answers.is_plain(facts):
        return None
    if not _ID.fullmatch(path[1]):
        return partial(_no_such_snippet, facts)
    if path[2]:
        return partial(_read, path[1], EMBED, facts)
    return partial(_answer, path[1], facts)


async def _answer(snippet_id: str, facts: RequestFacts) -> Answer:
    """Return the page for people, with the number of earlier views; a GET counts as a view."""
    views = await _views(snippet_id)  # without this view
    result = await _read(snippet_id, PAGE, facts)
    if _DETAILS in result.body and await _may_change(snippet_id, facts):
        link = f'<a class="button" href="/snippets/{snippet_id}/details">Edit</a>'
        result.body = result.body.replace(_DETAILS, link.encode(), 1)
    result.body = result.body.replace(_VIEWS, views.encode(), 1)
    return result


async def _read(
    snippet_id: str, format_: read_answers.SnippetFormat, facts: RequestFacts
) -> Answer:
    """Like `read_answers.answer`, but returns a 503 if the database is unavailable."""
    try:
        return await read_answers.answer(snippet_id, format_, facts)
    except (OperationalError, InterfaceError) as error:
        if not unavailable.is_outage(error):
            raise
        logger.exception("The page of %s can't be loaded", snippet_id)
        return _notice("unavailable", facts, {"Retry-After": str(unavailable.RETRY_AFTER)})


async def _no_such_snippet(facts: RequestFacts) -> Answer:
    return _notice("not_found", facts)


async def _method_not_allowed(facts: RequestFacts) -> Answer:
    """Reject writes to a read-only page without reading the body."""
    headers = {"Content-Type": "application/json", "Allow": "GET, HEAD", "Connection": "close"}
    error = MethodNotAllowed(facts.method)
    body = JSONRenderer().render(with_request_id(error_body(error)))
    return Answer(error.status_code, encode(headers), body)


async def _may_change(snippet_id: str, facts: RequestFacts) -> bool:
    cookies = facts.headers.get(b"cookie", b"").decode("latin-1")
    if settings.SESSION_COOKIE_NAME not in cookies:
        return False
    return await in_thread(partial(_session_may_change, snippet_id, cookies))


def _session_may_change(snippet_id: str, cookies: str) -> bool:
    """Return whether the user of this session may change the snippet; False if unknown."""
    try:
        user = user_of_cookies(cookies)
        if not (user.is_active and user.has_perm("snippets.change_snippet")):
            return False
        return (
            Snippet.objects.visible_to(Actor(user), to_change=True).filter(pk=snippet_id).exists()
        )
    except DatabaseError:  # the page itself does not need the database
        return False


async def _views(snippet_id: str) -> str:
    """Return the number of views so far, as text; a dash if it is unavailable."""
    try:
        return f"{(await view_metrics.atotals([snippet_id]))[snippet_id]:,}"
    except (redis.RedisError, OperationalError, InterfaceError):
        return "\N{EN DASH}"


def notice(code: str, *, snippet_id: str = "") -> tuple[int, str]:
    """Return the status and the page for the code of an error, or for a sealed snippet."""
    status, heading, sentence = _NOTICES[code]
    phrase = f"{status} {HTTPStatus(status).phrase}" if status >= 400 else ""
    context = {"heading": heading, "sentence": sentence, "status": phrase, "id": snippet_id}
    template = "snippets/reveal.html" if code == _SEALED else "linkwatch/notice.html"
    return status, render_to_string(template, context)


def _notice(
    code: str, facts: RequestFacts, headers: Mapping[str, str] | None = None, *, id_: str = ""
) -> Answer:
    """Return the page that says why the snippet can't be shown, or asks whether to reveal it."""
    status, html = notice(code, snippet_id=id_)
    forms = "'self'" if code == _SEALED else "'none'"
    all_headers = snippet_cache.NO_STORE | dict(headers or {})
    return Answer(status, _headers(facts, all_headers, forms=forms), html.encode())


def _headers(facts: RequestFacts, extra: Mapping[str, str], *, forms: str = "'none'") -> Headers:
    csp = policy(facts.host.decode("latin-1"), form_action=forms)
    return encode(_HEADERS | {"Content-Security-Policy": csp} | dict(extra))


def _show(payload: bytes, facts: RequestFacts) -> tuple[Headers, bytes]:
    page = json.loads(payload)
    return _headers(facts, page["headers"]), page["html"].encode()


def _show_embed(payload: bytes, _facts: RequestFacts) -> tuple[Headers, bytes]:
    page = json.loads(payload)
    if not page.get("embed"):  # missing in entries that 0.2.0 has written
        raise snippet_cache.not_found()
    [code] = _CODE_IN_PAGE.findall(page["html"])
    headers = encode(_EMBED_HEADERS | {"Content-Security-Policy": _EMBED_POLICY})
    return headers, page["embed"].replace(_CODE, code, 1).encode()


def _refuse(snippet_id: str, error: APIException, facts: RequestFacts) -> Answer:
    code = error_body(error)["code"]
    return _notice(code, facts, getattr(error, "headers", {}), id_=snippet_id)


def _refuse_embed(snippet_id: str, error: APIException, facts: RequestFacts) -> Answer:
    """Return 404 even for a snippet that exists, unless the client must wait."""
    refusal = error if isinstance(error, Throttled) else snippet_cache.not_found()
    return _refuse(snippet_id, refusal, facts)


PAGE = read_answers.SnippetFormat(
    route="GET snippets/<str:pk>",
    key=snippet_cache.page_key,
    render=render,
    show=_show,
    refuse=_refuse,
)
EMBED = read_answers.SnippetFormat(
    route="GET snippets/<str:pk>/embed",
    key=snippet_cache.page_key,
    render=render,
    show=_show_embed,
    refuse=_refuse_embed,
)
