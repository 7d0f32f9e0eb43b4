"""Owners of references: who sees and changes which references. Source: docs/adr/0027."""

import json
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from foundation.http.pagination import decode_token
from outbox import events
from outbox.kafka import KafkaReader
from outbox.models import Event
from outbox.relay import number_events
from targets import services
from targets.models import Reference, Target
from targets.registration import WATCH
from tests.conftest import NOW
from tests.factories import ReferenceFactory, TargetFactory
from tests.targets.people import ROLES, api_of, make_people
from tests.targets.test_events import kill
from tests.threads import client_of, run_together

pytestmark = pytest.mark.django_db
URL = "http://example.com/a"
KNOWN = {
    "member": ["members"],
    "other": ["others"],
    "program": ["nobodys"],
    "viewer": ["nobodys", "members", "others", "operators"],
    "operator": ["nobodys", "members", "others", "operators"],
}


@pytest.fixture
def people(db):
    return make_people()


@pytest.fixture
def apis(people):
    return {name: api_of(user) for name, user in people.items()}


@pytest.fixture
def target(people):
    """A target to which each user refers by a different id."""
    target = TargetFactory(url=URL, pinned=False, recheck_threshold=1)
    owners = {"nobodys": None, "members": "member", "others": "other", "operators": "operator"}
    for second, (object_id, name) in enumerate(owners.items()):
        ReferenceFactory(
            target=target,
            object_id=object_id,
            owner=people[name] if name else None,
            created_at=NOW + timedelta(seconds=second),
        )
    return target


def ids(page):
    return [item["reference_id"] for item in page.json()["items"]]


# Reading


@pytest.mark.parametrize("name", ROLES)
def test_members_see_their_own_references_viewers_and_operators_see_all(apis, target, name):
    api, known = apis[name], KNOWN[name]
    assert ids(api.get(f"/v1/targets/{target.pk}/references")) == known
    assert ids(api.get("/v1/references", {"url": URL})) == known
    shown = [
        api.get(f"/v1/targets/{target.pk}").json(),
        *api.get("/v1/targets").json()["items"],
        *api.get("/v1/targets", {"host": "example.com"}).json()["items"],
    ]
    assert [one["reference_ids"] for one in shown] == [known] * 3
    assert [one["reference_count"] for one in shown] == [len(known)] * 3
    for object_id in KNOWN["operator"]:
        answer = api.get(f"/v1/targets/{target.pk}/references/{object_id}")
        assert answer.status_code == (200 if object_id in known else 404)
        found = api.get("/v1/targets", {"reference_id": object_id}).json()["items"]
        assert len(found) == (object_id in known)


def test_a_page_of_a_flag_shows_only_the_users_own_references(apis, target):
    target.flag_rows.create(flag="parked", created_at=target.created_at)
    (shown,) = apis["member"].get("/v1/targets", {"flag": "parked"}).json()["items"]
    assert (shown["reference_ids"], shown["reference_count"]) == (["members"], 1)


def test_a_target_is_listed_once_even_if_several_owners_use_one_id(apis, people):
    target = TargetFactory()
    for name in ("member", "other"):
        ReferenceFactory(target=target, object_id="same", owner=people[name])
    found = apis["operator"].get("/v1/targets", {"reference_id": "same"}).json()["items"]
    assert [one["id"] for one in found] == [target.pk]
    assert apis["operator"].get(f"/v1/targets/{target.pk}/references/same").status_code == 200


# Registering


@pytest.mark.parametrize("path", ["/v1/targets", "/v1/references"])
@pytest.mark.parametrize(
    ("name", "owns"), [("member", True), ("operator", True), ("program", False)]
)
def test_people_own_the_references_that_they_register_and_programs_do_not(
    apis, people, path, name, owns
):
    body = {"url": URL, "reference_id": "doc"}
    assert apis[name].post(path, body).status_code == 201
    assert Reference.objects.get().owner == (people[name] if owns else None)
    assert apis[name].post(path, body).status_code == 200
    target = Target.objects.get()
    put = apis[name].put(f"/v1/targets/{target.pk}/references/second")
    assert put.status_code == 201
    assert apis[name].put(f"/v1/targets/{target.pk}/references/second").status_code == 200
    assert {row.owner for row in target.references.all()} == {people[name] if owns else None}


