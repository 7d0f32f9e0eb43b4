"""One attempt of a check: a walk along a redirect chain, each hop through the network guard."""

import asyncio
import functools
import re
import time
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, cast
from urllib.parse import urlsplit

import ada_url
import httpx

from checker.engine.certificate import Certificate
from checker.engine.connection import BODY_CAP, FetchTrace, ms_since
from checker.engine.errors import ErrorKind, FetchError, KeptConnectionError
from checker.engine.evidence import describe_attempt
from checker.engine.gate import OPEN, BusyElsewhereError, Gate, host_of
from checker.engine.gone_data import MOST_DATA
from checker.engine.instructions import NOTHING, Instructions
from checker.engine.lag import LONGEST_LAG, Lag
from checker.engine.neighbours import FolderLookup
from checker.engine.page import read_page, read_refresh
from checker.engine.pooling import KeptConnections, origin_of
from checker.engine.robots import Robots
from checker.engine.roots import Roots, RootTarget
from checker.engine.throttling import read_retry_after
from checker.engine.transport import FetchTransport, VerifyTLS
from checker.engine.unchanged import Validators, knows_made_up
from checker.engine.verdict import CONDITIONS, Condition, Exchange, Precondition, Redirect
from foundation.net.guard import Guard, has_route
from foundation.net.proxy import EgressProxy
from foundation.net.resolver import Resolver

# Where a walk stood: URL, redirects until then, the answer, its body.
_Place = tuple[str, list[Redirect], httpx.Response, list[bytes]]

_REDIRECTS = (301, 302, 303, 307, 308)
# Not "host:8080/": that is an address without its scheme. A telephone number may look like one.
_SCHEME = re.compile(r"(tel|sms|callto|[a-z][a-z0-9+.-]{1,40}(?!:\d{1,5}(?:/|$))):", re.IGNORECASE)
_MISTYPED = re.compile(r"h{0,2}t{1,3}p{0,2}s{0,2}", re.IGNORECASE)  # for http
# What a browser opens itself, if at all; it follows no redirect to the last ones.
_SCHEMES_OF_BROWSERS = frozenset({"http", "https", "ws", "wss", "about", "blob", "data", "file"})
_SCHEMES_OF_BROWSERS |= {"filesystem", "ftp", "javascript", "vbscript", "view-source", "chrome"}
_MAX_COOKIES = 50  # of one answer, as browsers keep of a site
_MAX_COOKIE_BYTES = 4096
_MAX_COOKIES_BYTES = 32 * 1024  # of all of one answer
_MAX_URL = 8192  # characters of a URL that a redirect leads to
_LONGEST_WAIT = 10.0  # seconds for which a redirect is waited for, if it asks for a pause
_NO_BODY = httpx.ByteStream(b"")
# Of a URL's scheme and authority: many targets share them.
_origin = functools.lru_cache(maxsize=1024)(httpx.URL)
_host_of = functools.lru_cache(maxsize=1024)(host_of)


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchPolicy:
    """How checks are made; times are seconds."""

    timeout: float  # of one attempt as a whole: every redirect, DNS, connect, TLS, headers, body
    retries: int  # further attempts after the first
    # Of the first attempt, where a check is more patient; a time-out is not retried then.
    first_timeout: float | None = None
    backoff: float  # before the first retry, doubled before each further one
    user_agent: str
    guard: Guard
    verify_tls: VerifyTLS = "on"
    method: Literal["GET", "HEAD"] = "GET"  # HEAD: asked first, a GET decides where it fails
    max_hops: int = 20  # as browsers do: redirects that are followed
    resolver: Resolver | None = None  # None: the system's
    proxy: EgressProxy | None = None  # carries all requests but those that bypass it
    conditions: Mapping[str, Condition] = field(default_factory=lambda: CONDITIONS)  # by name
    ask_neighbours: bool = False  # ask for a made-up address where a page may be another
    folders: FolderLookup | None = None  # in which one is asked for now and then
    check_soft_404: bool = False  # a page that such an address gets, too, is a failure
    # Which roots refuse; None: no root is asked where a page is refused.
    roots: Roots | None = field(default_factory=Roots)
    robots: Robots | None = None  # which sites opted out; None: no robots.txt is asked for
    root_target: RootTarget | None = None  # what is known of a root that is a target
    failing_flags: Collection[str] = ()  # that make a success a failure
    lag: Lag = field(default_factory=Lag)  # of the event loop in which checks are made
    certificate_warning: float = 0.0  # seconds before its end from which a certificate is flagged
    instructions: Instructions = NOTHING  # of operators, for the one target that is checked
    reads_all: bool = False  # of a body, whether or not a verdict needs it
    connections: KeptConnections | None = None  # of the lease; None: each request has its own


