"""Ask for every page of the wild as a check does, and hold what it says against the truth."""

import asyncio
import contextlib
import ipaddress
import os
import socket
import ssl
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from enum import StrEnum
from pathlib import Path

from checker.engine.fetch import Probe, probe
from checker.engine.neighbours import ASK
from checker.engine.tls import tls_context
from foundation.net.guard import Guard
from targets.state import Outcome
from tests.zoo import http2
from tests.zoo.checks import policy
from tests.zoo.server import Visit, serve
from tests.zoo.wild import (
    gone_empty,
    gone_languages,
    gone_parked,
    gone_redirects,
    gone_statuses,
    innocent_articles,
    innocent_redirects,
    innocent_words,
    odd,
    ours,
    tls,
    walls,
    walls_sites,
)
from tests.zoo.wild.case import ELSE, SUSPICIOUS, Case, Reply, Site, Truth
from tests.zoo.wild.pages import ARTICLE, PATH

CASES: list[Case] = [
    case
    for module in (
        gone_languages,
        gone_empty,
        gone_parked,
        gone_redirects,
        gone_statuses,
        innocent_articles,
        innocent_words,
        innocent_redirects,
        walls,
        walls_sites,
        odd,
        ours,
    )
    for case in module.CASES
]

_HERE = "127.0.0.1"
_GUARD = Guard(allow_networks=[ipaddress.ip_network(f"{_HERE}/32")])
_AT_ONCE = 16


class Judgement(StrEnum):
    """What a check's word is worth."""

    GOOD = "good"
    FALSE_DEATH = "false death"  # people see the page, or it is not the page's fault
    PASSES = "passes"  # gone, and a success without a flag that says so
    KEPT = "kept"  # gone, and inconclusive
    FLAGGED = "flagged"  # there, and called something else
    MISTAKEN = "mistaken"  # any other outcome than a careful person's


@dataclass(frozen=True)
class Sighting:
    """A page and what a check said of it."""

    case: Case
    found: Probe

    @property
    def judgement(self) -> Judgement:
        outcome, flags = self.found.outcome, set(self.found.flags)
        is_success = outcome is Outcome.SUCCESS
        is_gone = self.case.truth in (Truth.GONE, Truth.CLOSED)
        if is_gone and is_success:
            return Judgement.GOOD if flags & self.case.flags else Judgement.PASSES
        if outcome in self.case.expected:
            odd_flags = (flags & SUSPICIOUS) - self.case.flags
            return Judgement.FLAGGED if is_success and odd_flags else Judgement.GOOD
        if outcome is Outcome.FAILURE:
            return Judgement.FALSE_DEATH
        return Judgement.KEPT if is_gone else Judgement.MISTAKEN


async def survey(
    cases: Sequence[Case] = CASES, *, check_soft_404: bool = False, condition: str = "evidence"
) -> list[Sighting]:
    """Return what a check says of each case, all served from this machine's loopback."""
    turns = asyncio.Semaphore(_AT_ONCE)
    async with serving(cases) as wild:

        async def visit(case: Case) -> Sighting:
            async with turns:
                return await _visit(case, wild, check_soft_404=check_soft_404, condition=condition)

        return await asyncio.gather(*map(visit, cases))


@contextlib.asynccontextmanager
async def serving(cases: Sequence[Case]) -> AsyncIterator["Wild"]:
    """Serve all cases, and let checks trust their certificates."""
    with tempfile.TemporaryDirectory() as folder:
        roots, contexts = tls.contexts(Path(folder), _secure_hosts(cases))
        async with Wild(sites=_sites(cases), names=_names(cases)).open(contexts) as wild:
            with _trusting(roots):
                yield wild


async def _visit(case: Case, wild: "Wild", *, check_soft_404: bool, condition: str) -> Sighting:
    """Ask for one page, twice where it was another before."""
    changes = {
        "guard": _GUARD,
        "resolver": wild.resolve,
        "ask_neighbours": True,
        "folders": _Folders(),
        "check_soft_404": check_soft_404,
        "certificate_warning": timedelta(days=14).total_seconds(),
    }
    fetching = policy(**{**changes, **case.policy})
    known = None
    if case.earlier is not None:
        wild.sites[case.hostname] = case.earlier
        unasked = replace(fetching, ask_neighbours=False)  # that site had real 404s
        known = (await probe(wild.url(case), policy=unasked)).identity
        wild.sites[case.hostname] = case.site
    found = await probe(wild.url(case), policy=fetching, condition=condition, known=known)
    return Sighting(case, found)


class _Folders:
    """Folders of several targets about which nobody has asked yet: what flags most."""

    async def look_up(self, _folder: str) -> str:
        return ASK

    async def remember(self, _folder: str, _fingerprint: str) -> None:
        pass


