"""One attempt of a check: a walk along a redirect chain, each hop through the network guard."""

import asyncio
import functools
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal, cast

import ada_url
import httpx

from checker.engine.certificate import Certificate
from checker.engine.connection import Trace, ms_since
from checker.engine.errors import ErrorKind, FetchError
from checker.engine.evidence import describe_attempt
from checker.engine.instructions import NOTHING, Instructions
from checker.engine.resolver import Resolver
from checker.engine.throttling import read_retry_after
from checker.engine.transport import GuardedTransport, VerifyTLS
from checker.engine.verdict import CONDITIONS, Condition, Exchange, Redirect
from foundation.net.guard import Guard

_REDIRECTS = (301, 302, 303, 307, 308)
_MAX_COOKIES = 50  # of one answer, as browsers keep of a site
_MAX_COOKIE_BYTES = 4096
_MAX_URL = 8192  # characters of a URL that a redirect leads to
_NO_BODY = httpx.ByteStream(b"")
_origin = functools.lru_cache(maxsize=1024)(httpx.URL)


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchPolicy:
    """How checks are made; times are seconds."""

    timeout: float  # of one attempt as a whole: every redirect, DNS, connect, TLS, headers, body
    retries: int  # further attempts after the first
    backoff: float  # before the first retry, doubled before each further one
    user_agent: str
    guard: Guard
    verify_tls: VerifyTLS = "on"
    method: Literal["GET", "HEAD"] = "GET"  # HEAD: asked first, a GET decides where it fails
    max_hops: int = 10  # redirects that are followed
    resolver: Resolver | None = None  # None: the system's
    conditions: Mapping[str, Condition] = field(default_factory=lambda: CONDITIONS)  # by name
    check_soft_404: bool = False  # ask for a made-up address where a page may be another
    instructions: Instructions = NOTHING  # of operators, for the one target that is checked


