"""A receiver of webhooks that verifies each by `standardwebhooks` and keeps the messages.

Usage: `python -m tests.chaos.receiver PORT FOLDER`. FOLDER/secrets.json has the secrets by path.
Each message is a line of FOLDER/received, written before it is answered. While FOLDER/fails exists,
the receiver answers 500.
"""

import json
import sys
from pathlib import Path
from typing import Any

import uvicorn
from standardwebhooks import Webhook, WebhookVerificationError


class Receiver:
    """The ASGI application."""

    def __init__(self, folder: Path) -> None:
        self._secrets = json.loads((folder / "secrets.json").read_text())
        self._fails = folder / "fails"
        self._received = (folder / "received").open("a")

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        body = b""
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return  # its sender was killed while it sent the request
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        status = self._take(scope["path"], body, headers)
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    def _take(self, path: str, body: bytes, headers: dict[str, str]) -> int:
        status = 204
        try:
            Webhook(self._secrets[path]).verify(body, headers)
        except WebhookVerificationError:
            status = 400
        if self._fails.exists():
            status = 500
        line = {"path": path, "id": headers["webhook-id"], "status": status, "body": body.decode()}
        self._received.write(json.dumps(line) + "\n")
        self._received.flush()
        return status


if __name__ == "__main__":
    uvicorn.run(Receiver(Path(sys.argv[2])), port=int(sys.argv[1]), log_level="warning")