class FetchAttempt:
    """One walk along a redirect chain under one deadline; remembers how far it came."""

    def __init__(
        self,
        url: str,
        *,
        policy: FetchPolicy,
        gate: Gate = OPEN,
        method: str = "GET",
        timeout: float | None = None,
        kept: Validators | None = None,
    ) -> None:
        self.latency_ms = 0
        self.knows_made_up = False  # the server said that a page it never had is unchanged
        self.description: dict[str, Any] = {}
        self.asked = self._url = _fetchable(ada_url.normalize_url(url))
        self._precondition = kept.precondition(self.asked) if kept else None
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
        self.used_kept = False  # a connection, for any hop
        self._waited_ms = 0.0  # at the gate, and for a kept connection that ended
        self._trace = FetchTrace()
        self._tls_error: str | None = None  # of any hop
        self._incomplete_chain = False  # of any hop
        self._is_internal = False  # any hop
        self._certificate: Certificate | None = None  # of the last hop that showed one
        self._redirects: list[Redirect] = []
        self._fragment = ""  # of where the redirects led
        self._response: httpx.Response | None = None  # the last one, maybe still without its body
        self._body: list[bytes] = []
        self._has_unread = False
        self._cookies: httpx.Cookies | None = None  # heavy, so made for the first cookie only
        self._wait = 0.0  # seconds before the next request, as the last redirect asked
        self._pauses: dict[str, float] = {}  # for which redirects asked, by host
        self._refreshed: _Place | None = None  # the page that sent its reader on, if one did
        self._requests: set[tuple[str, str]] = set()  # URL and cookies: the same twice is a loop
        self._last_step: tuple[str, str] | None = None
        self._woke = False  # a redirect to itself was tried once more

    async def run(self) -> Exchange:
        """Return what the attempt saw; raises HostLeaseLostError, but no other network error."""
        started, began = time.perf_counter(), time.monotonic()
        error: FetchError | None = None
        try:
            async with asyncio.timeout(self._timeout) as deadline:
                await self._walk(deadline)
        except TimeoutError:
            if self._response is None:  # else the headers were there, which is enough
                error = self._timed_out(began)
        except FetchError as failed:
            error = failed
            if failed.kind is ErrorKind.FORBIDDEN_ADDRESS and self._redirects:
                # It is the server that leads there, not the registered URL.
                error = FetchError(ErrorKind.FORBIDDEN_REDIRECT, failed.detail)
        if self._refreshed is not None and error and not isinstance(error, BusyElsewhereError):
            error = None  # a reader would still have the page that wanted to send him on
            self._url, self._redirects, self._response, self._body = self._refreshed
        self.used_kept |= self._trace.earlier_requests > 0  # if it never answered, too
        self.latency_ms = max(0, round(ms_since(started) - self._waited_ms))
        exchange = self._exchange(error)
        self.knows_made_up = knows_made_up(exchange)
        self.description = describe_attempt(
            exchange, method=self.method, trace=self._trace, latency_ms=self.latency_ms
        )
        return exchange

    def _timed_out(self, began: float) -> FetchError:
        """Return the error for a time-out: STALLED if this process itself was late meanwhile."""
        lag = self._policy.lag.worst(since=began)
        if lag > LONGEST_LAG:
            return FetchError(ErrorKind.STALLED, f"it was held up for {lag:.1f} s")
        return FetchError(_late(self._trace), f"nothing within {self._timeout:g} s")

    async def _walk(self, deadline: asyncio.Timeout) -> None:
        """Request, and follow redirects, up to an answer that is not a redirect."""
        while True:
            request = self._next_request()
            self._response = None
            response = await self._pass(request, deadline)
            if _is_followed(response):
                self._follow(response)
            elif (target := self._refresh_target(response)) is not None:
                self._follow(response, target)
            else:
                return

    async def _pass(self, request: httpx.Request, deadline: asyncio.Timeout) -> httpx.Response:
        """Pass the gate and ask: once more, of the gate too, if a kept connection only ended."""
        while True:
            await self._enter(deadline)
            asked_at, ends = time.perf_counter(), deadline.when()
            try:
                return await self._ask(request)
            except KeptConnectionError:
                self._give_back(ms_since(asked_at), deadline, ends=ends)
            finally:
                self._gate.leave()

    async def _enter(self, deadline: asyncio.Timeout) -> None:
        """Pass the gate; what that takes is not the attempt's time. Raises BusyElsewhereError."""
        host = _host_of(origin_of(self._url))
        ends = deadline.when()
        if host is None or ends is None or deadline.expired():
            return  # no packet goes out
        came = time.perf_counter()
        deadline.reschedule(None)
        try:
            await asyncio.sleep(self._wait)
            await self._gate.enter(host)
        finally:
            self._give_back(ms_since(came), deadline, ends=ends)

    def _give_back(
        self, waited_ms: float, deadline: asyncio.Timeout, *, ends: float | None
    ) -> None:
        """Count a wait as none of the attempt's time, which was to end at `ends`."""
        self._waited_ms += waited_ms
        if ends is not None and not deadline.expired():
            deadline.reschedule(ends + waited_ms / 1000)

    async def _ask(self, request: httpx.Request) -> httpx.Response:
        """Return the answer, read to its end unless it is a redirect."""
        response = await self._send(request)
        self._response = response
        self._tls_error = self._tls_error or self._trace.tls_error
        self._incomplete_chain |= self._trace.incomplete_chain
        self._is_internal |= self._trace.is_internal
        self._certificate = self._trace.certificate or self._certificate
        try:
            if not _is_followed(response):
                await self._read(response, may_stay_open=request.extensions["keep"])
        finally:
            await response.aclose()
        return response

    async def _send(self, request: httpx.Request) -> httpx.Response:
        """Return the answer by HTTP/1.1, or by HTTP/2 from a server that speaks nothing else."""
        try:
            return await self._transport.handle_async_request(request)
        except FetchError as error:
            if error.kind is not ErrorKind.HTTP2_ONLY:
                raise
        request.extensions["http2"] = True
        try:
            return await self._transport.handle_async_request(request)
        except FetchError as error:
            if error.kind is ErrorKind.HTTP2_ONLY:  # nor that
                raise FetchError(ErrorKind.PROTOCOL, error.detail) from error
            raise

    async def _read(self, response: httpx.Response, *, may_stay_open: bool) -> None:
        """Read the body, as far as it can matter.

        A connection that may be kept is worth more than a rest that would be read quickly.
        """
        length = _header(response, b"content-length")
        is_short = length.isascii() and length.isdigit() and int(length[:20]) <= BODY_CAP
        needed, size = self._needed(response), 0
        # Raw: httpx would decode it, and a compression bomb with it.
        async for chunk in cast("httpx.AsyncByteStream", response.stream):
            self._body.append(chunk)
            size += len(chunk)
            if size > needed and not (is_short and may_stay_open):
                self._has_unread = length != str(size)
                return

    def _needed(self, response: httpx.Response) -> int:
        """Return after how many bytes of the body the verdict is decided.

        Marks of HTML stand anywhere. Other answers that are there say something only if they are
        small: see `gone_data`. An operator's condition or text may look at all of it.
        """
        policy = self._policy
        is_ours = policy.conditions.items() <= CONDITIONS.items()
        if policy.reads_all or policy.instructions.text or not is_ours:
            return BODY_CAP
        is_page = "html" in (_header(response, b"content-type").lower() or "html")
        is_there = 200 <= response.status_code < 300
        return MOST_DATA if is_there and not is_page else BODY_CAP

    def _next_request(self) -> httpx.Request:
        """Return the request for where the walk stands. Raises FetchError in a loop."""
        self.used_kept |= self._trace.earlier_requests > 0
        self._trace = FetchTrace()
        precondition = self._sent_precondition()
        scheme, _, authority, rest = self._url.split("/", 3)
        origin = f"{scheme}//{authority}"
        secrets = self._policy.instructions.headers_on(
            [self.asked, *(hop.url for hop in self._redirects)]
        )
        request = httpx.Request(
            self.method,
            # httpx parses slowly: the whole URL is of use only to scope cookies.
            _origin(origin) if self._cookies is None else self._url,
            headers=_headers(authority, policy=self._policy)
            + ([(precondition.name, precondition.value)] if precondition else []),
            stream=_NO_BODY,
            extensions={
                "target": f"/{rest}".encode("ascii"),
                "trace": self._trace,
                "secrets": secrets,
                "origin": origin,
                "keep": not secrets and self._wants_to_keep(origin),
            },
        )
        cookies = ""
        if self._cookies is not None:
            request.headers.encoding = "utf-8"  # of cookies that are not ASCII
            self._cookies.set_cookie_header(request)
            cookies = request.headers.get("cookie", "")
        step = (self._url, cookies)
        if step in self._requests and not self._may_be_awake_now(step):
            raise FetchError(ErrorKind.REDIRECT_LOOP, f"again to {self._url}")
        self._requests.add(step)
        self._last_step = step
        return request

    def _sent_precondition(self) -> Precondition | None:
        """Return what goes with the request for where the walk stands, if it is kept of there."""
        kept = self._precondition
        return kept if kept is not None and kept.url == self._url else None

    def _wants_to_keep(self, origin: str) -> bool:
        """Tell whether the connection is to be kept: not of a HEAD, whose end is in doubt."""
        connections = self._policy.connections
        is_get = self.method == "GET" and self._policy.proxy is None
        return is_get and connections is not None and connections.wants(origin)

    def _may_be_awake_now(self, step: tuple[str, str]) -> bool:
        """Tell whether a redirect to itself is to be tried once more: some servers wake up so."""
        if self._woke or step != self._last_step:
            return False
        self._woke = True
        return True

    def _refresh_target(self, response: httpx.Response) -> str | None:
        """Return where a page sends its reader on to; None if it doesn't, or nowhere to be asked.

        Once: a page behind a refresh is read, wherever it would send its reader then.
        """
        if self._refreshed is not None or not 200 <= response.status_code < 300:
            return None
        body = b"".join(self._body)
        if "refresh" not in response.headers and b"refresh" not in body.lower():
            return None
        headers = _by_name(response)
        page = read_page(headers=headers, body=body)
        address = read_refresh(headers.get("refresh", "")) or (page and page.refresh) or ""
        try:
            target = _fetchable(_joined(self._url, address))
        except ValueError:
            return None
        if target == self._url:
            return None
        self._refreshed = (self._url, list(self._redirects), response, self._body)
        self._body = []
        return target

    def _follow(self, response: httpx.Response, refresh: str | None = None) -> None:
        """Go on to where a redirect leads. Raises FetchError where there is no way."""
        self._take_cookies(response)
        self._take_pause(response)
        if refresh is None:
            target, fragment = _redirect_target(response, base=self._url)
            self._fragment = fragment or self._fragment  # as browsers hand it on
        else:
            target, self._fragment = refresh, ""
        if len(self._redirects) == self._policy.max_hops:
            raise FetchError(ErrorKind.REDIRECT_LIMIT, f"more than {self._policy.max_hops}")
        self._redirects.append(Redirect(status=response.status_code, url=target))
        self._url = target
        host = urlsplit(target).hostname or ""
        if self._policy.guard.refuses_as_local(host):
            raise FetchError(ErrorKind.LOCAL_REDIRECT, host)

    def _take_pause(self, response: httpx.Response) -> None:
        """Note for how long a redirect asks to wait: before it is followed, if that is short.

        A longer pause is for the host, once this check is over.
        """
        self._wait = 0.0
        pause = read_retry_after(_by_name(response), now=datetime.now(UTC))
        if pause is None:
            return
        self._wait = pause if pause <= _LONGEST_WAIT else 0.0
        host = _host_of("/".join(self._url.split("/", 3)[:3])) or ""
        self._pauses[host] = max(pause, self._pauses.get(host, 0.0))

    def _take_cookies(self, response: httpx.Response) -> None:
        """Keep the cookies of a redirect, for the rest of this check.

        Only Set-Cookie, bounded: the jar's parser is slow on other headers.
        """
        cookies, room = [], _MAX_COOKIES_BYTES
        for name, value in response.headers.raw:
            if name.lower() == b"set-cookie" and len(value) <= min(_MAX_COOKIE_BYTES, room):
                cookies.append((name, value))
                room -= len(value)
        if cookies:
            if self._cookies is None:
                self._cookies = httpx.Cookies()
            self._cookies.extract_cookies(
                httpx.Response(
                    response.status_code,
                    headers=cookies[:_MAX_COOKIES],
                    request=response.request,
                )
            )

    def _exchange(self, error: FetchError | None) -> Exchange:
        status = self._response.status_code if self._response is not None else None
        if error is not None and error.kind is ErrorKind.FORBIDDEN_REDIRECT and self._redirects:
            status = status or self._redirects[-1].status
        headers = _by_name(self._response) if self._response is not None else {}
        now = datetime.now(UTC)
        pauses = [read_retry_after(headers, now=now), self._pauses.get(host_of(self._url) or "")]
        return Exchange(
            url=self._url,
            asked=self.asked,
            status=status,
            headers=headers,
            body=b"".join(self._body),
            has_unread=self._has_unread,
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
            retry_after=max((pause for pause in pauses if pause is not None), default=None),
            retry_in=error.retry_in if isinstance(error, BusyElsewhereError) else None,
            precondition=self._sent_precondition(),
        )


