"""The zoo of docs/verdicts.md: servers that behave as its rows describe, and the expected results
of checks."""

import asyncio
import base64
import gzip
import ipaddress
import socket
import ssl
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from checker.engine.fetch import Probe, probe
from checker.engine.pooling import KeptConnections
from checker.engine.wall_products import WALLS
from foundation.net.guard import Guard
from targets.state import Outcome
from tests.zoo import certificates
from tests.zoo.checks import policy
from tests.zoo.names import FORMERR, MUTE, NOTIMP, NXDOMAIN, REFUSED, SERVFAIL, Each
from tests.zoo.server import Behaviour, Visit, Zoo, answer, endless, hanging, in_turn, raw, serve

OK = b"HTTP/1.1 200 OK\r\n"
OTHER_PAGE = "/another/page/of/this/lease"
GUARD = Guard(allow_networks=[ipaddress.ip_network("127.0.0.1/32")])
ALIVE, DEAD, UNSURE = Outcome.SUCCESS, Outcome.FAILURE, Outcome.INCONCLUSIVE

# The names that the zoo's name server knows.
NAMES: dict[str, Any] = {
    "good.test": ("127.0.0.1",),
    "xn--bcher-kva.test": ("127.0.0.1",),
    "elsewhere.test": ("127.0.0.1",),
    "gone.test": NXDOMAIN,
    "empty.test": (),
    "broken.test": SERVFAIL,
    "misunderstood.test": FORMERR,
    "unsupported.test": NOTIMP,
    "refused.test": REFUSED,
    "mute.test": MUTE,
    "half-broken.test": Each((), SERVFAIL),
    "half-refused.test": Each(SERVFAIL, ()),
    "half-good.test": Each(("127.0.0.1",), SERVFAIL),
    "private.test": ("10.0.0.1",),
    "mixed.test": ("127.0.0.1", "169.254.169.254"),
}


@dataclass(frozen=True, kw_only=True)
class Case:
    """A server, and the expected result of its check."""

    row: int
    name: str
    behaviour: Behaviour | None  # None: nothing listens
    outcome: Outcome
    reason: str | None = None
    flags: tuple[str, ...] = ()
    path: str = "/deep/page"
    host: str = "127.0.0.1"
    tls: str | None = None  # the name of the certificate
    policy: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.row:02}-{self.name}"


async def reset(visit: Visit) -> None:
    visit.reset()


def redirect(status: int, location: str, *headers: str) -> Behaviour:
    return answer(status, f"Location: {location}", *headers, body=b"")


def by_target(pages: dict[str, Behaviour], *, other: Behaviour | None = None) -> Behaviour:
    """Return a site with these pages, and `other` (200) at all other addresses."""

    async def behave(visit: Visit) -> None:
        await pages.get(visit.target, other or answer())(visit)

    return behave


def by_method(*, head: Behaviour, get: Behaviour) -> Behaviour:
    async def behave(visit: Visit) -> None:
        await (head if visit.request.startswith(b"HEAD ") else get)(visit)

    return behave


async def countdown(visit: Visit) -> None:
    left = int(visit.target.rpartition("/")[2])
    await (redirect(302, f"/{left - 1}") if left else answer())(visit)


async def cookie_gate(visit: Visit) -> None:
    opened = visit.header("Cookie") == "seen=yes"
    await (answer() if opened else redirect(302, visit.target, "Set-Cookie: seen=yes"))(visit)


def to_address(address: str) -> Behaviour:
    """Return a server that redirects to its own port on another address."""

    async def behave(visit: Visit) -> None:
        port = visit.writer.get_extra_info("sockname")[1]
        await redirect(302, f"http://{address}:{port}/")(visit)

    return behave


def unless_asked_for(target: str, behaviour: Behaviour) -> Behaviour:
    """Return a server that answers `target` with `behaviour`, and 404 otherwise."""
    return by_target({target: behaviour, "/": answer()}, other=answer(404))


NOT_FOUND_PAGE = answer(
    200, "Content-Type: text/html", body=b"<TITLE>Shop</TITLE><h1>Page <b>not</b> found</h1>"
)
HOME = by_target({"/": answer()}, other=redirect(302, "/"))
COOKIE_SCRIPT = b"<script>document.cookie='seen=1;path=/';location.reload()</script>"
CHALLENGE = b"<html><script>window._cf_chl_opt = {}</script></html>"
FAST = {"timeout": 0.2, "retries": 1}

