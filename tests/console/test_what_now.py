"""The card "What now" on a target's page: next steps, the page's new address, and a note."""

import ipaddress
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client

from accounts.actors import Actor
from accounts.models import Trace
from accounts.roles import Role
from checker.models import CheckResult, ResultReport
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from targets import notes, services, target_actions
from targets.models import Reference, Target, TargetNote
from targets.target_actions import MAX_CHECKS_PER_MINUTE
from tests.conftest import NOW
from tests.factories import ReferenceFactory, TargetFactory

pytestmark = pytest.mark.django_db
URL = "http://old.example/page"
NEW = "http://new.example/page"
GONE = {"last_reason": "http_404", "last_status_code": 404, "last_error": "Gone."}
NO_CARD = '<div id="what_now"></div>'


def target(**fields) -> Target:
    return TargetFactory(url=URL, host="old.example", **{"last_checked_at": NOW, **fields})


def dead(**fields) -> Target:
    return target(state="dead", state_changed_at=NOW - timedelta(days=4), **GONE, **fields)


def result(of: Target, *, ago=timedelta(0), outcome="success", **fields) -> CheckResult:
    values = {"latency_ms": 1, "attempts": 1, "outcome": outcome, **fields}
    return CheckResult.objects.create(target=of, checked_at=NOW - ago, **values)


def html_of(browser: Client, of: Target) -> str:
    return browser.get(f"/targets/{of.pk}").content.decode()


def test_a_healthy_page_has_no_card(browser):
    assert NO_CARD in html_of(browser, target(last_status_code=200))


def test_a_dead_page_shows_its_age_advice_and_references(browser):
    gone = dead()
    ReferenceFactory(target=gone, object_id="doc-1")

    html = html_of(browser, gone)

    assert "<strong>Page gone.</strong> Dead <time" in html
    assert "data-lasting>for " in html
    assert "Look for the page&#x27;s new address." in html
    assert '<a class="tag" href="/targets?document=doc-1">' in html


def test_inconclusive_and_flagged_pages_show_advice(browser):
    walled = target(last_reason="blocked", inconclusive_since=NOW, last_status_code=403)
    parked = TargetFactory(flags=["parked"], last_checked_at=NOW, last_status_code=200)

    assert "<strong>Check blocked.</strong> Open the page in a browser." in html_of(browser, walled)
    assert "<strong>Domain parked.</strong> The page is no longer" in html_of(browser, parked)


def test_the_archive_is_linked_near_the_last_success_that_saw_the_page(browser):
    gone = dead(first_failed_at=NOW - timedelta(days=5))
    assert f"https://web.archive.org/web/20260224120000/{URL}" in html_of(browser, gone)

    result(gone, ago=timedelta(days=9))
    result(gone, ago=timedelta(days=7), flags=["parked"])
    result(gone, outcome="failure", reason="http_404")

    assert f"https://web.archive.org/web/20260220120000/{URL}" in html_of(browser, gone)


def test_a_page_that_exists_or_needs_secret_headers_has_no_link_to_the_archive(browser):
    secret = dead(instructions={"headers": {"Cookie": "secret"}})
    moved = TargetFactory(flags=["moved"], moved_to=NEW, last_checked_at=NOW, last_status_code=200)

    for one in (secret, moved):
        html = html_of(browser, one)
        assert NO_CARD not in html
        assert "web.archive.org" not in html


def test_with_allow_networks_only_pages_seen_outside_of_them_link_to_the_archive(browser, settings):
    settings.ALLOW_NETWORKS = [ipaddress.ip_network("10.0.0.0/8")]
    for is_internal, is_linked in ((None, False), (True, False), (False, True)):
        gone = dead(is_internal=is_internal)
        assert ("web.archive.org" in html_of(browser, gone)) is is_linked
        gone.delete()


