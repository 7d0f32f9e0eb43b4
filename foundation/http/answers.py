"""Responses sent without Django, and the facts of a request that determine them."""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.http import HttpRequest
from rest_framework.request import Request

from foundation.http.asgi import Scope, Send, address_of
from foundation.http.client_address import sender_address

Header = tuple[bytes, bytes]
Headers = list[Header]


class RequestFacts(NamedTuple):
    """The facts of a request on which its response depends, other than its path."""

    headers: Mapping[bytes, bytes]  # names in lower case
    address: str  # of the client
    method: str = "GET"

    @property
    def host(self) -> bytes:
        return self.headers.get(b"host", b"")


@dataclass(slots=True, eq=False)
class Answer:
    """A complete response; `headers` has all headers except Content-Length."""

    status: int
    headers: Headers
    body: bytes = b""

    @property
    def all_headers(self) -> Headers:
        return [*self.headers, (b"content-length", b"%d" % len(self.body))]


Read = Callable[[], Coroutine[Any, Any, Answer]]  # returns the response to a recognized request


def encode(headers: Mapping[str, str]) -> Headers:
    """Return headers in ASGI's form."""
    return [(name.lower().encode(), value.encode()) for name, value in headers.items()]


def facts_of_scope(scope: Scope) -> RequestFacts:
    """Return the facts of a request to the ASGI application."""
    return RequestFacts(dict(scope["headers"]), address_of(scope), scope["method"])


def facts_of_request(request: HttpRequest | Request) -> RequestFacts:
    """Return the facts of a request to Django."""
    headers = {
        name.lower().encode(): value.encode("latin-1", "replace")
        for name, value in request.headers.items()
    }
    return RequestFacts(headers, sender_address(request), request.method or "")


async def send_answer(scope: Scope, send: Send, answer: Answer) -> None:
    """Send a response, without its body if the method is HEAD."""
    start = {"type": "http.response.start", "status": answer.status}
    await send({**start, "headers": answer.all_headers})
    body = b"" if scope["method"] == "HEAD" else answer.body
    await send({"type": "http.response.body", "body": body})