def _late(trace: FetchTrace) -> ErrorKind:
    """Return what was late: the proxy, the name service or the server; or that we have no way."""
    if trace.proxy and trace.connect_ms is None and not trace.tunnelling:
        return ErrorKind.PROXY
    if trace.dns_ms is None:
        return ErrorKind.DNS_TEMPORARY
    has_no_way = trace.connect_ms is None and trace.tried and not trace.proxy
    return ErrorKind.NO_ROUTE if has_no_way and _lead_nowhere(trace.tried) else ErrorKind.TIMEOUT


def _lead_nowhere(addresses: Iterable[str]) -> bool:
    """Tell whether this machine has no route to any of these addresses, as far as it can know."""
    try:
        return not any(has_route(address) for address in addresses)
    except OSError:  # it is out of sockets
        return False


def _headers(authority: str, *, policy: FetchPolicy) -> list[tuple[str, str]]:
    """Return all headers that a check sends, but for cookies that a redirect has set."""
    return [
        ("Host", authority),
        ("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"),
        ("Accept-Language", "en,*;q=0.5"),
        ("User-Agent", policy.user_agent),
    ]


def _by_name(response: httpx.Response) -> dict[str, str]:
    """Return the headers by lower-case name, of repeated ones the last."""
    return {
        name.decode("latin-1").lower(): value.decode("latin-1")
        for name, value in response.headers.raw
    }