def test_a_moved_page_is_also_watched_at_its_new_address(person):
    moved = target(flags=["moved"], moved_to=NEW)
    ada = person("ada")
    owner = User.objects.get(username="ada")
    for object_id in ("doc-1", "doc-2"):
        ReferenceFactory(target=moved, object_id=object_id, owner=owner)
    ReferenceFactory(target=moved, object_id="of-another")
    html = html_of(ada, moved)
    assert "<strong>Moved.</strong>" in html
    assert "Watch the new address" in html
    assert "Show its target" not in html

    page = ada.post(f"/targets/{moved.pk}/watch-new", follow=True)

    new = Target.objects.get(canonical_url=NEW)
    assert page.redirect_chain == [(f"/targets/{new.pk}", 302)]
    assert "You are now watching it." in page.content.decode()
    rows = Reference.objects.filter(owner=owner).values_list("target", "object_id")
    assert set(rows) == {(t.pk, id_) for t in (moved, new) for id_ in ("doc-1", "doc-2")}
    assert "Show its target" in html_of(ada, moved)
    again = ada.post(f"/targets/{moved.pk}/watch-new", follow=True).content.decode()
    assert "You were already watching it." in again


def test_users_without_a_reference_to_a_moved_page_can_watch_the_new_address(browser):
    moved = target(moved_to=NEW)

    browser.post(f"/targets/{moved.pk}/watch-new")

    assert Reference.objects.get().object_id == "watch"


@pytest.mark.parametrize(
    ("moved_to", "says"),
    [("", "The page has not moved."), ("http://127.0.0.1/", "not allowed to connect to")],
)
def test_a_new_address_that_cannot_be_watched_is_refused_in_a_sentence(
    browser, settings, moved_to, says
):
    moved = target(moved_to=moved_to)

    page = browser.post(f"/targets/{moved.pk}/watch-new", follow=True).content.decode()

    assert "The new address can&#x27;t be watched." in page
    assert says in page
    assert Target.objects.count() == 1


def test_a_note_is_written_replaced_and_cleared_and_stays_in_the_audit_log(person):
    gone, ada, olga = dead(), person("ada"), person("olga", Role.OPERATOR)
    ReferenceFactory(target=gone, owner=User.objects.get(username="ada"))

    page = ada.post(f"/targets/{gone.pk}/note", {"text": ["", " I am on it "]}, follow=True)
    assert "Note saved." in page.content.decode()
    assert TargetNote.objects.get().text == "I am on it"
    html = html_of(olga, gone)
    assert "I am on it</p>" in html
    assert ">ada</span> · <time" in html

    olga.post(f"/targets/{gone.pk}/note", {"text": "<b>" + "x" * 600})
    note = TargetNote.objects.get()
    assert (len(note.text), note.author.username) == (TargetNote.MAX_LENGTH, "olga")
    assert "&lt;b&gt;xxx" in html_of(ada, gone)

    page = ada.post(f"/targets/{gone.pk}/note", {"text": ["anything", ""]}, follow=True)
    assert "Note cleared." in page.content.decode()
    assert not TargetNote.objects.exists()
    ada.post(f"/targets/{gone.pk}/note", {"text": " "})  # there is no new address
    done = Trace.objects.order_by("pk").values_list("user_name", "action", "fields")
    assert [(*row,) for row in done] == [
        ("ada", "change", ["note"]),
        ("olga", "change", ["note"]),
        ("ada", "clear", ["note"]),
    ]


def test_a_note_keeps_the_card_of_a_page_that_recovered(browser):
    well = target(last_status_code=200)
    notes.write_note(well, "Mended.", now=NOW, by=Actor(User.objects.get(username="operator")))

    html = html_of(browser, well)

    assert 'class="card what-now" data-note' in html
    assert "Mended." in html


