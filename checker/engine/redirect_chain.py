"""One attempt of a check: a walk along a redirect chain, each hop through the network guard."""

import asyncio
import functools
import time
from collections.abc import Awaitable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple, cast
from urllib.parse import urlsplit

import httpx

from checker.engine.certificate import Certificate
from checker.engine.conditional_requests import Validators, accepted_made_up
from checker.engine.connection import MAX_BODY, FetchTrace, ms_since
from checker.engine.cookies import add_cookies
from checker.engine.errors import ErrorKind, FetchError, KeptConnectionError
from checker.engine.event_loop_lag import MAX_LAG
from checker.engine.evidence import describe_attempt
from checker.engine.exchange import Exchange, Precondition, Redirect
from checker.engine.fetch_policy import FetchPolicy
from checker.engine.gate import OPEN_GATE, BusyElsewhereError, Gate, host_of
from checker.engine.gone import says_gone_and_not_moved
from checker.engine.gone_data import MAX_DATA
from checker.engine.happy_eyeballs import timeout_kind
from checker.engine.instructions import NO_INSTRUCTIONS
from checker.engine.page import read_page, read_refresh
from checker.engine.page_identity import Identity
from checker.engine.redirect_location import (
    fetchable,
    headers_by_name,
    is_followed,
    join,
    redirect_target,
)
from checker.engine.robots import Robots, robots_url
from checker.engine.throttling import read_retry_after
from checker.engine.transport import FetchTransport
from checker.engine.verdict import CONDITIONS
from targets.canonical import url_to_fetch

_MAX_WAIT = 10.0  # seconds: the longest pause that delays the next request of the same check
_FORBIDDEN = (ErrorKind.FORBIDDEN_ADDRESS, ErrorKind.FORBIDDEN_REDIRECT)
_NO_BODY = httpx.ByteStream(b"")
# Parses scheme and authority, which many targets share.
_parse_origin = functools.lru_cache(maxsize=1024)(httpx.URL)


def _body_of(response: httpx.Response) -> httpx.AsyncByteStream:
    """Return the stream of a response; closing it is three times as fast as `Response.aclose`."""
    return cast("httpx.AsyncByteStream", response.stream)


class _Position(NamedTuple):
    """A position in a walk: a page, and the redirects that led to it."""

    url: str
    redirects: list[Redirect]
    response: httpx.Response
    headers: dict[str, str]
    body: list[bytes]
    is_cut_off: bool  # the body