def test_several_users_own_the_same_id_separately(apis):
    for name in ("member", "other", "operator", "program"):
        answer = apis[name].post("/v1/references", {"url": URL, "reference_id": "doc"})
        assert answer.status_code == 201
    assert Reference.objects.filter(object_id="doc").count() == 4
    bulk = {"items": [{"url": URL, "reference_id": "doc"}] * 2}
    for name in ("member", "operator", "program"):
        assert apis[name].post("/v1/targets/bulk", bulk).status_code == 200
    assert Reference.objects.count() == 4


def test_a_bulk_shows_a_member_no_references_of_others(apis, people, target):
    items = [{"url": URL, "reference_id": "second"}, {"url": "http://new.example"}]
    results = apis["member"].post("/v1/targets/bulk", {"items": items}).json()["results"]
    assert [row["status"] for row in results] == [200, 201]
    assert [row["target"]["reference_ids"] for row in results] == [["members", "second"], [WATCH]]
    assert [row["target"]["reference_count"] for row in results] == [2, 1]
    assert set(Reference.objects.filter(object_id="second").values_list("owner", flat=True)) == {
        people["member"].pk
    }


def test_a_members_registration_without_a_reference_id_is_not_pinned(apis):
    first = apis["member"].post("/v1/targets", {"url": URL})
    again = apis["member"].post("/v1/targets", {"url": URL, "reference_id": None})
    assert (first.status_code, again.status_code) == (201, 200)
    assert (first.json()["pinned"], first.json()["reference_ids"]) == (False, [WATCH])
    assert apis["program"].post("/v1/targets", {"url": URL}).json()["pinned"] is True


def test_a_registration_by_a_member_changes_no_pin(apis):
    pinned, loose = TargetFactory(url=URL), ReferenceFactory(target__url="http://b.example").target
    for target in (pinned, loose):
        assert apis["member"].post("/v1/targets", {"url": target.url}).status_code == 200
        was = target.pinned
        target.refresh_from_db()
        assert target.pinned is was


def test_an_idempotency_key_replays_only_its_users_response(apis):
    body, headers = {"url": URL, "reference_id": "doc"}, {"Idempotency-Key": "k"}
    first = {name: apis[name].post("/v1/targets", body, headers=headers) for name in ROLES}
    again = {name: apis[name].post("/v1/targets", body, headers=headers) for name in ROLES}
    for name in ("member", "other", "operator", "program"):
        assert again[name].headers["Idempotency-Replayed"] == "true"
        assert again[name].json() == first[name].json()
    assert first["viewer"].status_code == again["viewer"].status_code == 403
    assert first["other"].json()["reference_ids"] == ["doc"]
    assert Reference.objects.count() == 4


def test_the_database_has_one_row_for_each_target_owner_and_id(people, target):
    for owner in (None, people["member"]):
        object_id = "nobodys" if owner is None else "members"
        with pytest.raises(IntegrityError), transaction.atomic():
            Reference.objects.create(
                target=target, object_id=object_id, owner=owner, created_at=NOW
            )
    ReferenceFactory(target=target, object_id="nobodys", owner=people["member"])
    ReferenceFactory(target=target, object_id="nobodys", owner=people["other"])


# Changing


@pytest.mark.parametrize("name", ROLES)
@pytest.mark.parametrize("by_url", [True, False])
def test_each_user_unregisters_only_the_references_they_may(apis, target, name, by_url):
    changes = {"member": ["members"], "other": ["others"], "program": ["nobodys"], "viewer": []}
    refused = 403 if name == "viewer" else 404
    for object_id in KNOWN["operator"]:
        path = f"/v1/targets/{target.pk}/references/{object_id}"
        if by_url:
            path = f"/v1/references?url={URL}&reference_id={object_id}"
        may = object_id in changes.get(name, KNOWN["operator"])
        assert apis[name].delete(path).status_code == (204 if may else refused)
        assert Reference.objects.filter(object_id=object_id).exists() is not may