def test_a_note_is_visible_to_operators_viewers_and_users_with_references(person):
    gone = dead()
    ada, grace = person("ada"), person("grace")
    vera = person("vera", Role.VIEWER)
    ReferenceFactory(target=gone, owner=User.objects.get(username="ada"))
    ada.post(f"/targets/{gone.pk}/note", {"text": "Secret plan"})

    seen = {name: "Secret plan" in html_of(who, gone) for name, who in (("g", grace), ("v", vera))}
    assert seen == {"g": False, "v": True}
    assert grace.post(f"/targets/{gone.pk}/note", {"text": "x"}).status_code == 404
    assert vera.post(f"/targets/{gone.pk}/note", {"text": "x"}).status_code == 403
    assert 'id="note"' not in html_of(grace, gone)
    assert TargetNote.objects.get().text == "Secret plan"


def test_a_note_is_deleted_with_its_target_and_with_its_author(person):
    gone, other = dead(), TargetFactory()
    person("olga", Role.OPERATOR)
    olga = Actor(User.objects.get(username="olga"))
    for one in (gone, other):
        notes.write_note(one, "x", now=NOW, by=olga)

    services.delete(gone, force=True, now=NOW)
    assert list(TargetNote.objects.values_list("target_id", flat=True)) == [other.pk]
    olga.user.delete()
    assert not TargetNote.objects.exists()


def test_a_note_whose_author_a_process_of_0_2_0_deleted_is_not_shown(browser):
    """That release does not know the table of notes."""
    gone = dead()
    TargetNote.objects.create(target=gone, text="Left behind", author_id=12345, written_at=NOW)

    assert "Left behind" not in html_of(browser, gone)


def test_a_dead_page_that_answers_again_should_be_revived(browser):
    back = target(state="dead", last_status_code=200, last_error=None)

    html = html_of(browser, back)
    assert "The last check succeeded. If the page is the right one, an operator can" in html
    assert "<strong>Page found.</strong>" not in html  # next to "Dead for 3 days"


def test_members_check_only_targets_that_they_refer_to(person, api):
    mine, other = target(last_status_code=200), TargetFactory()
    ada = person("ada")
    ReferenceFactory(target=mine, owner=User.objects.get(username="ada"))
    html = html_of(ada, mine)
    assert ("Check now" in html, ">Pause<" in html) == (True, False)
    assert "Check now" not in html_of(ada, other)

    page = ada.post(f"/targets/{mine.pk}/check", follow=True).content.decode()

    assert "The target was queued for a check." in page
    mine.refresh_from_db()
    assert mine.next_check_at > NOW
    for path in (f"{mine.pk}/pause", f"{mine.pk}/revive", f"{other.pk}/check"):
        assert ada.post(f"/targets/{path}").status_code == 403
    for one, body, status in ((mine, {}, 202), (mine, {"revive": True}, 403), (other, {}, 403)):
        answer = ada.post(f"/v1/targets/{one.pk}/check", body, "application/json")
        assert answer.status_code == status


def test_a_member_rechecks_a_dead_page_that_stays_dead(person):
    gone, ada = dead(), person("ada")
    ReferenceFactory(target=gone, owner=User.objects.get(username="ada"))
    html = html_of(ada, gone)
    assert ("Recheck" in html, "Revive<" in html) == (True, False)

    refused = ada.post(f"/targets/{gone.pk}/check", follow=True).content.decode()
    assert "The target is dead; use Recheck instead." in refused

    ada.post(f"/targets/{gone.pk}/look")

    gone.refresh_from_db()
    assert (gone.state, gone.next_check_at > NOW) == ("dead", True)


def test_a_member_may_request_ten_checks_a_minute(person):
    mine, ada = target(last_status_code=200), person("ada")
    by = Actor(User.objects.get(username="ada"))
    ReferenceFactory(target=mine, owner=by.user)
    for second in range(MAX_CHECKS_PER_MINUTE):
        target_actions.check(mine, NOW + timedelta(seconds=second), by)

    with pytest.raises(ApiError, match="10 checks within a minute") as refused:
        target_actions.check(mine, NOW + timedelta(seconds=59), by)
    assert (refused.value.code, refused.value.status_code) == ("rate_limited", 429)
    target_actions.check(mine, NOW + timedelta(seconds=60), by)

    Trace.objects.update(at=database_now())
    page = ada.post(f"/targets/{mine.pk}/check", follow=True).content.decode()
    assert "You requested 10 checks within a minute. Try again in a minute." in page
    answer = ada.post(f"/v1/targets/{mine.pk}/check", {}, "application/json")
    assert (answer.status_code, answer["Retry-After"]) == (429, "60")


