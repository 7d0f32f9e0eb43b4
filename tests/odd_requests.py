"""Requests that no browser sends, byte for byte, and the statuses of their answers.

`PATH` in a request stands for any address that accepts only GET; `OWN` stands for the status of its
answer to a GET. After a refusal, the server reads nothing more.
"""

from typing import Final, NamedTuple

OWN: Final = 0


class Odd(NamedTuple):
    """All bytes that one client sends, and the statuses of the answers."""

    sent: bytes
    statuses: tuple[int, ...]


_HOST = b"Host: localhost\r\n"
_GET = b"GET PATH HTTP/1.1\r\n" + _HOST
_POST = b"POST PATH HTTP/1.1\r\n" + _HOST
_END = b"\r\n"
_CHUNKED = b"Transfer-Encoding: chunked\r\n"
_UPGRADE = b"Connection: Upgrade\r\nUpgrade: "
LAST: Final = _GET + b"Connection: close\r\n\r\n"
_OFFER = b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
REFUSED: Final = (400,)

# Unusual but valid: answered, and the next request on the connection begins at the right byte.
WELL_FORMED: Final[dict[str, Odd]] = {
    "plain": Odd(_GET + _END, (OWN,)),
    "closing": Odd(LAST, (OWN,)),
    "two": Odd(_GET + _END + LAST, (OWN, OWN)),
    "a hundred, then close": Odd((_GET + _END) * 99 + LAST, (OWN,) * 100),
    "empty lines before": Odd(b"\r\n\r\n" + LAST, (OWN,)),
    "a request after close": Odd(LAST + _GET + _END, (OWN,)),
    "HTTP/1.0": Odd(b"GET PATH HTTP/1.0\r\n" + _HOST + _END, (OWN,)),
    "HTTP/1.0 and another": Odd(b"GET PATH HTTP/1.0\r\n" + _HOST + _END + _GET + _END, (OWN,)),
    "HTTP/1.0 with keep-alive": Odd(
        b"GET PATH HTTP/1.0\r\nConnection: keep-alive\r\n" + _HOST + _END, (OWN,)
    ),
    "HEAD": Odd(b"HEAD PATH HTTP/1.1\r\n" + _HOST + _END + LAST, (OWN, OWN)),
    "query": Odd(LAST.replace(b"PATH", b"PATH?a=1&b=%00%ff"), (OWN,)),
    "empty query": Odd(LAST.replace(b"PATH", b"PATH?"), (OWN,)),
    "fragment": Odd(LAST.replace(b"PATH", b"PATH#top"), (OWN,)),
    "escaped": Odd(LAST.replace(b"GET PATH", b"GET PATH?%2e%2E"), (OWN,)),
    "a body of a GET": Odd(_GET + b"Content-Length: 3\r\n\r\nabc" + LAST, (OWN, OWN)),
    "no body of a GET": Odd(_GET + b"Content-Length: 0\r\n\r\n" + LAST, (OWN, OWN)),
    "chunks of a GET": Odd(_GET + _CHUNKED + b"\r\n3\r\nabc\r\n0\r\n\r\n" + LAST, (OWN, OWN)),
    "chunks in capitals": Odd(
        _GET + b"TRANSFER-ENCODING: Chunked\r\n\r\n0A\r\n0123456789\r\n0\r\n\r\n" + LAST,
        (OWN, OWN),
    ),
    "chunks with extensions": Odd(
        _GET + _CHUNKED + b'\r\n3;a=b;c="d"\r\nabc\r\n0;e\r\n\r\n' + LAST, (OWN, OWN)
    ),
    "a Host behind the chunks": Odd(
        _GET + _CHUNKED + b"\r\n0\r\nHost: evil.example\r\nX-Forwarded-For: 1.2.3.4\r\n\r\n" + LAST,
        (OWN, OWN),
    ),
    "expecting 100 Continue without a body": Odd(_GET + b"Expect: 100-continue\r\n\r\n", (OWN,)),
    "expecting the moon": Odd(_GET + b"Expect: the-moon\r\n\r\n", (OWN,)),
    "upgrade to HTTP/2": Odd(
        _GET + _UPGRADE + b"h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\r\n", (OWN,)
    ),
    "upgrade to HTTP/2, and another": Odd(_GET + _UPGRADE + b"h2c\r\n\r\n" + LAST, (OWN, OWN)),
    "unsupported upgrade": Odd(_GET + b"Upgrade: websocket\r\n\r\n", (OWN,)),
    "lists of connections": Odd(
        _GET + b"Connection: keep-alive, X\r\n\r\n" + _GET + b"Connection: X, close\r\n\r\n",
        (OWN, OWN),
    ),
    "chunks of HTTP/1.0": Odd(
        b"GET PATH HTTP/1.0\r\n" + _HOST + _CHUNKED + b"\r\n0\r\n\r\n" + LAST, (OWN,)
    ),
    "raw bytes in a value": Odd(_GET + b"User-Agent: \xff\xfe\x80\xc3\xa9\r\n\r\n", (OWN,)),
    "a hundred headers": Odd(_GET + b"X: 1\r\n" * 100 + _END, (OWN,)),
    "values without an end": Odd(_GET + b"X:\r\nY: \t \r\n\r\n", (OWN,)),
    "a long value": Odd(_GET + b"Cookie: " + b"c" * 16_000 + b"\r\n\r\n", (OWN,)),
}

