"""A cluster of workers that loses one of its processes to a hard death is not left half alive."""

import psutil
import pytest
from django.conf import settings

from tests.acceptance.processes import PATIENCE, is_alive, running, until

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]

FAMILY = 2 + 2 + 1  # workers, django-q2's monitor and pusher, a shift


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
    """Return the processes that it has forked, once they are all there."""

    def complete():
        children = main.children()
        return children if len(children) == FAMILY else []

    return until(complete)


@pytest.mark.parametrize("number", range(FAMILY))
def test_whichever_process_is_killed_the_cluster_ends_to_be_started_again(cluster, number):
    main, process = cluster
    family = _family(main)
    family[number].kill()
    assert process.wait(PATIENCE) != 0
    until(lambda: not any(is_alive(child) for child in family))


def test_who_guards_them_takes_all_along_when_killed(cluster):
    main, process = cluster
    family = _family(main)
    main.kill()
    assert process.wait(PATIENCE) != 0
    until(lambda: not any(is_alive(child) for child in family))
