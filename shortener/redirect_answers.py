"""Responses to `/s/{key}`, `/s/{key}+` and, on SHORT_DOMAIN, `/{key}`.

A visit is a GET answered with a 302. HEAD and previews do not count; bots and prefetches get the
preview of a link with a visit limit. Browsers may not cache any response, because a link can end or
be revived at any time. While a watched destination is dead, a link with a notice shows it to
people, which is not a visit, and redirects programs; a link with `archive` redirects everybody to a
copy, if there is one (ADR 28).
"""

import json
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache, partial

import redis
from django.conf import settings

from analytics import stream
from foundation.database.thread_pool import in_thread
from foundation.database.unavailable import RETRY_AFTER
from foundation.http.answers import Answer, Headers, Read, RequestFacts, encode, facts_of_scope
from foundation.http.asgi import Scope, is_our_host, user_agent_of
from foundation.http.errors import envelope, with_request_id
from foundation.http.guess_limit import ROUTE as MISSES
from foundation.http.negotiation import prefers_html
from foundation.net.bots import is_bot
from foundation.valkey import metrics
from foundation.valkey.cache_aside import Gone, Missing
from foundation.valkey.rate_limit import admit_async
from shortener import link_cache, pages
from shortener.destinations import PREFIX
from shortener.link_cache import LinkRedirect
from shortener.local_cache import MAX_ENTRIES
from shortener.models import LinkState, Reason
from shortener.short_keys import looks_like_key

_NO_STORE = (b"cache-control", b"private, no-store")
_NO_REFERRER = (b"referrer-policy", b"no-referrer")
_CSP = (
    b"content-security-policy",
    b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self';"
    b" base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
)
_PAGE_HEADERS = [
    (b"content-type", b"text/html; charset=utf-8"),
    _CSP,
    (b"x-content-type-options", b"nosniff"),
    (b"x-robots-tag", b"noindex"),
    _NO_REFERRER,
]
_JSON_HEADERS = [(b"content-type", b"application/json")]


def short_link(scope: Scope) -> Read | None:
    """Return a function that answers this request; None if it is not for a short link."""
    facts = facts_of_scope(scope)
    name = name_of(scope["path"], facts.host)
    return None if name is None else partial(answer, name, facts)


def name_of(path: str, host: bytes) -> str | None:
    """Return the key of the path, with the `+` of a preview; None if it is not a short link."""
    if path.startswith(PREFIX):
        return path[len(PREFIX) :]
    if not settings.SHORT_DOMAIN or path.startswith(settings.STATIC_URL):
        return None
    return path[1:] if _is_short_domain(host) else None


def answer_from_memory(name: str, facts: RequestFacts) -> Answer | None:
    """Return the redirect of a locally cached link, and count the visit; otherwise None."""
    redirect = link_cache.LOCAL_CACHE.get(name)
    if (
        not isinstance(redirect, LinkRedirect)
        or facts.method != "GET"
        or not _is_served(facts.host)
    ):
        return None
    return _visit(name, redirect, facts)


async def answer(name: str, facts: RequestFacts) -> Answer:
    """Return the response to a request for `name`, a key or a key and `+`; count visits."""
    response = answer_from_memory(name, facts)
    if response is not None:
        metrics.count("cache_hits")
        return response
    if not _is_served(facts.host):
        return _refusal(facts, 400, "bad_request")
    if facts.method not in ("GET", "HEAD"):
        return _refusal(facts, 405, "method_not_allowed", [(b"allow", b"GET, HEAD")])
    key = name.removesuffix("+")
    if not looks_like_key(key):
        return _refusal(facts, 404, "not_found")
    try:
        return await _follow(key, facts, is_preview=name != key)
    except link_cache.DATABASE_ERRORS:
        retry = (b"retry-after", str(RETRY_AFTER).encode())
        return _refusal(facts, 503, "unavailable", [retry])


async def _follow(key: str, facts: RequestFacts, *, is_preview: bool) -> Answer:
    outcome = await link_cache.follow(key)
    if isinstance(outcome, Missing):
        return await _not_found(facts)
    if is_preview or (isinstance(outcome, LinkRedirect) and _would_waste_visit(outcome, facts)):
        return await _preview(key, facts)
    if link_cache.is_dead(outcome) and (_is_person(facts) or link_cache.wants_copy(outcome)):
        return await _notice_or_copy(key, outcome, facts)
    return await _redirect(key, outcome, facts)


async def _notice_or_copy(key: str, outcome: link_cache.Outcome, facts: RequestFacts) -> Answer:
    """Return the notice of a dead destination, which is not a visit, or redirect to a copy.

    Redirects to the destination if the database is unavailable, if the destination is no longer
    dead, and for programs if there is no copy.
    """
    dead = None
    with suppress(*link_cache.DATABASE_ERRORS):
        dead = await pages.dead_destination(key)
        if dead is None:  # the cache is out of date
            await in_thread(lambda: link_cache.forget([key]))
            outcome = await link_cache.follow(key)
    outcome = link_cache.judge_again(outcome)  # the database may have taken seconds
    if dead is not None and dead.copy and isinstance(outcome, LinkRedirect):
        response = await _redirect(key, replace(outcome, location=dead.copy), facts)
        if (b"location", dead.copy) in response.headers:
            response = Answer(response.status, [*response.headers, (b"link", dead.link)])
        return response
    if dead is None or not _is_person(facts):
        return await _redirect(key, outcome, facts)
    if facts.method == "GET":
        metrics.count("gone_pages")
    return _answer(200, [*_PAGE_HEADERS, _NO_STORE], dead.page)


