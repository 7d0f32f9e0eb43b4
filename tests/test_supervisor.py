"""`up` and its processes, with processes that are made for it."""

import os
import sys
from datetime import timedelta

import psutil
import pytest

from linkwatch.supervisor import Supervisor
from tests.acceptance.processes import is_alive, until

pytestmark = pytest.mark.any_database

STUBBORN = """
import pathlib, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
pathlib.Path(sys.argv[1]).touch()
time.sleep(3600)
"""


def test_who_does_not_stop_within_the_grace_is_killed(tmp_path, caplog):
    ready = tmp_path / "ready"
    supervisor = Supervisor(environment=os.environ, grace=timedelta(milliseconds=100))
    supervisor.add("stubborn", [sys.executable, "-c", STUBBORN, str(ready)])
    process = psutil.Process(supervisor.processes[0].popen.pid)
    until(ready.exists)

    supervisor.stop()
    supervisor.run()

    assert not is_alive(process)
    assert "did not stop in time: killed" in caplog.text