GZIP_BOMB = gzip.compress(bytes(32 * 1024 * 1024))
# A frame of 15,000 blocks that each encode 128 KiB of the same byte: 1.8 GiB. Source: RFC 8878.
ZSTD_BOMB = b"\x28\xb5\x2f\xfd\x00\x58" + ((0x20000 << 3 | 2).to_bytes(3, "little") + b"x") * 15_000
# 32 MiB of zero bytes.
BROTLI_BOMB = base64.b64decode(
    "y///P/gnAOKxQCD3/o///3/wTwDEYRGA7v0f////4J8AiMMCAN37P/7//8E/ARCHBQC6938D"
)


def encoded(encoding: str, body: bytes, *, status: int = 200) -> Behaviour:
    return answer(status, f"Content-Encoding: {encoding}", body=body)


def _this_page(status: int, *headers: str, body: bytes = b"hello") -> Behaviour:
    """Return a server that refuses all but its root."""
    return by_target({"/": answer()}, other=answer(status, *headers, body=body))


def _row(number: int, outcome: Outcome, reason: str | None, **behaviours: Any) -> Iterator[Case]:
    """Yield cases with one verdict. A behaviour is a server, or (server, further fields)."""
    for name, behaviour in behaviours.items():
        server, more = behaviour if isinstance(behaviour, tuple) else (behaviour, {})
        fields = {"outcome": outcome, "reason": reason, **more}
        yield Case(row=number, name=name, behaviour=server, **fields)


def _answers_and_refusals() -> Iterator[Case]:
    yield from _row(1, ALIVE, None, **{f"s{n}": answer(n, body=b"") for n in (200, 203, 204, 206)})
    head = {"policy": {"method": "HEAD", "timeout": 0.6}}
    for name, broken in {
        "405": answer(405),
        "404": answer(404),
        "500": answer(500),
        "403": answer(403),
        "hang": hanging(),
        "reset": reset,
    }.items():
        yield from _row(2, ALIVE, None, **{name: (by_method(head=broken, get=answer()), head)})
    yield from _row(2, DEAD, "http_404", gone=(answer(404, body=b""), head))
    for status in (400, 404, 410, 418):
        yield from _row(3, DEAD, f"http_{status}", **{str(status): _this_page(status)})
    restricted = {"flags": ("restricted",)}
    yield from _row(4, ALIVE, None, login=(answer(401), restricted), pay=(answer(402), restricted))
    yield from _row(4, UNSURE, "proxy", proxy=answer(407), portal=answer(511))
    yield from _row(7, UNSURE, "legal", legal=answer(451))
    yield from _row(8, DEAD, "http_5xx", always=answer(500), gateway=answer(502))
    yield from _row(8, ALIVE, None, once=in_turn(answer(500), answer()))


