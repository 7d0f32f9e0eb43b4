"""Long lists as files, few at once: each holds a thread for as long as its client takes to read."""

from collections.abc import Iterator

from django.http import StreamingHttpResponse

from foundation.http.few_at_once import FewAtOnce

MOST = 3  # at once in one process, whose threads are for all requests

_exports = FewAtOnce(MOST, f"{MOST} lists are being written already. Try again in a moment.")


def stream_csv(pieces: Iterator[str], *, filename: str = "") -> StreamingHttpResponse:
    """Return an answer of CSV, as `_stream`."""
    return _stream(pieces, filename=filename, content_type="text/csv; charset=utf-8")


def stream_json(pieces: Iterator[str], *, filename: str) -> StreamingHttpResponse:
    """Return an answer of JSON, as `_stream`."""
    return _stream(pieces, filename=filename, content_type="application/json")


def _stream(pieces: Iterator[str], *, filename: str, content_type: str) -> StreamingHttpResponse:
    """Return an answer of these pieces, to be kept as a file if that has a name.

    Raises ApiError `unavailable` when MOST others are being read. One counts until its pieces end
    or fail, or it is closed, as it is when its client goes away.
    """
    counted = _counted(pieces)
    next(counted)  # only a generator that has begun does something when it is closed
    headers = {"Content-Disposition": f'attachment; filename="{filename}"'} if filename else None
    return StreamingHttpResponse(counted, content_type=content_type, headers=headers)


def _counted(pieces: Iterator[str]) -> Iterator[str]:
    """Yield nothing once it has a place, then the pieces."""
    with _exports.one():
        yield ""
        yield from pieces
