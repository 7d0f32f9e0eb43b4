"""One table of requests, each sent along every path: all paths give the same response.

The paths are the fast path (`Http`), the ASGI application (`Usual`) and, for snippets, Django.
"""

from datetime import timedelta
from ipaddress import ip_network
from typing import Any, NamedTuple

import pytest

from analytics import stream
from foundation import scopes
from foundation.database.clock import database_now
from foundation.valkey.clients import client
from linkwatch import asgi
from linkwatch.server.web_server import Http
from shortener import link_cache as short_reads
from shortener import local_cache
from shortener.local_cache import LocalCache
from snippets import services
from snippets.snippet_cache import nobody
from tests.cases import only_before_releases
from tests.conftest import NOW
from tests.doors import LAST, Usual, counted, exchange, get, serve
from tests.factories import SnippetFactory
from tests.shortener.links import ShortURLFactory, make
from tests.snippets.senders import session, token

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("threads")]

PAGE = "https://pages.example"


def snippet(name):
    """Return the path of the snippet with this name in its id."""
    return f"/v1/snippets/s_{name:0>22}"


WAY, UNLISTED, PRIVATE, ONCE = map(snippet, ("Lean", "Unlisted", "Private", "Once"))

# Requests for each path, as pieces in which `PATH` is replaced. Some end the connection themselves;
# LAST does it after the others.
PLAIN = {
    "plain": [get("PATH")],
    "loud": [get("PATH").replace(b"Host", b"HOST")],
    "port": [get("PATH", host="localhost:8080")],
    "agent": [get("PATH", "User-Agent: somebody \xfc")],
    "cookie and token": [get("PATH", "Cookie: sessionid=x", "Authorization: Token x")],
    "session": [get("PATH", "Cookie: sessionid=SESSION-ada")],
    "token": [get("PATH", "Authorization: Token TOKEN-ada")],
    "conditional": [get("PATH", 'If-None-Match: "x"', f"If-Modified-Since: {'x' * 29}")],
    "range": [get("PATH", "Range: bytes=0-1")],
    "keep-alive": [get("PATH", "Connection: keep-alive")],
    "referred": [get("PATH", "Referer: https://a.example/page?q=1")],
    "referred at length": [get("PATH", "Referer: https://" + "a" * 10_000 + ".example/")],
    "referred oddly": [get("PATH", "referer: \t<script>\x80\xff")],
    "forwarded": [get("PATH", "X-Forwarded-For: 198.51.100.7")],
    "forwarded by two": [get("PATH", "X-Forwarded-For: 198.51.100.66, 198.51.100.7, 127.0.0.9")],
    "forwarded badly": [get("PATH", "X-Forwarded-For: nonsense, 1.2.3")],
    "page of ours": [get("PATH", f"Origin: {PAGE}")],
    "page of others": [get("PATH", "Origin: https://evil.example")],
    "underscores": [get("PATH", "X_Forwarded_For: 198.51.100.7")],
    "blank line before": [b"\r\n" + get("PATH")],
}
ODD = {
    "no host": [get("PATH", host=None)],
    "two hosts": [get("PATH", "Host: evil.example")],
    "same host twice": [get("PATH", "Host: localhost")],
    "bad host": [get("PATH", host="evil.example")],
    "worse host": [get("PATH", host="a b")],
    "short domain": [get("PATH", host="lnk.example")],
    "IPv6": [get("PATH", host="[::1]:80")],
    "HTTP/1.0": [get("PATH", version="1.0")],
    "HTTP/1.0 that stays": [get("PATH", "Connection: keep-alive", version="1.0")],
    "close": [get("PATH", "Connection: close")],
    "close loudly": [get("PATH", "Connection: Keep-Alive, CLOSE")],
    "expect": [get("PATH", "Expect: 100-continue")],
    "expect the odd": [get("PATH", "Expect: 200-maybe")],
    "upgrade": [get("PATH", "Connection: Upgrade, close", "Upgrade: h2c")],
    "upgrade to a WebSocket": [get("PATH", "Connection: Upgrade", "Upgrade: websocket")],
    "upgrade, no connection": [get("PATH", "Upgrade: websocket")],
    "chunked": [get("PATH", "Transfer-Encoding: chunked") + b"2\r\n{}\r\n0\r\n\r\n"],
    "length 0": [get("PATH", "Content-Length: 0")],
    "body": [get("PATH", "Content-Length: 2") + b"{}"],
    "HEAD": [get("PATH", method="HEAD")],
    "POST": [get("PATH", "Content-Length: 2", method="POST") + b"{}"],
    "OPTIONS": [get("PATH", f"Origin: {PAGE}", method="OPTIONS")],
    "TRACE": [get("PATH", method="TRACE")],
    "query": [get("PATH?a=1&b=%ff")],
    "empty query": [get("PATH?")],
    "odd query": [get("PATH?a=\xff").decode().encode("latin-1")],
    "fragment": [get("PATH#a")],
    "absolute": [get("http://localhostPATH")],
    "slashes": [get("/PATH"), get("PATH/")],
    "escaped": [get("PATH").replace(b"near", b"%6eear").replace(b"snip", b"%73nip")],
    "forwarded in two": [get("PATH", "X-Forwarded-For: 1.2.3.4", "X-Forwarded-For: 1.2.3.5")],
    "agents": [get("PATH", "User-Agent: a", "User-Agent: b")],
    "accept HTML": [get("PATH", "Accept: text/html")],
    "accept by quality": [get("PATH", "Accept: application/json;q=0.5")],
    "old line ends": [get("PATH").replace(b"\r\n", b"\n")],
    "folded": [get("PATH", "X: a", " b")],
    "no name": [get("PATH", ": a")],
    "long": [get("PATH", "X: " + "x" * 60_000)],
}
PIPES = {
    "three": [get("PATH") * 3],
    "slow between": [get("PATH") + get("/s/unknown") + get("PATH")],
    "slow before": [get("/s/unknown") + get("PATH") * 2 + get(WAY) + get("/s/near")],
    "behind a snippet": [get(WAY) + get("PATH") + get("/s/near")],
    "raw, whole and redirect": [get(f"{WAY}/raw") + get(WAY) + get("/s/near") + get("PATH")],
    "the end in the middle": [get("PATH") + get("PATH", "Connection: close") + get("PATH")],
    "halves": [get("PATH") + get("PATH")[:20], get("PATH")[20:] + get("PATH")],
    "many": [get("PATH") * 200],
}
# The first requests for an address; those with another method are not views.
NEGOTIATED = {
    "plain": get("PATH"),
    "json": get("PATH", "Accept: application/json"),
    "many": get("PATH", "Accept: application/json, text/plain, */*"),
    "indented": get("PATH", "Accept: application/json; indent=4"),
    "html": get("PATH", "Accept: text/html"),
    "browser": get("PATH", "Accept: text/html,application/xhtml+xml,*/*;q=0.8"),
    "image": get("PATH", "Accept: image/png"),
    "image or any": get("PATH", "Accept: image/png, */*"),
    "html or json": get("PATH", "Accept: text/html, application/json"),
    "html or any": get("PATH", "Accept: text/html, application/*, */*"),
    "loud html": get("PATH", "Accept: TEXT/HTML, */*"),
    "loud json": get("PATH", "Accept: APPLICATION/JSON"),
    "text or any": get("PATH", "Accept: text/*, */*"),
    "some of each": get("PATH", "Accept: text/*, application/*"),
    "plain text": get("PATH", "Accept: text/plain"),
    "empty": get("PATH", "Accept: "),
    "query": get("PATH?x=1&format=json"),
    "bad token": get("PATH", "Authorization: Token nonsense"),
    "bad host": get("PATH", host="evil.example"),
    "no host": get("PATH", host="a b"),
    "head": get("PATH", method="HEAD"),
    "put": get("PATH", method="PUT"),
    "post": get("PATH", method="POST"),
    "patch": get("PATH", method="PATCH"),
    "delete": get("PATH", method="DELETE"),
    "options": get("PATH", method="OPTIONS"),
}
SENDERS = {
    "nobody": (),
    "wrong": ("Authorization: Token nonsense", "Cookie: sessionid=x"),
    "odd": ("Authorization: Token a b",),
    "basic": ("Authorization: Basic YTpi",),
    "both": ("Cookie: sessionid=SESSION-ada", "Authorization: Token nonsense"),
    "links only": ("Authorization: Token TOKEN-links",),
    "to read": ("Authorization: Token TOKEN-read",),
    **{
        f"{name}{of}": (line.replace("NAME", name),)
        for name in ("ada", "bob", "viewer", "operator", "service")
        for of, line in {
            "": "Cookie: sessionid=SESSION-NAME",
            "'s token": "Authorization: Token TOKEN-NAME",
        }.items()
    },
}
KNOWING = {"ada", "ada's token", "to read", "both", "operator", "operator's token"}

