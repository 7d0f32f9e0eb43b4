"""The minimal redirect on this server: an ASGI callable that always gives the same answer."""

import sys
from typing import Any

from _uvicorn import serve

_HEADERS = [
    (b"location", sys.argv[-1].encode()),
    (b"cache-control", b"private, no-store"),
    (b"content-length", b"0"),
]


async def application(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 302, "headers": _HEADERS})
    await send({"type": "http.response.body", "body": b""})


if __name__ == "__main__":
    serve(application, limit_concurrency=1000, server_header=False)
