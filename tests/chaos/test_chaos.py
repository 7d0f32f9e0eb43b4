"""Nothing is lost, duplicated or reordered when processes and servers are killed.

The faults are the same each time; CHAOS_SEED draws others, and `python -m tests.chaos` runs longer.
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
    pytest.mark.timeout(1200),  # mostly waiting for processes to start
]
SEED = int(os.environ.get("CHAOS_SEED", "1"))


@pytest.fixture
def folder():
    """Yield a folder with a short name: it holds sockets."""
    folder = Path(tempfile.mkdtemp(prefix="chaos-"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def test_a_short_run_on_postgres_loses_nothing(folder):
    """Run a few seconds with one fault of each kind, to prove that everything is in place."""
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