def _redirect_target(response: httpx.Response, *, base: str) -> tuple[str, str]:
    """Return the absolute URL of a Location header, ready to be fetched, and its fragment.

    Raises FetchError.
    """
    location = _location(response)
    if not location:
        raise FetchError(ErrorKind.BAD_REDIRECT, "there is no Location")
    try:
        target = _joined(base, location)
    except _BodyTooLongError as error:
        raise FetchError(ErrorKind.BAD_REDIRECT, str(error)) from None
    except ValueError:
        raise FetchError(ErrorKind.BAD_REDIRECT, f"no URL: {location}") from None
    try:
        return _fetchable(target), target.partition("#")[2]
    except ValueError as error:
        raise FetchError(ErrorKind.BAD_REDIRECT, f"{error}: {target}") from None


class _BodyTooLongError(ValueError):
    """An address is longer than _MAX_URL."""


def _joined(base: str, address: str) -> str:
    """Return the absolute URL of an address on a page of `base`. Raises ValueError.

    A long address is not even joined, since the cost grows faster than its length.
    """
    if len(address) > _MAX_URL:
        raise _BodyTooLongError(f"a URL of more than {_MAX_URL} characters")
    joined = ada_url.join_url(base, address)
    if len(joined) > _MAX_URL:
        raise _BodyTooLongError(f"a URL of {len(joined)} characters")
    return joined


