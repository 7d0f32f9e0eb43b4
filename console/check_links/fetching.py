"""Fetches the page whose links are to be checked: politely, and through the network guard."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from html import escape
from typing import NamedTuple
from urllib.parse import urljoin

from django.conf import settings

from checker.engine.charset import decode
from foundation.database.clock import database_now
from foundation.files.lists import UnreadableFileError
from foundation.net.client import FAILURES, LOCATION, Reply, guarded_client, send_request
from foundation.net.egress import egress_proxy, guard_of
from foundation.net.guard import ForbiddenAddressError, Guard
from foundation.net.inflate import inflate
from hosts import reservations
from hosts.models import Purpose
from hosts.reservations import Busy, Lease
from linkwatch_client.extraction.html_pages import base_of
from targets.canonical import InvalidURLError, canonicalize, url_to_fetch

MAX_BYTES = 2 * 1024 * 1024  # of a page, before and after decompression; the rest is cut off
_TIMEOUT = 15.0  # seconds for all requests and waits, during which a thread is in use
_MAX_REQUESTS = 5  # including redirects
_LEASE = timedelta(seconds=20)  # longer than _TIMEOUT
_MAX_WAIT = 5.0  # seconds to wait for one host's delay
_HEADERS = {"Accept": "text/html,text/markdown,text/plain;q=0.8", "Accept-Encoding": "gzip"}
_CONTENT_TYPES = ("text/", "application/xhtml+xml")


class LinkSource(NamedTuple):
    """The text of a page in UTF-8. HTML has an absolute `<base>` for its relative links."""

    content: bytes
    is_html: bool
    is_whole: bool  # otherwise the page is larger than MAX_BYTES, or the connection was lost


def fetch_page(url: str, *, is_open: bool) -> LinkSource:
    """Return the page at this URL, following redirects, within _TIMEOUT.

    `is_open`: pages in ALLOW_NETWORKS may be fetched. Each request reserves its host, as a check
    does. Raises UnreadableFileError with a sentence for people.
    """
    guard = guard_of(is_open=is_open)
    deadline = time.monotonic() + _TIMEOUT
    lease: Lease | None = None
    with ExitStack() as leases:  # at most one at a time
        for _ in range(_MAX_REQUESTS):
            url, host = _check_url(url, guard)
            if lease is not None and lease.host == host:
                _wait_for_own_delay(lease, deadline)
            else:
                leases.close()
                lease = leases.enter_context(_reserve(host, deadline))
            reply = _request(url, guard, within=deadline - time.monotonic())
            if not (300 <= reply.status < 400 and LOCATION in reply.headers):
                return _read(reply, url)
            try:
                url = urljoin(url, reply.headers[LOCATION][:8192])
            except ValueError:
                raise UnreadableFileError("The page redirects to an invalid URL.") from None
    raise UnreadableFileError("The page redirects too many times.")


def _check_url(url: str, guard: Guard) -> tuple[str, str]:
    """Return the URL to request and the host to reserve; raises UnreadableFileError."""
    try:
        canonical = canonicalize(url)
        guard.check_literal(canonical.host, port=canonical.port)
    except (InvalidURLError, ForbiddenAddressError) as error:
        raise UnreadableFileError(str(error)) from None
    return url_to_fetch(url), canonical.host


@contextmanager
def _reserve(host: str, deadline: float) -> Iterator[Lease]:
    lease = _lease(host, deadline)
    try:
        yield lease
    finally:
        reservations.release({lease.token: None}, delay=settings.HOST_DELAY, now=database_now())


def _lease(host: str, deadline: float) -> Lease:
    """Lease the host, after its delay if that ends within _MAX_WAIT and before `deadline`."""
    deadline = min(deadline, time.monotonic() + _MAX_WAIT)
    while True:
        now = database_now()
        try:
            return reservations.reserve_host(host, purpose=Purpose.FETCH, ttl=_LEASE, now=now)
        except Busy as busy:
            pause = (busy.retry_at - now).total_seconds()
            if busy.is_leased or pause > deadline - time.monotonic():
                raise _busy(host) from None
            time.sleep(pause)


def _wait_for_own_delay(lease: Lease, deadline: float) -> None:
    """Wait before a redirect within a leased host, as checks do: only for the host's own delay.

    Raises UnreadableFileError if that is too long, or if the host was paused since.
    """
    terms = reservations.read_terms([lease.token]).get(lease.token)
    if terms is None or terms.not_before > database_now():
        raise _busy(lease.host)
    pause = (terms.delay or timedelta(0)).total_seconds()
    if pause > min(_MAX_WAIT, deadline - time.monotonic()):
        raise _busy(lease.host)
    time.sleep(pause)


def _busy(host: str) -> UnreadableFileError:
    return UnreadableFileError(
        f"Linkwatch can't request pages from {host} right now. Try again later."
    )


def _request(url: str, guard: Guard, *, within: float) -> Reply:
    async def get() -> Reply:
        headers = {**_HEADERS, "User-Agent": settings.USER_AGENT}
        async with guarded_client(guard, proxy=egress_proxy()) as client:
            return await send_request(
                client, "GET", url, headers=headers, body=b"", limit=MAX_BYTES, within=within
            )

    try:
        return asyncio.run(get())
    except ForbiddenAddressError as error:
        raise UnreadableFileError(str(error)) from None
    except FAILURES:
        raise UnreadableFileError(
            "The page could not be fetched. Check its address, or paste its text."
        ) from None


def _read(reply: Reply, url: str) -> LinkSource:
    content_type = reply.headers.get("content-type", "text/html").lower()
    if reply.status != 200:
        raise UnreadableFileError(
            f"The page could not be fetched: the server returned {reply.status}."
        )
    if not content_type.strip().startswith(_CONTENT_TYPES):
        raise UnreadableFileError("The page is neither HTML nor text.")
    encoding = reply.headers.get("content-encoding", "")
    body = inflate(reply.body, encoding=encoding, limit=MAX_BYTES)
    text = decode(body, content_type=content_type)
    is_html = "html" in content_type
    if is_html:  # the first base counts; that of the page may itself be relative
        text = f'<base href="{escape(_resolve(url, base_of(text)))}">{text}'
    content = text.replace("\0", "\ufffd").encode(errors="replace")
    return LinkSource(content, is_html, is_whole=reply.is_whole and len(body) < MAX_BYTES)


def _resolve(url: str, base: str) -> str:
    try:
        return urljoin(url, base)
    except ValueError:  # such as `http://[`
        return url