def _walls() -> Iterator[Case]:
    yield from _row(
        5,
        DEAD,
        "closed_by_host",
        hostname=answer(400, body=b"<h2>Bad Request - Invalid Hostname</h2>"),
        stopped=answer(403, body=b"<p>Error 403 - This web app is stopped.</p>"),
        origin=answer(530, "Server: cloudflare", body=b"error code: 1016"),
        unpaid=answer(402, "powered-by: Shopify"),
        suspended=answer(
            403,
            "Content-Type: text/html",
            body=b"<title>Account Suspended</title><p>Contact your hosting provider.</p>",
        ),
    )
    plain_http = b"<center>The plain HTTP request was sent to HTTPS port</center>"
    yield from _row(5, DEAD, "https_only", tls_port=answer(400, body=plain_http))
    yield from _row(
        5,
        DEAD,
        "http_403",
        plain=_this_page(403, body=b"<h1>Forbidden</h1>"),
        let_through=_this_page(403, "x-datadome: protected", "CF-RAY: 1", "X-Iinfo: 1"),
        detector=_this_page(403, body=b"<script src=/cdn-cgi/challenge-platform/scripts/jsd.js>"),
        bomb=_this_page(403, "Content-Encoding: gzip", body=GZIP_BOMB[:60_000]),
    )
    for wall in WALLS:
        status = 403 if 403 in wall.statuses else min(wall.statuses)
        for name in wall.headers:
            header, _, value = name.partition(": ")
            server = answer(status, f"{header.title()}: {value or 'challenge'}")
            yield from _row(5, UNSURE, "blocked", **{f"{wall.name}-{name}": server})
        for words in wall.words:
            server = answer(403, body=f"<p>{words}</p>".upper().encode())
            yield from _row(5, UNSURE, "blocked", **{f"{wall.name}-{words}": server})
        for title in wall.titles:
            server = answer(200, body=f"<title>{title.title()}</title>".encode())
            yield from _row(5, UNSURE, "blocked", **{f"{wall.name}-{title}": server})
        for fragment in (*wall.markup, *wall.scripts):
            server = answer(200, body=f"<script>{fragment}</script>".encode())
            yield from _row(5, UNSURE, "blocked", **{f"{wall.name}-{fragment}": server})
    yield from _row(
        5,
        UNSURE,
        "blocked",
        linkedin=answer(999),
        too_many_of_old=answer(420),
        shop=_this_page(430),
        script=_this_page(412, body=COOKIE_SCRIPT),
        script_of_521=_this_page(521, body=COOKIE_SCRIPT),
        script_of_200=answer(200, "Content-Type: text/html", body=COOKIE_SCRIPT),
        anubis=answer(500, body=b"<img src=/.within.website/x/cmd/anubis/static/reject.webp>"),
        ray=_this_page(403, "Server: cloudflare", body=b"<p>Ray ID: <b>9a1b2c3d4e5f6071</b>"),
        words=_this_page(403, body="<p>Подтвердите, что вы не робот.".encode()),
        captcha=answer(200, body=b"<title>Hold on</title><form><div class=cf-turnstile></div>"),
        packed=encoded("gzip", gzip.compress(CHALLENGE), status=403),
        unavailable=answer(503, body=CHALLENGE),
        accepted=answer(202, "x-amzn-waf-action: challenge"),
        too_many=answer(429, "cf-mitigated: challenge"),
    )


def _refusals() -> Iterator[Case]:
    """Yield refusals that ask for a log-in, and refusals whose root does not answer."""
    restricted = {"flags": ("restricted",)}
    yield from _row(
        4,
        ALIVE,
        None,
        password=(_this_page(403, body=b"<title>No</title><input type=password>"), restricted),
        campus=(_this_page(403, body=b"On the campus network only."), restricted),
        form=(_this_page(403, "X-Forms_Based_Auth_Required: https://a.example/"), restricted),
        root=(by_target({"/": answer(401)}, other=answer(403)), restricted),
    )
    for status in (403, 412, 498):
        silent = by_target({"/": reset}, other=answer(status))
        yield from _row(5, UNSURE, "root_unknown", **{f"silent root {status}": silent})


def _throttling() -> Iterator[Case]:
    waits = ["5", "-5", "0", "9" * 400, "soon", "Sun, 01 Mar 1998 12:00:00 GMT"]
    for status in (403, 408, 429, 500, 503):
        reason = "unavailable" if status >= 500 else "throttled"
        for number, wait in enumerate(waits):
            server = answer(status, f"Retry-After: {wait}")
            yield from _row(6, UNSURE, reason, **{f"{status}-{number}": server})
    used_up = answer(403, "X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 5")
    yield from _row(6, UNSURE, "throttled", without=answer(429), used_up=used_up)
    overloaded = {str(status): answer(status) for status in (408, 425, 508, 509, 529)}
    yield from _row(6, UNSURE, "unavailable", **overloaded)
    yield from _row(6, DEAD, "http_5xx", no_wish=answer(503), blank=answer(503, "Retry-After:  "))


def _bodies() -> Iterator[Case]:
    chunked = OK + b"Transfer-Encoding: chunked\r\n\r\n"
    yield from _row(
        9,
        ALIVE,
        None,
        hang=(hanging(OK, b"Content-Length: 9\r\n\r\nhalf"), {"policy": FAST}),
        drip=(endless(chunked, b"1\r\n.\r\n", pause=0.02), {"policy": FAST}),
        endless=endless(OK + b"\r\n", b"x" * 65_536),
        truncated=raw(OK, b"Content-Length: 100\r\n\r\ntruncated"),
        chunks=raw(chunked, b"zz\r\nno chunk size"),
        gzip=encoded("gzip", GZIP_BOMB),
        zstd=encoded("zstd", ZSTD_BOMB),
        brotli=encoded("br", BROTLI_BOMB),
        not_gzip=encoded("gzip", b"plain"),
    )
    yield from _row(
        10,
        DEAD,
        "timeout",
        nothing=(hanging(), {"policy": FAST}),
        part=(hanging(OK, b"Server: slow\r\n"), {"policy": FAST}),
        drip=(endless(OK, b"X-Drip: 1\r\n", pause=0.02), {"policy": FAST}),
    )
    yield from _row(
        17,
        DEAD,
        "protocol",
        ssh=raw(b"SSH-2.0-OpenSSH_9.6\r\n"),
        bare=raw(b"<html>no headers at all</html>"),
        headers=endless(OK, b"X-More: " + b"x" * 1000 + b"\r\n"),
    )
    hints = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
    yield from _row(
        18,
        ALIVE,
        None,
        old=raw(b"HTTP/1.0 200 OK\r\n\r\nuntil it closes"),
        interim=raw(hints, OK, b"Content-Length: 2\r\n\r\nok"),
        huge=raw(OK, b"X-Big: ", b"x" * 60 * 1024, b"\r\n\r\nok"),
        lf=raw(b"HTTP/1.1 200 OK\nContent-Length: 2\n\nok"),
    )