PUBLIC = {
    "found": snippet("Found"),
    "lasting": snippet("Lasting"),
    "expired": snippet("Expired"),
    "missing": snippet(""),
    "too large": f"/v1/snippets/s_{'z' * 22}",
    "malformed": "/v1/snippets/s_x",
    "odd": "/v1/snippets/s_00000000000000000000%250a",
    "a line end": "/v1/snippets/s_00000000000000000000%0a",
}
GUARDED: dict[str, dict[str, Any]] = {  # ada's
    "unlisted": {"visibility": "unlisted"},
    "private": {"visibility": "private"},
    "private, expired": {"visibility": "private", "expires_at": NOW},
    "private, one look": {"visibility": "private", "max_views": 1},
    "one look": {"max_views": 1},
    "unlisted, three looks": {"visibility": "unlisted", "max_views": 3},
    "one look, expired": {"max_views": 1, "expires_at": NOW},
    "used up": {"max_views": 1},
}
LEAN = ("/s/near", WAY, f"{WAY}/raw", UNLISTED)
OTHERS = (
    *(PRIVATE, f"{PRIVATE}/raw", ONCE, "/s/few", "/s/over", "/s/near+", "/s/unknown", "/near"),
    *("/v1/snippets/s_x", WAY.replace("/v1", ""), PRIVATE.replace("/v1", "")),
)


