"""The web stack of production (uvicorn, a2wsgi, Django) in a separate process, and its client."""

import http.client
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import local
from typing import Any, cast

from harness import ROOT

from tests.ports import free_port


def create() -> Any:
    """Return the ASGI application; DJANGO_SETTINGS_MODULE and DATABASE_URL are set."""
    from a2wsgi import WSGIMiddleware
    from django.conf import settings
    from django.core.wsgi import get_wsgi_application

    application = get_wsgi_application()
    settings.ROOT_URLCONF = "_urls"
    return WSGIMiddleware(cast("Any", application), workers=8)


@contextmanager
def serve() -> Iterator[tuple[int, int]]:
    """Run the web stack in a separate process; yields its port on loopback, and its id."""
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "uvicorn",
        "_server:create",
        "--factory",
        "--host",
        "127.0.0.1",
    ]
    command += ["--port", str(port), "--log-level", "warning", "--timeout-keep-alive", "90"]
    folder = Path(__file__).parent
    environ = os.environ | {"PYTHONPATH": f"{ROOT}:{folder}"}
    process = subprocess.Popen(command, cwd=folder, env=environ)
    try:
        wait_for(port, process)
        yield port, process.pid
    finally:
        process.terminate()
        process.wait(timeout=30)


def wait_for(port: int, process: "subprocess.Popen[bytes]") -> None:
    for _ in range(600):
        if process.poll() is not None:
            raise RuntimeError("The server has ended.")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("The server did not start.")


def make_token() -> str:
    from django.contrib.auth.models import User
    from knox.models import AuthToken

    return str(AuthToken.objects.create(User.objects.create_superuser("bench"))[1])


class Client:
    """Speaks JSON with a token; each thread has its own connection that stays open."""

    def __init__(self, port: int, token: str) -> None:
        self.port, self.thread = port, local()
        self.headers = {"Authorization": f"Token {token}", "Content-Type": "application/json"}

    def request(self, method: str, path: str, content: bytes | None = None) -> bytes:
        """Return the body of the response; raises RuntimeError for an error."""
        if not hasattr(self.thread, "connection"):
            self.thread.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        self.thread.connection.request(method, path, content, self.headers)
        response = self.thread.connection.getresponse()
        body = response.read()
        if response.status >= 300:
            raise RuntimeError(f"{path}: {response.status} {body[:300]!r}")
        return bytes(body)

    def post(self, path: str, content: bytes) -> None:
        self.request("POST", path, content)
