"""Several web processes on one port: `run_web` with WEB_PROCESSES."""

import asyncio
import contextlib
import http.client
import os
import signal
import socket
import time
from collections import Counter
from contextlib import contextmanager

import psutil
import pytest

from foundation.database.clock import database_now
from foundation.http.asgi import share_of_process
from foundation.valkey import metrics
from foundation.valkey.clients import client
from shortener import services
from tests.acceptance.processes import answers, is_alive, running, until
from tests.analytics.sockets import live, next_counts, publish
from tests.shortener.links import make
from tests.snippets.servers import PATIENCE, web

pytestmark = [pytest.mark.acceptance, pytest.mark.django_db(transaction=True)]

GRACE = 4.0  # seconds


@pytest.fixture(scope="module")
def port(django_db_setup, tmp_path_factory):
    """The port of two processes whose caches do not expire; each test has its own keys."""
    folder = tmp_path_factory.mktemp("webs")
    with two(folder, "tests.shortener.forgetful_web") as port:
        yield port


@contextmanager
def two(folder, *module, **changes):
    changes = {"WEB_PROCESSES": "2", "SHUTDOWN_GRACE": f"{GRACE:.0f}s"} | changes
    with web(folder, *module, **changes) as port:
        until(lambda: len(servers(port)) == 2)
        yield port


def servers(port):
    """Return the processes that listen there."""
    return [one for one in psutil.Process().children(recursive=True) if _listens(one, port)]


def _listens(process, port):
    with contextlib.suppress(psutil.NoSuchProcess):
        return process.name() == "run_web" and any(
            one.status == psutil.CONN_LISTEN and one.laddr.port == port
            for one in process.net_connections("tcp")
        )
    return False


@contextmanager
def connections(port, number):
    """Open connections that have each been answered; yields them with their statuses.

    Afterwards, no server holds any of them: they would count towards the limit of later ones.
    """
    with contextlib.ExitStack() as stack:
        opened = []
        for _ in range(number):
            one = stack.enter_context(
                contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, PATIENCE))
            )
            opened.append((one, status(one, "/livez")))
        yield opened
    until(lambda: not any(held_by(process, port) for process in servers(port)))


def status(connection, path):
    connection.request("GET", path, headers={"Host": "localhost"})
    answer = connection.getresponse()
    answer.read()
    return answer.status


def held_by(process, port):
    """Return the number of the process's connections with clients."""
    return sum(
        one.status == psutil.CONN_ESTABLISHED and one.laddr.port == port
        for one in process.net_connections("tcp")
    )


def test_connections_are_spread_evenly(port):
    # The share is random: of 500 it is between 40 and 60 %, except once in 100,000 runs.
    with connections(port, 500):
        first, second = (held_by(process, port) for process in servers(port))
    assert first + second > 300, "some may have been idle for too long"
    assert 0.4 <= first / (first + second) <= 0.6


def test_changes_apply_and_answers_are_counted_in_each_process(port):
    link = make(key="spread")
    with connections(port, 32) as opened:

        def ask():
            return {status(one, f"/s/{link.key}") for one, _ in opened}

        assert ask() == {302}
        assert min(held_by(process, port) for process in servers(port)) > 0
        services.delete("spread", now=database_now())
        until(lambda: ask() == {410}, within=PATIENCE)

    def counted():
        return sum(
            sum(numbers)
            for (route, status), (numbers, _) in metrics.responses(metrics.totals(client())).items()
            if (route, status) == ("redirect", "302")
        )

    until(lambda: counted() >= 32)


def test_each_process_serves_live_counts(port):
    async def watch():
        async with contextlib.AsyncExitStack() as stack:
            clients = [
                await stack.enter_async_context(live(f"127.0.0.1:{port}", "watched"))
                for _ in range(16)
            ]
            for one in clients:
                await next_counts(one, "snapshot")
            holders = [held_by(process, port) for process in servers(port)]
            publish(client(), {"short:watched": 7})
            return holders, [await next_counts(one, "views") for one in clients]

    holders, counts = asyncio.run(watch())
    assert min(holders) > 0
    assert counts == [{"watched": 7}] * 16


def test_a_killed_process_comes_back_and_the_other_answers_meanwhile(port):
    victim, other = servers(port)
    victim.kill()
    until(lambda: victim not in servers(port))
    assert other in servers(port)
    # Its socket accepts until the last of its threads has ended, which may be after the process.
    until(lambda: answers(f"http://127.0.0.1:{port}/livez"))
    until(lambda: len(servers(port)) == 2)
    with connections(port, 32):
        until(lambda: min(held_by(process, port) for process in servers(port)) > 0)


def test_limits_are_divided_among_the_processes(settings, tmp_path):
    with (
        two(tmp_path, CLIENT_CONNECTIONS="20", TRUSTED_PROXIES="") as port,
        connections(port, 80) as opened,
    ):
        found = Counter(status for _, status in opened)
    assert found.keys() == {200, 429}
    assert found[200] == 20, "of so many connections each process has its share full"
    settings.WEB_PROCESSES = 3
    assert (share_of_process(1000), share_of_process(1)) == (334, 1)


def test_all_processes_end_in_time_with_a_request_in_progress(tmp_path):
    with two(tmp_path) as port:
        processes = servers(port)
        parent = processes[0].parent()
        with socket.create_connection(("127.0.0.1", port)) as slow:
            slow.sendall(b"POST /v1/urls HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n")
            began = time.monotonic()
            os.kill(parent.pid, signal.SIGTERM)
            until(lambda: not any(is_alive(one) for one in [parent, *processes]))
            assert time.monotonic() - began < GRACE + 2


def test_all_processes_end_with_a_killed_parent(tmp_path):
    with two(tmp_path) as port:
        processes = servers(port)
        processes[0].parent().kill()
        until(lambda: not any(is_alive(one) for one in processes))


def test_a_port_of_another_program_is_refused(tmp_path):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        changes = {"HTTP_PORT": str(other.getsockname()[1]), "WEB_PROCESSES": "2"}
        log = tmp_path / "log"
        with running("run_web", log=log, DATA_DIR=str(tmp_path), **changes) as process:
            assert process.wait(PATIENCE) == 1
    assert "cannot be used" in log.read_text()