class Row(NamedTuple):
    """A requested path (with an id in a form) and its kind of request."""

    path: str
    facts: str


def at(path, pieces):
    """Return the pieces for this path, followed by the end of the connection."""
    *first, last = [piece.replace(b"PATH", path.encode()) for piece in pieces]
    return [*first, last + LAST]


def guarded(name):
    words = name.replace(",", "").title().split()
    return snippet("".join(["Ada", *words])[:22])


READ_AGAIN = {
    Row(path, facts): at(path, pieces)
    for path in (*LEAN, *OTHERS)
    for facts, pieces in {**PLAIN, **ODD, **(PIPES if path in LEAN else {})}.items()
} | {Row(path, "piece by piece"): [*(bytes([one]) for one in get(path)), LAST] for path in LEAN}
READ_FIRST = {
    Row(path + raw, facts): at(path + raw, [piece])
    for path in PUBLIC.values()
    for raw in ("", "/raw")
    for facts, piece in NEGOTIATED.items()
}
READ_BY = {
    Row(guarded(name) + raw, f"{method} {who}"): at(
        guarded(name) + raw, [get("PATH", *lines, method=method)]
    )
    for name in GUARDED
    for raw in ("", "/raw")
    for method in ("GET", "HEAD")
    for who, lines in SENDERS.items()
}


