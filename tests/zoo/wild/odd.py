"""Servers whose HTTP, TLS or manners are odd, and whose pages people see all the same."""

import gzip
from collections.abc import Iterator

from tests.zoo.wild.case import (
    ELSE,
    INCONCLUSIVE,
    SUCCESS,
    Case,
    Reply,
    Truth,
    alive,
    cookie_gate,
    html,
    in_turn,
    late,
    of_truth,
    only,
    plain,
    redirect,
    wire,
)
from tests.zoo.wild.pages import ARTICLE, NGINX_404, PATH, article, bare, modern, site

_TEXT = article("The bridge of 1931").encode()
_TYPE = b"Content-Type: text/html; charset=utf-8\r\n"
_LENGTH = b"Content-Length: %d\r\n" % len(_TEXT)
_REST = _TYPE + _LENGTH + b"\r\n" + _TEXT
_OK = b"HTTP/1.1 200 OK\r\n"

_WIRES: dict[str, Reply] = {
    "two spaces in the status line": wire(b"HTTP/1.1  200 OK\r\n", _REST),
    "a radio's ICY": wire(b"ICY 200 OK\r\nicy-name: River Radio\r\n", _REST),
    "small letters in the status line": wire(b"http/1.1 200 ok\r\n", _REST),
    "no reason in the status line": wire(b"HTTP/1.1 200\r\n", _REST),
    "a blank line before the status line": wire(b"\r\n", _OK, _REST),
    "a header line without a colon": wire(_OK, b"this is no header\r\n", _REST),
    "a header line of a script's warning": wire(
        _OK,
        b"<br />\r\n<b>Warning</b>: Cannot modify header information in <b>/a.php</b>\r\n",
        _REST,
    ),
    "a header name with spaces": wire(_OK, b"Last Modified: Sun, 1 Mar 2026\r\n", _REST),
    "a header without a name": wire(_OK, b": nothing\r\n", _REST),
    "a space before the colon": wire(_OK, b"Server : odd\r\n", _REST),
    "a folded header": wire(_OK, b"X-Policy: one,\r\n two\r\n", _REST),
    "a header in UTF-8": wire(_OK, "X-Город: Мост\r\n".encode(), _REST),
    "line feeds only": wire(b"HTTP/1.1 200 OK\nContent-Type: text/html\n\n", _TEXT),
    "HTTP/1.0 until it closes": wire(b"HTTP/1.0 200 OK\r\n", _TYPE, b"\r\n", _TEXT),
    "early hints": wire(b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n", _OK, _REST),
    "several interim answers": wire(
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n", _OK, _REST
    ),
    "a length that is too long": wire(_OK, _TYPE, b"Content-Length: 999999\r\n\r\n", _TEXT),
    "a length that is too short": wire(_OK, _TYPE, b"Content-Length: 20\r\n\r\n", _TEXT),
    "the length twice": wire(_OK, _LENGTH, _REST),
    "chunks that break off": wire(_OK, b"Transfer-Encoding: chunked\r\n\r\n40\r\n", _TEXT[:64]),
    "an offer of HTTP/2": wire(_OK, b"Upgrade: h2,h2c\r\nConnection: Upgrade, close\r\n", _REST),
    "gzip that nobody asked for": Reply(
        headers=("Content-Type: text/html", "Content-Encoding: gzip"),
        body=gzip.compress(_TEXT, mtime=0),
    ),
    "gzip that is none": Reply(
        headers=("Content-Type: text/html", "Content-Encoding: gzip"), body=_TEXT
    ),
    "headers of 50 KiB": wire(_OK, b"X-Policy: ", b"x" * 50_000, b"\r\n", _REST),
    "cookies that are none": wire(_OK, b"Set-Cookie: ;;;=\r\nSet-Cookie: \xff=\xfe\r\n", _REST),
}


def _statuses() -> Iterator[Case]:
    for status in (203, 204, 205, 206, 226):
        body = b"" if status in (204, 205) else _TEXT
        reply = Reply(status=status, headers=("Content-Type: text/html",), body=body)
        yield alive(f"a {status}", "successes that are no 200", site(reply))
    choices = html(
        modern("Multiple Choices", "<a href='a.en.html'>a</a> <a href='a.de.html'>b</a>")
    )
    yield alive(
        "a choice of versions",
        "Apache's mod_negotiation and mod_speling",
        site(Reply(status=300, headers=choices.headers, body=choices.body)),
    )
    yield alive(
        "not modified, though nobody asked", "caches that are set up wrong", site(Reply(status=304))
    )
    yield alive(
        "an error once, then the page",
        "restarts of application servers",
        site(in_turn(html(bare("500", ""), status=500), ARTICLE)),
    )
    yield alive("closed without an answer once", "restarts", site(in_turn(wire(b""), ARTICLE)))
    for name, status, source in (
        ("asks for a password", 401, "pages for members"),
        ("asks for money", 402, "pages for subscribers"),
    ):
        reply = html(bare(str(status), ""), 'WWW-Authenticate: Basic realm="x"', status=status)
        yield of_truth(Truth.RESTRICTED, name, source, site(reply), flags=frozenset({"restricted"}))
    yield of_truth(
        Truth.RESTRICTED,
        "a network shows its log-in before a profile",
        "Instagram",
        {
            "/accounts/login/?next=%2Fmuseum%2F": html(modern("Login", "<input type='password'>")),
            ELSE: redirect("/accounts/login/?next=%2Fmuseum%2F"),
        },
        path="/museum/",
        flags=frozenset({"login", "restricted"}),
    )
    for name, status, words in (
        ("nginx asks for a certificate", 400, "400 No required SSL certificate was sent"),
        ("IIS asks for a certificate", 403, "403 - Forbidden: Client certificate required."),
    ):
        yield of_truth(
            Truth.RESTRICTED,
            name,
            "client certificates that are demanded by a page",
            only(html(bare(words, ""), status=status)),
            flags=frozenset({"restricted"}),
            outcomes=frozenset({SUCCESS, INCONCLUSIVE}),
        )


def _waits() -> Iterator[Case]:
    """Yield servers that ask for patience, which is no word on the page."""
    for status in (403, 408, 429):
        yield of_truth(
            Truth.WALL,
            f"a {status} that says when to come back",
            "Retry-After; GitHub sends it with 403",
            only(plain("slow down", "Retry-After: 60", status=status)),
        )
    yield of_truth(
        Truth.WALL, "a 429 that says nothing", "rate limits", only(plain("slow down", status=429))
    )
    yield of_truth(
        Truth.WALL,
        "a rate limit that is used up",
        "GitHub's API: 403, nothing remaining, and when that ends",
        only(
            plain(
                '{"message": "API rate limit exceeded"}',
                "x-ratelimit-limit: 60",
                "x-ratelimit-remaining: 0",
                "x-ratelimit-reset: 1893456000",
                status=403,
                kind="application/json",
            )
        ),
    )
    yield of_truth(
        Truth.WALL,
        "maintenance that says when it ends",
        "Retry-After with 503",
        only(html(modern("Maintenance", "<h1>Back soon</h1>"), "Retry-After: 600", status=503)),
    )
    yield of_truth(
        Truth.WALL,
        "a redirect into a rate limit",
        "short links to a host that has had enough",
        {ELSE: redirect("http://busy.example:PORT/page")},
        others={"busy.example": only(plain("", "Retry-After: 60", status=429))},
    )
    yield of_truth(
        Truth.WALL,
        "kept back by law",
        "451",
        only(html(bare("Unavailable For Legal Reasons", ""), status=451)),
    )


def _redirects() -> Iterator[Case]:
    source = "redirects that browsers follow"
    target = "/collections/bridges"
    for name, location in (
        ("a relative address", "../../collections/bridges"),
        ("an address without its scheme", "//w-none.example:PORT/collections/bridges"),
        ("an address with a fragment", "/collections/bridges#arches"),
        ("an address with backslashes", "\\collections\\bridges"),
        ("an address between spaces", "   /collections/bridges   "),
    ):
        yield alive(
            f"redirected to {name}",
            source,
            {target: ARTICLE, PATH: redirect(location), ELSE: NGINX_404},
            host="w-none.example" if "w-none" in location else "",
        )
    yield alive(
        "redirected to letters beyond ASCII",
        source,
        {
            "/collections/br%C3%BCcken%20am%20fluss": ARTICLE,
            PATH: wire(
                "HTTP/1.1 302 F\r\nLocation: /collections/brücken am fluss\r\n\r\n".encode()
            ),
            ELSE: NGINX_404,
        },
    )
    yield alive(
        "redirected below a malformed header line",
        source,
        {
            target: ARTICLE,
            PATH: wire(
                b"HTTP/1.1 302 Found\r\nno header\r\nLocation: " + target.encode() + b"\r\n\r\n"
            ),
            ELSE: NGINX_404,
        },
    )
    yield alive(
        "redirected by two equal headers",
        source,
        {target: ARTICLE, PATH: redirect(target, f"Location: {target}"), ELSE: NGINX_404},
    )
    for hops in (12, 20):
        chain = {f"/hop/{n}": redirect(f"/hop/{n - 1}") for n in range(1, hops)}
        yield alive(
            f"redirected {hops} times",
            "browsers follow 20 redirects",
            {PATH: redirect(f"/hop/{hops - 1}"), **chain, "/hop/0": ARTICLE, ELSE: NGINX_404},
        )
    yield alive(
        "redirected to itself with a cookie",
        "servers that try whether cookies are kept",
        site(cookie_gate(ARTICLE, redirect(PATH, "Set-Cookie: seen=1; Path=/"))),
    )
    yield alive(
        "redirected to itself once",
        "servers that wake up, and load balancers that change their mind",
        site(in_turn(redirect(PATH), ARTICLE)),
    )
    for name, location in (
        ("the mail program", "mailto:info@museum.example"),
        ("a shop of apps", "itms-apps://apps.example/app/id1"),
        ("another shop of apps", "market://details?id=org.museum"),
        ("an app by its intent", "intent://museum#Intent;scheme=museum;end"),
        ("a telephone", "tel:+49891234"),
        ("a chat program", "tg://resolve?domain=museum"),
    ):
        yield alive(
            f"redirected to {name}", "redirects to an app's scheme", {ELSE: redirect(location)}
        )


def _slow() -> Iterator[Case]:
    """Yield servers that need a good part of the time that there is."""
    policy = {"timeout": 10.0, "retries": 1}
    for name, seconds in (("a slow first byte", 0.4), ("a very slow first byte", 0.8)):
        yield of_truth(
            Truth.SLOW,
            name,
            "old servers, cold starts",
            site(late(ARTICLE, seconds)),
            policy=policy,
        )
    yield of_truth(
        Truth.SLOW,
        "a slow chain of redirects",
        "old servers",
        {"/next": late(ARTICLE, 0.3), PATH: late(redirect("/next"), 0.3), ELSE: NGINX_404},
        policy=policy,
    )
    yield of_truth(
        Truth.SLOW,
        "slow the first time, when it wakes up",
        "free hosting that sleeps: the first request outlasts the first attempt",
        site(in_turn(late(ARTICLE, 8.0), ARTICLE)),
        policy={"timeout": 2.5, "retries": 1},
    )


def _tls() -> Iterator[Case]:
    source = "browsers connect to it"
    for tls in ("good", "rsa_key_exchange", "sha1_ciphers", "lax_chain", "tls_1_2"):
        yield alive(f"TLS: {tls}", source, site(ARTICLE), tls=tls)
    yield alive(
        "TLS: the intermediate certificate is missing",
        "browsers fetch it or know it",
        site(ARTICLE),
        "incomplete_chain",
        tls="no_intermediate",
    )
    yield alive(
        "TLS: the certificate ends within days",
        "nobody renewed it yet",
        site(ARTICLE),
        "certificate_expires",
        tls="expires_soon",
    )
    for tls in ("client_certificate_1_2", "client_certificate_1_3"):
        yield of_truth(
            Truth.RESTRICTED,
            f"TLS: {tls}",
            "sites for holders of a certificate",
            site(ARTICLE),
            tls=tls,
            flags=frozenset({"restricted"}),
        )
    yield alive("HTTP/2 only, by an alert", "no ALPN in common", site(ARTICLE), tls="h2_alert")
    frames = wire(b"\x00\x00\x06\x04\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x64")
    yield alive(
        "HTTP/2 only, by its frames", "servers that look at no ALPN", only(frames), tls="good"
    )


CASES: list[Case] = [
    *(
        alive(name, "HTTP as it is met, and as browsers read it", site(reply))
        for name, reply in _WIRES.items()
    ),
    *_statuses(),
    *_waits(),
    *_redirects(),
    *_slow(),
    *_tls(),
]