# Two parsers could see two different requests, so none is answered.
AMBIGUOUS: Final[dict[str, Odd]] = {
    "two lengths": Odd(
        _POST + b"Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd" + LAST, REFUSED
    ),
    "a length twice": Odd(
        _POST + b"Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc" + LAST, REFUSED
    ),
    "a list of lengths": Odd(_POST + b"Content-Length: 3, 3\r\n\r\nabc" + LAST, REFUSED),
    "a length and chunks": Odd(
        _POST + b"Content-Length: 4\r\n" + _CHUNKED + b"\r\n0\r\n\r\n" + LAST, REFUSED
    ),
    "chunks and a length": Odd(
        _POST + _CHUNKED + b"Content-Length: 4\r\n\r\n0\r\n\r\n" + LAST, REFUSED
    ),
    "chunked twice": Odd(
        _POST + b"Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n" + LAST, REFUSED
    ),
    "chunked in two headers": Odd(_POST + _CHUNKED * 2 + b"\r\n0\r\n\r\n" + LAST, REFUSED),
    "chunked, then packed": Odd(
        _POST + b"Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n" + LAST, REFUSED
    ),
    "packed only": Odd(_POST + b"Transfer-Encoding: gzip\r\n\r\nabc" + LAST, REFUSED),
    "xchunked": Odd(_POST + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + LAST, REFUSED),
    "identity": Odd(_POST + b"Transfer-Encoding: identity\r\n\r\n" + LAST, REFUSED),
    "chunked with a space before the colon": Odd(
        _POST + b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + LAST, REFUSED
    ),
    "chunked with a vertical tab": Odd(
        _POST + b"Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n" + LAST, REFUSED
    ),
    "a negative length": Odd(_POST + b"Content-Length: -3\r\n\r\nabc" + LAST, REFUSED),
    "a length with a plus": Odd(_POST + b"Content-Length: +3\r\n\r\nabc" + LAST, REFUSED),
    "a length in hex": Odd(_POST + b"Content-Length: 0x3\r\n\r\nabc" + LAST, REFUSED),
    "a length in two words": Odd(_POST + b"Content-Length: 3 3\r\n\r\nabc" + LAST, REFUSED),
    "no length at all": Odd(_POST + b"Content-Length:\r\n\r\nabc" + LAST, REFUSED),
    "a huge length": Odd(
        _POST + b"Content-Length: 18446744073709551619\r\n\r\nabc" + LAST, REFUSED
    ),
    "bare line feeds": Odd(LAST.replace(b"\r\n", b"\n"), REFUSED),
    "bare carriage returns": Odd(LAST.replace(b"\r\n", b"\r"), REFUSED),
    "a line feed that ends a header": Odd(_GET + b"X: 1\nY: 2\r\n\r\n" + LAST, REFUSED),
    "a carriage return in a value": Odd(_GET + b"X: 1\rY: 2\r\n\r\n" + LAST, REFUSED),
    "a folded value": Odd(_GET + b"X: 1\r\n and more\r\n\r\n" + LAST, REFUSED),
    "a folded length": Odd(_POST + b"Content-Length:\r\n 3\r\n\r\nabc" + LAST, REFUSED),
    "a space before a header": Odd(_GET + b" X: 1\r\n\r\n" + LAST, REFUSED),
    "a space in a name": Odd(_GET + b"X Y: 1\r\n\r\n" + LAST, REFUSED),
    "a space before a colon": Odd(_GET + b"X : 1\r\n\r\n" + LAST, REFUSED),
    "a header without a colon": Odd(_GET + b"X\r\n\r\n" + LAST, REFUSED),
    "a header without a name": Odd(_GET + b": 1\r\n\r\n" + LAST, REFUSED),
    "NUL in a name": Odd(_GET + b"X\0Y: 1\r\n\r\n" + LAST, REFUSED),
    "NUL in a value": Odd(_GET + b"X: a\0b\r\n\r\n" + LAST, REFUSED),
    "escape in a value": Odd(_GET + b"X: \x1b[0m\r\n\r\n" + LAST, REFUSED),
    "raw bytes in a name": Odd(_GET + b"X\xff: 1\r\n\r\n" + LAST, REFUSED),
    "two hosts": Odd(_GET + b"Host: evil.example\r\n\r\n" + LAST, REFUSED),
    "the same host twice": Odd(_GET + _HOST + _END + LAST, REFUSED),
    "a host in the target that is not the header's": Odd(
        b"GET http://evil.examplePATH HTTP/1.1\r\n" + _HOST + _END + LAST, REFUSED
    ),
}

