"""Real processes that are killed while they hold hosts."""

import pytest
from django.db import connections

from hosts.healing import heal
from hosts.models import Purpose
from hosts.slots import GRACE
from tests.hosts import fleet
from tests.hosts.history import find_faults

pytestmark = pytest.mark.django_db(transaction=True)


def test_killed_processes_neither_share_nor_lose_a_host(tmp_path):
    slots = fleet.populate(500)
    connections.close_all()
    plan = fleet.Plan(folder=tmp_path, seconds=4, hosts=len(slots))

    killed = fleet.run(plan)

    history = fleet.read(tmp_path, slots)
    assert find_faults(history, grace=GRACE, cap=plan.cap) == []
    assert heal() == {}
    for purpose in Purpose:
        assert sorted(fleet.reserve_everything(purpose)) == sorted(slots)
    assert killed
    assert any(holding.released is None for holding in history)