class Group(NamedTuple):
    """Rows of the table; first reads start with empty caches, and are also sent to Django."""

    rows: dict[Row, list[bytes]]
    is_first: bool = False
    settings: dict[str, object] = {}


TABLE = {
    "alone": Group(READ_AGAIN),
    "behind a proxy": Group(READ_AGAIN, False, {"TRUSTED_PROXIES": [ip_network("127.0.0.0/8")]}),
    "for other pages": Group(READ_AGAIN, False, {"CORS_ORIGINS": [PAGE]}),
    "of any host": Group(READ_AGAIN, False, {"ALLOWED_HOSTS": ["*"]}),
    "first reads": Group(READ_FIRST, True),
    "who asks": Group(READ_BY, True),
}


class Seen(NamedTuple):
    """The response of an entry, and the views that it counts."""

    answer: bytes
    views: list[tuple[Any, ...]]
    counts: dict[tuple[str, str], int]
    hits: int
    windows: dict[bytes, int]

    def loosely(self):
        """Return a comparable form: sorted headers of the first response, and no cache state."""
        head, _, rest = self.answer.partition(b"\r\n\r\n")
        status, *headers = head.split(b"\r\n")
        return status, sorted(headers), rest, self.views, self.counts, self.windows


@pytest.fixture
def views(monkeypatch, settings):
    """A process that keeps its local cache for an hour; returns the views that it counts."""
    monkeypatch.setattr(local_cache, "LIFE", 3600 * 10**9)
    monkeypatch.setattr(short_reads, "LOCAL_CACHE", LocalCache())
    settings.RATE_LIMIT = (1000, timedelta(days=1))
    settings.SHORT_DOMAIN = "lnk.example"
    reported: list[tuple[Any, ...]] = []
    monkeypatch.setattr(stream, "view", lambda *view: reported.append(view))
    return reported


@pytest.fixture
def secrets(people):
    """Create the objects that the table requests; return values for its named sessions and
    tokens."""
    make(key="near", long_url="https://example.com/%41?a=1#b")
    make(key="few", max_visits=1000)
    ShortURLFactory(key="over", expires_at=database_now() - timedelta(hours=1))

    def keep(path, **fields):
        SnippetFactory(id=path.rpartition("/")[2], **fields)

    keep(WAY, content='é\u2028"</script>' + "x" * 70_000)
    for path, fields in (
        (UNLISTED, {"visibility": "unlisted"}),
        (PRIVATE, {"visibility": "private"}),
        (ONCE, {"max_views": 1, "views_left": 1}),
    ):
        keep(path, owner=people["ada"], **fields)
    odd = "</script>\u2028\U0001f600\r\n\t\"'\\"
    keep(PUBLIC["found"], title="\u2028 é", content=odd, language="html")
    keep(PUBLIC["lasting"], expires_at=NOW + timedelta(days=3000))
    keep(PUBLIC["expired"], expires_at=NOW)
    for name, fields in GUARDED.items():
        left = fields.get("max_views")
        keep(guarded(name), owner=people["ada"], title="Hush", views_left=left, **fields)
    services.reveal(guarded("used up").rpartition("/")[2], get_actor=nobody, now=database_now())
    known = {f"TOKEN-{name}": token(user)["authorization"] for name, user in people.items()}
    known["TOKEN-links"] = token(people["ada"], "shortener")["authorization"]
    known["TOKEN-read"] = token(people["ada"], scopes.READ)["authorization"]
    found = {name: text.partition(" ")[2] for name, text in known.items()}
    for name, user in people.items():
        found[f"SESSION-{name}"] = session(user)["cookie"].partition("=")[2]
    return {name.encode(): text.encode() for name, text in found.items()}


