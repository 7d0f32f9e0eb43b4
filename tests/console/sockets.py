"""A test client for the WebSockets of pages."""

import asyncio
import json
from contextlib import suppress

from analytics import live_counts
from linkwatch import asgi

PATIENCE = 60.0  # seconds
OWN = [(b"host", b"localhost"), (b"origin", b"https://localhost")]


class Socket:
    """One connection to this path; `sent` contains the messages that it received."""

    def __init__(self, path, headers=OWN, *, query="", reads=True):
        self.sent = []
        self.scope = {
            "type": "websocket",
            "path": path,
            "headers": headers,
            "query_string": query.encode(),
        }
        self._reads = reads
        self._news = asyncio.Event()
        self._received = asyncio.Queue()

    async def __aenter__(self):
        self._received.put_nowait({"type": "websocket.connect"})
        serving = asgi.application(self.scope, self._received.get, self._send)
        self._task = asyncio.create_task(serving)
        return self

    async def __aexit__(self, *args):
        self._received.put_nowait({"type": "websocket.disconnect", "code": 1000})
        with suppress(asyncio.CancelledError):
            await self._task

    async def _send(self, message):
        self.sent.append(message)
        self._news.set()
        if message["type"] == "websocket.send" and not self._reads:
            await asyncio.Event().wait()

    async def until(self, found):
        async with asyncio.timeout(PATIENCE):
            while not (what := found()):
                self._news.clear()
                await self._news.wait()
        return what

    async def refused(self):
        """Return the status of a rejected handshake; assert that nothing else was sent."""
        await self.until(lambda: len(self.sent) == 2)
        assert json.loads(self.sent[1]["body"])["code"] == "permission_denied"
        return self.sent[0]["status"]

    async def closed(self):
        """Return the code with which the connection was closed."""
        await self.until(lambda: self.sent and self.sent[-1]["type"] == "websocket.close")
        return self.sent[-1].get("code", 1000)

    def messages(self, kind):
        """Return the received messages of this type."""
        texts = [json.loads(m["text"]) for m in self.sent if m["type"] == "websocket.send"]
        return [message for message in texts if message["type"] == kind]

    async def message(self, kind, *, number=1):
        """Wait for `number` messages of this type, and return the last."""
        return (await self.until(lambda: self.messages(kind)[number - 1 :]))[0]


async def all_gone(*latest):
    """Wait until these hubs have no listeners and no clients."""
    async with asyncio.timeout(PATIENCE):
        while any(one.watchers for one in latest) or len(live_counts.hub()):  # noqa: ASYNC110 (it tells nobody)
            await asyncio.sleep(0)  # the pumps end
