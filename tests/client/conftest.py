"""Fixtures for the client's tests: the command, and the servers that it sends requests to."""

import json
import os
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from linkwatch_client.main import cli

DEAD = {
    "url": "http://example.com/guide",
    "canonical_url": "http://example.com/guide",
    "known": True,
    "fresh": True,
    "state": "dead",
    "outcome": "failure",
    "reason": "http_404",
    "sentence": "The server returned 404 Not Found.",
    "summary": "Page gone",
    "suggestion": "Look for the page's new address.",
    "flags": [],
    "first_failed_at": "2026-11-14T12:00:00Z",
    "last_checked_at": "2026-11-21T12:00:00Z",
    "moved_to": None,
    "paused": False,
    "error": None,
}
COPY = {
    "result": "verified",
    "archive": "archive.example",
    "url": "https://archive.example/web/20261012083000/http://example.com/guide",
    "captured_at": "2026-10-12T08:30:00Z",
    "asked_at": "2026-11-21T12:05:00Z",
}
ALIVE = DEAD | {
    "state": "alive",
    "outcome": "success",
    "reason": None,
    "sentence": None,
    "summary": "Page found",
    "suggestion": None,
    "first_failed_at": None,
}
UNKNOWN = dict.fromkeys(DEAD) | {
    "known": False,
    "fresh": False,
    "flags": [],
    "paused": False,
}


@dataclass
class Recorded:
    """A request that a stand-in server received."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any


@dataclass
class StandIn:
    """A stand-in server: responds with the result of `answer` and records the requests."""

    url: str
    requests: list[Recorded] = field(default_factory=list)

    @property
    def environment(self) -> dict[str, str]:
        return {"LINKWATCH_URL": self.url, "LINKWATCH_TOKEN": "token"}


Answer = Callable[[Recorded], tuple[int, Mapping[str, str], bytes]]


@contextmanager
def stand_in(answer: Answer) -> Iterator[StandIn]:
    """Run a server that responds with this function."""

    class Handler(BaseHTTPRequestHandler):
        def _reply(self) -> None:
            content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            body = json.loads(content) if content else None
            request = Recorded(self.command, self.path, dict(self.headers), body)
            found.requests.append(request)
            status, headers, text = answer(request)
            self.send_response(status)
            for name, value in {"Content-Length": str(len(text)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            try:
                self.wfile.write(text)
            except ConnectionError:
                self.close_connection = True

        do_GET = do_POST = do_DELETE = _reply  # noqa: N815

        def log_message(self, *_: object) -> None:
            """Log nothing, to keep the tests' output clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    found = StandIn(f"http://127.0.0.1:{server.server_address[1]}")
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def in_json(body: Any, status: int = 200) -> tuple[int, Mapping[str, str], bytes]:
    """Return a JSON response of the API."""
    return status, {"Content-Type": "application/json"}, json.dumps(body).encode()


def knows(
    known: Mapping[str, Mapping[str, Any]],
    finds: Mapping[str, Mapping[str, Any]] | None = None,
) -> Answer:
    """Return the responses of a server that knows these URLs and no others.

    With `finds` the server has batches, which return these results for URLs, in `pages` pages.
    """
    batch: list[Mapping[str, Any]] = []

    def answer(request: Recorded) -> tuple[int, Mapping[str, str], bytes]:
        path, _, query = request.path.partition("?")
        if path == "/v1/lookups":
            urls = request.body["urls"]
            return in_json({"results": [{**known.get(url, UNKNOWN), "url": url} for url in urls]})
        if finds is None or not path.startswith("/v1/batches"):
            return in_json({"code": "not_found", "message": "No such page."}, 404)
        if request.method == "POST":
            batch[:] = [
                {**known.get(url, UNKNOWN), "status": "checked", **finds.get(url, {}), "url": url}
                for url in request.body["urls"]
            ]
            return in_json({"id": "b_1", "done": True, "counts": {}, "items": batch}, 201)
        start = int(query.rpartition("page_token=")[2] or 0) if "page_token" in query else 0
        token = str(start + 2) if start + 2 < len(batch) else None
        items = batch[start : start + 2]
        return in_json({"id": "b_1", "done": True, "items": items, "next_page_token": token})

    return answer


def registers(answers: Answer, ended: int = 0, refusal: str = "") -> Answer:
    """Return a server that also accepts scans; `refusal` is the error code that ends a scan."""

    def answer(request: Recorded) -> tuple[int, Mapping[str, str], bytes]:
        if request.path == "/v1/targets/bulk":
            return in_json({"results": [{"status": 201} for _ in request.body["items"]]})
        if request.path == "/v1/scans":
            return in_json({"id": "sc_1", "run": 7}, 201)
        if request.path == "/v1/scans/sc_1/finish":
            if refusal:
                return in_json({"code": refusal, "message": "9 of 10 would end."}, 409)
            return in_json({"ended": ended, "remaining": 0})
        return answers(request)

    return answer


class Project:
    """A git repository in which a test writes files."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.git("init", "--quiet", "--initial-branch", "main")

    def git(self, *arguments: str) -> str:
        own = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
        done = subprocess.run(
            ["git", *own, *arguments], cwd=self.root, check=True, capture_output=True, text=True
        )
        return done.stdout

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, newline="")
        return path

    def commit(self) -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "Change files")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """An empty git repository, the current folder of the test."""
    root = tmp_path / "project"
    root.mkdir()
    monkeypatch.chdir(root)
    return Project(root)


Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command in its own folder, without a stored server or a CI service's variables."""
    for name in list(os.environ):
        if name.startswith(("GITHUB_", "CI_", "LINKWATCH_")):
            monkeypatch.delenv(name)
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))

    def run(*arguments: str, server: StandIn | None = None, stdin: str | bytes = "") -> Result:
        environment = server.environment if server else {}
        result = CliRunner().invoke(cli, arguments, input=stdin, env=environment)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run
