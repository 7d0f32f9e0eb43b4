"""Scans of repositories: the places of links, and which references end. Source: docs/adr/0062."""

from datetime import timedelta
from functools import partial
from ipaddress import ip_network

import pytest
from django.contrib.auth.models import User

from accounts.actors import Actor
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from foundation.net.egress import network_guard
from targets import registration, scans, services, tasks
from targets.models import Reference, Target
from targets.occurrences import ScanRun
from targets.scan_models import ReferenceOccurrences, RepositoryScan
from tests.conftest import NOW
from tests.factories import ReferenceFactory, TargetFactory
from tests.targets.people import api_of, make_people
from tests.threads import run_together

pytestmark = pytest.mark.django_db
OLD, NEW = "a" * 40, "b" * 40
PLACE = {"line": 40, "column": 9, "text": "the handbook"}


def body(commit=NEW, at="2026-02-01T00:00:00Z", **changes):
    return {"repository": "team/handbook", "commit": commit, "committed_at": at} | changes


def begin(api, **changes):
    answer = api.post("/v1/scans", body(**changes))
    assert answer.status_code == 201, answer.content
    return answer.json()


def item(number, file="a.md", **changes):
    reference = f"team/handbook:{file}"
    return {
        "url": f"http://h{number}.example/",
        "reference_id": reference,
        "occurrences": [PLACE],
    } | changes


def register(api, run, *items, status=200):
    scan = {"id": run["id"], "run": run["run"]}
    answer = api.post("/v1/targets/bulk", {"items": list(items), "scan": scan})
    assert answer.status_code == status, answer.content
    return answer.json()


def finish(api, run, **changes):
    wanted = {"run": run["run"], "complete": True} | changes
    return api.post(f"/v1/scans/{run['id']}/finish", wanted)


def scan_all(api, *items, **changes):
    run = begin(api)
    register(api, run, *items)
    return finish(api, run, **changes)


def hosts():
    return sorted(Target.objects.values_list("host", flat=True))


def test_a_complete_run_ends_only_the_references_that_it_has_not_seen(api):
    ReferenceFactory(object_id="team/handbook:by-hand.md", target__url="http://hand.example/")
    assert scan_all(api, *(item(n) for n in range(10))).json() == {"ended": 0, "remaining": 0}
    moved = [item(n) for n in range(8)] + [item(8, file="b.md")]

    assert scan_all(api, *moved).json() == {"ended": 2, "remaining": 0}

    assert hosts() == [*(f"h{n}.example" for n in range(9)), "hand.example"]
    assert Reference.objects.count() == 10
    assert ReferenceOccurrences.objects.count() == 9
    scan = RepositoryScan.objects.get()
    assert (scan.run, scan.known, scan.commit) == (2, 10, NEW)
    assert scan.completed_at >= scan.begun_at
    assert scan.leased_until is None


def test_more_than_a_fifth_ends_only_when_it_is_confirmed(api):
    everything = [item(n) for n in range(10)]
    scan_all(api, *everything)
    refused = scan_all(api, *everything[:7])
    assert (refused.status_code, refused.json()["code"]) == (409, "too_many_ended")
    assert refused.json()["details"] == {"missing": 3, "known": 10}
    assert Reference.objects.count() == 10

    run = begin(api)  # the lease is free
    register(api, run, *everything[:7])
    assert [finish(api, run).status_code, finish(api, run).json()["code"]] == [409, "scan_over"]

    assert scan_all(api, *everything[:7], confirm=True).json()["ended"] == 3
    assert Reference.objects.count() == 7


def test_a_small_scan_may_end_one_reference(api):
    scan_all(api, item(1), item(2))
    assert scan_all(api, item(1)).json()["ended"] == 1


def test_an_incomplete_run_and_unread_files_end_nothing(api):
    scan_all(api, item(1), item(2, file="b.pdf"))
    assert scan_all(api, item(1), complete=False).json() == {"ended": 0, "remaining": 0}
    assert scan_all(api, item(1), unread=["b.pdf"]).json() == {"ended": 0, "remaining": 0}
    assert hosts() == ["h1.example", "h2.example"]


@pytest.fixture
def _guard_of_settings():
    yield
    network_guard.cache_clear()