async def _redirect(key: str, outcome: link_cache.Outcome, facts: RequestFacts) -> Answer:
    """Redirect, and count a visit unless the method is HEAD; or return an ended link's error."""
    is_visit = facts.method == "GET"
    if isinstance(outcome, LinkRedirect) and outcome.is_limited:
        outcome = await _within_limit(key, outcome, is_visit=is_visit)
    if isinstance(outcome, LinkRedirect):
        return _visit(key, outcome, facts) if is_visit else _redirect_to(outcome.location)
    return await _ended(key, outcome, facts)


def _visit(key: str, redirect: LinkRedirect, facts: RequestFacts) -> Answer:
    """Return the redirect, and count the visit. Never blocks, never raises."""
    get = facts.headers.get
    subject = stream.short_subject(key)
    stream.view(subject, facts.address, get(b"user-agent", b""), get(b"referer", b""))
    return _redirect_to(redirect.location)


@lru_cache(maxsize=MAX_ENTRIES)
def _redirect_to(location: bytes) -> Answer:
    return Answer(302, [(b"location", location), _NO_STORE])


async def _within_limit(key: str, redirect: LinkRedirect, *, is_visit: bool) -> link_cache.Outcome:
    """Use one visit of a link, or without `is_visit` only check that one is left.

    Returns the redirect, or the reason why the link has ended.
    """
    use_or_check = link_cache.use_one_visit if is_visit else link_cache.has_visits
    if await use_or_check(key):
        return redirect
    outcome = await link_cache.follow(key)  # the current state in the database
    if not isinstance(outcome, LinkRedirect):
        return outcome
    if not outcome.is_limited or await use_or_check(key):
        return outcome  # revived just now
    return Gone(LinkState.USED_UP)


async def _ended(key: str, outcome: Gone | Missing, facts: RequestFacts) -> Answer:
    if isinstance(outcome, Missing):
        return await _not_found(facts)
    return _refusal(facts, 410, outcome.reason, key=key)


async def _not_found(facts: RequestFacts) -> Answer:
    """Return 404, or 429 for a client that has requested too many keys that do not exist."""
    return await _refusal_over_limit(MISSES, facts) or _refusal(facts, 404, "not_found")


async def _preview(key: str, facts: RequestFacts) -> Answer:
    """Return the preview of a link, or 429 after too many."""
    if refusal := await _refusal_over_limit("GET preview", facts):
        return refusal
    shown = await pages.preview(key)
    if shown is None:  # deleted, or never created
        outcome = await link_cache.follow(key)
        if isinstance(outcome, LinkRedirect):
            return _redirect_to(outcome.location)
        return await _ended(key, outcome, facts)
    status = 200 if shown.is_active else 410
    if _wants_page(facts):
        return _answer(status, [*_PAGE_HEADERS, _NO_STORE], shown.page())
    return _answer(status, [*_JSON_HEADERS, _NO_STORE], json.dumps(shown.facts).encode())


async def _refusal_over_limit(route: str, facts: RequestFacts) -> Answer | None:
    """Count a preview or a miss; return a 429 after too many, otherwise None.

    Redirects have no limit. Without Redis, always returns None.
    """
    try:
        admission = await admit_async(route, facts.address)
    except redis.RedisError:
        return None
    if admission.admitted:
        return None
    return _refusal(facts, 429, "rate_limited", encode(admission.headers))


def _refusal(
    facts: RequestFacts, status: int, code: str, extra: Headers | None = None, *, key: str = ""
) -> Answer:
    """Return an error: a page for people, the API's envelope for programs."""
    if _wants_page(facts):
        body = pages.error_page(status, code, key=key if code != Reason.DELETED else "")
        headers = _PAGE_HEADERS
    else:
        body = json.dumps(with_request_id(envelope(code, pages.SENTENCES[code][0]))).encode()
        headers = _JSON_HEADERS
    return _answer(status, [*headers, *(extra or ()), _NO_STORE], body)


def _answer(status: int, headers: Headers, body: bytes) -> Answer:
    return Answer(status, [*headers, (b"vary", b"accept")], body)


def _would_waste_visit(redirect: LinkRedirect, facts: RequestFacts) -> bool:
    """Return whether this request, by a bot or a prefetch, would waste a limited visit."""
    if not redirect.is_limited:
        return False
    headers = facts.headers
    if b"prefetch" in headers.get(b"sec-purpose", headers.get(b"purpose", b"")):
        return True
    return is_bot(user_agent_of(headers))


def _wants_page(facts: RequestFacts) -> bool:
    return prefers_html(facts.headers.get(b"accept", b""))


def _is_person(facts: RequestFacts) -> bool:
    """Return whether the client looks like a person's browser: it wants HTML and is not a bot."""
    return _wants_page(facts) and not is_bot(user_agent_of(facts.headers))


def _is_served(host: bytes) -> bool:
    """Return whether this host name is one of ours."""
    return is_our_host(host, tuple(settings.ALLOWED_HOSTS)) or _is_short_domain(host)


def _is_short_domain(host: bytes) -> bool:
    """Return whether this is the host that serves only short links."""
    domain: bytes = settings.SHORT_DOMAIN.encode()
    return bool(domain) and host.lower() in (domain, domain + b":80", domain + b":443")
