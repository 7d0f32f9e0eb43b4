"""The queue of dead targets: its members, the requests to archives, and the stored results."""

from datetime import timedelta

import pytest
from django.db import connection

from archives import copy_queue, tasks
from archives.copy_search import FoundCopy
from archives.disclosure import may_be_disclosed
from archives.models import ArchiveAnswer
from foundation.database.clock import database_now
from hosts.models import Host, Slot
from outbox.models import Event
from targets import services
from targets.models import CopyResult, Target, TargetCopy
from targets.state import State
from tests.archives.archive_server import archive_server
from tests.archives.corpus import DIED, dead_pages, holdings
from tests.factories import DeadTargetFactory, ReferenceFactory, TargetFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("reachable")]
PAGES = {page.label: page for page in dead_pages()}


@pytest.fixture
def server(settings):
    with archive_server(holdings(list(PAGES.values()))) as archive:
        settings.ARCHIVES = [archive.archive("cdx")]
        yield archive


def dead(label="plain", **fields):
    """Create the dead target of one of PAGES."""
    page = PAGES[label]
    known = page.known and page.known.as_json()
    values = {"is_internal": False, "first_failed_at": DIED, "identity": known}
    return DeadTargetFactory(**{"url": page.url, **values, **fields})


def _delete_as_old_processes(target):
    """Delete a target like a process that knows no copies; no constraint prevents it."""
    Event.objects.filter(target=target).update(target=None)
    Target.objects.filter(pk=target.pk)._raw_delete(connection.alias)


def run():
    tasks.queue_dead_targets()
    return tasks.ask_archives()


def test_a_dead_target_gets_a_copy_and_an_event_and_archives_are_not_asked_again(server, api):
    target = dead()
    ReferenceFactory(target=target, object_id="doc-1")
    assert run() == 1
    copy = TargetCopy.objects.get(target=target)
    assert (copy.result, copy.captured_at) == (CopyResult.VERIFIED, PAGES["plain"].meant)
    assert copy.ask_again_at is None
    shown = api.get(f"/v1/targets/{target.id}").json()["copy"]
    assert shown["result"] == "verified"
    assert shown["url"] == copy.address
    assert copy.address.startswith(f"{server.home}/web/2025")
    event = Event.objects.get(kind="archived")
    assert event.payload["copy"]["url"] == copy.address
    assert event.payload["reference_ids"] == ["doc-1"]
    asked = len(server.asked)
    assert run() == 0
    assert len(server.asked) == asked


def test_look_ups_and_lists_show_the_copy(server, api):
    dead()
    run()
    url = PAGES["plain"].url
    [found] = api.post("/v1/lookups", {"urls": [url]}).json()["results"]
    assert found["copy"]["result"] == "verified"
    assert api.get("/v1/targets").json()["items"][0]["copy"] == found["copy"]
    csv = b"".join(api.get("/v1/targets", HTTP_ACCEPT="text/csv").streaming_content).decode()
    assert "verified," + found["copy"]["url"] in csv


def test_never_archived_and_unavailable_pages_are_retried_with_growing_pauses(server):
    target = dead("only errors")
    now = database_now()
    copy_queue.add_dead(now=now)
    pauses = []
    none, unavailable = CopyResult.NONE, CopyResult.UNAVAILABLE
    for result in (none, none, unavailable, unavailable):
        claimed = copy_queue.claim(now=now)
        assert not copy_queue.save(claimed, FoundCopy(result=result), now=now)
        row = TargetCopy.objects.get(target=target)
        assert row.result == result
        pauses.append(row.ask_again_at - now)
        now = row.ask_again_at
    days, hour = timedelta(days=7), timedelta(hours=1)
    assert pauses == [days, 3 * days, hour, 4 * hour]
    assert not Event.objects.filter(kind="archived").exists()


def test_a_copy_is_deleted_when_the_page_recovers(server, api):
    target = dead()
    run()
    Target.objects.filter(pk=target.pk).update(state=State.ALIVE)
    assert api.get(f"/v1/targets/{target.id}").json()["copy"] is None
    tasks.queue_dead_targets()
    assert not TargetCopy.objects.exists()


def test_a_copy_is_deleted_with_its_target_even_by_an_old_process(server):
    target, other = dead(), dead("parked")
    run()
    services.delete(target, force=True, now=database_now())
    assert list(TargetCopy.objects.values_list("target_id", flat=True)) == [other.pk]
    _delete_as_old_processes(other)
    tasks.queue_dead_targets()
    assert not TargetCopy.objects.exists()


def test_urls_that_are_not_public_are_never_sent_to_archives(server):
    dead(is_internal=True)
    dead("parked", is_internal=None)  # ALLOW_NETWORKS may have opened it
    dead("short", instructions={"headers": {"Cookie": "x"}})
    secret = dead("failing")
    slot = Slot.objects.create(is_alias=False, key=secret.host, not_before=DIED)
    secrets = {"headers": {"Authorization": "x"}}
    Host.objects.create(name=secret.host, slot=slot, instructions=secrets)
    DeadTargetFactory(url="http://t.example/?access_token=abc", is_internal=False)
    TargetFactory(is_internal=False)
    assert run() == 0
    assert server.asked == []


