"""Checks through the proxies that people run: Debian's squid and tinyproxy, as real processes."""

import asyncio
import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from checker.engine.fetch import probe
from checker.witness import got_answer, needs_witness
from foundation.net.guard import Guard
from foundation.net.proxy import parse_proxy
from targets.state import Outcome
from tests.acceptance.processes import until
from tests.ports import free_port
from tests.zoo.checks import LOOPBACK, SUCCESS, policy, resolves_to, summary
from tests.zoo.server import answer, serve

pytestmark = pytest.mark.any_database

_TINYPROXY = """\
Port {port}
Listen 127.0.0.1
Timeout 600
LogLevel Error
BasicAuth user secret
"""
_SQUID = """\
http_port 127.0.0.1:{port}
acl forbidden dstdomain forbidden.example
http_access deny forbidden
acl here src 127.0.0.1
http_access allow here
http_access deny all
cache deny all
access_log none
cache_log stdio:{folder}/cache.log
coredump_dir {folder}
netdb_filename none
pid_filename none
pinger_enable off
shutdown_lifetime 0 seconds
hosts_file {folder}/hosts
"""
COMMANDS = {"tinyproxy": ["-d", "-c"], "squid": ["-N", "-f"]}
CONFIGURATION = {"tinyproxy": _TINYPROXY, "squid": _SQUID}
CREDENTIALS = {"tinyproxy": "user:secret@", "squid": ""}


def installed(name: str) -> str:
    """Return the path of the binary of Debian's package; installs the package if permitted."""
    path = "/usr/sbin:/usr/bin"
    if shutil.which(name, path=path) is None and os.geteuid() == 0 and shutil.which("apt-get"):
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", name]
        subprocess.run(command, env=environment, check=False, capture_output=True)
    found = shutil.which(name, path=path)
    if found is None:
        pytest.skip(f"Debian's package {name} is not installed, and this user may not install it")
    return found


@pytest.fixture(scope="module", params=sorted(COMMANDS))
def proxy(request) -> Iterator[tuple[str, int]]:
    """Yield the name and port of a running proxy. Squid resolves some names to this machine."""
    name, port = request.param, free_port()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as path:
        folder = Path(path)
        folder.chmod(0o777)  # squid drops its privileges
        (folder / "hosts").write_text("127.0.0.1 page.example forbidden.example\n")
        configuration = folder / "conf"
        configuration.write_text(CONFIGURATION[name].format(port=port, folder=folder))
        command = [installed(name), *COMMANDS[name], str(configuration)]
        log = folder / "log"
        with log.open("wb") as output, subprocess.Popen(command, stdout=output) as process:
            try:
                until(lambda: is_listening(port))
                yield name, port
            finally:
                process.kill()


def is_listening(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def check(proxy, behaviour, *, pair=None, host="127.0.0.1", tls=None, guard=LOOPBACK):
    name, port = proxy
    credentials = CREDENTIALS[name] if pair is None else pair

    async def run():
        async with serve(behaviour, tls=tls) as zoo:
            way = parse_proxy(f"http://{credentials}127.0.0.1:{port}")
            fetching = policy(proxy=way, guard=guard, resolver=resolves_to(), retries=0)
            return await probe(zoo.url("/a?b=c", host=host), policy=fetching), zoo

    return asyncio.run(run())


def test_http_and_https_pass_the_proxy(proxy, tls, trusted):
    for context in (None, tls["good"]):
        found, zoo = check(proxy, answer(), tls=context)
        assert summary(found) == SUCCESS
        assert zoo.visits[0].target == "/a?b=c"
        assert got_answer(found)


def test_the_answer_of_a_server_passes_through(proxy):
    assert check(proxy, answer(410))[0].reason == "http_410"


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_an_unreachable_server_is_a_failure_with_a_witness(proxy, scheme):
    name, port = proxy
    way = parse_proxy(f"http://{CREDENTIALS[name]}127.0.0.1:{port}")
    fetching = policy(proxy=way, guard=LOOPBACK, retries=0)
    found = asyncio.run(probe(f"{scheme}://127.0.0.1:{free_port()}/", policy=fetching))

    assert (found.outcome, found.reason) == (Outcome.FAILURE, "connect")
    assert needs_witness(found)


@pytest.mark.parametrize("proxy", ["squid"], indirect=True)
def test_the_proxy_resolves_names(proxy):
    found, zoo = check(proxy, answer(), host="page.example", guard=Guard())

    assert summary(found) == SUCCESS
    assert len(zoo.visits) == 1


@pytest.mark.parametrize("secure", [False, True])
def test_a_refusal_by_the_proxy_is_our_fault(proxy, secure, tls, trusted):
    context = tls["good"] if secure else None
    if proxy[0] == "tinyproxy":  # requires authentication
        found, zoo = check(proxy, answer(), pair="", tls=context)
    else:  # has its own rules
        found, zoo = check(proxy, answer(), host="forbidden.example", tls=context)

    assert (found.outcome, found.reason) == (Outcome.INCONCLUSIVE, "proxy")
    assert found.never_counts
    assert zoo.visits == []
