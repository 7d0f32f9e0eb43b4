"""`/s/{key}`, `/s/{key}+` and, on SHORT_DOMAIN, `/{key}`: answered ahead of Django.

A visit is a GET that is answered 302. HEAD, previews and bots on a link with few visits are none.
Nothing here may be kept by a browser: a link can end, or be revived, at any moment. While a watched
destination is dead people get a page first, which is no visit; programs are led on (ADR 28).
"""

import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import lru_cache, partial

import redis
from django.conf import settings

from analytics import stream
from foundation.database.away import RETRY_AFTER
from foundation.database.thread_pool import in_thread
from foundation.http.asgi import Scope, Send, address_of, agent_of, is_our_host
from foundation.http.client_address import client_address
from foundation.http.errors import answered, envelope
from foundation.http.misses import ROUTE as MISSES
from foundation.http.negotiation import prefers_html
from foundation.net.bots import is_bot
from foundation.valkey import metrics
from foundation.valkey.cache_aside import Gone, Missing
from foundation.valkey.rate_limit import admit_soon
from shortener import pages, reads
from shortener.codes import looks_like_key
from shortener.destinations import PREFIX
from shortener.models import LinkState, Reason
from shortener.nearby import LIMIT
from shortener.reads import Leads

Headers = Mapping[bytes, bytes]
Header = tuple[bytes, bytes]

_NO_STORE = (b"cache-control", b"private, no-store")
_LENGTH_0 = (b"content-length", b"0")
_NO_REFERRER = (b"referrer-policy", b"no-referrer")
_CSP = (
    b"content-security-policy",
    b"default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none';"
    b" frame-ancestors 'none'",
)
_PAGE_HEADERS = [
    (b"content-type", b"text/html; charset=utf-8"),
    _CSP,
    (b"x-content-type-options", b"nosniff"),
    (b"x-robots-tag", b"noindex"),
]
_JSON_HEADERS = [(b"content-type", b"application/json")]


def short_link(scope: Scope) -> Callable[[Send], Awaitable[None]] | None:
    """Return what answers this request; None for one that is not for a short link.

    It is one by its path, or by the host that it asks for.
    """
    headers: Headers = dict(scope["headers"])
    name = _name(scope["path"], headers)
    return None if name is None else partial(_answer, scope, headers, name)


def at_once(target: bytes, headers: Headers, peer: str) -> bytes | None:
    """Answer a plain GET of `target` that is a visit of a link in this process's memory.

    Returns the lines of a 302's headers and the empty one behind them; the visit is counted. None
    for all other requests: `short_link` answers them, and would answer this one alike.
    """
    path, _, query = target.partition(b"?")
    name = _name(path.decode("latin-1"), headers)
    leads = None if name is None else reads.NEARBY.get(name)
    if name is None or not isinstance(leads, Leads):
        return None
    if not _is_served(headers.get(b"host", b"")) or not query.isascii():
        return None
    forwarded_for = headers.get(b"x-forwarded-for", b"").decode("latin-1")
    _count(name, client_address(peer, forwarded_for), headers)
    return _lines(leads)


@lru_cache(maxsize=LIMIT)
def _lines(leads: Leads) -> bytes:
    return b"".join(b"%b: %b\r\n" % header for header in _leading(leads)) + b"\r\n"


def _name(path: str, headers: Headers) -> str | None:
    """Return what is asked for, a key or a key and `+`; None where it is no short link."""
    if path.startswith(PREFIX):
        return path[len(PREFIX) :]
    if not settings.SHORT_DOMAIN or path.startswith(settings.STATIC_URL):
        return None
    return path[1:] if is_short_domain(headers.get(b"host", b"")) else None


async def _answer(scope: Scope, headers: Headers, name: str, send: Send) -> None:
    """Answer a request for `name`: a key, or a key and `+`."""
    if not _is_served(headers.get(b"host", b"")):
        await _refuse(send, headers, 400, "bad_request")
    elif scope["method"] not in ("GET", "HEAD"):
        await _refuse(send, headers, 405, "method_not_allowed", [(b"allow", b"GET, HEAD")])
    elif not looks_like_key(key := name.removesuffix("+")):
        await _refuse(send, headers, 404, "not_found")
    else:
        try:
            await _lead(scope, headers, key, send, show=name != key)
        except reads.AWAY:
            retry = (b"retry-after", str(RETRY_AFTER).encode())
            await _refuse(send, headers, 503, "unavailable", [retry])


async def _lead(scope: Scope, headers: Headers, key: str, send: Send, *, show: bool) -> None:
    """Lead on to where `key` leads, or say why not; `show`: do not lead on, but say where to."""
    outcome = await reads.follow(key)
    if isinstance(outcome, Missing):
        await _miss(scope, headers, send)
    elif show or (isinstance(outcome, Leads) and _only_looks(outcome, headers)):
        await _preview(scope, headers, key, send)
    elif reads.is_gone(outcome) and _is_person(headers):
        await _warn(scope, headers, key, outcome, send)
    else:
        await _redirect(scope, headers, key, outcome, send)


async def _warn(
    scope: Scope, headers: Headers, key: str, outcome: reads.Outcome, send: Send
) -> None:
    """Tell a person that the destination is dead, which uses up nothing and is no visit.

    Without the database to say so, or if it says otherwise, lead on as for everybody.
    """
    page = None
    with suppress(*reads.AWAY):
        page = await pages.gone(key)
        if page is None:  # what is cached is not so any more
            await in_thread(lambda: reads.forget([key]))
            outcome = await reads.follow(key)
    if page is None:
        await _redirect(scope, headers, key, outcome, send)
        return
    await _send(send, 200, [*_PAGE_HEADERS, _NO_STORE, _NO_REFERRER], page)
    if scope["method"] == "GET":
        metrics.count("gone_pages")


