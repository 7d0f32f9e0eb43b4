"""Processes of 0.2.0 next to repairs: both addresses have ordinary references for them."""

import threading
from urllib.parse import quote

import pytest
from django.db import connection

from accounts.actors import DEPLOYMENT
from checker.repairs.repair_acceptance import accept
from foundation.database.clock import database_now
from outbox.models import Event
from targets import counts, services
from targets.models import Reference, ReplacedReference, Target
from targets.state import State
from targets.tasks import mend_twins
from tests.acceptance.processes import until
from tests.checker.conftest import quick as quick
from tests.counting_server import counting_server
from tests.repairs.moved import check_moved
from tests.upgrades.old_processes import running_release

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor == "sqlite", reason="one machine is upgraded at once"),
    pytest.mark.release,
    pytest.mark.timeout(600),
    pytest.mark.usefixtures("quick"),
]
HOST = "127.8.0.3"
NAMES = ["doc", "kept", "other"]


def _at(api, url):
    """Return 0.2.0's response about the references to a URL."""
    found = api("GET", f"/v1/references?url={quote(url, safe='')}")["items"]
    return sorted(item["reference_id"] for item in found)


def _end(api, url, name):
    api("DELETE", f"/v1/references?url={quote(url, safe='')}&reference_id={name}")


def test_programs_that_use_the_old_url_end_the_references_at_both_addresses(release, tmp_path):
    is_gone = threading.Event()

    def status(path):
        return 200 if path != "/page" else 404 if is_gone.is_set() else 301

    with (
        counting_server([HOST], status=status, headers=lambda _: "Location: /new/page") as server,
        running_release(release, tmp_path, RECHECK_THRESHOLD="1") as api,
    ):
        old, new = server.url(HOST, "/page"), server.url(HOST, "/new/page")
        for name in NAMES:
            api("POST", "/v1/references", {"url": old, "reference_id": name})
        until(lambda: Target.objects.get().state == State.ALIVE)
        target = Target.objects.get()
        for days in (9, 5, 1):
            check_moved(target, new, days)

        repair, remaining = accept(target.pk, now=database_now(), by=DEPLOYMENT)

        assert (repair.reference_count, remaining) == (3, 0)
        for name in NAMES:  # as every night
            api("POST", "/v1/references", {"url": old, "reference_id": name})
        assert _at(api, old) == _at(api, new) == NAMES
        _end(api, old, "doc")
        _end(api, new, "other")
        assert mend_twins() == 2
        assert _at(api, old) == _at(api, new) == ["kept"]

        is_gone.set()
        services.request_check(target, revive=False, now=database_now())
        until(lambda: Target.objects.get(pk=target.pk).state == State.DEAD)
        assert mend_twins() == 1
        target.refresh_from_db()
        assert (target.state, str(target.replaced_by_id)) == (State.PENDING, repair.new_target)
        assert counts.by_state(counts.totals())[State.DEAD] == 0
        assert counts.recount() == {}

        _end(api, old, "kept")
        assert mend_twins() == 1
        assert _at(api, new) == []
        until(lambda: not Event.objects.unnumbered().exists())
    assert not Target.objects.exists()
    assert not Reference.objects.exists()
    assert not ReplacedReference.objects.exists()
    assert counts.recount() == {}
