"""Decodes the Content-Encoding of bodies, within a limit."""

import zlib

MAX_TEXT = 64 * 1024  # bytes to which a body is inflated, at most

# By Content-Encoding: gzip, and "deflate" with or without its header, because servers send both.
# Brotli and zstd are never requested, and such bodies are not read.
_WINDOWS = {"gzip": (31,), "x-gzip": (31,), "deflate": (15, -15)}


def inflate(body: bytes, *, encoding: str, limit: int = MAX_TEXT) -> bytes:
    """Return the first `limit` bytes of the decoded body.

    Returns b"" for unsupported encodings, and the beginning of `body` if it is not encoded as
    declared.
    """
    encoding = encoding.strip().lower()
    if encoding in ("", "identity"):
        return body[:limit]
    for window in _WINDOWS.get(encoding, ()):
        try:
            return zlib.decompressobj(window).decompress(body, limit)
        except zlib.error:
            continue
    return body[:limit] if encoding in _WINDOWS else b""
