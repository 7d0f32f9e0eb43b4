"""The result of one attempt of a check, and what can be derived from it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta

from django.utils.functional import cached_property

from checker.engine import verdict_table as table
from checker.engine.certificate import Certificate
from checker.engine.closed_sites import find_closed
from checker.engine.errors import ErrorKind
from checker.engine.page import FetchedPage, read_page
from checker.engine.page_identity import Identity, identify
from checker.engine.restricted_pages import BareRefusal
from checker.engine.roots import Root
from checker.engine.throttling import is_for_page_alone, requested_pause
from checker.engine.walls import find_walls, leads_to_wall


@dataclass(frozen=True, slots=True, kw_only=True)
class Redirect:
    """One hop: the status of a redirect, or 2xx for a refresh, and the URL it led to."""

    status: int
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Precondition:
    """The conditional header of one request."""

    url: str  # the only URL that it is sent to
    name: str
    value: str
    is_made_up: bool = False  # an honest server responds with the page


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """The result of one attempt: the last response of its redirect chain, the error, or both."""

    url: str  # where the redirects led
    asked: str = ""  # the first URL requested
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)  # names in lower case
    body: bytes = b""  # as sent, up to the cap; empty for a redirect
    has_unread: bool = False  # the body goes on, but can't change the verdict
    is_cut_off: bool = False  # a timeout or the server ended the body early
    redirects: tuple[Redirect, ...] = ()
    fragment: str = ""  # of the last URL; not sent
    error: ErrorKind | None = None
    detail: str = ""  # of the error, in the words of the lower layer
    tls_error: str | None = None  # the error that VERIFY_TLS=warn accepted
    incomplete_chain: bool = False  # a server left out its issuer's certificate
    is_internal: bool = False  # a server on the way is allowed only by ALLOW_NETWORKS
    certificate: Certificate | None = None  # of the last https server on the way
    certificate_expires: bool = False  # soon enough to be flagged
    retry_after: float | None = None  # the pause that the last response asks for, in seconds
    earlier_pause: float | None = None  # that of redirects and robots.txt of the same host
    retry_in: float | None = None  # seconds until the host may be contacted, if not now
    sibling: "Exchange | None" = None  # the response to a made-up URL next to `asked`
    root: Root | None = None  # the root of the host that answered, if needed
    known: Identity | None = None  # the page's identity from earlier checks
    precondition: Precondition | None = None  # of the last request
    is_unchanged: bool = False  # the server says that the page has not changed

    @property
    def shown(self) -> str:
        """Where the redirects led, as a browser shows it."""
        return f"{self.url}#{self.fragment}" if self.fragment else self.url

    @property
    def longest_pause(self) -> float | None:
        """The longest pause, in seconds, that any response of the last host asks for."""
        pauses = (self.retry_after, self.earlier_pause)
        return max((pause for pause in pauses if pause is not None), default=None)

    @property
    def host_pause(self) -> timedelta | None:
        """The pause that the last host asks for, but not one for the page alone; or None."""
        if is_for_page_alone(self.status, self.headers):
            return None
        return requested_pause(self.status, self.longest_pause)

    @cached_property
    def page(self) -> FetchedPage | None:
        """The HTML page of the response; None if it is empty or not HTML."""
        return read_page(headers=self.headers, body=self.body)

    @cached_property
    def closed(self) -> str | None:
        """The mark by which a host says that the site is closed, or None."""
        if self.error is not None:
            return None
        return find_closed(
            status=self.status or 0, headers=self.headers, body=self.body, url=self.url
        )

    @cached_property
    def walls(self) -> tuple[str, ...]:
        """The marks of bot walls, in the response or in the URL to which it was redirected."""
        if self.error is not None:
            return ()
        status = self.status or 0
        marks = find_walls(
            status=status, headers=self.headers, body=self.body, url=self.url, page=self.page
        )
        if self.redirects and status in table.PAGE.statuses:
            url_mark = leads_to_wall(asked=self.asked, url=self.url)
            return (*marks, url_mark) if url_mark else marks
        return marks

    @cached_property
    def refusal(self) -> BareRefusal:
        """The response, interpreted as a refusal."""
        return BareRefusal(self.headers, self.body, self.page)

    @cached_property
    def identity(self) -> Identity | None:
        """The identity of `page`; None without a page."""
        if self.page is None:
            return None
        return identify(self.page, url=self.url, certificate=self.certificate, known=self.known)
