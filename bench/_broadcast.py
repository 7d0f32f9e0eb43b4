"""The minimal live counter: uvicorn sends one text to all WebSockets, in a loop."""

from typing import Any

from _uvicorn import serve

_sockets: set[Any] = set()


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Accept all WebSockets; send the path of each HTTP request to all of them."""
    if scope["type"] == "http":
        for socket in list(_sockets):
            await socket({"type": "websocket.send", "text": scope["path"]})
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})
    elif scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        _sockets.add(send)
        while (await receive())["type"] != "websocket.disconnect":
            pass
        _sockets.discard(send)


if __name__ == "__main__":
    serve(application, ws_per_message_deflate=False)
