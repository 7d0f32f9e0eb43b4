"""A body as text for marks to be looked for in, whatever it would inflate to."""

import zlib

TEXT_CAP = 64 * 1024  # bytes that a body is inflated to, at most

# By Content-Encoding: gzip, and "deflate" with its header or without, as servers send it. Brotli
# and zstd are never asked for; a body in them says nothing.
_WINDOWS = {"gzip": (31,), "x-gzip": (31,), "deflate": (15, -15)}


def as_text(body: bytes, *, encoding: str) -> bytes:
    """Return the first TEXT_CAP bytes of what `body`, in a Content-Encoding, says.

    Nothing for an encoding that is not read; `body` itself where it is not what it claims.
    """
    encoding = encoding.strip().lower()
    if encoding in ("", "identity"):
        return body[:TEXT_CAP]
    for window in _WINDOWS.get(encoding, ()):
        try:
            return zlib.decompressobj(window).decompress(body, TEXT_CAP)
        except zlib.error:
            continue
    return body[:TEXT_CAP] if encoding in _WINDOWS else b""
