"""Streams long lists as files: only a few at once, because each occupies a thread."""

from collections.abc import Iterator

from django.http import StreamingHttpResponse

from foundation.http.concurrency_limit import ConcurrencyLimit

MAX_EXPORTS = 3  # concurrent exports per process, because all requests share its threads

_exports = ConcurrencyLimit(
    MAX_EXPORTS, f"{MAX_EXPORTS} exports are already in progress. Try again in a moment."
)


def stream_csv(pieces: Iterator[str], *, filename: str = "") -> StreamingHttpResponse:
    """Return a CSV response; see `_stream`."""
    return _stream(pieces, filename=filename, content_type="text/csv; charset=utf-8")


def stream_json(pieces: Iterator[str], *, filename: str) -> StreamingHttpResponse:
    """Return a JSON response; see `_stream`."""
    return _stream(pieces, filename=filename, content_type="application/json")


def _stream(pieces: Iterator[str], *, filename: str, content_type: str) -> StreamingHttpResponse:
    """Return a streaming response of these pieces, as a download if `filename` is set.

    Raises ApiError `unavailable` while MAX_EXPORTS others are being sent. A response counts until
    its pieces end or fail, or until it is closed, for example because its client disconnects.
    """
    counted = _counted(pieces)
    next(counted)  # only a started generator runs its `finally` when closed
    headers = {"Content-Disposition": f'attachment; filename="{filename}"'} if filename else None
    return StreamingHttpResponse(counted, content_type=content_type, headers=headers)


def _counted(pieces: Iterator[str]) -> Iterator[str]:
    """Yield an empty piece once another export may start, then the pieces."""
    with _exports.slot():
        yield ""
        yield from pieces
