"""A receiver of callbacks."""

import json
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from standardwebhooks import Webhook


class Callback(NamedTuple):
    """A message that arrived, and the status of its answer."""

    headers: dict[str, str]
    body: bytes
    status: int

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def data(self) -> Any:
        return json.loads(self.body)["data"]

    def is_signed(self, secret: str) -> bool:
        """Return whether it is signed with this secret, at any time."""
        at = datetime.fromtimestamp(int(self.headers["webhook-timestamp"]), tz=UTC)
        signature = Webhook(secret).sign(self.id, at, self.body.decode())
        return signature in self.headers["webhook-signature"].split()


class CallbackReceiver:
    """A server that keeps its messages; `status_of` is its answer to message 0, 1, …"""

    def __init__(self, status_of: Callable[[int], int] = lambda number: 204) -> None:
        self.got: list[Callback] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                body = self.rfile.read(length)
                if len(body) < length:
                    return  # its sender was killed while it sent the request
                headers = {name.lower(): value for name, value in self.headers.items()}
                status = status_of(len(receiver.got))
                receiver.got.append(Callback(headers, body, status))
                self.send_response(status)
                self.end_headers()

            def log_message(self, *_args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/hook"

    def start(self) -> None:
        threading.Thread(target=self._server.serve_forever).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
