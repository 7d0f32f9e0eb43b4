"""Sends requests to the whole ASGI application in this process."""

import asyncio
from typing import Any, NamedTuple

from linkwatch import asgi
from tests.foundation.redis_servers import run


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


async def ask(path: str, *, method: str = "GET", query: bytes = b"", **headers: str) -> Reply:
    """Return the response to one request; `x_forwarded_for="…"` sends that header."""
    sent: list[Any] = []
    reported = {"host": "localhost", "user_agent": "tests", **headers}
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": query,
        "client": ("192.0.2.1", 1234),
        "server": ("localhost", 8080),
        "headers": [
            (name.replace("_", "-").encode(), value.encode()) for name, value in reported.items()
        ],
    }
    messages = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> Any:
        return messages.pop() if messages else await asyncio.Event().wait()

    async def send(message: Any) -> None:
        sent.append(message)

    await asgi.application(scope, receive, send)
    start = sent[0]
    headers_of_reply: dict[str, str] = {}
    for name, value in start["headers"]:
        key = name.decode().lower()
        assert key not in headers_of_reply or key == "set-cookie", f"{key} twice"
        headers_of_reply[key] = value.decode()
    body = b"".join(message.get("body", b"") for message in sent[1:])
    return Reply(start["status"], headers_of_reply, b"" if method == "HEAD" else body)


def get(path: str, **how: Any) -> Reply:
    """Return the response to one request, sent in its own event loop."""
    return run(ask(path, **how))
