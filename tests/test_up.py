"""What `manage.py up` prints once its processes have started."""

import socket
from datetime import timedelta
from io import StringIO

import pytest

from linkwatch.management.commands import up
from linkwatch.processes.supervisor import Supervisor

pytestmark = pytest.mark.any_database


@pytest.mark.parametrize("is_listening", [True, False])
def test_up_says_that_linkwatch_is_running_only_if_its_server_answers(
    settings, monkeypatch, is_listening
):
    monkeypatch.setattr(up, "_WEB_START_TIMEOUT", 10.0 if is_listening else 0.1)
    printed = StringIO()
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        settings.HTTP_HOST, settings.HTTP_PORT = server.getsockname()
        if is_listening:
            server.listen()
        up.Command(stdout=printed).announce(Supervisor(grace=timedelta(seconds=1)))
    assert ("Linkwatch is running at" in printed.getvalue()) is is_listening
    assert ("has accepted no connection" in printed.getvalue()) is not is_listening