def _redirects() -> Iterator[Case]:
    yield from _row(11, DEAD, "redirect_loop", loop=redirect(302, "/deep/page"))
    yield from _row(11, DEAD, "redirect_limit", limit=(countdown, {"path": "/21"}))
    yield from _row(11, DEAD, "bad_redirect", none=answer(302), bad=redirect(301, "http://[::1"))
    yield from _row(11, ALIVE, None, gate=cookie_gate, twenty=(countdown, {"path": "/20"}))
    moved = {"/deep/page": redirect(301, "/b"), "/b": redirect(308, "/c"), "/c": answer()}
    yield from _row(12, ALIVE, None, moved=(by_target(moved), {"flags": ("moved",)}))
    yield from _row(
        13,
        UNSURE,
        "forbidden_redirect",
        network=redirect(302, "http://10.0.0.1/"),
        name=redirect(302, "http://private.test/"),
    )
    yield from _row(
        13,
        UNSURE,
        "local_redirect",
        loopback=to_address("127.0.0.2"),
        metadata=redirect(302, "http://169.254.169.254/latest/"),
    )
    yield from _row(
        13,
        DEAD,
        "bad_redirect",
        scheme=redirect(302, "ftp://127.0.0.1/"),
        script=redirect(302, "javascript:alert(1)"),
    )


SAME_FOR_ALL = answer(
    200,
    "Content-Type: text/html",
    body=b"<title>River</title><meta property=og:site_name content=River><p>The ferry ran until "
    b"the first frost of that year, and a crowd on both banks saw it leave for the last time.</p>",
)


def _soft_404() -> Iterator[Case]:
    error, sent_home = {"flags": ("error_page",)}, {"flags": ("home_page",)}
    asking = {"policy": {"ask_neighbours": True, "check_soft_404": True}}
    proven = {"flags": (), **asking}
    page = unless_asked_for("/deep/page", NOT_FOUND_PAGE)
    home = unless_asked_for("/deep/page", redirect(302, "/"))
    yield from _row(
        19,
        ALIVE,
        None,
        home=(HOME, sent_home),
        page=(NOT_FOUND_PAGE, error),
        same=(SAME_FOR_ALL, {"flags": ("same_for_all",), "policy": {"ask_neighbours": True}}),
        same_unasked=SAME_FOR_ALL,
        real_page=(page, {**error, **asking}),
        real_redirect=(home, {**sent_home, **asking}),
        the_home_itself=(answer(), {"path": "/"}),
        article=answer(200, body=b"<title>Peugeot 404 - the car</title>"),
        other_type=answer(200, "Content-Type: text/plain", body=b"<title>404</title>"),
    )
    yield from _row(
        19, DEAD, "soft_404", home_too=(HOME, proven), page_too=(NOT_FOUND_PAGE, proven)
    )