def _is_followed(response: httpx.Response) -> bool:
    return response.status_code in _REDIRECTS and not _leads_to_an_app(response)


def _leads_to_an_app(response: httpx.Response) -> bool:
    """Tell whether a redirect leaves the web for a program: mail, telephone, a shop of apps."""
    scheme = _SCHEME.match(_location(response))
    if scheme is None or _MISTYPED.fullmatch(scheme[1]):
        return False
    return scheme[1].lower() not in _SCHEMES_OF_BROWSERS


def _location(response: httpx.Response) -> str:
    return _header(response, b"location")


def _header(response: httpx.Response, wanted: bytes) -> str:
    """Return the first header of this name (in lower case), as ASCII; empty without one."""
    for name, value in response.headers.raw:
        if name.lower() == wanted:
            return _as_ascii(value.strip()[: _MAX_URL + 1]).strip()
    return ""


def _as_ascii(value: bytes) -> str:
    """Return a header's text, bytes beyond ASCII escaped as they are, whatever their charset."""
    return "".join(chr(byte) if byte < 0x80 else f"%{byte:02X}" for byte in value)


def _fetchable(url: str) -> str:
    """Return `url` without its fragment and credentials, which a check never sends.

    Raises ValueError for another scheme.
    """
    if not url.startswith(("http://", "https://")):
        raise ValueError("neither http nor https")
    scheme, _, rest = url.partition("#")[0].partition("://")
    authority, slash, path = rest.partition("/")
    return f"{scheme}://{authority.rpartition('@')[2]}{slash}{path}"