def test_operators_may_request_any_number_of_checks(person):
    mine = target(last_status_code=200)
    person("olga", Role.OPERATOR)
    for _ in range(MAX_CHECKS_PER_MINUTE + 1):
        target_actions.check(mine, NOW, Actor(User.objects.get(username="olga")))


def test_a_member_proposes_to_accept_an_answer_and_an_operator_does(person):
    gone, ada = dead(), person("ada")
    ReferenceFactory(target=gone, owner=User.objects.get(username="ada"))
    result(gone, outcome="failure", reason="http_404", status_code=404, error="Gone.")
    assert f'href="/targets/{gone.pk}/propose"' in html_of(ada, gone)
    asked = ada.get(f"/targets/{gone.pk}/propose").content.decode()
    assert "An operator will be asked to accept HTTP 404 for this target." in asked

    page = ada.post(f"/targets/{gone.pk}/propose", follow=True).content.decode()
    assert "Thank you. An operator will review your proposal." in page
    again = ada.post(f"/targets/{gone.pk}/propose", follow=True).content.decode()
    assert "You have already reported this result." in again
    gone.refresh_from_db()
    assert (gone.state, gone.instructions) == ("dead", None)

    olga = person("olga", Role.OPERATOR)
    [report] = ResultReport.objects.all()
    queue = olga.get("/admin/checker/resultreport/").content.decode()
    assert "This is fine: 404" in queue
    data = {"action": "accept_proposals", "_selected_action": [report.pk]}
    page = olga.post("/admin/checker/resultreport/", data, follow=True).content.decode()
    assert "Proposals accepted: 1." in page
    gone.refresh_from_db()
    report.refresh_from_db()
    assert (gone.state, gone.instructions) == ("pending", {"accept": [404]})
    assert report.handled_by.username == "olga"
    page = olga.post("/admin/checker/resultreport/?state=all", data, follow=True).content.decode()
    assert "Proposals accepted: 0." in page


def test_a_result_that_nobody_was_asked_about_is_not_proposed(person):
    gone, ada = dead(), person("ada")
    ReferenceFactory(target=gone, owner=User.objects.get(username="ada"))
    result(gone, outcome="failure", reason="http_404", status_code=404, error="Gone.")

    asked_before = ada.post(f"/targets/{gone.pk}/propose", {"value": "blocked"})

    assert "to accept HTTP 404 for this target" in asked_before.content.decode()
    assert not ResultReport.objects.exists()


def test_members_without_a_reference_or_a_seen_result_cannot_propose(person):
    well, gone, ada = TargetFactory(), dead(), person("ada")
    ReferenceFactory(target=well, owner=User.objects.get(username="ada"))
    result(well)
    result(gone, outcome="failure", reason="http_404", status_code=404, error="Gone.")

    for one in (well, gone):
        for send in (ada.get, ada.post):
            assert send(f"/targets/{one.pk}/propose").status_code == 404
    assert not ResultReport.objects.exists()


def test_a_report_of_a_wrong_result_alone_is_not_accepted(person):
    gone, olga = dead(), person("olga", Role.OPERATOR)
    report = ResultReport.objects.create(
        user=User.objects.get(username="olga"),
        target=gone,
        result_id=1,
        checked_at=NOW,
        evidence={},
        created_at=NOW,
    )

    data = {"action": "accept_proposals", "_selected_action": [report.pk]}
    page = olga.post("/admin/checker/resultreport/", data, follow=True).content.decode()

    assert "Proposals accepted: 0." in page
    gone.refresh_from_db()
    assert gone.instructions is None