@pytest.mark.usefixtures("_guard_of_settings")
def test_links_that_may_no_longer_be_registered_keep_their_references(api, settings):
    settings.ALLOW_NETWORKS = [ip_network("10.0.0.0/8")]
    network_guard.cache_clear()
    private = {"url": "http://10.0.0.1/"}
    scan_all(api, item(1), item(2), item(3, **private), item(4, file="b.md", **private))
    settings.ALLOW_NETWORKS = []
    network_guard.cache_clear()

    odd = [item(2, occurrences=[{"line": 0}]), {"url": 7}, {"url": "http://["}, 7, "x", None]
    assert scan_all(api, item(1), item(3, **private), *odd, confirm=True).json()["ended"] == 1

    assert hosts() == ["10.0.0.1", "h1.example", "h2.example"]
    assert scan_all(api, item(1), confirm=True).json()["ended"] == 2


def test_one_run_of_a_repository_at_a_time_and_none_by_a_run_that_is_over(api):
    run = begin(api)
    refused = api.post("/v1/scans", body(paths=["docs"]))
    assert (refused.status_code, refused.json()["code"]) == (409, "scan_running")
    assert 0 < int(refused.headers["Retry-After"]) <= 120
    begin(api, repository="other")
    RepositoryScan.objects.update(leased_until=database_now())  # its runner was killed

    later = begin(api)

    assert (later["id"], later["run"]) == (run["id"], run["run"] + 1)
    assert register(api, run, item(1), status=409)["code"] == "scan_over"
    assert finish(api, run).json()["code"] == "scan_over"
    assert not Target.objects.exists()
    register(api, later, item(1))
    assert finish(api, later).json() == finish(api, later).json() == {"ended": 0, "remaining": 0}


def test_a_silent_run_ends_when_another_run_of_its_repository_begins(api):
    run = begin(api)
    RepositoryScan.objects.update(leased_until=database_now())
    begin(api, paths=["docs"])

    assert register(api, run, item(1), status=409)["code"] == "scan_over"


def test_a_scan_registers_references_only(api):
    run = begin(api)
    bare = {"url": "http://a.example/"}

    [result] = register(api, run, bare)["results"]

    assert result["error"]["details"] == {
        "reference_id": ["A scan registers references: reference_id is required."]
    }


@pytest.mark.parametrize("path", ["a\nb", "書" * 400])
def test_paths_outside_of_the_index_are_refused(api, path):
    assert api.post("/v1/scans", body(paths=[path])).status_code == 400


def test_unread_files_are_matched_by_their_exact_names(api):
    scan_all(api, item(1, " draft.pdf"), item(2))

    assert scan_all(api, item(2), unread=[" draft.pdf"]).json()["ended"] == 0


def test_an_older_commit_never_replaces_a_newer_one(api):
    run = begin(api, commit=NEW, at="2026-02-01T00:00:00Z")
    finish(api, run, complete=False)
    refused = api.post("/v1/scans", body(commit=OLD, at="2026-01-31T23:59:59Z"))
    assert (refused.status_code, refused.json()["code"]) == (409, "scan_outdated")
    finish(api, begin(api, commit=NEW, at="2026-01-31T23:59:59Z"))  # the same scan again
    finish(api, begin(api, commit=OLD, at="2026-01-30T00:00:00Z", paths=["docs"]))
    assert api.post("/v1/scans", body(at="2999-01-01T00:00:00Z")).status_code == 400


def test_overlapping_folders_end_the_references_that_they_saw_last(api):
    whole = begin(api)
    register(api, whole, item(1, file="docs/a.md"), item(2, file="b.md"))
    finish(api, whole)
    docs = begin(api, paths=["docs", "docs"])
    assert docs["paths"] == ["docs"]
    finish(api, docs)
    assert hosts() == ["h1.example", "h2.example"]


def test_many_references_are_ended_in_several_requests(api, monkeypatch):
    monkeypatch.setattr(scans, "MAX_REMOVED", 2)
    scan_all(api, *(item(n) for n in range(5)))
    run = begin(api)
    assert finish(api, run, confirm=True).json() == {"ended": 2, "remaining": 3}
    assert finish(api, run, confirm=True).json() == {"ended": 2, "remaining": 1}
    assert RepositoryScan.objects.get().leased_until is not None
    assert finish(api, run, confirm=True).json() == {"ended": 1, "remaining": 0}
    assert hosts() == []


