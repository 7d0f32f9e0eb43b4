"""Requests answered where they are parsed, in one write: redirects from memory, cached snippets.

A scope, a task and messages are most of what such an answer costs. `LeanHttp` makes none of them
for a plain GET that `shortener.asgi.at_once` answers or `snippets.asgi.wanted` knows how to ask
Redis for. All else goes uvicorn's way, where the same request has the same answer to the byte: the
tests hold both ways to that. ADR 21 has the figures.
"""

import asyncio
import time
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, RequestResponseCycle

from foundation.http.asgi import share_of_process
from foundation.http.client_address import UNKNOWN
from foundation.valkey import metrics
from foundation.valkey.resp import Reply
from linkwatch.connection import Connection
from shortener.asgi import at_once, is_short_domain
from snippets.asgi import REPLY, Header, Wanted, wanted

MOST_REQUESTS = share_of_process(1_000)  # under way at once

# Connections without a request under way and since when by the loop's clock, longest first.
IDLE: "dict[LeanHttp, float]" = {}

_REDIRECTS = metrics.Tally("redirect", 302, also="cache_hits")  # from memory, each


class _Head:
    """The first lines of answers; of what uvicorn says in each the date changes every second."""

    def __init__(self, status: int) -> None:
        self._status = STATUS_LINE[status]
        self._told: list[Header] | None = None
        self._lines = b""

    def lines(self, told: list[Header]) -> bytes:
        if told is not self._told:  # uvicorn makes a new list of it
            self._told, self._lines = told, self._status + _lines(told)
        return self._lines


_FOUND, _OK = _Head(302), _Head(200)


def _lines(headers: list[Header]) -> bytes:
    return b"".join([b"%b: %b\r\n" % header for header in headers])


class _Exchange:
    """A request under way, or answered, as far as its connection asks for it."""

    __slots__ = (
        "disconnected",
        "keep_alive",
        "message_event",
        "more_body",
        "response_complete",
        "response_started",
    )

    def __init__(self, *, is_over: bool) -> None:
        self.response_started = self.response_complete = is_over
        self.disconnected = False
        self.keep_alive = True
        self.more_body = False
        self.message_event = _NOBODY_WAITS


_NOBODY_WAITS = asyncio.Event()
_OVER = cast("RequestResponseCycle", _Exchange(is_over=True))


class LeanHttp(Connection):
    """uvicorn's HTTP, with a short way for what costs little to answer.

    An idle connection has one timer, which looks when it was last answered, instead of a new one
    after each answer.
    """

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Expect a request."""
        super().connection_made(transport)
        self._peer = self.client[0] if self.client else UNKNOWN
        self._is_in_head = True
        self._idle_timer: asyncio.TimerHandle | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Expect nothing any more."""
        self._forget()
        super().connection_lost(exc)

    def _forget(self) -> None:
        """Expect nothing of an idle connection."""
        IDLE.pop(self, None)
        if self._idle_timer is not None:
            self._idle_timer.cancel()
            self._idle_timer = None

    def on_message_begin(self) -> None:
        """Take in a request; only one that goes uvicorn's way will have a scope."""
        self.url, self.headers, self.expect_100_continue = b"", [], False
        self._is_in_head = True

    def on_headers_complete(self) -> None:
        """Answer the request if that costs little, or go uvicorn's way."""
        self._is_in_head = False
        IDLE.pop(self, None)
        headers = dict(self.headers)
        if self._is_plain(headers) and self._answers(headers):
            return
        url, told, expects = self.url, self.headers, self.expect_100_continue
        super().on_message_begin()
        self.url, self.expect_100_continue = url, expects
        self.headers += told  # the scope has this very list
        super().on_headers_complete()

    def _is_plain(self, headers: dict[bytes, bytes]) -> bool:
        """Whether nothing about the request is out of the ordinary, nor anything in its way."""
        parser = self.parser
        return (
            (self.cycle is None or self.cycle.response_complete)
            and len(headers) == len(self.headers)  # none is there twice
            and b"content-length" not in headers
            and b"transfer-encoding" not in headers
            and not self.expect_100_continue
            and parser.get_method() == b"GET"
            and parser.get_http_version() == "1.1"
            and parser.should_keep_alive()
            and not parser.should_upgrade()
            and not self.flow.write_paused
            and not self.transport.is_closing()
            and len(self.tasks) < MOST_REQUESTS
        )

    def _answers(self, headers: dict[bytes, bytes]) -> bool:
        """Answer, now or when Redis has; returns False for what has to go uvicorn's way."""
        lines = at_once(self.url, headers, self._peer)
        if lines is not None:
            self.transport.write(_FOUND.lines(self.server_state.default_headers) + lines)
            _REDIRECTS.count += 1
            self.cycle = _OVER
            self.on_response_complete()
            return True
        if is_short_domain(headers.get(b"host", b"")):
            return False
        asked = wanted(self.url, headers, self._peer)
        if asked is None:
            return False
        _Read(self, asked)
        return True

    def on_response_complete(self) -> None:
        """Begin with the request that waits behind this one, or be idle."""
        self.server_state.total_requests += 1
        if self.transport.is_closing():
            return
        self.flow.resume_reading()
        if self.pipeline:
            self._start_asgi_task(*self.pipeline.pop())
            return
        IDLE[self] = self.loop.time()
        if self._idle_timer is None:
            self._idle_timer = self.loop.call_later(self.timeout_keep_alive, self._end_idleness)

    def _end_idleness(self) -> None:
        """Close the connection if nothing has come for so long."""
        self._idle_timer = None
        since = IDLE.get(self)
        if since is None or self._is_in_head:
            return  # after what has begun it is idle anew
        left = since + self.timeout_keep_alive - self.loop.time()
        if left > 0:
            self._idle_timer = self.loop.call_later(left, self._end_idleness)
        else:
            self.let_go()

    def let_go(self) -> None:
        """Close a connection without a request under way."""
        IDLE.pop(self, None)
        self.transport.close()


