"""The wire to a server, cut in one direction: some data is lost, some is only late."""

import errno
import random
import signal
import socket
import threading
from contextlib import suppress

import pytest

from tests.acceptance.processes import PATIENCE, until
from tests.chaos.network_and_clock import Wire

pytestmark = pytest.mark.any_database


@pytest.fixture
def heard():
    """Yield what the server receives; it answers each byte."""
    return []


@pytest.fixture
def address(tmp_path, heard):
    path = str(tmp_path / "s")

    def echo(session):
        with session, suppress(BrokenPipeError):  # a test may end before its last answer
            while data := session.recv(1):
                heard.append(data)
                session.sendall(data)

    def serve():
        while True:
            try:
                session, _ = server.accept()
            except OSError:
                return  # the connection is closed
            threading.Thread(target=echo, args=[session], daemon=True).start()

    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        server.listen()
        thread = threading.Thread(target=serve)
        thread.start()
        yield path
        server.shutdown(socket.SHUT_RDWR)
        thread.join(PATIENCE)


@pytest.fixture
def wire(tmp_path, address):
    wire = Wire("wire", tmp_path / "wire.log", random.Random(1), socket=address)
    wire.start()
    yield wire
    wire.destroy()


@pytest.fixture
def client(wire):
    """Yield a client that has been answered once."""
    with connect(wire) as client:
        assert answer(client) == b"x"
        yield client


def connect(wire, timeout=PATIENCE):
    return socket.create_connection(("127.0.0.1", wire.port), timeout=timeout)


def answer(client, timeout=PATIENCE):
    """Send data and return the answer; empty if none arrives in that time."""
    client.settimeout(timeout)
    client.sendall(b"x")
    with suppress(TimeoutError):
        return client.recv(1)


def cut(wire, number, client):
    """Cut the wire in one direction; return once an answer fails to arrive."""
    wire.process.send_signal(number)
    until(lambda: answer(client, timeout=0.3) is None)


def test_a_connection_cut_to_the_server_delivers_nothing_until_restored(wire, client, heard):
    cut(wire, signal.SIGUSR1, client)
    before = len(heard)
    assert answer(client, timeout=0.3) is None
    assert len(heard) == before
    with pytest.raises(TimeoutError):
        connect(wire, timeout=0.3)
    wire.process.send_signal(signal.SIGHUP)
    client.settimeout(PATIENCE)
    assert client.recv(1) == b"x"  # the kernel has sent the data again


def test_the_kernel_reports_that_nothing_is_acknowledged(wire, client):
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 500)  # ms
    cut(wire, signal.SIGUSR1, client)
    client.settimeout(PATIENCE)
    with pytest.raises(TimeoutError) as gone:
        client.recv(1)
    assert gone.value.errno == errno.ETIMEDOUT


def test_a_connection_cut_from_the_server_delivers_requests_but_delays_answers(wire, client, heard):
    cut(wire, signal.SIGUSR2, client)
    before = len(heard)
    assert answer(client, timeout=0.3) is None
    until(lambda: len(heard) > before)
    wire.process.send_signal(signal.SIGHUP)
    client.settimeout(PATIENCE)
    assert client.recv(1) == b"x"
