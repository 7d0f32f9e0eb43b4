"""References and the audit log on pages: users see their own. Source: docs/adr/0027."""

from urllib.parse import quote

import pytest

from accounts.models import Trace
from targets.models import Reference, Target
from targets.registration import WATCH
from tests.factories import ReferenceFactory, TargetFactory
from tests.targets.people import api_of, browser_of, make_people

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]
URL = "http://example.com/a"


@pytest.fixture
def people(db):
    return make_people()


@pytest.fixture
def browsers(people):
    return {name: browser_of(user) for name, user in people.items()}


@pytest.fixture
def target(people):
    target = TargetFactory(url=URL, pinned=False)
    for object_id, name in (("mine", "member"), ("theirs", "other")):
        ReferenceFactory(target=target, object_id=object_id, owner=people[name])
    return target


def page(browser, target):
    response = browser.get(f"/targets/{target.pk}")
    assert response.status_code == 200
    return response.content.decode()


def test_a_targets_page_shows_members_their_own_references(browsers, target):
    html = page(browsers["member"], target)
    assert ("mine" in html, "theirs" in html, "the-other" in html) == (True, False, False)
    assert "Your references" in html
    assert "You have no references to this target" in page(browsers["member"], TargetFactory())


@pytest.mark.parametrize("name", ["viewer", "operator"])
def test_users_who_see_everything_also_see_the_owners(browsers, target, name):
    html = page(browsers[name], target)
    for piece in ("mine", "theirs", "the-member", "the-other"):
        assert piece in html
    assert ("Remove…" in html) is (name == "operator")
    assert ("Add a reference" in html) is (name == "operator")


def test_a_member_adds_and_removes_a_reference_on_the_targets_page(browsers, people, target):
    member = browsers["member"]
    member.post(f"/targets/{target.pk}/refer", {"reference": "second"})
    member.post(f"/targets/{target.pk}/refer", {"reference": ""})
    own = target.references.filter(owner=people["member"])
    assert {row.object_id for row in own} == {"mine", "second", WATCH}
    refused = member.post(f"/targets/{target.pk}/refer", {"reference": "x" * 256}, follow=True)
    assert "1 to 255 characters" in refused.content.decode()
    asked = member.get(f"/targets/{target.pk}/unregister?reference=second")
    assert "Remove this reference?" in asked.content.decode()
    assert "You will no longer be notified about" in asked.content.decode()
    member.post(f"/targets/{target.pk}/unregister?reference=second")
    assert not own.filter(object_id="second").exists()
    assert member.get(f"/targets/{target.pk}/refer").status_code == 302


def test_an_operator_removes_the_reference_of_another_user_or_of_a_program(browsers, target):
    ReferenceFactory(target=target, object_id="a-programs", owner=None)
    path, sentence = f"/targets/{target.pk}/unregister?reference=", "no longer be notified"
    theirs = browsers["operator"].get(f"{path}theirs").content.decode()
    assert f"The owner of this reference will {sentence}" in theirs
    assert sentence not in browsers["operator"].get(f"{path}a-programs").content.decode()


@pytest.mark.parametrize("query", ["reference=theirs", "reference=theirs&id={pk}"])
def test_another_users_reference_is_not_found_for_a_member(browsers, target, query):
    query = query.format(pk=Reference.objects.get(object_id="theirs").pk)
    for ask in (browsers["member"].get, browsers["member"].post):
        assert ask(f"/targets/{target.pk}/unregister?{query}").status_code == 404
    assert Reference.objects.count() == 2


def test_a_reference_id_that_postgresql_refuses_is_not_found(browsers, target):
    for ask in (browsers["operator"].get, browsers["operator"].post):
        assert ask(f"/targets/{target.pk}/unregister?reference=a%00b").status_code == 404


@pytest.mark.parametrize("pk", ["", "x", "-1", "9" * 19, "\N{ARABIC-INDIC DIGIT ONE}"])
def test_an_impossible_reference_id_is_not_found(browsers, target, pk):
    address = f"/targets/{target.pk}/unregister?reference=mine&id={quote(pk)}"
    assert browsers["operator"].get(address).status_code == 404


def test_an_operator_unregisters_the_reference_whose_button_was_pressed(browsers, people):
    target = TargetFactory()
    rows = {
        name: ReferenceFactory(target=target, object_id="doc", owner=people[name])
        for name in ("member", "other", "operator")
    }
    html = page(browsers["operator"], target)
    path = f"/targets/{target.pk}/unregister?reference=doc"
    assert f"{path}&amp;id={rows['other'].pk}" in html
    browsers["operator"].post(f"{path}&id={rows['other'].pk}")
    assert {row.owner for row in target.references.all()} == {people["member"], people["operator"]}


def test_removing_a_members_last_reference_deletes_the_target(browsers, people):
    target = ReferenceFactory(object_id="doc", owner=people["member"]).target
    path = f"/targets/{target.pk}/unregister?reference=doc"
    assert "This is the last reference" in browsers["member"].get(path).content.decode()
    answer = browsers["member"].post(path, follow=True)
    assert answer.status_code == 200
    assert not Target.objects.exists()


@pytest.mark.parametrize("name", ["member", "viewer"])
def test_users_without_the_right_cannot_change_targets_on_their_pages(browsers, target, name):
    for path in ("pause", "resume", "revive", "accept", "delete"):
        assert browsers[name].post(f"/targets/{target.pk}/{path}").status_code == 403
    assert browsers["viewer"].post(f"/targets/{target.pk}/refer").status_code == 403
    address = f"/targets/{target.pk}/unregister?reference=mine"
    assert browsers["viewer"].post(address).status_code == 403


