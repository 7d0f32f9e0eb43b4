"""Repairs heads that the parser rejects, as browsers do: malformed parts are dropped.

Sources: RFC 9112, 2.2 and 4 (lenient readers); the network layers of Chromium and Firefox, which
drop an invalid header line, accept several spaces in a status line, and recognize ICY.
"""

import re
from collections.abc import Iterator

_STATUS_LINE = re.compile(
    rb"(?:(?P<http>HTTP)(?:/[0-9.]{1,8})?|ICY)[ \t]+(?P<status>[0-9]{3})(?![0-9])[^\r\n]*",
    re.IGNORECASE,
)
_BEGINNING = re.compile(rb"\A\s*+(?:HTTP[/ \t]|ICY[ \t])", re.IGNORECASE)
_MAX_INTERIM = 20  # interim responses
_MIN_BYTES = 8  # fewer may still become a valid beginning
_END = re.compile(rb"\r?\n\r?\n")
_HEADER = re.compile(rb"(?P<name>[!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*:(?P<value>[^\x00\r\n]*)")
_LENGTH = re.compile(rb"\s*[0-9]{1,18}\s*")


def may_be_repaired(received: bytes | bytearray) -> bool:
    """Return whether the bytes so far may be the head of an HTTP response."""
    return len(received) < _MIN_BYTES or _BEGINNING.match(received) is not None


def has_end(received: bytes | bytearray, *, new: int) -> bool:
    """Return whether a head ends within the last `new` bytes."""
    return _END.search(received, max(len(received) - new - len(b"\r\n\r"), 0)) is not None


def repair(received: bytes, *, has_ended: bool) -> bytes | None:
    """Return the response with a head that every parser accepts; interim responses are dropped.

    Returns None while the head is incomplete. If the response `has_ended`, the head is whatever was
    received. Raises ValueError without a status line, or for more than 20 interim responses.
    """
    received = received.lstrip()
    for _ in range(1 + _MAX_INTERIM):
        end = _END.search(received)
        if end is None and not has_ended:
            return None
        head, rest = (received[: end.start()], received[end.end() :]) if end else (received, b"")
        line, *others = head.split(b"\n")
        status = _STATUS_LINE.fullmatch(line.rstrip(b"\r"))
        if status is None:
            raise ValueError("no status line")
        if not 100 <= int(status["status"]) < 200 or int(status["status"]) == 101:
            break
        received = rest
    else:
        raise ValueError("too many interim responses")
    first = b"HTTP/1.1 %s Mended" % status["status"]
    return b"\r\n".join([first, *_headers(others), b"", rest])


def _headers(lines: list[bytes]) -> Iterator[bytes]:
    """Yield the valid header lines; of several Content-Length headers, only the first valid one."""
    has_length = False
    for line in lines:
        header = _HEADER.fullmatch(line.rstrip(b"\r"))
        if header is None:
            continue
        if header["name"].lower() == b"content-length":
            if has_length or not _LENGTH.fullmatch(header["value"]):
                continue
            has_length = True
        yield b"%s:%s" % (header["name"], header["value"])
