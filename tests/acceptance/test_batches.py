"""A batch survives the end of all processes, and its callback arrives."""

import json
import os
import re
import signal
import threading
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import psutil
import pytest
from standardwebhooks import Webhook

from foundation.ids import raw_id
from tests.acceptance.processes import Client, answers, running, until
from tests.counting_server import counting_server
from tests.ports import free_port

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]

SITES = [f"127.8.0.{number}" for number in range(1, 4)]


@contextmanager
def callbacks():
    """Run a receiver; yields its URL, and the headers and bodies that it got."""
    got = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            got.append(({name.lower(): said for name, said in self.headers.items()}, body))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_args):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/hook", got
        finally:
            server.shutdown()


def kill(up):
    """Kill it and all that it started, at once."""
    family = [psutil.Process(up.pid), *psutil.Process(up.pid).children(recursive=True)]
    for process in family:
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
    psutil.wait_procs(family, timeout=10)


def test_a_batch_ends_and_calls_back_though_all_processes_were_killed(tmp_path):
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    changes = {"DATA_DIR": str(tmp_path / "data"), "HTTP_PORT": str(port)}
    changes |= {"ALLOW_NETWORKS": "127.0.0.0/8", "HOST_DELAY": "3s", "CHECK_INTERVAL": "500ms"}
    log = tmp_path / "log"
    with counting_server(SITES) as site, callbacks() as (url, got):
        with running("up", log=log, **changes) as up:
            until(lambda: answers(f"{base}/readyz"))
            token = until(lambda: re.search(r"API token +(\w+)", log.read_text()))[1]
            api = Client(base, token)
            urls = [site.url(host, f"/{number}") for host in SITES for number in range(3)]
            made = api("POST", "/v1/batches", {"urls": urls, "max_age": "1h", "callback_url": url})
            until(lambda: site.requests)
            kill(up)
        assert made["counts"]["waiting"] == len(urls)
        assert site.requests.total() < len(urls), "it was killed in the middle"
        assert not got
        with running("up", log=log, **changes):
            until(lambda: answers(f"{base}/readyz"))
            until(lambda: api("GET", f"/v1/batches/{made['id']}")["done"], within=240)
            until(lambda: got)
            batch = api("GET", f"/v1/batches/{made['id']}")
            assert api("GET", "/v1/targets")["items"] == []
    assert {item["status"] for item in batch["items"]} == {"checked"}
    assert {item["state"] for item in batch["items"]} == {"alive"}
    for headers, body in got:
        Webhook(made["secret"]).verify(body, headers)
        assert headers["webhook-id"] == str(raw_id("batch", made["id"]))
        assert json.loads(body)["data"]["counts"]["checked"] == len(urls)
