"""Answers some requests where they are parsed, in one write: redirects from memory, cached
snippets.

A scope, a task and messages are most of the cost of such a response. `LeanHttp` makes none of them
for a plain GET that `shortener.redirect_answers` answers from memory, or `snippets.read_answers`
from Redis's reply; it parses and writes, and decides nothing. All other requests take uvicorn's
path, where the same code answers. ADR 21 has the figures.
"""

import asyncio
import time
from functools import lru_cache, partial
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, RequestResponseCycle

from foundation.http import cors
from foundation.http.answers import Answer, Headers, RequestFacts
from foundation.http.asgi import share_of_process
from foundation.http.client_address import UNKNOWN, client_address
from foundation.valkey import metrics, scripts
from foundation.valkey.resp import Reply
from linkwatch.server.http_connection import ServerConnection
from shortener.local_cache import MAX_ENTRIES
from shortener.redirect_answers import answer_from_memory, name_of
from snippets import read_answers, snippet_cache

MAX_REQUESTS = share_of_process(1_000)  # requests in progress at once

# Idle connections, longest idle first, with the loop's time at which they became idle.
IDLE_CONNECTIONS: "dict[LeanHttp, float]" = {}

_REDIRECTS = metrics.ResponseTally("redirect", 302, extra_counter="cache_hits")  # from memory


class _Head:
    """The first lines of responses; uvicorn's date changes every second."""

    def __init__(self, status: int) -> None:
        self._status = STATUS_LINE[status]
        self._headers: Headers | None = None
        self._lines = b""

    def lines(self, headers: Headers) -> bytes:
        if headers is not self._headers:  # uvicorn creates a new list each second
            self._headers, self._lines = headers, self._status + _header_lines(headers)
        return self._lines


_HEADS = {status: _Head(status) for status in (200, 302)}


def _header_lines(headers: Headers) -> bytes:
    return b"".join([b"%b: %b\r\n" % header for header in headers])


@lru_cache(maxsize=MAX_ENTRIES)
def _constant_part(redirect: Answer) -> bytes:
    """Return what follows the first lines of a redirect: its constant part."""
    return _header_lines(redirect.all_headers) + b"\r\n"


class _Exchange:
    """A request without a scope, in progress or answered, as its connection sees it."""

    __slots__ = (
        "disconnected",
        "keep_alive",
        "message_event",
        "more_body",
        "response_complete",
        "response_started",
    )

    def __init__(self, *, is_complete: bool) -> None:
        self.response_started = self.response_complete = is_complete
        self.disconnected = False
        self.keep_alive = True
        self.more_body = False
        self.message_event = _UNUSED_EVENT


_UNUSED_EVENT = asyncio.Event()
_FINISHED = cast("RequestResponseCycle", _Exchange(is_complete=True))


