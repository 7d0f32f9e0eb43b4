"""Each change of targets and references writes one audit entry. Source: docs/adr/0027."""

import pytest

from accounts import audit_log
from accounts.actors import Actor
from accounts.models import Trace
from foundation.database.clock import database_now
from targets import target_actions
from targets.models import Target
from tests.factories import DeadTargetFactory, ReferenceFactory, TargetFactory
from tests.targets.people import api_of, make_people

pytestmark = pytest.mark.django_db
URL = "http://example.com/a"


@pytest.fixture
def people(db):
    return make_people()


@pytest.fixture
def api(people):
    return api_of(people["operator"])


def written():
    """Return the audit entries, and delete them."""
    found = [
        (row.action, row.kind, row.subject, row.amount, row.fields)
        for row in Trace.objects.order_by("pk")
    ]
    Trace.objects.all().delete()
    return found


def test_a_registration_writes_an_audit_entry_if_it_changes_anything(api, people):
    body = {"url": URL, "reference_id": "doc"}
    id_ = api.post("/v1/targets", body).json()["id"]
    assert Trace.objects.get().user == people["operator"]
    assert written() == [("register", "target", id_, 1, [])]
    api.post("/v1/targets", body)
    api.post("/v1/references", body)
    api.put(f"/v1/targets/{id_}/references/doc")
    assert written() == []
    api.post("/v1/targets", body | {"reference_id": "second"})
    api.post("/v1/references", body | {"reference_id": "third"})
    api.put(f"/v1/targets/{id_}/references/fourth")
    assert written() == [("register", "reference", id_, 1, [])] * 3
    api.post("/v1/targets", {"url": URL})
    api.post("/v1/targets", {"url": URL})
    assert written() == [("register", "target", id_, 1, [])]


def test_a_bulk_writes_one_audit_entry_that_is_found_at_each_target_it_changed(api):
    known = ReferenceFactory(target__url="http://known.example", object_id="mine")
    untouched = TargetFactory(url="http://untouched.example", pinned=True)
    items = [
        {"url": URL, "reference_id": "doc"},
        {"url": "http://known.example", "reference_id": "doc"},
        {"url": "http://untouched.example"},
        {"url": "bad"},
    ]
    results = api.post("/v1/targets/bulk", {"items": items}).json()["results"]
    new = results[0]["target"]["id"]
    assert written() == [("register", "target", "", 2, [])]
    items = [{"url": URL, "reference_id": str(n)} for n in range(3)]
    api.post("/v1/targets/bulk", {"items": items})
    assert written() == [("register", "reference", new, 1, [])]
    api.post("/v1/targets/bulk", {"items": [*items, {"url": known.target.url}]})
    assert [trace.amount for trace in audit_log.entries_about("target", known.target_id)] == [1]
    assert not audit_log.entries_about("target", untouched.pk, "reference").exists()


def test_a_replay_or_a_refusal_writes_no_audit_entry(api):
    for _ in range(2):
        api.post("/v1/targets", {"url": URL}, headers={"Idempotency-Key": "k"})
    assert len(written()) == 1
    target = Target.objects.get()
    assert api.patch(f"/v1/targets/{target.pk}", {"pinned": False}).status_code == 409
    assert api.delete(f"/v1/targets/{target.pk}/references/none").status_code == 404
    assert written() == []


def test_each_change_of_a_target_writes_an_audit_entry(api):
    target = ReferenceFactory(object_id="doc").target
    path = f"/v1/targets/{target.pk}"
    api.patch(path, {"check_period": "2d", "pinned": True})
    api.patch(path, {"paused": True})
    api.patch(path, {"paused": False})
    api.patch(path, {})
    api.post(f"{path}/check", {})
    api.delete(f"{path}/references/doc")
    api.delete(path)
    assert written() == [
        ("change", "target", target.pk, 1, ["check_period", "pinned"]),
        ("pause", "target", target.pk, 1, ["paused"]),
        ("resume", "target", target.pk, 1, ["paused"]),
        ("check", "target", target.pk, 1, []),
        ("unregister", "reference", target.pk, 1, []),
        ("delete", "target", target.pk, 1, []),
    ]


def test_reviving_and_accepting_each_write_one_audit_entry(people, api):
    dead, by, now = DeadTargetFactory(), Actor(people["operator"]), database_now()
    api.post("/v1/hosts/schedule", {"hosts": []})
    api.post(f"/v1/targets/{dead.pk}/check", {"revive": True})
    assert written() == [("revive", "target", dead.pk, 1, [])]
    registered = api.post("/v1/targets", {"url": URL}).json()["id"]
    written()
    target_actions.accept(Target.objects.get(pk=registered), [403], now=now, by=by)
    assert written() == [("accept", "target", registered, 1, ["accept"])]


def test_an_audit_entry_names_no_reference(api):
    api.post("/v1/targets", {"url": URL, "reference_id": "secret-project"})
    assert "secret" not in str(Trace.objects.values())


def test_members_see_their_own_audit_entries_viewers_and_operators_see_all(people):
    for name in ("member", "other", "program"):
        body = {"url": URL, "reference_id": "doc"}
        assert api_of(people[name]).post("/v1/targets", body).status_code in (200, 201)
    target = Target.objects.get()
    found = audit_log.entries_about("target", target.pk, "reference")
    seen = {
        name: [trace.user_name for trace in audit_log.visible_to(Actor(user), found)]
        for name, user in people.items()
    }
    everybody = ["the-program", "the-other", "the-member"]
    assert seen == {
        "member": ["the-member"],
        "other": ["the-other"],
        "program": ["the-program"],
        "viewer": everybody,
        "operator": everybody,
    }
