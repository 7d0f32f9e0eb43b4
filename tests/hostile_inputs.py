"""Every parser of text from strangers, with the worst text that it can get.

`python -m tests.hostile_inputs` prints the worst cost of each parser; tests/test_hostile_inputs.py
enforces their limits. A parser without an example here is an omission: docs/security.md lists all
parsers, and the tests compare. HOSTILE_ONLY=words of a name selects some.
"""

import base64
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_network
from typing import Any, Final

from tests.checker.hostile import pace

LOOP, THREAD = (
    0.05,
    1.0,
)  # seconds of CPU: on the event loop of a web process, or in one of its threads
HEAD: Final = 16 * 1024
UPLOAD: Final = 1_900_000
# Texts that have made some parser slow when repeated: marks of every grammar here, alone, in pairs,
# opened and never closed, or closed and never opened.
_MARKS: Final = (
    *(",", "a,", ";", ",;q=0.1", "a/b;q=0.1,", "text/html,", "gzip,", "en-a,", "1-2,", 'W/"a",'),
    *(
        " ",
        "\t",
        "\n",
        "\u00a0",
        "=",
        "a=b;",
        "a&",
        "a=%41&",
        "%",
        "&",
        "?",
        "+",
        "-",
        "\\",
        "\xff",
    ),
    *('"', "'", "(", ")", "[", "]", "{", "<", ">", "[[", '{"a":', "[],", '"a":1,', "0,", "1e9,"),
    *("/", "/a", "../", "//", "http://", "http://a ", ".", "a.", ":", "::1,", "127.0.0.1,", "@"),
    *("a", "9", "#", "bot", "tv", "urldefense", "windows nt", "é", "a\u0301", "\u202e", "*", "_"),
)


