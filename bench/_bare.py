"""The minimal cached read, for comparison: an ASGI callable that does one GET in Redis."""

import os
from typing import Any

import redis.asyncio
from _uvicorn import serve

_client: Any = None


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Respond to each request with the value of the key that its path names."""
    global _client
    if scope["type"] != "http":
        return
    if _client is None:
        _client = redis.asyncio.Redis.from_url(os.environ["REDIS_URL"])
    body = await _client.get(scope["path"])
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
    ]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


if __name__ == "__main__":
    serve(application, limit_concurrency=1000, server_header=False)