def test_occurrences_are_replaced_and_bounded(api):
    def occurrences():
        found = api.get("/v1/references?url=http://h1.example/").json()["items"]
        return [one["occurrences"] for one in found]

    items = [item(1), item(1, url="http://h1.example/#part", occurrences=[{"text": "x"}])]
    assert [
        one["status"] for one in api.post("/v1/targets/bulk", {"items": items}).json()["results"]
    ] == [
        201,
        200,
    ]
    assert occurrences() == [[PLACE, {"line": None, "column": None, "text": "x"}]]
    api.post("/v1/targets", {"url": "http://h1.example/", "reference_id": "team/handbook:a.md"})
    assert len(occurrences()[0]) == 2
    api.post("/v1/targets", item(1, occurrences=[]))
    assert occurrences() == [[]]
    bad = [
        item(2, occurrences=[PLACE] * 21),
        item(2, occurrences=[{"text": "x" * 201}]),
        item(2, occurrences=[{"line": 0}]),
        item(2, occurrences=[{"line": 2**31}]),
        item(2, occurrences=[{"text": "\0"}]),
        {"url": "http://h2.example/", "occurrences": [PLACE]},
    ]
    results = api.post("/v1/targets/bulk", {"items": bad}).json()["results"]
    assert [one["status"] for one in results] == [400] * len(bad)
    assert hosts() == ["h1.example"]


def test_only_those_who_may_see_the_reference_see_its_occurrences():
    people = make_people()
    apis = {name: api_of(user) for name, user in people.items()}
    run = begin(apis["member"])
    register(apis["member"], run, item(1))
    address = "/v1/references?url=http://h1.example/"
    seen = {name: one.get(address).json()["items"] for name, one in apis.items()}
    assert {name for name, found in seen.items() if found} == {"member", "viewer", "operator"}
    assert seen["viewer"][0]["occurrences"] == [PLACE]
    assert finish(apis["other"], run).status_code == 404
    assert register(apis["operator"], run, item(2), status=404)["code"] == "not_found"
    assert finish(apis["operator"], run).status_code == 200
    begin(apis["other"])  # a repository of the same name with other references


def test_deletions_by_an_earlier_release_leave_no_rows_behind(api):
    ada = User.objects.create(username="ada")
    now = database_now()
    gone = ReferenceFactory(target=TargetFactory())
    ReferenceOccurrences.objects.create(reference=gone, places=[PLACE])
    kept = ReferenceFactory(target=TargetFactory())
    ReferenceOccurrences.objects.create(reference=kept, places=[PLACE])
    for owner, age in ((ada.pk, 1), (ada.pk + 1000, 1), (None, 1), (None, 91)):
        RepositoryScan.objects.create(
            owner_id=owner,
            repository=f"{owner} {age}",
            commit=NEW,
            committed_at=now,
            begun_at=now - timedelta(days=age),
        )
    Reference.objects.filter(pk=gone.pk).delete()  # as 0.2.0 does
    assert tasks.delete_old_occurrences() == 1
    assert ReferenceOccurrences.objects.get().pk == kept.pk
    assert sorted(RepositoryScan.objects.values_list("repository", flat=True)) == sorted(
        [f"{ada.pk} 1", "None 1"]
    )


@pytest.mark.django_db(transaction=True)
def test_only_one_of_two_concurrent_runners_scans():
    def run(number):
        wanted = body(paths=[], commit=f"{number}" * 40) | {"committed_at": NOW}
        try:
            return scans.begin(wanted | {"paths": [str(number)]}, now=NOW, by=Actor()).run
        except ApiError as error:
            return error.code

    assert sorted(map(str, run_together([partial(run, n) for n in range(4)]))) == [
        "1",
        *["scan_running"] * 3,
    ]


def test_a_scan_registers_any_number_in_a_few_statements(django_assert_max_num_queries, api):
    run = begin(api)
    mark = ScanRun(scan_id=run["id"], run=run["run"])
    new = [
        registration.Registration(
            url=f"http://h{n}.example/",
            canonical=services.accept_url(f"http://h{n}.example/"),
            reference_id="team/handbook:a.md",
            occurrences=[PLACE],
        )
        for n in range(300)
    ]
    RepositoryScan.objects.update(owner=None)
    with django_assert_max_num_queries(25):
        registration.register_within(new, now=NOW, by=Actor(), run=mark)
    assert ReferenceOccurrences.objects.filter(run=mark.run).count() == 300