# Not HTTP, or too much of it, or a method that is not offered here.
MALFORMED: Final[dict[str, Odd]] = {
    "no chunk size": Odd(_POST + _CHUNKED + b"\r\n\r\nabc\r\n0\r\n\r\n" + LAST, REFUSED),
    "an invalid chunk size": Odd(_POST + _CHUNKED + b"\r\nxyz\r\nabc\r\n" + LAST, REFUSED),
    "a negative chunk": Odd(_POST + _CHUNKED + b"\r\n-3\r\nabc\r\n0\r\n\r\n" + LAST, REFUSED),
    "a chunk size with a sign": Odd(_POST + _CHUNKED + b"\r\n+3\r\nabc\r\n" + LAST, REFUSED),
    "a chunk size with its base": Odd(_POST + _CHUNKED + b"\r\n0x3\r\nabc\r\n" + LAST, REFUSED),
    "a chunk size with a space": Odd(_POST + _CHUNKED + b"\r\n3 \r\nabc\r\n" + LAST, REFUSED),
    "a huge chunk": Odd(_POST + _CHUNKED + b"\r\n10000000000000003\r\nabc\r\n" + LAST, REFUSED),
    "a chunk longer than its size": Odd(
        _POST + _CHUNKED + b"\r\n3\r\nabcdef\r\n0\r\n\r\n" + LAST, REFUSED
    ),
    "a chunk size that ends in a line feed": Odd(
        _POST + _CHUNKED + b"\r\n3\nabc\n0\n\n" + LAST, REFUSED
    ),
    "a line feed in an extension": Odd(
        _POST + _CHUNKED + b"\r\n3;a\nb\r\nabc\r\n0\r\n\r\n" + LAST, REFUSED
    ),
    "an invalid trailer": Odd(_POST + _CHUNKED + b"\r\n0\r\nno colon\r\n\r\n" + LAST, REFUSED),
    "no HTTP": Odd(b"HELO there\r\n\r\n", REFUSED),
    "noise": Odd(bytes(range(256)) * 4, REFUSED),
    "HTTP/0.9": Odd(b"GET PATH\r\n\r\n", (505,)),
    "HTTP/2, not asked for": Odd(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0", REFUSED),
    "HTTP/2 by a wrong method": Odd(LAST.replace(b"HTTP/1.1", b"HTTP/2.0"), (505,)),
    "HTTP/1.7": Odd(LAST.replace(b"HTTP/1.1", b"HTTP/1.7"), REFUSED),
    "HTTP/9.9": Odd(LAST.replace(b"HTTP/1.1", b"HTTP/9.9"), REFUSED),
    "ICE": Odd(b"SOURCE PATH ICE/1.0\r\n" + _HOST + _END, (405,)),
    "RTSP": Odd(b"DESCRIBE PATH RTSP/1.0\r\n" + _HOST + _END, (405,)),
    "TLS": Odd(
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(32) + b"\x20" + bytes(500), REFUSED
    ),
    "SSH": Odd(b"SSH-2.0-OpenSSH_9.6\r\n", REFUSED),
    "SMB": Odd(b"\x00\x00\x00\x85\xff\x53\x4d\x42" + bytes(120), REFUSED),
    "an answer": Odd(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", REFUSED),
    "small letters": Odd(b"get PATH HTTP/1.1\r\n" + _HOST + _END, REFUSED),
    "a method of ours": Odd(b"BREW PATH HTTP/1.1\r\n" + _HOST + _END, REFUSED),
    "no method": Odd(b" PATH HTTP/1.1\r\n" + _HOST + _END, REFUSED),
    "no target": Odd(b"GET HTTP/1.1\r\n" + _HOST + _END, REFUSED),
    "an empty target": Odd(b"GET  HTTP/1.1\r\n" + _HOST + _END, REFUSED),
    "a target with a space": Odd(b"GET PATH x HTTP/1.1\r\n" + _HOST + _END, REFUSED),
    "a target without a slash": Odd(b"GET livez HTTP/1.1\r\n" + _HOST + _END, REFUSED),
    "a target that is a query": Odd(b"GET ?x HTTP/1.1\r\n" + _HOST + _END, REFUSED),
    "a target with raw bytes": Odd(b"GET /\xff\xfe HTTP/1.1\r\n" + _HOST + _END, REFUSED),
    "a query with raw bytes": Odd(b"GET PATH?\xff HTTP/1.1\r\n" + _HOST + _END, REFUSED),
    "a target with NUL": Odd(b"GET /\0 HTTP/1.1\r\n" + _HOST + _END, REFUSED),
    "a target with a tab": Odd(b"GET /\tx HTTP/1.1\r\n" + _HOST + _END, REFUSED),
    "a target without a host": Odd(b"GET http://PATH HTTP/1.1\r\n" + _HOST + _END, REFUSED),
    "a target without a path": Odd(b"GET http://localhost HTTP/1.1\r\n" + _HOST + _END, REFUSED),
    "a target with an impossible port": Odd(
        b"GET http://localhost:99999999PATH HTTP/1.1\r\n" + _HOST + _END, REFUSED
    ),
    "a target of another scheme": Odd(
        b"GET ftp://localhostPATH HTTP/1.1\r\n" + _HOST + _END, (OWN,)
    ),
    "a whole target": Odd(b"GET http://localhostPATH HTTP/1.1\r\n" + _HOST + _END, (OWN,)),
    "OPTIONS of all": Odd(b"OPTIONS * HTTP/1.1\r\n" + _HOST + _END, (404,)),
    "GET of all": Odd(b"GET * HTTP/1.1\r\n" + _HOST + _END, (404,)),
    "CONNECT": Odd(b"CONNECT localhost:443 HTTP/1.1\r\n" + _HOST + _END, REFUSED),
    "CONNECT to a path": Odd(b"CONNECT PATH HTTP/1.1\r\n" + _HOST + _END, (405,)),
    "TRACE": Odd(b"TRACE PATH HTTP/1.1\r\n" + _HOST + _END, (405,)),
    "QUERY": Odd(b"QUERY PATH HTTP/1.1\r\n" + _HOST + _END, (405,)),
    "PROPFIND": Odd(b"PROPFIND PATH HTTP/1.1\r\n" + _HOST + _END, (405,)),
    "too many headers": Odd(_GET + b"X: 1\r\n" * 1000 + _END, (431,)),
    "a hundred thousand headers": Odd(_GET + b"X: 1\r\n" * 100_000 + _END, (431,)),
    "a value that is too long": Odd(_GET + b"X: " + b"x" * 200_000 + b"\r\n\r\n", (431,)),
    "a value that is a little too long": Odd(_GET + b"X: " + b"x" * 16_400 + b"\r\n\r\n", (431,)),
    "a target that is too long": Odd(b"GET PATH?" + b"x" * 200_000 + b" HTTP/1.1\r\n\r\n", (431,)),
    "endless empty lines": Odd(b"\r\n" * 200_000, (431,)),
}

WEBSOCKET: Final[dict[str, Odd]] = {
    "half a handshake": Odd(_GET + _UPGRADE + b"websocket\r\n\r\n", (400,)),
    "an unknown version": Odd(
        _GET + _UPGRADE + b"websocket\r\n" + _OFFER.replace(b"13", b"99") + _END, (400,)
    ),
    "of a POST": Odd(_POST + _UPGRADE + b"websocket\r\n" + _OFFER + _END, (405,)),
    "of HTTP/1.0": Odd(
        b"GET PATH HTTP/1.0\r\n" + _HOST + _UPGRADE + b"websocket\r\n" + _OFFER + _END, (404,)
    ),
    "with a body": Odd(
        _GET + _UPGRADE + b"websocket\r\n" + _OFFER + b"Content-Length: 3\r\n\r\nabc", (400,)
    ),
    "where there is none": Odd(_GET + _UPGRADE + b"websocket\r\n" + _OFFER + _END, (404,)),
    "with raw bytes": Odd(_GET + _UPGRADE + b"websocket\r\n" + _OFFER + b"X: \xff\r\n\r\n", (404,)),
}
