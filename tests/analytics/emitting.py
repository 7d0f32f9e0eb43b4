"""The product's ASGI application with an address that says how many events it is to emit."""

from datetime import UTC, datetime

from analytics.stream import Kind, emit
from linkwatch.asgi import application as product


async def application(scope, receive, send):
    if scope["type"] != "http" or not scope["path"].startswith("/emit/"):
        await product(scope, receive, send)
        return
    for _ in range(int(scope["path"].removeprefix("/emit/"))):
        emit(Kind.VIEW, "s_a", at=datetime.now(UTC))
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})
