"""The settings with which checks are made."""

import functools
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal

import httpx

from checker.engine.event_loop_lag import Lag
from checker.engine.instructions import NO_INSTRUCTIONS, Instructions
from checker.engine.neighbours import FolderLookup
from checker.engine.pooling import KeptConnections
from checker.engine.robots import Robots
from checker.engine.roots import RootLookup, Roots
from checker.engine.tls import VerifyTLS
from checker.engine.verdict import CONDITIONS, Condition
from foundation.net.guard import Guard
from foundation.net.proxy import EgressProxy
from foundation.net.resolver import Resolver


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchPolicy:
    """The settings with which checks are made; times are in seconds."""

    timeout: float  # of a whole attempt: every redirect, DNS, connect, TLS, headers, body
    retries: int  # further attempts after the first
    # The timeout of the first attempt, for slow targets; after it, there is no retry.
    first_timeout: float | None = None
    backoff: float  # before the first retry; doubles with each further one
    user_agent: str
    guard: Guard
    verify_tls: VerifyTLS = "on"
    method: Literal["GET", "HEAD"] = "GET"  # HEAD: tried first; a GET follows unless it decides
    max_hops: int = 20  # redirects that are followed; as many as in browsers
    resolver: Resolver | None = None  # None: the system's
    proxy: EgressProxy | None = None  # for all requests except those that bypass it
    conditions: Mapping[str, Condition] = field(default_factory=lambda: CONDITIONS)  # by name
    ask_neighbours: bool = False  # request a made-up neighbour if the page may be a different one
    folders: FolderLookup | None = None  # None: only unusual pages are compared
    check_soft_404: bool = False  # fail if a neighbour returns the same page
    # Remembers the responses of roots; None: roots are not requested.
    roots: Roots | None = field(default_factory=Roots)
    robots: Robots | None = None  # which sites opted out; None: robots.txt is not fetched
    look_up_root: RootLookup | None = None  # looks up roots that are targets
    failing_flags: Collection[str] = ()  # flags that turn a success into a failure
    lag: Lag = field(default_factory=Lag)  # of the event loop that runs the checks
    # Seconds before its expiry from which a certificate is flagged.
    certificate_warning: float = 0.0
    instructions: Instructions = NO_INSTRUCTIONS  # of operators, for the target being checked
    reads_whole_body: bool = False  # even if the verdict does not need it
    connections: KeptConnections | None = None  # of the lease; None: each request has its own

    def headers(self, authority: str) -> httpx.Headers:
        """Return the headers of each request, not to be changed.

        Cookies, preconditions, operators' headers and those of the connection are added later.
        """
        return _headers(authority, self.user_agent)


@functools.lru_cache(maxsize=1024)  # many targets share an authority
def _headers(authority: str, user_agent: str) -> httpx.Headers:
    return httpx.Headers(
        [
            ("Host", authority),
            ("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"),
            ("Accept-Language", "en,*;q=0.5"),
            ("User-Agent", user_agent),
        ]
    )