class LeanHttp(ServerConnection):
    """uvicorn's HTTP, with a short path for cheap responses.

    An idle connection has one timer, which checks the time of the last response, instead of a new
    timer after each response.
    """

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Prepare for requests, without a timer."""
        super().connection_made(transport)
        self._peer = self.client[0] if self.client else UNKNOWN
        self._is_in_head = True
        self._idle_timer: asyncio.TimerHandle | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._forget()
        super().connection_lost(exc)

    def _forget(self) -> None:
        """Remove this connection from IDLE_CONNECTIONS, and cancel its timer."""
        IDLE_CONNECTIONS.pop(self, None)
        if self._idle_timer is not None:
            self._idle_timer.cancel()
            self._idle_timer = None

    def on_message_begin(self) -> None:
        """Start a request; only requests on uvicorn's path get a scope."""
        self.url, self.headers, self.expect_100_continue = b"", [], False
        self._is_in_head = True

    def on_headers_complete(self) -> None:
        """Answer the request if that is cheap, or take uvicorn's path."""
        self._is_in_head = False
        IDLE_CONNECTIONS.pop(self, None)
        headers = dict(self.headers)
        if self._is_plain(headers) and self._try_to_answer(headers):
            return
        url, request_headers, expects_continue = self.url, self.headers, self.expect_100_continue
        super().on_message_begin()
        self.url, self.expect_100_continue = url, expects_continue
        self.headers += request_headers  # the scope has this same list
        super().on_headers_complete()

    def _is_plain(self, headers: dict[bytes, bytes]) -> bool:
        """Return whether the request is ordinary, and nothing is pending before it."""
        parser = self.parser
        return (
            not self.announces_end
            and (self.cycle is None or self.cycle.response_complete)
            and len(headers) == len(self.headers)  # no duplicates
            and b"content-length" not in headers
            and b"transfer-encoding" not in headers
            and not self.expect_100_continue
            and parser.get_method() == b"GET"
            and parser.get_http_version() == "1.1"
            and parser.should_keep_alive()
            and not parser.should_upgrade()
            and not self.flow.write_paused
            and not self.transport.is_closing()
            and len(self.tasks) < MAX_REQUESTS
        )

    def _try_to_answer(self, headers: dict[bytes, bytes]) -> bool:
        """Answer at once or after Redis's reply; return False for requests on uvicorn's path."""
        address, forwarded_for = self._peer, headers.get(b"x-forwarded-for")
        if forwarded_for is not None:
            address = client_address(address, forwarded_for.decode("latin-1"))
        facts = RequestFacts(headers, address)
        target = self.url.decode("latin-1")
        path, _, query = target.partition("?")
        name = name_of(path, headers.get(b"host", b""))
        if name is not None:
            redirect = answer_from_memory(name, facts) if query.isascii() else None
            if redirect is None:
                return False
            first_lines = _HEADS[redirect.status].lines(self.server_state.default_headers)
            self.transport.write(first_lines + _constant_part(redirect))
            _REDIRECTS.count += 1
            self.cycle = _FINISHED
            self.on_response_complete()
            return True
        read = read_answers.parse_request(target, facts)
        if read is None or not scripts.BREAKER.is_closed:
            return False
        _Read(self, *read, facts)
        return True

    def on_response_complete(self) -> None:
        """Start the next waiting request, or become idle."""
        self.server_state.total_requests += 1
        self._unread = 0
        if self.transport.is_closing():
            return
        if self.flow.read_paused:
            self.flow.resume_reading()
        if self.pipeline:
            self._start_asgi_task(*self.pipeline.pop())
            return
        IDLE_CONNECTIONS[self] = self.loop.time()
        if self._idle_timer is None:
            self._idle_timer = self.loop.call_later(self.timeout_keep_alive, self._end_idleness)

    def _end_idleness(self) -> None:
        """Close the connection if its idle timeout has passed; otherwise check again later."""
        self._idle_timer = None
        idle_since = IDLE_CONNECTIONS.get(self)
        if idle_since is None or self._is_in_head:
            return  # the connection becomes idle again after the current request
        remaining = idle_since + self.timeout_keep_alive - self.loop.time()
        if remaining > 0:
            self._idle_timer = self.loop.call_later(remaining, self._end_idleness)
        else:
            self.close_idle()

    def close_idle(self) -> None:
        """Close an idle connection."""
        IDLE_CONNECTIONS.pop(self, None)
        self.transport.close()


class _Read(_Exchange):
    """A pending read of a snippet from Redis, whose reply may be all that the response needs."""

    __slots__ = ("_answer", "_headers", "_http", "_request_headers", "_started_at", "_url")

    def __init__(
        self, http: LeanHttp, pk: str, format_: read_answers.SnippetFormat, facts: RequestFacts
    ) -> None:
        super().__init__(is_complete=False)
        self._http, self._url, self._headers = http, http.url, http.headers
        self._request_headers = facts.headers
        self._answer = partial(read_answers.answer_from_redis, pk, format_, facts)
        self._started_at = time.perf_counter()
        http.cycle = cast("RequestResponseCycle", self)
        key = format_.key(pk)
        snippet_cache.start_lookup(
            key, self._handle_reply, route=format_.route, address=facts.address
        )

    def _handle_reply(self, reply: Reply) -> None:
        """Answer from Redis's reply, or let the application answer, without another query."""
        http = self._http
        try:
            answer = self._answer(reply)
        except Exception:  # noqa: BLE001 (the application raises and logs the same error)
            answer = None
        if answer is None:
            if not http.transport.is_closing():
                self._use_application(reply)
            return
        metrics.observe("snippet", answer.status, time.perf_counter() - self._started_at)
        self.response_complete = True
        if not http.transport.is_closing():
            self._send(answer)
        http.on_response_complete()

    def _send(self, answer: Answer) -> None:
        http = self._http
        headers = cors.add_cors_headers(answer.all_headers, self._request_headers)
        end = b"\r\n" if self.keep_alive else b"connection: close\r\n\r\n"
        first_lines = _HEADS[answer.status].lines(http.server_state.default_headers)
        http.transport.writelines([first_lines + _header_lines(headers) + end, answer.body])
        if not self.keep_alive:
            http.transport.close()

    def _use_application(self, reply: Reply) -> None:
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
            read_answers.REPLY: reply,
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
        if http.cycle is cast("RequestResponseCycle", self):  # no other request is waiting
            http.cycle = cycle
        http._start_asgi_task(cycle, http.app)
