"""The id of the current request, or of the message being sent.

Log lines, errors and the response's `X-Request-ID` contain it, so that a request can be traced
from a proxy to the log.
"""

import re
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_current: ContextVar[str] = ContextVar("request_id", default="")
_SAFE = re.compile(rb"[A-Za-z0-9._:/+=@-]{1,128}")
_TRACE = re.compile(rb"[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?")


def current() -> str:
    """Return the id; empty outside of a request."""
    return _current.get()


def begin(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """Set and return the id of a request with these headers.

    It is a valid `X-Request-ID`, otherwise the trace id of `traceparent` (W3C Trace Context),
    otherwise a new id.
    """
    request_id, trace = None, None
    for name, value in headers:
        if name == b"x-request-id":
            request_id = request_id or _SAFE.fullmatch(value)
        elif name == b"traceparent":
            trace = trace or _TRACE.fullmatch(value)
    text = request_id[0] if request_id else trace[1] if trace else None
    id_ = text.decode("ascii") if text else secrets.token_hex(16)
    _current.set(id_)
    return id_


@contextmanager
def use(id_: str) -> Iterator[None]:
    """Use this id within the block."""
    token = _current.set(id_)
    try:
        yield
    finally:
        _current.reset(token)
