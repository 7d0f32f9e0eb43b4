"""A cluster of workers ends as a whole if one of its processes is killed."""

import signal
import sys

import psutil
import pytest
from django.conf import settings

from foundation.valkey.clients import client
from tests.acceptance.processes import PATIENCE, ROOT, is_alive, program, running, until

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]

FAMILY = 2 + 2 + 1  # workers, django-q2's monitor and pusher, a checker worker


@pytest.fixture
def cluster(data_dir):
    with running(
        "run_tasks",
        log=data_dir / "log",
        DATA_DIR=str(data_dir),
        REDIS_URL=settings.REDIS_URL,
        SHUTDOWN_GRACE="3s",
    ) as process:
        yield psutil.Process(process.pid), process


def _family(main):
    """Return the processes that the cluster has forked, once all exist."""

    def complete():
        children = main.children()
        return children if len(children) == FAMILY else []

    return until(complete)


@pytest.mark.parametrize("number", range(FAMILY))
def test_the_cluster_is_restarted_if_any_of_its_processes_is_killed(cluster, number):
    main, process = cluster
    family = _family(main)
    family[number].kill()
    assert process.wait(PATIENCE) != 0
    until(lambda: not any(is_alive(child) for child in family))


def test_killing_the_guard_ends_all_its_processes(cluster):
    main, process = cluster
    family = _family(main)
    main.kill()
    assert process.wait(PATIENCE) != 0
    until(lambda: not any(is_alive(child) for child in family))


def test_jobs_of_each_minute_run_without_the_queue(cluster):
    until(lambda: client().exists("invalidated:snippets", "invalidated:short links") == 2)


IMPATIENT = """
import django
django.setup()
from linkwatch.processes import cluster
cluster._HANG_TIMEOUT = 1.0
cluster.run()
"""


def test_a_checker_worker_that_hangs_is_killed_and_the_cluster_restarted(data_dir, tmp_path):
    quick = {"CHECK_INTERVAL": "1s", "HTTP_TIMEOUT": "1s", "RECHECK_TIMEOUT": "1s"}
    with program(
        sys.executable,
        "-c",
        IMPATIENT,
        log=tmp_path / "log",
        folder=ROOT,
        DATA_DIR=str(data_dir),
        DJANGO_SETTINGS_MODULE="linkwatch.settings",
        REDIS_URL=settings.REDIS_URL,
        SHUTDOWN_GRACE="2s",
        CHECK_RETRIES="0",
        **quick,
    ) as process:
        family = _family(psutil.Process(process.pid))
        shift = until(lambda: next((one for one in family if one.name() == "shift"), None))
        shift.send_signal(signal.SIGSTOP)
        assert process.wait(PATIENCE) == 1
    assert (
        "A checker worker has not looked for due hosts for 3 s: killing it"
        in (tmp_path / "log").read_text()
    )