# The search box


def find(browser, text):
    return browser.get("/find", {"url": text}, follow=True)


@pytest.mark.parametrize("name", ["member", "viewer", "operator"])
def test_the_search_box_finds_by_a_visible_reference(browsers, target, name):
    page = (f"/targets/{target.pk}", 302)
    assert find(browsers[name], "mine").redirect_chain == [page]
    other = find(browsers[name], "theirs")
    if name == "member":
        assert (other.status_code, target.pk in other.content.decode()) == (200, False)
    else:
        assert other.redirect_chain == [page]


def test_several_targets_of_a_reference_are_listed(browsers, people):
    for number in range(3):
        url = f"http://many.example/{number}"
        ReferenceFactory(target__url=url, object_id="doc", owner=people["member"])
    html = find(browsers["member"], "doc").content.decode()
    assert all(f">http://many.example/{number}<" in html for number in range(3))
    assert "http://many.example/" not in find(browsers["other"], "doc").content.decode()


@pytest.mark.parametrize("text", ["a\0b", "x" * 5000, "<script>alert(1)</script>", "🦄 id"])
def test_an_unusual_text_finds_nothing(browsers, text):
    answer = find(browsers["member"], text)
    assert answer.status_code == 200
    assert "<script>alert" not in answer.content.decode()


def test_a_member_watches_a_url_by_the_search_box(browsers, people):
    answer = browsers["member"].post("/find", {"url": URL}, follow=True)
    assert "Added. The first check is due now." in answer.content.decode()
    assert (
        "until you remove your reference" in find(browsers["member"], "b.example").content.decode()
    )
    assert (
        "until someone deletes the target"
        in find(browsers["operator"], "b.example").content.decode()
    )
    target = Target.objects.get()
    assert (target.pinned, target.references.get().owner) == (False, people["member"])
    again = browsers["other"].post("/find", {"url": URL}, follow=True)
    assert "Now you&#x27;re watching it, too" in again.content.decode()
    assert target.references.count() == 2


# Audit log


def test_the_page_shows_who_changed_a_target_to_permitted_users(browsers, people):
    for name in ("member", "other"):
        api_of(people[name]).post("/v1/targets", {"url": URL, "reference_id": "doc"})
    target = Target.objects.get()
    browsers["operator"].post(f"/targets/{target.pk}/pause")
    mine = page(browsers["member"], target)
    assert ("Audit log: your changes" in mine, "the-other" in mine) == (True, False)
    all_of_them = page(browsers["viewer"], target)
    for piece in ("Audit log", "the-member", "the-other", "the-operator", "pause"):
        assert piece in all_of_them
    assert "Audit log" not in page(browsers["program"], target)


def test_buttons_in_the_admin_write_an_audit_entry_for_each_target(browsers, people):
    rows = [api_of(people["operator"]).post("/v1/targets", {"url": u}).json() for u in (URL,)]
    Trace.objects.all().delete()
    data = {"action": "pause", "_selected_action": [row["id"] for row in rows], "confirmed": "1"}
    browsers["operator"].post("/admin/targets/target/", data)
    trace = Trace.objects.get()
    assert (trace.action, trace.user_name) == ("pause", "the-operator")


def test_the_admin_lists_audit_entries_read_only(browsers, people):
    api_of(people["member"]).post("/v1/targets", {"url": URL, "reference_id": "doc"})
    items = [{"url": f"http://b.example/{n}"} for n in range(3)]
    api_of(people["operator"]).post("/v1/targets/bulk", {"items": items})
    api_of(people["operator"]).put("/v1/hosts/c.example", {"delay": "5s"})

    def listed(query):
        answer = browsers["viewer"].get(f"/admin/accounts/trace/?{query}")
        return [row.action for row in answer.context["cl"].result_list]

    assert listed("") == ["change", "register", "register"]
    assert listed("q=the-member") == ["register"]
    assert listed("q=the-memb") == []
    assert listed("kind=host") == ["change"]
    assert listed("kind=target&q=the-operator") == ["register"]
    many = Trace.objects.get(amount=3)
    html = browsers["viewer"].get(f"/admin/accounts/trace/{many.pk}/change/").content.decode()
    assert all(target.pk in html for target in Target.objects.filter(host="b.example"))
    for path in ("add/", f"{many.pk}/delete/"):
        assert browsers["operator"].get(f"/admin/accounts/trace/{path}").status_code == 403
    assert browsers["member"].get("/admin/accounts/trace/").status_code == 302


def test_the_admin_shows_owners_of_references(browsers, target):
    for address in ("/admin/targets/reference/", f"/admin/targets/target/{target.pk}/change/"):
        html = browsers["viewer"].get(address).content.decode()
        assert "the-member" in html


def test_staff_without_a_role_find_only_unowned_references_in_the_admin(people, target):
    program = people["program"]
    program.is_staff = True
    program.save()
    browser = browser_of(program)
    ReferenceFactory(target=target, object_id="open")
    html = browser.get("/admin/targets/reference/").content.decode()
    assert ("open" in html, "theirs" in html) == (True, False)
    assert (
        "theirs" not in browser.get(f"/admin/targets/target/{target.pk}/change/").content.decode()
    )
    for text, count in (("open", 1), ("theirs", 0)):
        found = browser.get(f"/admin/targets/target/?q={text}").context["cl"].result_list
        assert len(found) == count