class Attempt:
    """One walk along a redirect chain under one deadline; remembers how far it came."""

    def __init__(
        self, url: str, *, policy: FetchPolicy, method: str = "GET", timeout: float | None = None
    ) -> None:
        self.latency_ms = 0
        self.description: dict[str, Any] = {}
        self.asked = self._url = _fetchable(ada_url.normalize_url(url))
        self._policy = policy
        self._method = method
        self._timeout = policy.timeout if timeout is None else timeout
        self._transport = GuardedTransport(
            guard=policy.guard, verify_tls=policy.verify_tls, resolver=policy.resolver
        )
        self._trace = Trace()
        self._tls_error: str | None = None  # of any hop
        self._certificate: Certificate | None = None  # of the last hop that showed one
        self._redirects: list[Redirect] = []
        self._response: httpx.Response | None = None  # the last one, maybe still without its body
        self._body: list[bytes] = []
        self._cookies: httpx.Cookies | None = None  # heavy, so made for the first cookie only
        self._requests: set[tuple[str, str]] = set()  # URL and cookies: the same twice is a loop

    async def run(self) -> Exchange:
        """Return what the attempt saw. Never raises FetchError or TimeoutError."""
        started = time.perf_counter()
        error: FetchError | None = None
        try:
            async with asyncio.timeout(self._timeout):
                await self._walk()
        except TimeoutError:
            if self._response is None:  # else the headers were there, which is enough
                kind = ErrorKind.DNS_TEMPORARY if self._trace.dns_ms is None else ErrorKind.TIMEOUT
                error = FetchError(kind, f"nothing within {self._timeout:g} s")
        except FetchError as failed:
            error = failed
            if failed.kind is ErrorKind.FORBIDDEN_ADDRESS and self._redirects:
                # It is the server that leads there, not the registered URL.
                error = FetchError(ErrorKind.FORBIDDEN_REDIRECT, failed.detail)
        self.latency_ms = round(ms_since(started))
        exchange = self._exchange(error)
        self.description = describe_attempt(
            exchange, method=self._method, trace=self._trace, latency_ms=self.latency_ms
        )
        return exchange

    async def _walk(self) -> None:
        """Request, and follow redirects, up to an answer that is none."""
        while True:
            request = self._next_request()
            self._response = None
            response = await self._transport.handle_async_request(request)
            self._response = response
            self._tls_error = self._tls_error or self._trace.tls_error
            self._certificate = self._trace.certificate or self._certificate
            try:
                if response.status_code not in _REDIRECTS:
                    # Raw: httpx would decode it, and a compression bomb with it.
                    async for chunk in cast("httpx.AsyncByteStream", response.stream):
                        self._body.append(chunk)
                    return
            finally:
                await response.aclose()
            self._follow(response)

    def _next_request(self) -> httpx.Request:
        """Return the request for where the walk stands. Raises FetchError in a loop."""
        self._trace = Trace()
        scheme, _, authority, rest = self._url.split("/", 3)
        request = httpx.Request(
            self._method,
            # httpx parses slowly: the whole URL is of use only to scope cookies.
            _origin(f"{scheme}//{authority}") if self._cookies is None else self._url,
            headers=_headers(authority, policy=self._policy),
            stream=_NO_BODY,
            extensions={
                "target": f"/{rest}".encode("ascii"),
                "trace": self._trace,
                "secrets": self._policy.instructions.headers_on(
                    [self.asked, *(hop.url for hop in self._redirects)]
                ),
            },
        )
        cookies = ""
        if self._cookies is not None:
            request.headers.encoding = "utf-8"  # of cookies that are not ASCII
            self._cookies.set_cookie_header(request)
            cookies = request.headers.get("cookie", "")
        step = (self._url, cookies)
        if step in self._requests:
            raise FetchError(ErrorKind.REDIRECT_LOOP, f"again to {self._url}")
        self._requests.add(step)
        return request

    def _follow(self, response: httpx.Response) -> None:
        """Go on to where a redirect leads. Raises FetchError where there is no way."""
        self._take_cookies(response)
        target = _redirect_target(response, base=self._url)
        if len(self._redirects) == self._policy.max_hops:
            raise FetchError(ErrorKind.REDIRECT_LIMIT, f"more than {self._policy.max_hops}")
        self._redirects.append(Redirect(status=response.status_code, url=target))
        self._url = target

    def _take_cookies(self, response: httpx.Response) -> None:
        """Keep the cookies of a redirect, for the rest of this check.

        Only Set-Cookie, bounded: the jar's parser is slow on what it finds beside that.
        """
        cookies = [
            (name, value)
            for name, value in response.headers.raw
            if name.lower() == b"set-cookie" and len(value) <= _MAX_COOKIE_BYTES
        ]
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
        return Exchange(
            url=self._url,
            asked=self.asked,
            status=status,
            headers=headers,
            body=b"".join(self._body),
            redirects=tuple(self._redirects),
            error=error.kind if error else None,
            detail=error.detail if error else "",
            tls_error=self._tls_error,
            certificate=self._certificate,
            retry_after=read_retry_after(status, headers, now=datetime.now(UTC)),
        )


def _headers(authority: str, *, policy: FetchPolicy) -> list[tuple[str, str]]:
    """Return all headers that a check sends, but for cookies that a redirect has set."""
    return [
        ("Host", authority),
        ("Accept", "text/html,application/xhtml+xml,*/*;q=0.8"),
        ("Connection", "close"),
        ("User-Agent", policy.user_agent),
    ]


def _by_name(response: httpx.Response) -> dict[str, str]:
    """Return the headers by lower-case name, of repeated ones the last."""
    return {
        name.decode("latin-1").lower(): value.decode("latin-1")
        for name, value in response.headers.raw
    }


def _redirect_target(response: httpx.Response, *, base: str) -> str:
    """Return the absolute URL of a Location header, ready to be fetched. Raises FetchError."""
    location = next(
        (_as_ascii(value) for name, value in response.headers.raw if name.lower() == b"location"),
        "",
    ).strip()
    if not location:
        raise FetchError(ErrorKind.BAD_REDIRECT, "there is no Location")
    try:
        target = ada_url.join_url(base, location)
    except ValueError:
        raise FetchError(ErrorKind.BAD_REDIRECT, f"no URL: {location}") from None
    if len(target) > _MAX_URL:
        raise FetchError(ErrorKind.BAD_REDIRECT, f"a URL of {len(target)} characters")
    try:
        return _fetchable(target)
    except ValueError as error:
        raise FetchError(ErrorKind.FORBIDDEN_REDIRECT, f"{error}: {target}") from None


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