class _Read(_Exchange):
    """A read of a snippet under way: Redis is asked, and has all that is needed, or not."""

    __slots__ = ("_asked", "_began", "_headers", "_http", "_url")

    def __init__(self, http: LeanHttp, asked: Wanted) -> None:
        super().__init__(is_over=False)
        self._http, self._asked = http, asked
        self._url, self._headers = http.url, http.headers
        self._began = time.perf_counter()
        http.cycle = cast("RequestResponseCycle", self)
        asked.ask(self._take)

    def _take(self, reply: Reply) -> None:
        """Answer from what Redis says, or let the application do so: it asks nothing twice."""
        http = self._http
        try:
            found = self._asked.answer(reply)
        except Exception:  # noqa: BLE001 (the application will meet it as well, and say so)
            found = None
        if found is None:
            if not http.transport.is_closing():
                self._go_the_usual_way(reply)
            return
        metrics.observe("snippet", 200, time.perf_counter() - self._began)
        self.response_complete = True
        if not http.transport.is_closing():
            self._send(*found)
        http.on_response_complete()

    def _send(self, headers: list[Header], body: bytes) -> None:
        http = self._http
        end = b"\r\n" if self.keep_alive else b"connection: close\r\n\r\n"
        head = _OK.lines(http.server_state.default_headers) + _lines(headers) + end
        http.transport.writelines([head, body])
        if not self.keep_alive:
            http.transport.close()

    def _go_the_usual_way(self, reply: Reply) -> None:
        http = self._http
        scope: dict[str, Any] = {
            "type": "http",
            "asgi": {"version": http.asgi_version, "spec_version": "2.3"},
            "http_version": "1.1",
            "server": http.server,
            "client": http.client,
            "scheme": http.scheme,
            "root_path": http.root_path,
            "headers": self._headers,
            "state": http.app_state.copy(),
            "method": "GET",
            "path": self._url.decode("ascii"),
            "raw_path": self._url,
            "query_string": b"",
            REPLY: reply,
        }
        cycle = RequestResponseCycle(
            scope=cast("Any", scope),
            transport=http.transport,
            flow=http.flow,
            logger=http.logger,
            access_logger=http.access_logger,
            access_log=http.access_log,
            default_headers=http.server_state.default_headers,
            message_event=asyncio.Event(),
            expect_100_continue=False,
            keep_alive=self.keep_alive,
            on_response=http.on_response_complete,
        )
        cycle.more_body = False
        cycle.message_event.set()
        if http.cycle is cast("RequestResponseCycle", self):  # no other request waits behind it
            http.cycle = cycle
        http._start_asgi_task(cycle, http.app)