def test_a_page_that_became_secret_meanwhile_is_not_requested(server):
    target = dead()
    tasks.queue_dead_targets()
    Target.objects.filter(pk=target.pk).update(instructions={"headers": {"Cookie": "x"}})
    assert tasks.ask_archives() == 0
    assert server.asked == []
    assert not TargetCopy.objects.exists()


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://a.example/page?id=17&page=2", True),
        ("http://a.example/?title=The-Long-Title-of-an-Article-of-2019", True),
        ("http://a.example/?utm_source=newsletter&key=", False),
        ("http://user:pass@a.example/", False),
        ("http://a.example/?token=abc", False),
        ("http://a.example/?X-Amz-Signature=1", False),
        ("http://a.example/?apiKey=1", False),
        ("http://a.example/?session_id=1", False),
        ("http://a.example/a;jsessionid=1F3", False),
        ("http://a.example/?d=9f86d081884c7d659a2feaa0c55ad015", False),
        ("http://a.example/?u=0350z0NL0MRifntkJXr5Is9x", False),
        ("http://a.example/?monkey=1&author=b", True),
        ("http://a.example/?9f86d081884c7d659a2feaa0c55ad015", False),
        ("http://a.example/?x=0350z0NL0MRifntkJXr5Is9x%3A17", False),
        ("http://a.example/?at=2026-03-01T12:00:00%2B01:00&box=13.088345,52.338246", True),
        ("http://a.example/?next=https%3A%2F%2Fb.example%2F2026%2F03%2Fthe-long-title", True),
        ("http://a.example/?id=5;sid=abcd", False),
        ("http://a.example/?next=https%3A%2F%2Fb.example%2F%3Faccess_token%3Dabc", False),
        ("http://a.example/?accesskey=abc", False),
        ("http://a.example/?authorization=abc", False),
        ("http://10.0.0.5/page", False),
        ("http://[fd00::1]/page", False),
        ("http://wiki/page", False),
        ("http://wiki.internal/page", False),
    ],
)
def test_urls_that_look_like_secrets_are_not_disclosed(url, expected):
    assert may_be_disclosed(url) is expected


def test_a_fragment_is_sent_to_no_archive(server):
    dead(url=f"{PAGES['plain'].url}#access_token=SECRET")

    assert run() == 1
    assert server.asked
    assert "SECRET" not in str(server.asked)


def test_0_2_0_shows_no_event_of_a_copy_at_its_target(server):
    target = dead()
    run()

    assert Event.objects.filter(kind="archived").exists()
    assert not Event.objects.filter(target=target, kind="archived").exists()


@pytest.mark.parametrize("is_quiet", [True, False])
def test_nobody_is_notified_of_the_copy_of_a_quiet_target(server, is_quiet):
    dead(quiet=is_quiet)
    run()
    assert TargetCopy.objects.get().result == CopyResult.VERIFIED
    assert Event.objects.get(kind="archived").quiet is is_quiet


def test_two_processes_never_ask_about_the_same_target(server):
    dead()
    dead("parked")
    now = database_now()
    copy_queue.add_dead(now=now)
    first, second = copy_queue.claim(now=now), copy_queue.claim(now=now)
    assert first.target.pk != second.target.pk
    assert copy_queue.claim(now=now) is None
    later = now + timedelta(minutes=11)
    assert copy_queue.claim(now=later) is not None  # its process was killed


def test_results_of_an_expired_claim_are_discarded(server):
    dead()
    now = database_now()
    copy_queue.add_dead(now=now)
    old = copy_queue.claim(now=now)
    copy_queue.claim(now=now + timedelta(minutes=11))
    assert not copy_queue.save(old, FoundCopy(result=CopyResult.NONE), now=now)
    assert TargetCopy.objects.get().result == ""


def test_the_newest_death_is_first_and_is_requeued_if_the_budget_is_spent(server, settings):
    dead(state_changed_at=DIED - timedelta(days=9))
    newest = dead("parked", state_changed_at=DIED)
    settings.ARCHIVE_LIMIT = (2, timedelta(minutes=1))
    assert run() == 0
    assert len(server.asked) == 2
    assert [path for _, path in server.asked if "parked" in path]
    row = TargetCopy.objects.get(target=newest)
    assert (row.ask_again_at, row.result) == (DIED, "")
    settings.ARCHIVE_LIMIT = (900_000, timedelta(seconds=1))
    assert tasks.ask_archives() == 2
    assert not [path for _, path in server.asked[2:] if path == server.asked[0][1]]


def test_if_the_first_archive_fails_the_second_is_used(server, settings):
    dead()
    with archive_server(holdings([])) as broken:
        broken.hook = lambda asked: asked.answer(503) is None
        settings.ARCHIVES = [broken.archive("timegate"), *settings.ARCHIVES]
        run()
    assert TargetCopy.objects.get().result == CopyResult.VERIFIED


def test_nothing_is_claimed_while_all_archives_back_off(server):
    target = dead()
    dead("parked")
    server.hook = lambda asked: asked.answer(503) is None
    assert run() == 1
    assert TargetCopy.objects.get(target=target).result == ""


def test_old_answers_are_deleted(server):
    now = database_now()
    ArchiveAnswer.store("old", [], now=now - timedelta(days=2), ttl=timedelta(days=1))
    ArchiveAnswer.store("new", [], now=now, ttl=timedelta(days=1))
    assert tasks.delete_old_answers() == 1
    assert ArchiveAnswer.objects.get().pk == "new"
