"""The crawler of the docs, a shell loop with curl, next to our checker on the same hosts."""

import os
import re
import signal
import subprocess
from contextlib import contextmanager

import pytest

from tests.acceptance.processes import ROOT, Client, answers, environment, running, until
from tests.counting_server import counting_server
from tests.ports import free_port

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]

DOCUMENT = ROOT / "docs/how-to/crawler.md"
HOSTS = [f"127.9.0.{n}" for n in (1, 2)]
ENOUGH = 8  # requests of each kind


def crawler(base, site):
    """Return the document's program for these addresses, without its long pauses."""
    [program] = re.findall(r"```sh\n(#!.+?)```", DOCUMENT.read_text(), re.DOTALL)
    for before, after in (
        ("localhost:8080", base.removeprefix("http://")),
        ("http://$host/", f"http://$host:{site.port}/"),
        ("+1 hour", "+0 seconds"),
        ("sleep 5", "sleep 0.1"),
    ):
        assert before in program
        program = program.replace(before, after)
    return program


@contextmanager
def shell(program, *, folder, **changes):
    with (folder / "shell.log").open("wb") as log:
        process = subprocess.Popen(
            ["sh", "-c", program],
            cwd=folder,
            env=environment(**changes),
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        yield
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def asked_for(site, path):
    return sum(count for url, count in site.requests.items() if url.endswith(path))


def test_the_crawler_of_the_docs_and_the_checker_never_request_a_host_at_once(tmp_path):
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    settings = {
        "DATA_DIR": str(tmp_path / "data"),
        "HTTP_PORT": str(port),
        "ALLOW_NETWORKS": "127.0.0.0/8",
        "CHECK_PERIOD": "200ms",
        "CHECK_INTERVAL": "100ms",
        "HOST_DELAY": "0s",
    }
    log = tmp_path / "log"
    with (
        counting_server(HOSTS, delay=0.1) as site,
        running("up", log=log, **settings),
    ):
        until(lambda: answers(base + "/readyz"), within=60)
        token = re.search(r"API token +(\w+)", log.read_text())[1]
        call = Client(base, token)
        for host in HOSTS:
            call("POST", "/v1/targets", {"url": site.url(host, "/checked")})
        due = [{"host": host, "next_fetch_at": "2026-01-01T00:00:00Z"} for host in HOSTS]
        call("POST", "/v1/hosts/schedule", {"hosts": due})

        with shell(crawler(base, site), folder=tmp_path, TOKEN=token):
            until(lambda: asked_for(site, ".1/") and asked_for(site, ".2/"), within=60)
            until(lambda: asked_for(site, "/checked") >= ENOUGH, within=60)
            until(lambda: asked_for(site, "/") >= ENOUGH, within=60)

        assert site.most_at_once_in_a_group == 1
        assert sorted(path.name for path in tmp_path.glob("*.html")) == [
            f"{host}.html" for host in HOSTS
        ]
