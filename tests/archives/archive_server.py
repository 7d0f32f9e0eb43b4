"""A web archive on a real socket: Wayback's CDX, TimeMaps and TimeGates, and Save Page Now."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from archives.archive_settings import SAVES, Archive
from tests.archives.holdings import Holdings, Snapshot
from tests.ports import free_port

# If it returns True, it replaces the answer.
Hook = Callable[["_Handler"], bool]


@dataclass
class Offer:
    """A page that the archive was asked to save."""

    job: str
    form: dict[str, str]
    authorization: str
    polls: int = 0


class ArchiveServer(ThreadingHTTPServer):
    """Counts its requests. `hook` replaces answers; `says` changes Memento-Datetime.

    Requests to save a page are in `offers`; `saves` makes the snapshot after `pending` more polls.
    """

    daemon_threads = True

    def __init__(self, holdings: Holdings) -> None:
        super().__init__(("127.0.0.1", free_port()), _Handler)
        self.holdings = holdings
        self.asked: list[tuple[float, str]] = []
        self.hook: Hook = lambda handler: False
        self.offers: list[Offer] = []
        self.pending = 0
        self.saves: Callable[[str], Snapshot] = lambda url: Snapshot(at=datetime.now(UTC))
        self.says: Callable[[Snapshot], datetime] = lambda snapshot: snapshot.at

    @property
    def home(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def archive(self, kind: str) -> Archive:
        """Return the archive as ARCHIVES names it."""
        if kind == SAVES:
            return Archive(kind=kind, url=f"{self.home}/save", replay=f"{self.home}/web/")
        if kind == "cdx":
            return Archive(kind=kind, url=f"{self.home}/cdx", replay=f"{self.home}/web/")
        path = "timemap/link/" if kind == "timemap" else "gate/"
        return Archive(kind=kind, url=f"{self.home}/{path}")

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore clients that hang up."""


class _Handler(BaseHTTPRequestHandler):
    server: ArchiveServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.server.asked.append((time.monotonic(), self.path))
        if self.server.hook(self):
            return
        parts = urlsplit(self.path)
        if parts.path == "/cdx":
            self._cdx({name: values[0] for name, values in parse_qs(parts.query).items()})
        elif self.path.startswith("/save/status/"):
            self._status(self.path.removeprefix("/save/status/"))
        elif self.path.startswith("/timemap/link/"):
            self._timemap(unquote(self.path.removeprefix("/timemap/link/")))
        elif self.path.startswith("/gate/"):
            self._gate(unquote(self.path.removeprefix("/gate/")))
        else:
            stamp, _, url = self.path.removeprefix("/web/").partition("/")
            self._replay(stamp.removesuffix("id_"), unquote(url))

    def do_POST(self) -> None:
        text = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.server.asked.append((time.monotonic(), self.path))
        if self.server.hook(self):
            return
        form = {name: values[0] for name, values in parse_qs(text).items()}
        known = [offer.job for offer in self.server.offers if offer.form["url"] == form["url"]]
        job = known[0] if known else f"spn2-{len(self.server.offers)}"
        if not known:  # as `if_not_archived_within` requires
            authorization = self.headers.get("Authorization", "")
            self.server.offers.append(Offer(job, form, authorization))
        self.answer_json({"url": form["url"], "job_id": job})

    def _status(self, job: str) -> None:
        [offer] = [offer for offer in self.server.offers if offer.job == job]
        offer.polls += 1
        if offer.polls <= self.server.pending:
            self.answer_json({"status": "pending", "job_id": job})
            return
        url = offer.form["url"]
        snapshot = self.server.saves(url)
        self.server.holdings.add(url, snapshot)
        self.answer_json({"status": "success", "timestamp": snapshot.stamp, "original_url": url})

    def answer_json(self, value: Any, status: int = 200) -> None:
        self.answer(status, json.dumps(value).encode(), Content_Type="application/json")

    def answer(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def _cdx(self, query: dict[str, str]) -> None:
        rows = [
            [
                *("com,example)/", one.stamp, query["url"], one.kind.partition(";")[0]),
                *("-" if one.is_revisit else str(one.status), one.digest, "512"),
            ]
            for one in reversed(self.server.holdings.of(query["url"]))
            if one.stamp <= query["to"]
        ]
        if query.get("filter") == "statuscode:200":
            rows = [row for row in rows if row[4] == "200"]
        rows = rows[: int(query["limit"])]
        header = ["urlkey", "timestamp", "original", "mimetype", "statuscode", "digest", "length"]
        body = json.dumps([header, *rows] if rows else []).encode()
        self.answer(200, body, Content_Type="application/json")

    def _timemap(self, url: str) -> None:
        found = self.server.holdings.of(url)
        lines = [f'<{url}>; rel="original"', *(self._link(url, one) for one in found)]
        body = ",\n".join(lines).encode()
        self.answer(200 if found else 404, body, Content_Type="application/link-format")

    def _link(self, url: str, one: Snapshot) -> str:
        at = format_datetime(self.server.says(one), usegmt=True)
        return f'<{self.server.home}/web/{one.stamp}/{url}>; rel="memento"; datetime="{at}"'

    def _gate(self, url: str) -> None:
        wanted = parsedate_to_datetime(self.headers["Accept-Datetime"]).astimezone(UTC)
        one = self.server.holdings.closest(url, f"{wanted:%Y%m%d%H%M%S}")
        if one is None:
            self.answer(404, b"not archived")
            return
        self.answer(
            302, Location=f"{self.server.home}/web/{one.stamp}/{url}", Vary="accept-datetime"
        )

    def _replay(self, stamp: str, url: str) -> None:
        one = self.server.holdings.closest(url, stamp)
        if one is None or one.stamp != stamp:
            self.answer(404, b"<title>Not in archive</title>", Content_Type="text/html")
            return
        said = format_datetime(self.server.says(one), usegmt=True)
        headers = {name.replace("-", "_"): value for name, value in one.headers}
        self.answer(one.status, one.body, Memento_Datetime=said, **headers)


@contextmanager
def archive_server(holdings: Holdings) -> Iterator[ArchiveServer]:
    server = ArchiveServer(holdings)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