def test_an_operators_id_first_matches_own_and_unowned_references(apis, people):
    target = TargetFactory()
    for owner in (None, people["operator"], people["member"], people["other"]):
        ReferenceFactory(target=target, object_id="doc", owner=owner)
    path = f"/v1/targets/{target.pk}/references/doc"
    assert apis["operator"].delete(path).status_code == 204
    assert {row.owner for row in target.references.all()} == {people["member"], people["other"]}
    assert apis["operator"].delete(path).status_code == 204
    assert not target.references.exists()


def test_a_target_is_deleted_with_the_last_reference_of_any_owner(apis, people):
    target = TargetFactory(url=URL, pinned=False)
    for name in ("member", "other"):
        ReferenceFactory(target=target, object_id="doc", owner=people[name])
    path = f"/v1/targets/{target.pk}/references/doc"
    assert apis["member"].delete(path).status_code == 204
    assert Target.objects.exists()
    assert apis["member"].delete(path).status_code == 404
    assert apis["other"].delete(path).status_code == 204
    assert not Target.objects.exists()


@pytest.mark.parametrize("name", ["member", "viewer"])
def test_users_without_the_right_cannot_change_targets_by_the_api(apis, target, name):
    api, path = apis[name], f"/v1/targets/{target.pk}"
    before = Target.objects.values().get()
    for answer in (
        api.delete(path),
        api.delete(f"{path}?force=true"),
        *(api.patch(path, change) for change in ({"pinned": True}, {"paused": True})),
        api.patch(path, {"check_period": "1d"}),
        *([api.post(f"{path}/check", {})] if name == "viewer" else []),  # members may check
        api.post(f"{path}/check", {"revive": True}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "permission_denied")
    assert Target.objects.values().get() == before


def test_a_viewer_registers_nothing(apis, target):
    api = apis["viewer"]
    for answer in (
        api.post("/v1/targets", {"url": URL}),
        api.post("/v1/targets/bulk", {"items": []}),
        api.post("/v1/references", {"url": URL, "reference_id": "x"}),
        api.put(f"/v1/targets/{target.pk}/references/x"),
    ):
        assert answer.status_code == 403


def test_a_program_keeps_its_rights(apis, target):
    path = f"/v1/targets/{target.pk}"
    assert apis["program"].post(f"{path}/check", {}).status_code == 202
    assert apis["program"].patch(path, {"paused": True}).status_code == 200
    assert apis["program"].delete(path).status_code == 409
    assert apis["program"].delete(f"{path}?force=true").status_code == 204


def test_links_remove_only_their_own_references(people):
    target = TargetFactory(pinned=False)
    for owner in (None, people["member"]):
        ReferenceFactory(target=target, object_id="short:abc", owner=owner)
    ReferenceFactory(target=target, object_id="short:abc", owner=people["other"])
    services.unregister_all([(target.pk, "short:abc", people["other"].pk)], now=NOW)
    services.unregister_all([(target.pk, "short:abc", None)], now=NOW)
    assert target.references.get().owner == people["member"]


def test_the_reference_of_a_watched_link_belongs_to_its_owner(apis, people):
    new_target = {"long_url": URL, "watch": True}
    keys = {
        name: apis[name].post("/v1/urls", new_target).json()["key"]
        for name in ("member", "other", "program", "operator")
    }
    owners = dict(Reference.objects.values_list("object_id", "owner"))
    owned = {name: None if name == "program" else people[name].pk for name in keys}
    assert owners == {f"short:{keys[name]}": owner for name, owner in owned.items()}
    assert ids(apis["member"].get("/v1/references", {"url": URL})) == [f"short:{keys['member']}"]
    operator = apis["operator"]
    operator.patch(f"/v1/urls/{keys['member']}", {"watch": False})
    operator.patch(f"/v1/urls/{keys['member']}", {"watch": True})
    assert Reference.objects.get(object_id=f"short:{keys['member']}").owner == people["member"]
    operator.delete(f"/v1/urls/{keys['member']}")
    operator.post("/v1/urls/bulk/delete", {"keys": [keys["other"], keys["program"]]})
    assert Reference.objects.get().owner == people["operator"]


# Events


@pytest.mark.parametrize("name", ROLES)
def test_the_feed_has_the_reference_ids_that_the_reader_may_see(apis, target, name):
    kill(target)
    number_events()
    Reference.objects.all().delete()  # the event keeps them
    (event,) = apis[name].get("/v1/events").json()["items"]
    assert event["data"]["reference_ids"] == KNOWN[name]
    assert "owners" not in event["data"]


def test_events_keep_their_public_format(target):
    kill(target)
    number_events()
    transition = Event.objects.get()
    assert len(transition.payload["owners"]) == 4
    (message,) = KafkaReader().encode(transition)
    data = json.loads(message.value)
    assert data["reference_ids"] == KNOWN["operator"]
    assert "owners" not in data


def test_an_event_of_unowned_references_stores_no_owners(people, apis):
    target = ReferenceFactory(object_id="doc", target__recheck_threshold=1).target
    kill(target)
    number_events()
    assert "owners" not in Event.objects.get().payload
    ids_of = {
        name: apis[name].get("/v1/events").json()["items"][0]["data"]["reference_ids"]
        for name in ("program", "member")
    }
    assert ids_of == {"program": ["doc"], "member": []}


def test_an_id_of_several_owners_is_reported_once(apis, people):
    target = TargetFactory(recheck_threshold=1)
    for owner in (None, people["member"], people["other"]):
        ReferenceFactory(target=target, object_id="doc", owner=owner)
    kill(target)
    number_events()
    for name in ROLES:
        (event,) = apis[name].get("/v1/events").json()["items"]
        assert event["data"]["reference_ids"] == ["doc"]


@pytest.mark.parametrize("limit", [1, 2, 50])
def test_each_reader_has_its_own_parts(apis, people, monkeypatch, limit):
    monkeypatch.setattr(events, "MAX_REFERENCES", 2)
    monkeypatch.setattr(events, "MAX_REFERENCE_BYTES", 1000)
    target = TargetFactory(recheck_threshold=1)
    for number in range(9):
        owner = people["member"] if number % 3 == 0 else people["other"]
        ReferenceFactory(target=target, object_id=f"r{number}", owner=owner)
    kill(target)
    number_events()
    parts = {"member": 2, "other": 3, "operator": 5, "program": 1}
    for name, count in parts.items():
        seen, token = [], None
        for _ in range(2 * count + 1):
            query = {"limit": limit} | ({"page_token": token} if token else {})
            page = apis[name].get("/v1/events", query).json()
            seen, token = seen + page["items"], page["next_page_token"]
        assert len(seen) == count
        assert len({event["id"] for event in seen}) == count
        assert decode_token(token, keys={"position", "part"})["part"] == 0
    assert [event.get("parts") for event in seen] == [None]


# Parallel requests


@pytest.mark.django_db(transaction=True)
def test_two_owners_who_register_one_id_at_once_get_a_reference_each():
    people = make_people()
    owners = [people["member"], people["other"], people["operator"], people["program"]]
    for number in range(5):
        body = {"url": f"http://race.example/{number}", "reference_id": "same"}

        def post(user, body=body):
            return lambda: client_of(user).post("/v1/targets", body)

        answers = run_together([post(user) for user in owners for _ in range(2)])
        assert sorted(answer.status_code for answer in answers) == [200] * 7 + [201]
        assert {tuple(a.json()["reference_ids"]) for a in answers[:4]} == {("same",)}
    assert Reference.objects.count() == 20
    assert Target.objects.count() == 5


@pytest.mark.django_db(transaction=True)
def test_two_owners_at_once_never_remove_each_others_references():
    people = make_people()

    def register_and_unregister(user):
        client, body = client_of(user), {"url": "http://race.example", "reference_id": "same"}

        def run():
            for _ in range(8):
                assert client.post("/v1/targets", body).json()["reference_ids"] == ["same"]
                gone = client.delete("/v1/references?url=http://race.example&reference_id=same")
                assert gone.status_code == 204

        return run

    run_together([register_and_unregister(people[name]) for name in ("member", "other", "program")])
    assert not Target.objects.exists()
