"""Nothing is lost, doubled or reordered, whatever is killed.

The same faults each time; CHAOS_SEED draws others, and `python -m tests.chaos` goes on longer.
"""

import os
import shutil
import tempfile
from pathlib import Path

import pytest

from tests.chaos import deployments
from tests.chaos.run import Plan

pytestmark = [
    pytest.mark.acceptance,
    pytest.mark.any_database,
    pytest.mark.timeout(1200),  # much of it is waiting for processes to start
]
SEED = int(os.environ.get("CHAOS_SEED", "1"))


@pytest.fixture
def folder():
    """A folder with a short name: sockets lie in it."""
    folder = Path(tempfile.mkdtemp(prefix="chaos-"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def test_a_deployment_on_postgres_loses_nothing_in_a_moment(folder):
    """As many faults as each kind takes, in seconds: proves that all is in place."""
    plan = Plan(folder=folder, seed=SEED, seconds=16, targets=40, hosts=10, longest_stop=2, every=2)
    assert deployments.cluster(plan) == []


@pytest.mark.release
def test_a_deployment_on_postgres_loses_nothing(folder):
    plan = Plan(folder=folder, seed=SEED, seconds=80, targets=400, hosts=100, longest_stop=6)
    assert deployments.cluster(plan) == []


@pytest.mark.release
def test_up_on_sqlite_loses_nothing(folder):
    plan = Plan(folder=folder, seed=SEED, seconds=40, targets=200, hosts=50, longest_stop=6)
    assert deployments.up(plan) == []
