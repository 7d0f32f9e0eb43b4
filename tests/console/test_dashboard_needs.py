"""The dashboard lists what needs attention; members land on their own items."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.contrib.auth.models import User

from accounts.actors import DEPLOYMENT
from accounts.roles import Role
from checker.models import DailyStates, ResultReport
from checker.repairs.repair_acceptance import accept
from checker.tasks import keep_states
from console.access import Audience
from console.dashboard import member_page, needs_attention, summary
from console.dashboard.needs_attention import find_needs, headline, newly_dead_need
from console.dashboard.rendering import sections
from console.dashboard.summary import SUMMARY
from console.outages.trends import daily_states
from foundation.database.clock import database_now
from notify.models import Channel, ChannelKind, Subscription
from shortener.models import ShortURL
from targets import writer
from targets.counts import recount
from targets.flags import EXPIRES
from targets.models import Target
from targets.state import State
from tests.factories import (
    DeadTargetFactory,
    ReferenceFactory,
    SnippetFactory,
    TargetFactory,
    TransitionFactory,
)
from tests.repairs.moved import NEW, moved

pytestmark = [pytest.mark.django_db]

HOUR = timedelta(hours=1)


def _page(client, path="/"):
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


def _shown(client, link):
    """Return the URLs of the targets that a list shows."""
    return set(re.findall(r"http://host\d+\.example/page", unescape(_page(client, link))))


def _channel(**fields):
    return Channel.objects.create(
        kind=ChannelKind.FEED, name="Team", created_at=database_now(), position=0, **fields
    )


def test_each_number_links_to_a_list_of_exactly_those_items(person):
    now = database_now()
    operator = person("grace", Role.OPERATOR)
    died = DeadTargetFactory(state_changed_at=now - HOUR)
    DeadTargetFactory(state_changed_at=now - 25 * HOUR)
    TargetFactory(state=State.POTENTIALLY_DEAD, state_changed_at=now - HOUR)
    unsure = TargetFactory(inconclusive_since=now)
    expiring = TargetFactory(state=State.ALIVE, flags=[EXPIRES])
    SUMMARY.renew()

    found = {need["name"]: need for need in SUMMARY.peek().value["needs"]}

    assert {name: need["count"] for name, need in found.items()} == {
        "dead": 1,
        "inconclusive": 1,
        EXPIRES: 1,
        "nobody": 1,
    }
    for name, target in (("dead", died), ("inconclusive", unsure), (EXPIRES, expiring)):
        assert _shown(operator, found[name]["link"]) == {target.url}, name
    page = _page(operator)
    assert "<h1>1 link has died since yesterday</h1>" in page
    assert "page with a certificate that expires soon" in page


def test_more_deaths_than_are_counted_are_shown_with_a_plus(monkeypatch):
    monkeypatch.setattr(needs_attention, "MAX_COUNTED", 2)
    now = database_now()
    DeadTargetFactory.create_batch(3, state_changed_at=now)

    need = newly_dead_need(now)

    assert (need["count"], need["is_more"]) == (2, True)
    assert headline([need]) == "At least 2 links have died since yesterday"


def test_the_headline_counts_failing_links_if_too_many_began_to_fail_to_find_the_dead_ones(
    monkeypatch, person
):
    monkeypatch.setattr(needs_attention, "MAX_COUNTED", 2)
    now = database_now()
    DeadTargetFactory(state_changed_at=now - HOUR)
    failing = TargetFactory.create_batch(3, state=State.POTENTIALLY_DEAD, state_changed_at=now)

    [need] = find_needs(now, flags={}, inconclusive=0, total=0)

    assert (need["count"], need["is_more"]) == (2, True)
    assert headline([need]) == "At least 2 links have begun to fail since yesterday"
    operator = person("grace", Role.OPERATOR)
    assert _shown(operator, need["link"]) == {target.url for target in failing}


@pytest.mark.parametrize(
    ("state", "problems", "words"),
    [
        ("ok", [], "All quiet"),
        ("down", [], "No links have died since yesterday"),
        ("ok", ["A target can't be checked."], "No links have died since yesterday"),
    ],
)
def test_the_headline_is_quiet_only_while_components_and_network_work(
    monkeypatch, state, problems, words
):
    monkeypatch.setattr(summary, "health_of", lambda: {"checker": state})
    monkeypatch.setattr(summary, "network", lambda: {"sentences": problems, "down_since": None})
    assert summary.compute_summary(database_now())["headline"] == words


def test_the_page_of_a_member_without_problems_says_only_that_no_links_died(member):
    ReferenceFactory(owner=User.objects.get(username="member"))
    assert "<h1>No links have died since yesterday</h1>" in _page(member)


def test_a_failing_channel_needs_attention_and_links_to_its_list(person):
    now = database_now()
    channel = _channel(failing_since=now)
    Subscription.objects.create(channel=channel, created_at=now, what=["dead"])

    [need] = find_needs(now, flags={}, inconclusive=0, total=5)

    assert need["link"] == f"/account/channels/{channel.pk}"
    other = _channel(state="disabled")
    _channel()
    [need] = find_needs(now, flags={}, inconclusive=0, total=5)
    page = _page(person("grace", Role.OPERATOR), need["link"])
    assert need["count"] == 2
    assert set(re.findall(r"/account/channels/(c_\w+)", page)) == {channel.pk, other.pk}
    assert headline([need]) == "No links have died since yesterday"


def test_reports_are_for_operators_and_viewers_see_no_link_to_them(person):
    now = database_now()
    user = User.objects.create_user("ada")
    ResultReport.objects.create(user=user, result_id=1, checked_at=now, evidence={}, created_at=now)
    SUMMARY.renew()

    assert "reported result to review" in _page(person("grace", Role.OPERATOR))
    assert "reported result" not in _page(person("vera", Role.VIEWER))


def test_the_process_figures_are_collapsed_without_problems():
    SUMMARY.renew()
    copy = SUMMARY.peek()
    for part in copy.value["parts"]:
        part["state"] = "ok"
    line = sections(copy.value, Audience.STAFF, now=copy.at)["engine"]
    assert "No component needs attention" in line


def test_the_process_figures_open_when_a_part_has_a_problem(browser, settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    SUMMARY.renew()
    page = _page(browser)

    assert '<details class="card wide engine" open>' in page
    assert "Needs attention: " in page


def test_a_members_dashboard_shows_their_own_items(member):
    now = database_now()
    user = User.objects.get(username="member")
    mine = DeadTargetFactory(state_changed_at=now - HOUR)
    ReferenceFactory(target=mine, owner=user)
    unsure = ReferenceFactory(owner=user).target
    Target.objects.filter(pk=unsure.pk).update(inconclusive_since=now)
    others = DeadTargetFactory(state_changed_at=now - HOUR)
    for target in (mine, others):
        payload = {"target_id": target.id, "url": target.url, "failures": 3, "error": None}
        TransitionFactory(target=target, at=now - HOUR, payload=payload)
    ShortURL.objects.create(key="menu", long_url="https://example.org/", owner=user, created_at=now)
    SnippetFactory(title="My notes", owner=user)

    page = _page(member)

    assert "<h1>1 link has died since yesterday</h1>" in page
    assert mine.url in page
    assert others.url not in page
    assert 'href="/links/menu"' in page
    assert "My notes" in page
    for link in re.findall(r'href="(/targets\?[^"]+)"', page):
        assert others.url not in _shown(member, unescape(link)), link
    assert _shown(member, "/targets?state=dead&since=day&order=failed&whose=mine") == {mine.url}


def test_a_member_with_more_references_than_are_counted_sees_a_plus(member, monkeypatch):
    monkeypatch.setattr(member_page, "MAX_REFERENCES", 2)
    user, target = User.objects.get(username="member"), DeadTargetFactory(flags=["changed_owner"])
    Target.objects.update(state_changed_at=database_now() - HOUR)
    for number in range(2):
        ReferenceFactory(target=target, object_id=f"document-{number}", owner=user)
    assert ">All 1<" in _page(member)
    ReferenceFactory(target=target, object_id="document-2", owner=user)
    page = _page(member)
    assert ">All 1+<" in page
    assert "<h1>At least 1 link has died since yesterday</h1>" in page
    assert page.count(">At least 1</strong>") == 2  # dead, and the flag
    Target.objects.update(state=State.ALIVE)
    assert "<h1>Your links</h1>" in _page(member)


def test_a_members_page_takes_the_same_statements_for_any_number_of_items(
    member, django_assert_max_num_queries
):
    user = User.objects.get(username="member")
    for number in range(20):
        target = DeadTargetFactory()
        ReferenceFactory(target=target, owner=user)
        payload = {"target_id": target.id, "url": target.url, "failures": 3, "error": None}
        TransitionFactory(target=target, at=database_now(), position=number + 1, payload=payload)

    with django_assert_max_num_queries(50):
        member.get("/")


def test_trends_begin_with_the_first_day_with_targets_and_end_today():
    now = database_now()
    today = now.date()
    for ago, alive in ((3, 0), (2, 5), (1, 6), (0, 0)):
        zeros = {"pending": 0, "potentially_dead": 0, "dead": 0, "unsure": 0}
        DailyStates.objects.create(day=today - timedelta(days=ago), alive=alive, **zeros)

    days = daily_states(now, states={"alive": 7, "dead": 1}, unsure=2)

    assert [(day["alive"], day["dead"], day["unsure"]) for day in days] == [
        (5, 0, 0),
        (6, 0, 0),
        (7, 1, 2),
    ]


def test_a_deployment_that_watches_nothing_has_no_weeks():
    assert daily_states(database_now(), states={}, unsure=0) == []


def test_trends_include_today_and_the_former_address_redirects_there(browser):
    assert "No targets yet." in _page(browser, "/trends")
    TargetFactory.create_batch(3, state=State.ALIVE)

    page = _page(browser, "/trends")

    assert re.search(rf"<td>{database_now():%Y-%m-%d}</td><td class=\"number\">3</td>", page)
    moved = browser.get("/history")
    assert (moved.status_code, moved["Location"]) == (301, "/trends")


def test_a_first_day_without_targets_is_not_recorded():
    assert keep_states() == 0
    assert not DailyStates.objects.exists()

    TargetFactory()
    assert keep_states() == 1
    Target.objects.all().delete()
    recount()
    assert keep_states() == 0
    assert DailyStates.objects.get().pending == 0


def test_members_are_notified_of_dead_pages_that_their_own_references_followed(person):
    ada, noa = person("ada", Role.MEMBER), person("noa", Role.MEMBER)
    target = moved(owner=User.objects.get(username="ada"))
    accept(target.pk, now=database_now(), by=DEPLOYMENT)
    new = Target.objects.get(url=NEW)
    ReferenceFactory(target=new, owner=User.objects.get(username="noa"))  # noa's own reference
    writer.change([(new, {"state": State.DEAD})])

    assert "repaired link is dead" in _page(ada)
    assert "repaired link is dead" not in _page(noa)
