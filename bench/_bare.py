"""The least that a cached read can be: an ASGI callable that does one GET in Redis."""

import os
import sys
from typing import Any

import redis.asyncio
import uvicorn

_client: Any = None


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Answer each request with what the key named by its path holds."""
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
    uvicorn.run(
        application,
        host="127.0.0.1",
        port=int(sys.argv[1]),
        access_log=False,
        log_level="error",
        lifespan="off",
        limit_concurrency=1000,
        server_header=False,
    )