def responses_of(door, group, views, secrets):
    """Return the response to each row along this path."""
    seen: dict[Row, Seen] = {}
    tasks: list[str] = []

    class Watched(Http if door == "fast path" else Usual):  # type: ignore[misc]
        def _start_asgi_task(self, cycle, app):
            tasks.append(cycle.scope["path"])
            super()._start_asgi_task(cycle, app)

    async def ask(port):
        for path in (*LEAN, *OTHERS):
            await exchange(port, get(path, "Connection: close"))
        for row, pieces in group.rows.items():
            if group.is_first:
                client().flushdb()
            tasks.clear()
            counted()
            views.clear()
            answer = await exchange(port, *pieces, secrets=secrets)
            seen[row] = Seen(answer, sorted(views), *counted())
            if row.path in LEAN and row.facts in PLAIN:
                assert (row.path in tasks) == (door != "fast path"), row

    serve(Watched, ask)
    return seen


@pytest.mark.parametrize("name", only_before_releases(TABLE, but=["alone", "first reads"]))
def test_all_paths_of_a_request_answer_and_count_alike(views, secrets, settings, monkeypatch, name):
    group = TABLE[name]
    for setting, value in group.settings.items():
        setattr(settings, setting, value)
    fast, usual = (responses_of(door, group, views, secrets) for door in ("fast path", "ASGI"))
    assert {row for row in group.rows if fast[row] != usual[row]} == set()
    CHECKS[name](fast)
    if group.is_first:
        monkeypatch.setitem(asgi.DOORS, "/v1/snippets/", asgi.Door("snippet"))
        slow = responses_of("Django", group, views, secrets)
        differ = {row for row in group.rows if slow[row].loosely() != usual[row].loosely()}
        assert differ == set()


def check_what_is_read_again(seen):
    """Assert that the table requests the intended objects."""
    assert b"noindex" in seen[UNLISTED, "plain"].answer
    assert seen["/s/near", "many"].hits >= 200  # although Redis was not asked
    for facts in PLAIN:
        shows = facts in ("session", "token")
        status = b"HTTP/1.1 200 OK" if shows else b"HTTP/1.1 404 "
        assert seen[PRIVATE, facts].answer.startswith(status)
        assert seen[ONCE, facts].answer.startswith(b"HTTP/1.1 409 ")
        assert seen[PRIVATE, facts].views == seen[ONCE, facts].views == []
    plain = seen[WAY, "plain"]
    assert b"x-cache: HIT" in plain.answer
    assert [view[0] for view in plain.views] == [WAY.rpartition("/")[2]]
    assert plain.counts["snippet", "200"] == 1
    assert seen["/s/near", "three"].counts["redirect", "302"] == 3


def check_first_reads(seen):
    for (path, facts), found in seen.items():
        is_shown = found.answer.startswith(b"HTTP/1.1 200 ")
        assert len(found.views) == (is_shown and facts not in ("head", "options")), (path, facts)
    for raw in ("", "/raw"):
        for name, status in (("found", 200), ("lasting", 200), ("expired", 410), ("missing", 404)):
            answer = seen[PUBLIC[name] + raw, "plain"].answer
            assert answer.startswith(b"HTTP/1.1 %d " % status)


def check_who_asks(seen):
    shown = set()
    for name in GUARDED:
        for raw in ("", "/raw"):
            for who in SENDERS:
                for method in ("GET", "HEAD"):
                    found = seen[guarded(name) + raw, f"{method} {who}"]
                    is_shown = found.answer.startswith(b"HTTP/1.1 200 ")
                    if is_shown:
                        shown.add((method, raw, who, name))
                    is_view = is_shown and name == "unlisted" and method == "GET"
                    assert len(found.views) == is_view, (who, name)
    for method in ("GET", "HEAD"):
        for raw in ("", "/raw"):
            known = {row[2:] for row in shown if row[:2] == (method, raw)}
            assert {who for who, name in known if name == "private"} == KNOWING
            assert {name for _, name in known} == {"private", "unlisted"}


CHECKS = dict.fromkeys(TABLE, check_what_is_read_again) | {
    "first reads": check_first_reads,
    "who asks": check_who_asks,
}