class FetchAttempt:
    """One walk along a redirect chain within one time limit; remembers its progress."""

    def __init__(
        self,
        url: str,
        *,
        policy: FetchPolicy,
        gate: Gate = OPEN_GATE,
        method: str = "GET",
        timeout: float | None = None,
        known: Identity | None = None,
        validators: Validators | None = None,
    ) -> None:
        self.latency_ms = 0
        self.accepted_made_up = False  # the server said "not modified" for a made-up validator
        self.description: dict[str, Any] = {}
        self.asked = self._url = fetchable(url_to_fetch(url))
        self._known = known
        self._precondition = validators.precondition(self.asked) if validators else None
        self._policy = policy
        self.method = method
        self._gate = gate
        self._timeout = policy.timeout if timeout is None else timeout
        self._transport = FetchTransport(
            guard=policy.guard,
            verify_tls=policy.verify_tls,
            resolver=policy.resolver,
            proxy=policy.proxy,
            connections=policy.connections,
        )
        self.used_kept_connection = False  # on any hop
        self._started = 0.0  # when the attempt began, by time.perf_counter
        # Not counted: the gate, pauses, robots.txt, and kept connections that ended.
        self._waited_ms = 0.0
        self._trace = FetchTrace()
        self._tls_error: str | None = None  # of any hop
        self._incomplete_chain = False  # of any hop
        self._is_internal = False  # of any hop
        self._certificate: Certificate | None = None  # of the last hop that had one
        self._redirects: list[Redirect] = []
        self._fragment = ""  # of the destination of the redirects
        self._response: httpx.Response | None = None  # the last one, maybe without its body yet
        self._headers: dict[str, str] = {}  # of this response
        self._body: list[bytes] = []
        self._has_unread = False
        self._is_cut_off = False  # the body of the last response
        self._cookies: httpx.Cookies | None = None  # expensive, so made for the first cookie
        self._wait = 0.0  # seconds before the next request, as requested by the last redirect
        self._pauses: dict[str, float] = {}  # requested by redirects and robots.txt, by host
        self._refreshing: _Position | None = None  # that of the page with a refresh, if any
        # URL and cookies; the same pair twice is a loop.
        self._steps: set[tuple[str, str]] = set()
        self._last_step: tuple[str, str] | None = None
        self._has_retried_loop = False  # of a redirect to itself

    async def run(self) -> Exchange:
        """Return the result of the attempt; raises HostLeaseLostError, but no network error."""
        self._started, started_at = time.perf_counter(), time.monotonic()
        error: FetchError | None = None
        try:
            await self._walk()
        except TimeoutError:
            if self._response is None:
                error = self._timeout_error(started_at)
            else:  # the headers were received, which is enough
                self._is_cut_off = True
        except FetchError as raised:
            error = raised
            if raised.kind is ErrorKind.FORBIDDEN_ADDRESS and self._redirects:
                # The server redirects there; the registered URL is fine.
                error = FetchError(ErrorKind.FORBIDDEN_REDIRECT, raised.detail)
        if self._refreshing and error and not isinstance(error, BusyElsewhereError):
            error = None  # readers still see the page with the refresh
            at = self._refreshing
            self._url, self._redirects, self._response = at.url, at.redirects, at.response
            self._headers, self._body, self._is_cut_off = at.headers, at.body, at.is_cut_off
        self.used_kept_connection |= self._trace.earlier_requests > 0  # even if it never answered
        self.latency_ms = max(0, round(self._elapsed_ms()))
        exchange = self._exchange(error)
        self.accepted_made_up = accepted_made_up(exchange)
        self.description = describe_attempt(
            exchange, method=self.method, trace=self._trace, latency_ms=self.latency_ms
        )
        return exchange

    def _timeout_error(self, started_at: float) -> FetchError:
        """Return the error for a timeout: STALLED if the event loop was blocked since then."""
        lag = self._policy.lag.worst(since=started_at)
        if lag > MAX_LAG:
            return FetchError(ErrorKind.STALLED, f"it was held up for {lag:.1f} s")
        return FetchError(timeout_kind(self._trace), f"no response within {self._timeout:g} s")

    def _elapsed_ms(self) -> float:
        """Return the attempt's time so far, without its waits."""
        return ms_since(self._started) - self._waited_ms

    def _time_left(self) -> float:
        """Return the seconds that the attempt may still take."""
        return self._timeout - self._elapsed_ms() / 1000

    async def _walk(self) -> None:
        """Send requests and follow redirects until a response is not a redirect.

        Raises TimeoutError when the attempt's time is up.
        """
        while True:
            request = self._next_request()
            self._response = None
            await self._ask_robots()
            response = await self._fetch_hop(request)
            if is_followed(response):
                self._follow(response)
            elif (target := self._take_refresh(response)) is not None:
                self._follow(response, target)
            else:
                return
            if self._time_left() <= 0:  # otherwise the next host's lookup would seem to fail
                self._response = None  # the next page has not answered
                raise TimeoutError

    async def _ask_robots(self) -> None:
        """Raise FetchError if robots.txt closes the next URL, or its response asks for a pause.

        The file is requested if the stored rules are missing or too old. This does not count as the
        attempt's time.
        """
        robots = self._policy.robots
        if robots is None:
            return
        robots_txt = robots_url(self._url)
        if not robots.is_known(robots_txt):
            await self._without_clock(self._fetch_robots(robots_txt, robots))
        if not robots.permits(robots_txt, self._url):
            raise FetchError(ErrorKind.OPTED_OUT, robots_txt)

    async def _fetch_robots(self, robots_txt: str, robots: Robots) -> None:
        """Store the rules of a site. Raises BusyElsewhereError if no request may follow now."""
        await asyncio.sleep(self._wait)
        self._wait = 0.0
        policy = replace(
            self._policy,
            robots=None,
            instructions=NO_INSTRUCTIONS,
            connections=None,
            reads_whole_body=True,
        )
        exchange = await FetchAttempt(robots_txt, policy=policy, gate=self._gate).run()
        if exchange.retry_in is not None:
            raise BusyElsewhereError(exchange.detail, retry_in=exchange.retry_in)
        if exchange.error in _FORBIDDEN and not exchange.redirects:
            return  # the request for the page is forbidden, too
        robots.remember(robots_txt, exchange)
        host, pause = host_of(exchange.url), exchange.host_pause
        if pause is not None and host == host_of(robots_txt):
            seconds = pause.total_seconds()
            self._pauses[host or ""] = seconds
            raise BusyElsewhereError(
                f"the response for {robots_txt} asked Linkwatch to wait", retry_in=seconds
            )

    async def _fetch_hop(self, request: httpx.Request) -> httpx.Response:
        """Pass the gate and fetch; repeat both if a kept connection has ended."""
        while True:
            await self._enter()
            sent_at = time.perf_counter()
            try:
                async with asyncio.timeout(self._time_left()):
                    return await self._fetch(request)
            except KeptConnectionError:
                self._waited_ms += ms_since(sent_at)
            finally:
                self._gate.leave()

    async def _enter(self) -> None:
        """Wait for as long as the last redirect asked, then pass the gate.

        Raises BusyElsewhereError, HostLeaseLostError.
        """
        host = host_of(self._url)
        if host is None:
            return  # no packet goes out
        if self._wait:
            await self._without_clock(asyncio.sleep(self._wait))
        await self._without_clock(self._gate.enter(host))

    async def _without_clock(self, waiting: Awaitable[None]) -> None:
        """Wait, without counting that as the attempt's time."""
        started = time.perf_counter()
        try:
            await waiting
        finally:
            self._waited_ms += ms_since(started)

    async def _fetch(self, request: httpx.Request) -> httpx.Response:
        """Return the response; unless it is a redirect, read as much of its body as can matter."""
        response = await self._send(request)
        self._response, self._headers = response, headers_by_name(response)
        self._tls_error = self._tls_error or self._trace.tls_error
        self._incomplete_chain |= self._trace.incomplete_chain
        self._is_internal |= self._trace.is_internal
        self._certificate = self._trace.certificate or self._certificate
        try:
            if not is_followed(response):
                await self._read(response, may_stay_open=request.extensions["keep"])
        finally:
            await _body_of(response).aclose()
        return response

    async def _send(self, request: httpx.Request) -> httpx.Response:
        """Return the response over HTTP/1.1, or HTTP/2 if the server does not speak HTTP/1.1."""
        try:
            return await self._transport.handle_async_request(request)
        except FetchError as error:
            if error.kind is not ErrorKind.HTTP2_ONLY:
                raise
        request.extensions["http2"] = True
        try:
            return await self._transport.handle_async_request(request)
        except FetchError as error:
            if error.kind is ErrorKind.HTTP2_ONLY:  # it does not speak HTTP/2 either
                raise FetchError(ErrorKind.PROTOCOL, error.detail) from error
            raise

    async def _read(self, response: httpx.Response, *, may_stay_open: bool) -> None:
        """Read as much of the body as can matter.

        If the connection may be kept, a body that is declared to be short is read to its end.
        """
        length = self._headers.get("content-length", "").strip()
        is_short = length.isascii() and length.isdigit() and int(length[:20]) <= MAX_BODY
        needed, size = self._bytes_needed(response), 0
        # Raw: httpx would decompress it, even a compression bomb.
        async for chunk in _body_of(response):
            self._body.append(chunk)
            size += len(chunk)
            if size > needed and not (is_short and may_stay_open):
                self._has_unread = length != str(size)
                return
        self._is_cut_off = self._trace.is_cut_off

    def _bytes_needed(self, response: httpx.Response) -> int:
        """Return the largest number of body bytes that can decide the verdict.

        HTML may have marks anywhere. Other successful responses matter only if they are small: see
        `gone_data`. An operator's condition or expected text may need the whole body.
        """
        policy = self._policy
        are_built_in = policy.conditions.items() <= CONDITIONS.items()
        if policy.reads_whole_body or policy.instructions.text or not are_built_in:
            return MAX_BODY
        is_page = "html" in (self._headers.get("content-type", "").lower() or "html")
        is_success = 200 <= response.status_code < 300
        return MAX_DATA if is_success and not is_page else MAX_BODY

    def _next_request(self) -> httpx.Request:
        """Return the request for the current position. Raises FetchError in a loop."""
        self.used_kept_connection |= self._trace.earlier_requests > 0
        self._trace = FetchTrace()
        precondition = self._sent_precondition()
        scheme, _, authority, rest = self._url.split("/", 3)
        origin = f"{scheme}//{authority}"
        secrets = self._policy.instructions.headers_for(
            [self.asked, *(hop.url for hop in self._redirects)]
        )
        request = httpx.Request(
            self.method,
            # httpx parses slowly, and needs the whole URL only to scope cookies.
            _parse_origin(origin) if self._cookies is None else self._url,
            headers=self._policy.headers(authority),
            stream=_NO_BODY,
            extensions={
                "target": f"/{rest}".encode("ascii"),
                "trace": self._trace,
                "secrets": secrets,
                "origin": origin,
                "keep": not secrets and self._wants_to_keep(origin),
            },
        )
        if precondition is not None:
            request.headers[precondition.name] = precondition.value
        cookies = ""
        if self._cookies is not None:
            request.headers.encoding = "utf-8"  # for cookies that are not ASCII
            self._cookies.set_cookie_header(request)
            cookies = request.headers.get("cookie", "")
        step = (self._url, cookies)
        if step in self._steps and not self._admit_loop_retry(step):
            raise FetchError(ErrorKind.REDIRECT_LOOP, f"back to {self._url}")
        self._steps.add(step)
        self._last_step = step
        return request

    def _sent_precondition(self) -> Precondition | None:
        """Return the precondition for the current position, if there is one for its URL."""
        precondition = self._precondition
        return precondition if precondition is not None and precondition.url == self._url else None

    def _wants_to_keep(self, origin: str) -> bool:
        """Return whether to keep the connection.

        Not through a proxy, and not after HEAD: it is uncertain where the response to HEAD ends.
        """
        connections = self._policy.connections
        may_keep = self.method == "GET" and self._policy.proxy is None
        return may_keep and connections is not None and connections.wants(origin)

    def _admit_loop_retry(self, step: tuple[str, str]) -> bool:
        """Return whether to repeat the last request, because it was redirected to itself.

        True once per attempt: some servers redirect like this while they start.
        """
        if self._has_retried_loop or step != self._last_step:
            return False
        self._has_retried_loop = True
        return True

    def _take_refresh(self, response: httpx.Response) -> str | None:
        """Return the URL of a page's refresh, and store the page; None if there is none to follow.

        Only one refresh is followed, and none within a site from a page that says that it is gone.
        """
        if self._refreshing is not None or not 200 <= response.status_code < 300:
            return None
        body = b"".join(self._body)
        refresh = self._headers.get("refresh", "")
        if not refresh and b"refresh" not in body.lower():
            return None
        page = read_page(headers=self._headers, body=body)
        refresh_url = read_refresh(refresh) or (page and page.refresh) or ""
        try:
            target = fetchable(join(self._url, refresh_url))
        except ValueError:
            return None
        if target == self._url:
            return None
        stays_on_site = urlsplit(target).hostname == urlsplit(self._url).hostname
        if page and stays_on_site and says_gone_and_not_moved(page, asked=self.asked):
            return None
        self._refreshing = _Position(
            self._url, [*self._redirects], response, self._headers, self._body, self._is_cut_off
        )
        self._body, self._is_cut_off = [], False
        return target

    def _follow(self, response: httpx.Response, refresh: str | None = None) -> None:
        """Move on to the destination of a redirect, or to the URL of a `refresh`.

        Raises FetchError if that is impossible.
        """
        self._cookies = add_cookies(response, self._cookies)
        self._record_pause()
        if refresh is None:
            target, fragment = redirect_target(response, base=self._url)
            self._fragment = fragment or self._fragment  # like browsers
        else:
            target, self._fragment = refresh, ""
        if len(self._redirects) == self._policy.max_hops:
            raise FetchError(ErrorKind.REDIRECT_LIMIT, f"more than {self._policy.max_hops}")
        self._redirects.append(Redirect(status=response.status_code, url=target))
        self._url = target
        host = urlsplit(target).hostname or ""
        if self._policy.guard.refuses_as_local(host):
            raise FetchError(ErrorKind.LOCAL_REDIRECT, host)

    def _record_pause(self) -> None:
        """Record the pause that a redirect asks for; a short pause delays the next request.

        A longer pause applies to the host after this check. A CDN's redirects to https may have
        `Retry-After: 0`, which asks for no pause.
        """
        self._wait = 0.0
        pause = read_retry_after(self._headers, now=datetime.now(UTC))
        if pause is None or self._headers.get("retry-after", "").strip() == "0":
            return
        self._wait = pause if pause <= _MAX_WAIT else 0.0
        host = host_of(self._url) or ""
        self._pauses[host] = max(pause, self._pauses.get(host, 0.0))

    def _exchange(self, error: FetchError | None) -> Exchange:
        status = self._response.status_code if self._response is not None else None
        if error is not None and error.kind is ErrorKind.FORBIDDEN_REDIRECT and self._redirects:
            status = status or self._redirects[-1].status
        headers = self._headers if self._response is not None else {}
        now = datetime.now(UTC)
        return Exchange(
            url=self._url,
            asked=self.asked,
            status=status,
            headers=headers,
            body=b"".join(self._body),
            has_unread=self._has_unread,
            is_cut_off=self._is_cut_off,
            redirects=tuple(self._redirects),
            fragment=self._fragment,
            error=error.kind if error else None,
            detail=error.detail if error else "",
            tls_error=self._tls_error,
            incomplete_chain=self._incomplete_chain,
            is_internal=self._is_internal,
            certificate=self._certificate,
            certificate_expires=self._certificate is not None
            and self._certificate.expires_within(
                timedelta(seconds=self._policy.certificate_warning), now=now
            ),
            retry_after=read_retry_after(headers, now=now),
            earlier_pause=self._pauses.get(host_of(self._url) or ""),
            retry_in=error.retry_in if isinstance(error, BusyElsewhereError) else None,
            known=self._known,
            precondition=self._sent_precondition(),
        )
