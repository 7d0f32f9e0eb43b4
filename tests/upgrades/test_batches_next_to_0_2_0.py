"""Processes of 0.2.0 next to batches: targets of batches alone do not exist for them."""

from datetime import timedelta

import pytest
from django.db import connection

from batches import ending
from checker import adoptions
from checker.models import CheckResult
from foundation.database.clock import database_now
from hosts.models import Host
from outbox.models import Event
from targets.models import Target, UnregisteredTarget
from tests.acceptance.processes import until
from tests.batches.asking import ask, items_of, statuses
from tests.checker.conftest import quick as quick
from tests.checker.shifts import work_until_nothing_is_due
from tests.counting_server import counting_server
from tests.upgrades.old_processes import running_release

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor == "sqlite", reason="one machine is upgraded at once"),
    pytest.mark.usefixtures("quick"),
]
GONE, WAITS = "127.8.0.1", "127.8.0.2"


@pytest.fixture
def server():
    with counting_server([GONE, WAITS], status=lambda path: 404 if path == "/gone" else 200) as one:
        yield one


@pytest.mark.release
@pytest.mark.timeout(300)
def test_0_2_0_does_not_know_batches_and_may_register_their_urls(release, server, tmp_path):
    gone = server.url(GONE, "/gone")
    seen = ask(gone)
    work_until_nothing_is_due()
    first_failed_at = UnregisteredTarget.objects.get().first_failed_at
    waiting = ask(server.url(WAITS), now=database_now() - timedelta(minutes=1))

    with running_release(release, tmp_path) as api:
        # That release leases the host, finds nothing to check, and releases it without a time.
        until(lambda: Host.objects.get(name=WAITS).check_at is None)
        until(lambda: not Event.objects.unnumbered().exists())
        assert statuses(waiting) == ["waiting"]
        assert set(server.requests) == {f"{GONE}/gone"}
        assert api("GET", "/v1/targets")["items"] == []
        assert api("GET", "/v1/events")["items"] == []
        assert sum(api("GET", "/v1/stats")["targets"].values()) == 0
        made = api("POST", "/v1/targets", {"url": gone})
        until(lambda: CheckResult.objects.filter(target=made["id"]).exists())

    for pk in adoptions.find_adoptable():
        adoptions.adopt(pk)
    target = Target.objects.get()
    assert (target.pk, target.first_failed_at) == (made["id"], first_failed_at)
    assert CheckResult.objects.filter(target=target).count() == 2
    assert items_of(seen)[0]["reason"] == "http_404"
    assert ending.repair() == 1
    work_until_nothing_is_due()
    assert statuses(waiting) == ["checked"]
    about = Event.objects.exclude(kind="batch_done").values_list("target", flat=True)
    assert set(about) == {target.pk}