def _sites(cases: Sequence[Case]) -> dict[str, Site]:
    """Return the sites by host. Raises ValueError where two cases share one, or one has gaps."""
    sites: dict[str, Site] = {}
    for case in cases:
        for host, site in {case.hostname: case.site, **case.others}.items():
            if host in sites:
                raise ValueError(f"two sites at {host}")
            if ELSE not in site:
                raise ValueError(f"{host} does not answer everything")
            sites[host] = site
    return sites


def _names(cases: Sequence[Case]) -> dict[str, tuple[str, ...] | Exception]:
    return {name: answer for case in cases for name, answer in case.names.items()}


def _secure_hosts(cases: Sequence[Case]) -> set[str]:
    return {case.hostname for case in cases if case.tls} | {
        host for case in cases for host in case.others
    }


@dataclass
class Wild:
    """The servers: one for plain HTTP, one for each kind of TLS; which site is told by Host."""

    sites: dict[str, Site]
    names: Mapping[str, tuple[str, ...] | Exception]
    ports: dict[str | None, int] = field(default_factory=dict)  # by kind of TLS
    asked: Counter[tuple[str, str]] = field(default_factory=Counter)  # host and target

    @contextlib.asynccontextmanager
    async def open(self, contexts: Mapping[str, ssl.SSLContext]) -> AsyncIterator["Wild"]:
        async with contextlib.AsyncExitStack() as stack:
            for kind, context in (None, None), *contexts.items():
                if kind in tls.DEMANDING:
                    self.ports[kind] = await stack.enter_async_context(tls.demanding(context))
                else:
                    zoo = await stack.enter_async_context(serve(self._answer, tls=context))
                    self.ports[kind] = zoo.port
            alerting = http2.alerting(contexts["good"], self._answer)
            self.ports[tls.ALERT] = await stack.enter_async_context(alerting)
            yield self

    def url(self, case: Case) -> str:
        scheme = "https" if case.tls else "http"
        return f"{scheme}://{case.hostname}:{case.port or self.ports[case.tls]}{case.path}"

    async def resolve(self, host: str) -> Sequence[str]:
        """Resolve the names of the wild; nothing leaves this machine."""
        answer = self.names.get(host)
        if isinstance(answer, TimeoutError):
            await asyncio.Event().wait()
        if isinstance(answer, Exception):
            raise answer
        if answer is None and _is_literal(host):
            return [host]
        if answer is None and host not in self.sites:
            raise socket.gaierror(socket.EAI_NONAME, "there is no such name")
        return [_HERE] if answer is None else answer

    async def _answer(self, visit: Visit) -> None:
        if visit.request.startswith(b"PRI "):
            await http2.speaking_http2(_article)(visit)
            return
        host = (visit.header("Host") or "").rpartition(":")[0]
        site = self.sites[host]
        self.asked[host, visit.target] += 1
        answer = site.get(visit.target) or site[ELSE]
        reply = (
            answer if isinstance(answer, Reply) else answer(visit, self.asked[host, visit.target])
        )
        await asyncio.sleep(reply.delay)
        await visit.send(_serialised(reply, fill=lambda data: self._filled(data, host)))

    def _filled(self, data: bytes, host: str) -> bytes:
        """Return `data` with what its words stand for."""
        for word, kind in (b":TLSPORT", "good"), (b":PORT", None):
            data = data.replace(word, b":%d" % self.ports[kind])
        return data.replace(b"$HOST", host.encode())


def _article(fields: http2.Fields) -> tuple[int, list[tuple[str, str]], bytes]:
    """Answer a request by HTTP/2 as a sound site does."""
    is_there = fields[":path"] == PATH
    body = ARTICLE.body if is_there else b"Not found"
    return http2.page(body, status=200 if is_there else 404)(fields)


def _serialised(reply: Reply, *, fill: Callable[[bytes], bytes]) -> bytes:
    if reply.wire is not None:
        return fill(reply.wire)
    body = fill(reply.body)
    lines = [f"HTTP/1.1 {reply.status} Status", *reply.headers, f"Content-Length: {len(body)}"]
    return fill("\r\n".join([*lines, "", ""]).encode()) + body


def _is_literal(host: str) -> bool:
    with contextlib.suppress(ValueError):
        return bool(ipaddress.ip_address(host))
    return False


@contextlib.contextmanager
def _trusting(roots: Path) -> Iterator[None]:
    """Let checks trust `roots`, as SSL_CERT_FILE does."""
    before = os.environ.get("SSL_CERT_FILE")
    os.environ["SSL_CERT_FILE"] = str(roots)
    tls_context.cache_clear()
    try:
        yield
    finally:
        del os.environ["SSL_CERT_FILE"]
        if before is not None:
            os.environ["SSL_CERT_FILE"] = before
        tls_context.cache_clear()
