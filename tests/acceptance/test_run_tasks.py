"""A cluster of workers that loses one of its processes to a hard death is not left half alive."""

import psutil
import pytest
from django.conf import settings

from tests.acceptance.processes import PATIENCE, is_alive, running, until

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]

WORKERS = 2
HELPERS = 2  # django-q2's monitor and its pusher


@pytest.fixture
def cluster(data_dir):
    with running(
        "run_tasks",
        log=data_dir / "log",
        DATA_DIR=str(data_dir),
        REDIS_URL=settings.REDIS_URL,
        CHECKER_SHIFTS="0",
        SHUTDOWN_GRACE="3s",
    ) as process:
        yield psutil.Process(process.pid), process


def _family(main):
    """Return the processes below the sentinel, once they are all there."""

    def complete():
        sentinels = main.children()
        children = sentinels[0].children() if sentinels else []
        return children if len(children) == WORKERS + HELPERS else []

    return until(complete)


@pytest.mark.parametrize("number", range(WORKERS + HELPERS))
def test_whichever_process_is_killed_the_cluster_ends_to_be_started_again(cluster, number):
    main, process = cluster
    family = _family(main)
    family[number].kill()
    assert process.wait(PATIENCE) != 0
    until(lambda: not any(is_alive(child) for child in family))


def test_a_killed_sentinel_ends_it_too(cluster):
    main, process = cluster
    family = _family(main)
    main.children()[0].kill()
    assert process.wait(PATIENCE) != 0
    until(lambda: not any(is_alive(child) for child in family))
