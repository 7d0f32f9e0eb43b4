"""Accepting repairs through the API and on pages, and their visibility for owners."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from accounts.models import Trace
from accounts.rights import assign
from accounts.roles import Role
from foundation.database.clock import database_now
from targets.models import Reference, ReferenceOccurrences, Repair, Target
from targets.state import State
from tests.factories import ReferenceFactory, TargetFactory
from tests.hosts.calls import ok
from tests.openapi import undescribed
from tests.repairs.moved import NEW, OLD, moved

pytestmark = pytest.mark.django_db


def _browser(name, role=Role.MEMBER):
    user = User.objects.create_user(name)
    assign(user, role)
    client = Client(headers={"accept": "text/html"})
    client.force_login(user)
    return user, client


def test_a_program_accepts_lists_and_undoes_a_repair(api):
    target = moved()
    body = {"target_id": target.pk, "moved_to": NEW}

    response = api.post("/v1/repairs", body, format="json")

    assert undescribed(response, "post", "/v1/repairs") == []
    done = ok(response)
    [repair] = done["items"]
    assert (repair["url"], repair["moved_to"], repair["reference_count"]) == (OLD, NEW, 1)
    assert (done["refused"], done["is_done"]) == ([], True)
    assert ok(api.get("/v1/repairs"))["items"] == []
    assert ok(api.get("/v1/repairs/accepted"))["items"] == [repair]
    assert ok(api.get(f"/v1/targets/{target.pk}"))["replaced_by"] == repair["new_target_id"]
    again = ok(api.post("/v1/repairs", body, format="json"))
    assert again["items"] == [repair]

    response = api.post(f"/v1/repairs/accepted/{repair['id']}/undo")

    assert undescribed(response, "post", "/v1/repairs/accepted/{id}/undo") == []
    assert ok(response)["is_done"]
    assert ok(api.get(f"/v1/targets/{target.pk}"))["replaced_by"] is None


def test_documents_that_name_an_old_address_are_listed_with_their_places(api):
    target = moved(object_id="handbook:a.md")
    ReferenceFactory(target=target, object_id="other:b.md")
    places = [{"line": 3, "column": 1, "text": "here"}]
    reference = target.references.get(object_id="handbook:a.md")
    ReferenceOccurrences.objects.create(reference=reference, places=places)
    ok(api.post("/v1/repairs", {"target_id": target.pk}, format="json"))

    response = api.get("/v1/repairs/references?reference_id_prefix=handbook:")

    assert undescribed(response, "get", "/v1/repairs/references") == []
    assert ok(response)["items"] == [
        {
            "reference_id": "handbook:a.md",
            "url": OLD,
            "moved_to": NEW,
            "target_id": target.pk,
            "occurrences": places,
        }
    ]
    csv = api.get("/v1/repairs/references", headers={"accept": "text/csv"})
    lines = b"".join(csv.streaming_content).decode().splitlines()
    assert lines[1:] == [
        f"handbook:a.md,{OLD},{NEW},{target.pk}",
        f"other:b.md,{OLD},{NEW},{target.pk}",
    ]


def test_a_host_is_repaired_as_far_as_permitted(api):
    moved()
    moved(url="http://a.example/b", moved_to="https://a.example/b", object_id="b")
    moved(url="http://a.example/c", moved_to="https://a.example/c", object_id="c")
    TargetFactory(url="https://a.example/c", state=State.DEAD, failures=3)

    done = ok(api.post("/v1/repairs", {"host": "a.example"}, format="json"))

    assert (len(done["items"]), done["is_done"]) == (2, True)
    assert [one["error"]["code"] for one in done["refused"]] == ["repair_over"]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "invalid"),
        ({"host": "a.example", "target_id": "t_1"}, 400, "invalid"),
        ({"host": "a.example", "moved_to": NEW}, 400, "invalid"),
        ({"host": "a b"}, 400, "invalid_host"),
        ({"target_id": "nonsense"}, 404, "not_found"),
        ({"target_id": "{target}", "moved_to": "https://a.example/seen"}, 409, "repair_over"),
        ({"target_id": "{target}", "extra": 1}, 400, "invalid"),
    ],
)
def test_invalid_requests_change_nothing(api, body, status, code):
    target = moved()
    body = {name: target.pk if value == "{target}" else value for name, value in body.items()}

    response = api.post("/v1/repairs", body, format="json")

    assert (response.status_code, response.json()["code"]) == (status, code)
    assert not Repair.objects.exists()
    assert api.post("/v1/repairs/accepted/rp_nonsense/undo").status_code == 404


def test_a_member_accepts_and_undoes_repairs_with_buttons():
    mia, browser = _browser("mia")
    moved(owner=mia, object_id="mine")
    page = browser.get("/repairs").content.decode()
    assert 'action="/repairs/accept"' in page

    target = Target.objects.get(url=OLD)
    sent = {"target": target.pk, "moved_to": NEW}
    done = browser.post("/repairs/accept", sent, follow=True).content.decode()
    assert "Repaired: 1 reference now points to the new address." in done
    accepted = browser.get("/repairs/accepted").content.decode()
    repair = Repair.objects.get()
    assert f'action="/repairs/accepted/{repair.pk}/undo"' in accepted
    card = browser.get(f"/targets/{target.pk}").content.decode()
    assert "nobody is notified about this address" in card

    undone = browser.post(f"/repairs/accepted/{repair.pk}/undo", follow=True).content.decode()
    assert f"Undone: {OLD} is watched again." in undone
    assert Trace.objects.filter(user=mia, action__in=["repair", "undo"]).count() == 2


def test_the_button_of_a_host_repairs_all_of_its_pages():
    mia, browser = _browser("mia")
    moved(owner=mia)
    moved(url="http://a.example/b", moved_to="https://a.example/b", owner=mia)
    assert "Repair all on <bdi>a.example</bdi>" in browser.get("/repairs").content.decode()

    done = browser.post("/repairs/accept", {"host": "a.example"}, follow=True).content.decode()

    assert "Repaired: 2 references now point to the new addresses." in done


def test_repairs_accepted_by_others_are_not_shown_to_a_member():
    moved()
    _, olga = _browser("olga", Role.OPERATOR)
    _, mia = _browser("mia")
    olga.post("/repairs/accept", {"target": Target.objects.get().pk})
    repair = Repair.objects.get()

    assert (
        "There are no repairs from the last 30 days"
        in mia.get("/repairs/accepted").content.decode()
    )
    assert mia.post(f"/repairs/accepted/{repair.pk}/undo").status_code == 404
    assert Reference.objects.count() == 2


def test_a_page_that_dies_at_its_new_address_is_a_task_for_users_who_may_undo():
    mia, browser = _browser("mia")
    _, noa = _browser("noa")
    target = moved(owner=mia, object_id="mine")
    browser.post("/repairs/accept", {"target": target.pk})
    assert "repaired link is dead" not in browser.get("/").content.decode()
    new = Target.objects.get(url=NEW)
    Target.objects.filter(pk=new.pk).update(state=State.DEAD, state_changed_at=database_now())

    start = browser.get("/").content.decode()

    assert "repaired link is dead. Undo the repair?" in start
    assert "repaired link is dead" not in noa.get("/").content.decode()
    assert "The new address is now dead." in browser.get("/repairs/accepted").content.decode()
    assert "Undo the repair" in browser.get(f"/targets/{new.pk}").content.decode()


def test_each_link_keeps_its_own_fragment(api):
    target = moved(url=f"{OLD}#first")
    TargetFactory(url=f"{NEW}#other")
    ok(api.post("/v1/repairs", {"target_id": target.pk}, format="json"))

    [item] = ok(api.get("/v1/repairs/references"))["items"]

    assert (item["url"], item["moved_to"]) == (OLD, NEW)
