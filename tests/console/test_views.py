"""The dashboard's page and its search box."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils.dateparse import parse_datetime

from console.access import Audience
from console.dashboard.rendering import render
from console.dashboard.summary import SUMMARY, PopularItem
from foundation.database.clock import database_now
from status.stats import STATS
from targets.models import Target
from tests.factories import TargetFactory, TransitionFactory

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]

SCRIPT = "<script>alert(1)</script>"


def text_of(response):
    return response.content.decode()


def test_anonymous_visitors_are_asked_to_sign_in(client):
    for path in ("/", "/find?url=https://example.org"):
        response = client.get(path)
        assert (response.status_code, response.url.partition("?")[0]) == (302, "/sign-in")


@pytest.mark.parametrize("staff", [True, False])
def test_users_who_may_not_see_targets_see_no_dashboard(staff):
    client = Client()
    client.force_login(User.objects.create_user("somebody", is_staff=staff))
    assert client.get("/").status_code == 403
    assert client.get("/find?url=https://example.org").status_code == 403


def test_without_counts_the_page_explains_it_and_starts_counting(browser, asked):
    response = browser.get("/")
    assert "Preparing the dashboard" in text_of(response)
    assert "http-equiv" in text_of(response)
    assert asked == [SUMMARY.renew]


def test_a_view_shows_the_stored_summary_without_counting(
    browser, django_assert_max_num_queries, asked
):
    TargetFactory.create_batch(3)
    SUMMARY.renew()
    TargetFactory()
    browser.get("/")  # loaded once: the session, the user, the time
    with django_assert_max_num_queries(3):  # the session, the user, the time
        response = browser.get("/")
    assert "<strong>3</strong> watched" in text_of(response)
    assert {"private", "no-store"} <= set(response["Cache-Control"].split(", "))
    assert len(asked) == 2


def test_a_reader_needs_the_same_number_of_statements(reader, django_assert_max_num_queries):
    SUMMARY.renew()
    with django_assert_max_num_queries(5):  # also the rights of the user and of groups
        assert reader.get("/").status_code == 200


def test_members_get_the_state_of_targets_and_nothing_about_other_people():
    now = database_now()
    target = TransitionFactory(at=now).target
    SUMMARY.renew()
    copy = SUMMARY.peek()
    copy.value["expiring"].append(
        {"key": "of-another", "long_url": "https://a.example/", "at": now}
    )
    copy.value["trending"] = [
        PopularItem(id="sn_1", title="Of another", address="/snippets/sn_1", is_link=False, views=1)
    ]
    copy.value["failing"].append(
        {"host": "a.example", "failures": 1, "inconclusive": 0, "slow": 0, "mean_ms": None}
    )
    html = "".join(render(copy, now=now, patience=1.0).sections[Audience.MEMBERS].values())
    assert f'href="/targets/{target.pk}"' in html
    assert "<strong>1</strong> watched" in html
    for hidden in ("/admin/", "of-another", "Of another"):
        assert hidden not in html


def test_an_empty_registry_shows_the_first_steps(browser):
    SUMMARY.renew()
    text = text_of(browser.get("/"))
    assert "No targets yet." in text
    assert "No target has changed state yet." in text
    for empty in ("expiring", "trending", "failing", "slow", "asleep", "needs"):
        assert re.search(rf'id="{empty}"[^>]*></section>', text), empty


def test_text_of_others_is_shown_as_text(browser):
    TransitionFactory(
        at=database_now(),
        payload={"url": f"http://a.example/{SCRIPT}", "error": {"message": f"It says {SCRIPT}"}},
    )
    SUMMARY.renew()
    copy = SUMMARY.peek()
    copy.value["slow"].append(
        {"host": SCRIPT, "failures": 0, "inconclusive": 0, "slow": 1, "mean_ms": 2000.0}
    )
    text = text_of(browser.get("/"))
    assert SCRIPT not in text
    assert text.count("&lt;script&gt;alert(1)&lt;/script&gt;") >= 2
    assert "http://a.example/%3Cscript%3E" in text  # URLs are shown in ASCII


def test_without_redis_the_page_reports_it(browser, settings):
    TargetFactory()
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    SUMMARY.renew()
    text = text_of(browser.get("/"))
    assert "<strong>1</strong> watched" in text
    assert "Redis is not available" in text


def test_times_are_relative_with_the_exact_one_on_hover(browser):
    at = database_now() - timedelta(hours=3, seconds=5)
    TransitionFactory(at=at)
    SUMMARY.renew()
    shown = f'title="{at:%Y-%m-%d %H:%M:%S} UTC">3 hours ago</time>'
    assert shown in text_of(browser.get("/"))


@pytest.mark.parametrize(
    "text",
    [
        "https://example.org/page?a=1",
        "  HTTPS://EXAMPLE.org:443/page/?a=1#part ",
        "example.org/page?a=1",
    ],
)
def test_a_url_in_any_spelling_finds_its_target(browser, text):
    target = TargetFactory(url="https://example.org/page?a=1")
    assert browser.get("/find", {"url": text}).url == f"/targets/{target.id}"


def test_an_id_or_a_url_without_a_scheme_finds_its_target(browser):
    target = TargetFactory(url="http://example.org")
    for text in (target.id, "example.org"):
        assert browser.get("/find", {"url": text}).url == f"/targets/{target.id}"


def test_an_unknown_url_is_offered_to_be_watched(browser, reader):
    query = {"url": f"example.org/?q={SCRIPT}"}
    text = text_of(browser.get("/find", query))
    assert 'name="url" value="https://example.org/?q=&lt;script' in text
    assert "Watch it" in text
    assert SCRIPT not in text
    assert "Watch it" not in text_of(reader.get("/find", query))


@pytest.mark.parametrize(
    "text", ["ftp://example.org", "http://user:x@example.org", "x" * 10_000, "\0"]
)
def test_an_invalid_url_in_the_search_box_is_explained(browser, text):
    response = browser.get("/find", {"url": text})
    assert response.status_code == 200
    assert 'role="alert"' in text_of(response)
    assert "Watch it" not in text_of(response)


def test_an_address_that_may_not_be_watched_is_not_offered(browser):
    text = text_of(browser.get("/find", {"url": "http://127.0.0.1/"}))
    assert 'role="alert"' in text
    assert "Watch it" not in text


def test_watching_it_registers_a_pinned_target_once(browser):
    for _ in range(2):
        response = browser.post("/find", {"url": "https://example.org/page"})
        target = Target.objects.get()
        assert response.url == f"/targets/{target.id}"
    assert (target.pinned, target.canonical_url) == (True, "https://example.org/page")


def test_a_bad_url_registers_nothing(browser):
    for url in ("ftp://example.org", "http://127.0.0.1/", ""):
        response = browser.post("/find", {"url": url})
        assert (response.status_code, Target.objects.count()) == (400, 0)


def test_watching_requires_the_right_and_a_csrf_token(operator, reader):
    assert reader.post("/find", {"url": "https://example.org"}).status_code == 403
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(operator)
    assert strict.post("/find", {"url": "https://example.org"}).status_code == 403
    assert not Target.objects.exists()


def test_stats_are_stored_counts_with_their_time(api, monkeypatch):
    monkeypatch.setattr(STATS, "pause", 60.0)
    TargetFactory()
    first = api.get("/v1/stats").json()
    TargetFactory()
    assert first["targets"]["pending"] == 1
    assert api.get("/v1/stats").json() == first
    assert database_now() - parse_datetime(first["counted_at"]) < timedelta(minutes=5)


def test_a_url_with_bidirectional_characters_is_offered_escaped(browser):
    text = browser.get("/find", {"url": "https://a.example/\u202ecod"}).content.decode()
    assert "https://a.example/%E2%80%AEcod</p>" in text