async def _redirect(
    scope: Scope, headers: Headers, key: str, outcome: reads.Outcome, send: Send
) -> None:
    """Answer a visit and count it; or a HEAD, which is none; or say why it leads nowhere."""
    is_visit = scope["method"] == "GET"
    if isinstance(outcome, Leads) and outcome.is_limited:
        take = reads.use_one_visit if is_visit else reads.has_visits
        outcome = await _within_limit(key, outcome, take)
    await _tell(scope, headers, key, outcome, send)
    if is_visit and isinstance(outcome, Leads):
        _count(key, address_of(scope), headers)


def _count(key: str, address: str, headers: Headers) -> None:
    """Say that somebody was led on. Never blocks, never fails."""
    get = headers.get
    subject = stream.short_subject(key)
    stream.view(subject, address, get(b"user-agent", b""), get(b"referer", b""))


async def _within_limit(
    key: str, leads: Leads, take: Callable[[str], Awaitable[bool]]
) -> reads.Outcome:
    """Take one of a link's visits; returns where it leads then, or why it does not any more."""
    if await take(key):
        return leads
    outcome = await reads.follow(key)  # as it stands in the database now
    if not isinstance(outcome, Leads):
        return outcome
    if not outcome.is_limited or await take(key):
        return outcome  # revived just now
    return Gone(LinkState.USED_UP)


def _only_looks(leads: Leads, headers: Headers) -> bool:
    """Whether this is a machine that would use up a visit of a link with few, for nobody."""
    if not leads.is_limited:
        return False
    if b"prefetch" in headers.get(b"sec-purpose", headers.get(b"purpose", b"")):
        return True
    return is_bot(agent_of(headers))


async def _tell(
    scope: Scope, headers: Headers, key: str, outcome: reads.Outcome, send: Send
) -> None:
    """Say where the link leads, or why it leads nowhere."""
    if isinstance(outcome, Leads):
        await _send(send, 302, _leading(outcome), b"")
    elif isinstance(outcome, Gone):
        await _refuse(send, headers, 410, outcome.reason, key=key)
    else:
        await _miss(scope, headers, send)


async def _miss(scope: Scope, headers: Headers, send: Send) -> None:
    """Answer 404, or 429 to a client that has asked for too many keys that do not exist."""
    if await _is_admitted(MISSES, scope, headers, send):
        await _refuse(send, headers, 404, "not_found")


def _leading(leads: Leads) -> list[Header]:
    return [(b"location", leads.location), _NO_STORE, _LENGTH_0]


async def _preview(scope: Scope, headers: Headers, key: str, send: Send) -> None:
    """Say what there is to be said of the link without going where it leads."""
    if not await _is_admitted("GET preview", scope, headers, send):
        return
    shown = await pages.preview(key)
    if shown is None:  # deleted, just now or long ago
        await _tell(scope, headers, key, await reads.follow(key), send)
        return
    status = 200 if shown.leads else 410
    if _wants_page(headers):
        page = shown.page()
        await _send(send, status, [*_PAGE_HEADERS, _NO_STORE, _NO_REFERRER], page)
    else:
        await _send(send, status, [*_JSON_HEADERS, _NO_STORE], json.dumps(shown.facts).encode())


async def _is_admitted(route: str, scope: Scope, headers: Headers, send: Send) -> bool:
    """Count a preview or a miss; answers 429 itself after too many, and returns False.

    Redirects are never counted: no client is refused one.
    """
    try:
        limits = await admit_soon(route, address_of(scope))
    except redis.RedisError:
        return True
    if not limits.admitted:
        named = [(name.lower().encode(), value.encode()) for name, value in limits.headers.items()]
        await _refuse(send, headers, 429, "rate_limited", named)
    return limits.admitted


async def _refuse(
    send: Send,
    headers: Headers,
    status: int,
    code: str,
    more: list[Header] | None = None,
    *,
    key: str = "",
) -> None:
    """Send an error: as a page to people, in the API's envelope to programs."""
    if _wants_page(headers):
        body = pages.notice(status, code, key=key if code != Reason.DELETED else "")
        shape = [*_PAGE_HEADERS, _NO_REFERRER]
    else:
        body = json.dumps(answered(envelope(code, pages.SENTENCES[code][0]))).encode()
        shape = _JSON_HEADERS
    await _send(send, status, [*shape, *(more or ()), _NO_STORE], body)


async def _send(send: Send, status: int, headers: list[Header], body: bytes) -> None:
    """Send an answer; the server leaves out the body of an answer to HEAD."""
    if body:
        headers = [*headers, (b"vary", b"accept"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _wants_page(headers: Headers) -> bool:
    return prefers_html(headers.get(b"accept", b""))


def _is_person(headers: Headers) -> bool:
    """Whether somebody will read what we say; a crawler that wants pages wants those of others."""
    return _wants_page(headers) and not is_bot(agent_of(headers))


def _is_served(host: bytes) -> bool:
    """Whether this host name is one of ours."""
    return is_our_host(host, tuple(settings.ALLOWED_HOSTS)) or is_short_domain(host)


def is_short_domain(host: bytes) -> bool:
    """Tell whether this is the host that serves short links and nothing else."""
    domain: bytes = settings.SHORT_DOMAIN.encode()
    return bool(domain) and host.lower() in (domain, domain + b":80", domain + b":443")
