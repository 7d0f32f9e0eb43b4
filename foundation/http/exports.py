"""Long lists as files, few at once: each holds a thread for as long as its client takes to read."""

from collections.abc import Iterator

from django.http import StreamingHttpResponse

from foundation.http.concurrency_limit import FewAtOnce

MOST = 3  # at once in one process, whose threads all requests share

_exports = FewAtOnce(MOST, f"{MOST} lists are already being written. Try again in a moment.")


def stream_csv(pieces: Iterator[str], *, filename: str = "") -> StreamingHttpResponse:
    """Return a CSV response, as `_stream`."""
    return _stream(pieces, filename=filename, content_type="text/csv; charset=utf-8")


def stream_json(pieces: Iterator[str], *, filename: str) -> StreamingHttpResponse:
    """Return a JSON response, as `_stream`."""
    return _stream(pieces, filename=filename, content_type="application/json")


def _stream(pieces: Iterator[str], *, filename: str, content_type: str) -> StreamingHttpResponse:
    """Return a streaming response of these pieces, as a download if `name` is given.

    Raises ApiError `unavailable` while MOST others are being read. A response counts until its
    pieces end or fail, or it is closed, as when its client disconnects.
    """
    counted = _counted(pieces)
    next(counted)  # only a started generator runs its `finally` when closed
    headers = {"Content-Disposition": f'attachment; filename="{filename}"'} if filename else None
    return StreamingHttpResponse(counted, content_type=content_type, headers=headers)


def _counted(pieces: Iterator[str]) -> Iterator[str]:
    """Yield an empty piece once another export may start, then the pieces."""
    with _exports.one():
        yield ""
        yield from pieces
