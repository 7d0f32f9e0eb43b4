"""HTTP_HOST by name: one or several web processes listen on every address of it."""

import contextlib
import socket

import pytest
from django.core.management.base import CommandError

from linkwatch.server import listening
from tests.ports import free_port

pytestmark = pytest.mark.any_database


@pytest.fixture
def port(settings, monkeypatch):
    """A port of a host that has both loopbacks in /etc/hosts, and an address of another machine."""
    addresses = ("::1", "127.0.0.1", "192.0.2.1", "127.0.0.1")
    settings.HTTP_HOST, settings.HTTP_PORT = "box", free_port()
    infos = [
        (family, socket.SOCK_STREAM, 6, "", (address, settings.HTTP_PORT))
        for address in addresses
        for family in [socket.AF_INET6 if ":" in address else socket.AF_INET]
    ]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: infos)
    return settings.HTTP_PORT


def sockets(stack):
    return [stack.enter_context(one) for one in listening.shared_sockets()]


def test_several_processes_listen_on_each_existing_address(port):
    with contextlib.ExitStack() as stack:
        for found in (sockets(stack), sockets(stack)):
            assert [one.getsockname()[:2] for one in found] == [("::1", port), ("127.0.0.1", port)]


def test_a_port_in_use_on_one_address_is_refused(port):
    listening.refuse_used_port()
    with socket.create_server(("127.0.0.1", port)):
        with pytest.raises(CommandError, match="cannot be used"):
            listening.refuse_used_port()
        with socket.create_server(("::1", port), family=socket.AF_INET6):
            pass  # addresses that were bound before are free again


def test_a_host_without_an_address_of_this_machine_is_refused(settings):
    settings.HTTP_HOST = "192.0.2.1"
    with pytest.raises(CommandError, match="Cannot assign requested address"):
        listening.refuse_used_port()