def _names_and_connections() -> Iterator[Case]:
    yield from _row(
        14,
        DEAD,
        "dns",
        gone=(answer(), {"host": "gone.test"}),
        empty=(answer(), {"host": "empty.test"}),
    )
    yield from _row(
        14,
        UNSURE,
        "dns_temporary",
        broken=(answer(), {"host": "broken.test", "policy": {"retries": 0}}),
        misunderstood=(answer(), {"host": "misunderstood.test", "policy": {"retries": 0}}),
        unsupported=(answer(), {"host": "unsupported.test", "policy": {"retries": 0}}),
        refused=(answer(), {"host": "refused.test", "policy": {"retries": 0}}),
        half_broken=(answer(), {"host": "half-broken.test", "policy": {"retries": 0}}),
        half_refused=(answer(), {"host": "half-refused.test", "policy": {"retries": 0}}),
        mute=(answer(), {"host": "mute.test", "policy": {"retries": 0}}),
        slow=(answer(), {"host": "mute.test", "policy": FAST}),
    )
    yield from _row(14, ALIVE, None, half_good=(answer(), {"host": "half-good.test"}))
    yield from _row(15, DEAD, "connect", refused=None, reset=reset, closed=raw())
    for name in ("expired", "other", "alone", "incomplete"):
        yield from _row(16, DEAD, "tls", **{name: (answer(), {"tls": name})})
        warned = {"tls": name, "policy": {"verify_tls": "warn"}, "flags": ("tls_error",)}
        yield from _row(16, ALIVE, None, **{f"{name}_warned": (answer(), warned)})
    yield from _row(16, ALIVE, None, good=(answer(), {"tls": "good"}))
    yield from _row(
        20,
        ALIVE,
        None,
        idn=(answer(), {"host": "b\u00fccher.test"}),
        punycode=(answer(), {"host": "xn--bcher-kva.test"}),
    )
    yield from _row(22, ALIVE, None, odd=(answer(), {"path": "/a%2Fb+c?d+e=%2526"}))


CASES = [
    *_answers_and_refusals(),
    *_walls(),
    *_refusals(),
    *_throttling(),
    *_bodies(),
    *_redirects(),
    *_soft_404(),
    *_names_and_connections(),
]


def kind_of(case: Case) -> str:
    """Return the group of a case: its row, or the variants of one wall."""
    return f"{case.row} {case.name.partition('-')[0]}"


def row(number: int) -> list[Case]:
    """Return the cases of one row."""
    return [case for case in CASES if case.row == number]


def contexts(authority: certificates.Authority, folder: Path) -> dict[str, ssl.SSLContext]:
    """Return TLS settings of servers by the defect of the certificate."""
    files = {
        "good": authority.server("good"),
        "expired": authority.server("expired", days=-1),
        "other": authority.server("other", identity="elsewhere.test"),
        "incomplete": authority.incomplete("incomplete"),
        "alone": certificates.self_signed(folder),
    }
    return {name: certificates.server_context(pem) for name, pem in files.items()}


async def visit(case: Case, *, tls: dict[str, ssl.SSLContext], pace: int = 1) -> tuple[Probe, Zoo]:
    """Check the server of a case once, with `pace` times its timeout. The name server must run."""
    context = tls[case.tls] if case.tls else None
    changes = {"guard": GUARD, **case.policy}
    if "timeout" in changes:
        changes["timeout"] *= pace
    fetching = policy(**changes)
    if case.behaviour is None:
        with socket.socket() as unheard:
            # Bound, so that no other process uses it, but not listening.
            unheard.bind(("127.0.0.1", 0))
            zoo = Zoo(port=unheard.getsockname()[1])
            return await probe(zoo.url(), policy=fetching), zoo
    async with serve(case.behaviour, tls=context) as zoo:
        return await probe(zoo.url(case.path, host=case.host), policy=fetching), zoo


async def visit_by_kept(
    case: Case, *, tls: dict[str, ssl.SSLContext], pace: int = 1
) -> tuple[list[Probe], Zoo]:
    """Check the server of a case twice in a row, the first time over a kept connection.

    That connection was opened for another page of the server.
    """
    first = 0

    async def behave(visit: Visit) -> None:
        nonlocal first
        if visit.target == OTHER_PAGE:
            first += 1
            await answer()(visit)
            visit = await visit.next()
        await case.behaviour(replace(visit, number=visit.number - first))

    context = tls[case.tls] if case.tls else None
    changes = {"guard": GUARD, **case.policy}
    if "timeout" in changes:
        changes["timeout"] *= pace
    async with serve(behave, tls=context) as zoo:
        other, page = (zoo.url(path, host=case.host) for path in (OTHER_PAGE, case.path))
        kept = KeptConnections([other, page, page])
        found = []
        for url in (other, page, page):
            kept.begin(url, delay=0)
            found.append(await probe(url, policy=policy(connections=kept, **changes)))
        kept.close()
    return found[1:], zoo


def check_case(case: Case, *, tls: dict[str, ssl.SSLContext], pace: int = 1) -> tuple[Probe, Zoo]:
    return asyncio.run(visit(case, tls=tls, pace=pace))
