"""A page in the wild: what its server does, what is true of it, what a good check says."""

import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from targets.state import Outcome
from tests.zoo.server import Visit

SUCCESS, FAILURE, INCONCLUSIVE = Outcome.SUCCESS, Outcome.FAILURE, Outcome.INCONCLUSIVE
ELSE = "*"  # in a site: every path that it does not name


class Truth(StrEnum):
    """What a person with a browser says of the page."""

    GONE = "gone"  # it is not there, whatever the status says
    CLOSED = "closed"  # nor is any other page of the site: its host, or its state, closed it
    DOWN = "down"  # nobody sees it now: a failure is a fair word, but so is patience
    ALIVE = "alive"
    RESTRICTED = "restricted"  # it is there, for those who sign in, pay or hold a certificate
    SLOW = "slow"
    WALL = "wall"  # people see it, a robot does not
    OURS = "ours"  # what stands between is on our own side


# Flags by which a page that came with a 200 is said to be another than the one asked for.
SUSPICIOUS = frozenset(
    {"parked", "error_page", "home_page", "login", "same_for_all", "changed_owner"}
)
_OUTCOMES = {
    Truth.GONE: {FAILURE},
    Truth.CLOSED: {FAILURE},
    Truth.DOWN: {FAILURE, INCONCLUSIVE},
    Truth.ALIVE: {SUCCESS},
    Truth.RESTRICTED: {SUCCESS},
    Truth.SLOW: {SUCCESS, INCONCLUSIVE},
    Truth.WALL: {INCONCLUSIVE},
    Truth.OURS: {INCONCLUSIVE},
}


@dataclass(frozen=True, kw_only=True)
class Reply:
    """An answer. In it `:PORT` and `:TLSPORT` stand for the zoo's ports, `$HOST` for the host."""

    status: int = 200
    headers: tuple[str, ...] = ()
    body: bytes = b""
    wire: bytes | None = None  # the whole answer as it goes over the wire, instead of the above
    delay: float = 0.0  # seconds before the first byte


# Some answer by the visit and by how often this was asked for, from 1.
Answer = Reply | Callable[[Visit, int], Reply]
Site = Mapping[str, Answer]  # by path with query, as asked for


@dataclass(frozen=True, kw_only=True)
class Case:
    """One page, asked for at `path` of `hostname`.

    Where `earlier` is given, the page is asked for twice, and the site was that the first time.
    """

    name: str
    truth: Truth
    source: str  # where such servers are known from
    site: Site
    path: str = "/archive/2019/annual-report"
    host: str = ""  # empty: a name of its own
    others: Mapping[str, Site] = field(default_factory=dict)  # other hosts on the way, by name
    names: Mapping[str, tuple[str, ...] | Exception] = field(default_factory=dict)  # what DNS says
    earlier: Site | None = None
    tls: str | None = None  # the form of the server's TLS; None: plain HTTP
    port: int | None = None  # another than the zoo's, where nothing listens
    policy: Mapping[str, Any] = field(default_factory=dict)
    outcomes: frozenset[Outcome] = frozenset()  # what a good check says; empty: as the truth has it
    # Of a page that is gone and passes: one of these must be there. Of others: these may.
    flags: frozenset[str] = frozenset()

    def __str__(self) -> str:
        return self.name

    @property
    def hostname(self) -> str:
        return self.host or f"w{zlib.crc32(self.name.encode()):08x}.example"

    @property
    def expected(self) -> frozenset[Outcome]:
        return self.outcomes or frozenset(_OUTCOMES[self.truth])


def gone(name: str, source: str, site: Site, *flags: str, **more: Any) -> Case:
    """Return a page that is gone; with `flags`, it may pass with one of them."""
    if flags:
        more.setdefault("outcomes", frozenset({SUCCESS, FAILURE}))
    return Case(
        name=name, truth=Truth.GONE, source=source, site=site, flags=frozenset(flags), **more
    )


def alive(name: str, source: str, site: Site, *flags: str, **more: Any) -> Case:
    """Return a page that is there; `flags` may be set."""
    return Case(
        name=name, truth=Truth.ALIVE, source=source, site=site, flags=frozenset(flags), **more
    )


def of_truth(truth: Truth, name: str, source: str, site: Site, **more: Any) -> Case:
    return Case(name=name, truth=truth, source=source, site=site, **more)


# Replies


def html(
    text: str, *headers: str, status: int = 200, charset: str = "utf-8", said: str | None = ""
) -> Reply:
    """Return a page in `charset`; `said` is the charset of the header, None for no word of it."""
    label = charset if said == "" else said
    kind = f"Content-Type: text/html; charset={label}" if label else "Content-Type: text/html"
    return Reply(status=status, headers=(kind, *headers), body=text.encode(charset))


def plain(text: str, *headers: str, status: int = 200, kind: str = "text/plain") -> Reply:
    return Reply(status=status, headers=(f"Content-Type: {kind}", *headers), body=text.encode())


def redirect(location: str, *headers: str, status: int = 302) -> Reply:
    return Reply(status=status, headers=(f"Location: {location}", *headers))


def wire(*parts: bytes) -> Reply:
    return Reply(wire=b"".join(parts))


def late(reply: Reply, seconds: float) -> Reply:
    return replace(reply, delay=seconds)


def only(reply: Answer) -> Site:
    """Return a site that answers everything like this."""
    return {ELSE: reply}


def cookie_gate(reply: Reply, gate: Reply) -> Answer:
    """Return what answers `gate` to whoever brings no cookie."""
    return lambda visit, _times: reply if visit.header("Cookie") else gate


def in_turn(*replies: Reply) -> Answer:
    """Return what answers the n-th request for it with the n-th reply, later ones with the last."""
    return lambda _visit, times: replies[min(times, len(replies)) - 1]