@dataclass(frozen=True, kw_only=True)
class Parser:
    """A parser of text from strangers, and its limit."""

    name: str  # as in docs/security.md
    limit: float  # seconds
    read: Callable[[str], object]
    longest: int = HEAD  # characters: longer texts do not reach the parser
    marks: Sequence[str] = _MARKS
    also: Sequence[str] = ()  # additional marks
    around: Sequence[tuple[str, str]] = (("", ""),)  # the text before and after the marks

    def texts(self) -> Iterator[tuple[str, str]]:
        """Yield hostile texts of the greatest length, each with its mark."""
        for mark in (*self.marks, *self.also):
            for before, behind in self.around:
                room = self.longest - len(before) - len(behind)
                text = before + (mark * (room // len(mark) + 1))[:room] + behind
                yield f"{before[:20]}{mark[:20]}", text

    def worst(self, *, tries: int = 3) -> tuple[float, str]:
        """Return the CPU seconds of the worst text, and its mark; the least of `tries` counts.

        A time over the limit is scaled to the pace of a core that is shared with others.
        """
        found = (0.0, "")
        for mark, text in self.texts():
            seconds = self.seconds(text)
            if seconds > self.limit / 2:
                seconds = min([seconds, *(self.seconds(text) for _ in range(tries - 1))])
            if seconds > self.limit:
                seconds *= pace()
            found = max(found, (seconds, mark))
        return found

    def seconds(self, text: str) -> float:
        """Return the cost of one text, in CPU seconds of this thread."""
        began = time.thread_time()
        with suppress(Exception):  # refusing has its cost as well
            self.read(text)
        return time.thread_time() - began


def parsers() -> list[Parser]:
    """Return all parsers; Django must be set up."""
    return [
        *_heads(),
        *_ahead_of_django(),
        *_sockets(),
        *_django(),
        *_bodies(),
        *_files(),
        *_of_agents(),
        *_of_the_provider(),
        *_others(),
    ]


def _latin(read: Callable[[bytes], object]) -> Callable[[str], object]:
    return lambda text: read(text.encode("latin-1", "ignore"))


def _heads() -> Iterator[Parser]:
    import httptools

    class Protocol:
        def on_header(self, name: bytes, value: bytes) -> None:
            pass

    def head(text: str) -> None:
        httptools.HttpRequestParser(Protocol()).feed_data(text.encode("latin-1", "ignore"))

    lines = [("GET / HTTP/1.1\r\n", "\r\n\r\n"), ("GET /", " HTTP/1.1\r\n\r\n")]
    yield Parser(name="head", limit=LOOP, read=head, around=lines, also=["X: 1\r\n", "a:\r\n"])


def _ahead_of_django() -> Iterator[Parser]:
    from django.conf import settings

    from analytics.stream import MAX_AGENT
    from analytics.visit_dimensions import MAX_REFERRER, device_of, referring_host
    from foundation.http.asgi import is_our_host
    from foundation.http.client_address import client_address
    from foundation.http.negotiation import prefers_html
    from foundation.net.bots import is_bot
    from linkwatch.server.request_bodies import takes_body
    from shortener.redirect_answers import short_link
    from snippets.pages import page
    from snippets.read_answers import plain_read

    def path(text: str) -> None:
        scope: dict[str, Any] = {
            "path": text,
            "method": "POST",
            "headers": [(b"host", b"localhost")],
        }
        takes_body(scope)
        for find in (short_link, plain_read, page):
            find({**scope, "method": "GET"})

    def accept(text: str) -> None:
        prefers_html(text.encode("latin-1", "ignore"))
        headers = [(b"accept", text.encode("latin-1", "ignore")), (b"host", b"localhost")]
        plain_read({"path": "/v1/snippets/s_7fGh2kQ9", "method": "GET", "headers": headers})

    def forwarded(text: str) -> None:
        settings.TRUSTED_PROXIES, before = (
            [ip_network("127.0.0.0/8"), ip_network("::1")],
            settings.TRUSTED_PROXIES,
        )
        try:
            client_address("127.0.0.1", text)
        finally:
            settings.TRUSTED_PROXIES = before

    paths = [(begin, "") for begin in ("/", "/v1/", "/v1/targets/", "/s/", "/snippets/", "/admin/")]
    yield Parser(name="path", limit=LOOP, read=path, around=paths)
    yield Parser(
        name="Host", limit=LOOP, read=_latin(lambda host: is_our_host(host, ("*.a.example", "b")))
    )
    yield Parser(
        name="Accept",
        limit=LOOP,
        read=accept,
        around=[("", ""), ("text/html,", ""), ("text/html;q=0.9", ",text/html")],
    )
    hops = [("", "127.0.0.1"), ("", "::1")]
    more = ["[::1]:80,", "::ffff:127.0.0.1,", "0:0:0:0:0:0:0:1,"]
    yield Parser(name="X-Forwarded-For", limit=LOOP, read=forwarded, around=hops, also=more)
    yield Parser(name="User-Agent of a link with few visits", limit=LOOP, read=is_bot)
    yield Parser(name="User-Agent of a visit", limit=LOOP, read=device_of, longest=MAX_AGENT)
    yield Parser(
        name="Referer of a visit",
        limit=LOOP,
        read=_latin(referring_host.__wrapped__),
        longest=MAX_REFERRER,
        around=[("", ""), ("http://", ""), ("android-app://", "/")],
    )


def _sockets() -> Iterator[Parser]:
    from websockets.datastructures import Headers
    from websockets.http11 import Request
    from websockets.server import ServerProtocol

    from analytics.live_messages import is_own_origin, read_message, read_query

    def handshake(text: str) -> None:
        for name in ("Connection", "Upgrade", "Sec-WebSocket-Extensions", "Sec-WebSocket-Protocol"):
            reported = {
                "Connection": "Upgrade",
                "Upgrade": "websocket",
                "Sec-WebSocket-Version": "13",
            }
            headers = Headers(
                {**reported, "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", name: text}
            )
            ServerProtocol().accept(Request("/ws/live/", headers))

    def origin(text: str) -> None:
        is_own_origin(text, "a.example")
        is_own_origin("http://a.example", text)

    yield Parser(
        name="handshake of a WebSocket",
        limit=LOOP,
        read=handshake,
        longest=1024,
        also=["a;b=c,", "a;b,", 'a;b="c",'],
        around=[("", ""), ("a;", "")],
    )
    yield Parser(
        name="Origin of a WebSocket", limit=LOOP, read=origin, around=[("", ""), ("http://", "")]
    )
    yield Parser(
        name="query of a WebSocket",
        limit=LOOP,
        read=_latin(read_query),
        around=[("ids=", ""), ("", "")],
        also=["abc,", "ids=abc&", "ids=%41bc,&"],
    )
    yield Parser(
        name="message of a WebSocket",
        limit=LOOP,
        read=read_message,
        longest=64 * 1024,
        around=[("", ""), ('{"subscribe":["', '"]}'), ('{"a":[', "]}"), ('{"a":"', '"}')],
        also=['abc","', '"a":{},', "[{", "1.5,", "\\u0041", "\\ud800"],
    )


def _django() -> Iterator[Parser]:
    from django.contrib.auth.models import AnonymousUser
    from django.http import HttpRequest, QueryDict, parse_cookie
    from django.test import RequestFactory
    from django.utils.http import parse_etags, parse_header_parameters
    from django.utils.translation.trans_real import parse_accept_lang_header
    from rest_framework.negotiation import DefaultContentNegotiation
    from rest_framework.renderers import JSONRenderer
    from rest_framework.request import Request
    from whitenoise.responders import Redirect, StaticFile

    from accounts.authentication import TokenAuthentication
    from foundation.http.browsable import PageRenderer
    from foundation.http.pagination import decode_token, exact_time
    from foundation.http.preconditions import read_if_match
    from foundation.ids import is_id

    def request(**headers: str) -> HttpRequest:
        return RequestFactory().get("/", headers=headers)

    def negotiate(text: str) -> None:
        asked = Request(request(accept=text))
        DefaultContentNegotiation().select_renderer(asked, [JSONRenderer(), PageRenderer()])

    def static(text: str) -> None:
        file = StaticFile(__file__, [("Last-Modified", "Mon, 23 Nov 2026 00:00:00 GMT")])
        for name in ("RANGE", "ACCEPT_ENCODING", "IF_NONE_MATCH", "IF_MODIFIED_SINCE"):
            file.get_response("GET", {f"HTTP_{name}": text}).file.close()
        Redirect("/a").get_response("GET", {"QUERY_STRING": text})

    def token(text: str) -> None:
        decode_token(text, keys={"id"})

    def position(text: str) -> None:
        raw = base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")
        found = decode_token(raw, keys={"id", "created_at"})
        is_id("target", found["id"])
        exact_time(found["created_at"])

    def authorization(text: str) -> None:
        asked = request(authorization=f"Token {text}")
        asked.user = AnonymousUser()
        TokenAuthentication().authenticate(Request(asked))

    yield Parser(
        name="Accept of the API", limit=THREAD, read=negotiate, around=[("", ""), ("*/*,", "")]
    )
    yield Parser(name="Accept-Language", limit=THREAD, read=parse_accept_lang_header)
    yield Parser(
        name="Cookie", limit=THREAD, read=parse_cookie, around=[("", ""), ('sessionid="', "")]
    )
    yield Parser(name="If-None-Match", limit=THREAD, read=parse_etags)
    yield Parser(
        name="If-Match",
        limit=THREAD,
        read=lambda text: read_if_match(Request(request(if_match=text))),
    )
    yield Parser(
        name="headers of a request for a static file",
        limit=THREAD,
        read=static,
        around=[("", ""), ("bytes=", ""), ("bytes=0-", ""), ("gzip", "")],
    )
    yield Parser(
        name="Content-Type",
        limit=THREAD,
        read=parse_header_parameters,
        around=[("", ""), ("multipart/form-data; boundary=", ""), ('text/plain; a="', "")],
        also=['a="', '";"', "a*0=b;", "a*=utf-8''%41;"],
    )
    yield Parser(name="Authorization", limit=THREAD, read=authorization)
    yield Parser(name="query string", limit=THREAD, read=QueryDict, around=[("", ""), ("q=", "")])
    yield Parser(name="page token", limit=THREAD, read=token)
    times = '{"id": 1, "created_at": "', '"}'
    yield Parser(
        name="position in a page token",
        limit=THREAD,
        read=position,
        longest=12_000,
        around=[("", ""), times, ('{"id": ', "}"), ('{"id": "t_', '"}')],
    )


def _bodies() -> Iterator[Parser]:
    from io import BytesIO

    from django.conf import settings
    from django.core.files.uploadhandler import MemoryFileUploadHandler
    from django.http import HttpResponse
    from django.test import RequestFactory

    from console.snippets.diff import difference
    from foundation.http.forms import FormMiddleware
    from foundation.http.parsers import SafeJSONParser

    def body(text: str) -> None:
        SafeJSONParser().parse(BytesIO(text.encode()))

    def form(text: str) -> None:
        kind = "application/x-www-form-urlencoded"
        asked = RequestFactory().generic("POST", "/", text.encode(), kind)
        FormMiddleware(lambda asked: HttpResponse(len(asked.POST)))(asked)

    def parts(text: str) -> None:
        kind = "multipart/form-data; boundary=b"
        asked = RequestFactory().generic("POST", "/", text.encode(), kind)
        asked.upload_handlers = [MemoryFileUploadHandler(asked)]  # leaves no files behind
        dict(asked.POST)

    size = settings.MAX_BODY_BYTES - 1000
    part = "--b\r\nContent-Disposition: form-data; name=a"
    yield Parser(
        name="JSON of a body",
        limit=THREAD,
        read=body,
        longest=size,
        marks=[
            "[",
            "[[",
            "[],",
            "{},",
            '{"a":',
            '"a":1,',
            "0,",
            "1e9,",
            '"',
            "\\",
            " ",
            "9",
            '"\\ud800",',
        ],
        around=[("", ""), ("[", "0]"), ('["', '"]'), ('{"a":0,', '"b":0}')],
        also=[
            '"a' + "b" * 40 + '":0,',
            "9" * 4000 + ",",
            "1." + "9" * 700 + ",",
            "\\u0041",
            "\\ud83d\\ude00",
        ],
    )
    yield Parser(
        name="form",
        limit=THREAD,
        read=form,
        longest=size,
        marks=["a&", "a=b&", "%", "%41", "=", "&", "+", ";", "a"],
        around=[("", ""), ("a=", "")],
    )
    yield Parser(
        name="form with files",
        limit=THREAD,
        read=parts,
        longest=size,
        marks=[
            "-",
            "--",
            "--b",
            "--b\r\n",
            "\r\n",
            "\r\n--b",
            "\r\n--",
            "\r",
            "\n",
            "a: b\r\n",
            "a",
            "=",
        ],
        around=[
            ("", ""),
            (f"{part}\r\n\r\n", "\r\n--b--\r\n"),
            (f"{part}; filename=c\r\n\r\n", "\r\n--b--\r\n"),
            (f"{part};", "\r\n\r\nx\r\n--b--\r\n"),
            (f"{part}; filename=c\r\nContent-Transfer-Encoding: base64\r\n\r\n", "\r\n--b--\r\n"),
        ],
        also=[f"\r\n{part}\r\n\r\nx", f"\r\n{part}; filename=c\r\n\r\nx", ";a=b", ' "'],
    )
    yield Parser(
        name="two versions of a snippet",
        limit=THREAD,
        read=lambda text: difference(text, text[::-1] + "a\nb"),
        longest=1_000_000,
        marks=["\n", "a\n", "\r", "\u2028", "a", "ab\nb\n", "a" * 2000 + "\n", "abcdefgh\n" * 3],
    )


_PAGE_MARKS = (
    *("<", "<a", "<a ", "<a \n>", "<a href", "<a href>", "<a href=x>", "<a href='", '<a href="x'),
    *("<a href=#>", "<a href=../b>", "<a href=&amp;>", "<a href=&#x0;>", "<a x=1 ", "<a x='y' >"),
    *("<base href=x>", "<!--", "<!-- -->", "<script", "<script></script>", "</script", "<style>"),
    *("&", "&a", " ", "\n", "\u00a0", "a\u0301", "<a href=&#" + "9" * 5000 + ">"),
)
_TEXT_MARKS = (
    *("[", "![", "](", "](<", "](a(b)", "[a](b)", "[a](", "![a](", "[x]:", "[\n", "[a]:http://a\n"),
    *("`", "`a`", "``a`", "`` ` ", "`" * 500 + "x" * 500, "```\n", "~~~\n", "\\", "&", " ", "\n"),
    *(
        "http",
        "https://",
        "http://a ",
        "http://a" + ")" * 2080 + " ",
        "http://a" + ")]}" * 690 + " ",
    ),
    *("http://a" + "." * 2080 + " ", "![a](" + "b" * 2048, "[" + "a" * 999, "](" + "a" * 2047),
)
_LIST_MARKS = (
    *("\n", " \n", "#\n", "a\n", "http://a\n", "http://a b\n", ",", ",\n", '"', '"\n', '""', "\r"),
    *("a,b\n", '"a\n', "=1\n", "\x00", "é\n", " ", "http://a/é\n"),
)


def _files() -> Iterator[Parser]:  # noqa: C901
    from io import BytesIO

    from foundation.files.lists import check_line_count
    from hosts.importing import read_aliases
    from shortener import link_csv
    from shortener.export_urls_csv import split_tags
    from targets.lists import import_plans
    from targets.lists.import_plans import PlanKind

    base = "<base href='http://x/" + "a/" * 197 + "'>"  # as many steps as are read
    deep_base = "<base href='http://x/" + "a/" * 1000 + "'>"
    long_base = "<base href='http://x/" + "a/" * 400_000 + "'>"

    def entries(kind: PlanKind) -> Callable[[str], object]:
        def read(text: str) -> None:
            content = text.encode()
            check_line_count(content)
            import_plans.kind_of(content)
            for _ in import_plans._entries(content, kind):
                pass

        return read

    def links(text: str) -> None:
        content = text.encode()
        check_line_count(content)
        for number, entry in enumerate(link_csv._entries(content)):
            if number >= link_csv.MAX_ROWS:
                break
            split_tags(dict(entry.item or {}))

    def aliases(text: str) -> None:
        for _ in read_aliases(BytesIO(text.encode())):
            pass

    numbered = "".join(f"<a href=../b{n}>" for n in range(20_000))
    columns = "url," + ",".join(f"c{n}" for n in range(9_000)) + "\n"
    yield Parser(
        name="links of a page",
        limit=THREAD,
        read=entries(PlanKind.HTML),
        longest=UPLOAD,
        marks=_PAGE_MARKS,
        around=[("", ""), (base, ""), (deep_base, "")],
        also=[numbered, base, long_base],
    )
    yield Parser(
        name="links of a page with a long base",
        limit=THREAD,
        longest=UPLOAD,
        read=entries(PlanKind.HTML),
        marks=["<a href=../b>"],
        around=[(long_base, "")],
    )
    yield Parser(
        name="links of a text",
        limit=THREAD,
        read=entries(PlanKind.TEXT),
        longest=UPLOAD,
        marks=_TEXT_MARKS,
        around=[("", ""), ("a ", "")],
    )
    yield Parser(
        name="list of URLs",
        limit=THREAD,
        read=entries(PlanKind.LIST),
        longest=UPLOAD,
        marks=_LIST_MARKS,
    )
    yield Parser(
        name="CSV of URLs",
        limit=THREAD,
        read=entries(PlanKind.CSV),
        longest=UPLOAD,
        marks=_LIST_MARKS,
        around=[("url\n", ""), (columns, ""), ("url,", "\n"), ('url\n"', "")],
    )
    yield Parser(
        name="CSV of short links",
        limit=THREAD,
        read=links,
        longest=UPLOAD,
        marks=_LIST_MARKS,
        around=[("long_url\n", ""), ("long_url,tags\n", ""), ("http://a\n", "")],
        also=['http://a,"a,b"\n'],
    )
    yield Parser(
        name="aliases of hosts",
        limit=THREAD,
        read=aliases,
        longest=100_000,
        marks=[
            "\n",
            "a a.example\n",
            "a ",
            "#\n",
            "é ",
            ".",
            "xn--",
            "alias a.example b.example\n",
        ],
        around=[("", ""), ("alias ", "")],
    )


def _of_agents() -> Iterator[Parser]:
    from agents.arguments import MAX_CHECKED
    from agents.protocol import read_message
    from agents.quoting import quote_url
    from agents.views import MAX_BYTES

    def message(text: str) -> None:
        read_message({"jsonrpc": "2.0", "id": 1, "method": text, "params": {"_meta": text}})
        for place in range(0, len(text), max(1, len(text) // MAX_CHECKED)):
            quote_url(text[place : place + 2048])

    yield Parser(
        name="message of an agent",
        limit=THREAD,
        read=message,
        longest=MAX_BYTES,
        marks=["http://a/%41?", "//@", "é", "%", "http:///"],
        around=[("", ""), ("http://", "@")],
    )


def _of_the_provider() -> Iterator[Parser]:
    import jwt

    def logout_token(text: str) -> None:
        header = base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")
        for token in (text, f"{header[:HEAD]}.e30.e30"):
            with suppress(jwt.PyJWTError, RecursionError):
                jwt.get_unverified_header(token)

    yield Parser(
        name="logout token of the OIDC provider",
        limit=THREAD,
        read=logout_token,
        around=[("", ""), ('{"alg":"RS256","kid":"', '"}'), ('{"alg":', "}")],
    )


def _others() -> Iterator[Parser]:
    from datetime import UTC, datetime

    from checker.engine.certificate import leads_to_issuer, read_certificate
    from foundation.durations import parse_duration
    from foundation.http.serializers import TimeField
    from foundation.net.hostnames import normalize_host
    from foundation.net.retry_after import parse_retry_after
    from foundation.tags import normalize_tag
    from lookups.serializers import MAX_URLS
    from shortener.destinations import accept as accept_destination
    from targets.canonical import canonicalize

    now = datetime(2026, 1, 1, tzinfo=UTC)

    def url(text: str) -> None:
        canonicalize(text)
        accept_destination(text, watch=False)

    def look_ups(text: str) -> None:
        for place in range(0, len(text), max(1, len(text) // MAX_URLS)):
            with suppress(ValueError):
                canonicalize(text[place : place + 2048])

    def small(text: str) -> None:
        for read in (parse_duration, normalize_tag, TimeField().run_validation, normalize_host):
            with suppress(Exception):
                read(text)

    def certificate(text: str) -> None:
        body = text.encode("latin-1", "ignore")
        for _ in range(3):
            body = b"\x30\x83" + len(body).to_bytes(3, "big") + body
        read_certificate(body)
        leads_to_issuer(body, host="a.example", now=now)

    yield Parser(
        name="URLs to look up or to check",
        limit=THREAD,
        read=look_ups,
        longest=UPLOAD,
        marks=["http://a/%41?", "http://a.b", "xn--", "/../", "http:///", "é", "%"],
        around=[("", ""), ("http://", "")],
    )
    yield Parser(
        name="URL",
        limit=LOOP,
        read=url,
        longest=2048,
        around=[("", ""), ("http://", ""), ("http://a.example/", ""), ("http://a/s/", "")],
        also=["xn--", "\u0301", "%2e%2e/", "%"],
    )
    yield Parser(
        name="durations, times, tags and host names",
        limit=THREAD,
        read=small,
        longest=200_000,
        also=["1s", "9s", "\ufdfa", "ß", "İ"],
        around=[("", ""), ("2026-01-01T", "Z")],
    )
    yield Parser(
        name="Retry-After",
        limit=LOOP,
        longest=64 * 1024,
        read=lambda text: parse_retry_after(text, now=now),
        around=[("", ""), ("Mon, ", ""), ("1.", ""), ("-", "x")],
    )
    yield Parser(
        name="certificate",
        limit=LOOP,
        read=certificate,
        longest=65_000,
        marks=[
            "\x30\x00",
            "\x05\x00",
            "\x30\x80",
            "\xa3\x00",
            "\x30\x03\x02\x01\x00",
            "\x31\x05\x30\x03\x06\x01\x00",
        ],
    )


def main() -> None:
    """Print the table."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "linkwatch.settings")
    django.setup()
    chosen = os.environ.get("HOSTILE_ONLY", "")
    print(f"{'parser':<42} {'worst CPU':>10} {'limit':>8}  by")
    for parser in parsers():
        if chosen in parser.name:
            seconds, mark = parser.worst()
            print(
                f"{parser.name:<42} {1000 * seconds:>7.1f} ms {1000 * parser.limit:>5.0f} ms"
                f"  {json.dumps(mark)}",
                flush=True,
            )


if __name__ == "__main__":
    main()
