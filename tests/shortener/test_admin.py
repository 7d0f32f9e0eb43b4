"""The admin of short links."""

from itertools import product

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts import rights
from accounts.roles import Role
from foundation.database.clock import database_now
from shortener import services
from shortener.models import CleanupRun, LinkState, RetiredKey, ShortURL
from targets.models import Target
from tests.conftest import NOW
from tests.shortener.links import HOUR, ShortURLFactory, make

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]
LIST = "shortener_shorturl_changelist"


def page(name, *args):
    return reverse(f"admin:{name}", args=args)


def form(**data):
    empty = dict.fromkeys(["max_visits", "tags", "expires_at_0", "expires_at_1"], "")
    return {**empty, "when_gone": "page", **data}


def shown(response):
    return {row.pk for row in response.context["cl"].result_list}


def act(browser, action, *keys, **more):
    data = {"action": action, "_selected_action": keys, "confirmed": "yes", **more}
    return browser.post(page(LIST), data, follow=True).content.decode()


def test_a_list_takes_the_same_number_of_statements(browser):
    make(tags=["a"], watch=True)
    browser.get(page(LIST))
    with CaptureQueriesContext(connection) as few:
        browser.get(page(LIST))
    for number in range(10):
        make(tags=["a", "b"], watch=True, long_url=f"https://host{number}.example")
    with CaptureQueriesContext(connection) as many:
        assert len(shown(browser.get(page(LIST)))) == 11
    assert len(many) == len(few)


def test_links_are_searched_and_filtered(browser):
    make(key="active", tags=["foo bar"], watch=True)
    ShortURLFactory(key="expired", expires_at=database_now())
    ShortURLFactory(key="used-up", max_visits=1, visits_left=0)
    ShortURLFactory(key="disabled", disabled=True)
    Target.objects.update(state="dead")

    def find(**query):
        return shown(browser.get(page(LIST), query))

    assert find(q="foo  BAR") == {"active"}
    assert find(q="disabled") == {"disabled"}
    assert find(q="nothing") == set()
    for state, key in (
        ("active",) * 2,
        ("expired",) * 2,
        ("used_up", "used-up"),
        ("disabled",) * 2,
    ):
        assert find(state=state) == {key}
    assert find(target__state__exact="dead") == {"active"}


def test_creating_a_link_follows_the_rules_of_the_api(browser):
    browser.post(
        page("shortener_shorturl_add"),
        form(long_url="https://a.example", key="abc", max_visits="3", watch="on", tags="B, a,,a"),
    )
    link = services.get("abc")
    assert (link.visits_left, link.tag_names, link.target is not None) == (3, ["a", "b"], True)
    assert browser.get(page("shortener_shorturl_change", "abc")).status_code == 200
    browser.post(page("shortener_shorturl_add"), form(long_url="https://b.example"))
    assert ShortURL.objects.exclude(pk="abc").get().long_url == "https://b.example"


@pytest.mark.parametrize(
    ("field", "data"),
    [
        ("long_url", {"long_url": ""}),
        ("long_url", {"long_url": "ftp://a.example"}),
        ("long_url", {"long_url": "http://localhost:8080/s/abc"}),
        ("key", {"key": "ab"}),
        ("key", {"key": "taken"}),
        ("key", {"key": "admin"}),
        ("tags", {"tags": "x" * 65}),
        ("max_visits", {"max_visits": "0"}),
        ("expires_at", {"expires_at_0": "2020-01-01", "expires_at_1": "00:00:00"}),
    ],
)
def test_the_form_refuses_values_that_the_api_refuses(browser, field, data):
    make(key="taken")
    given = form(**{"long_url": "https://a.example", **data})
    response = browser.post(page("shortener_shorturl_add"), given)
    assert list(response.context["adminform"].form.errors) == [field]
    assert ShortURL.objects.count() == 1


def test_a_change_updates_only_the_changed_fields(browser):
    link = make(key="abc", ttl="1h", max_visits=5, tags=["a"])
    ShortURL.objects.update(visits_left=3)
    end = link.expires_at
    response = browser.post(
        page("shortener_shorturl_change", "abc"),
        form(
            max_visits="5",
            tags="a",
            disabled="on",
            expires_at_0=f"{end:%Y-%m-%d}",
            expires_at_1=f"{end:%H:%M:%S}",
        ),
    )
    assert response.status_code == 302
    link.refresh_from_db()
    assert (link.disabled, link.visits_left) == (True, 3)
    assert abs(link.expires_at - end) < HOUR / 3600


def test_a_limit_below_the_used_visits_is_refused(browser):
    make(key="abc", max_visits=5)
    ShortURL.objects.update(visits_left=3)
    address = page("shortener_shorturl_change", "abc")
    refused = browser.post(address, form(max_visits="1")).context["adminform"].form.errors
    assert refused == {"max_visits": ["Must be at least 2, the number of visits so far."]}
    assert browser.post(address, form(max_visits="2")).status_code == 302
    assert ShortURL.objects.get().visits_left == 0


def test_links_are_disabled_enabled_and_revived(browser):
    make(key="abc")
    assert "Links disabled: 1." in act(browser, "disable", "abc")
    assert "Links not changed: 1 (already disabled)." in act(browser, "disable", "abc")
    assert "Links enabled: 1." in act(browser, "enable", "abc")
    assert "Links not changed: 1 (already active)." in act(browser, "revive", "abc")
    ShortURL.objects.update(expires_at=database_now(), disabled=True)
    assert "Links reactivated: 1." in act(browser, "revive", "abc")
    assert services.get("abc").state(database_now()) == "active"


def test_deleted_keys_stay_retired(browser):
    make(key="abc", watch=True)
    make(key="def")
    address = page("shortener_shorturl_delete", "def")
    assert b"its key can&#x27;t be used again" in browser.get(address).content
    browser.post(address, {"post": "yes"})
    act(browser, "delete_selected", "abc", post="yes")
    assert not ShortURL.objects.exists()
    assert not Target.objects.exists()
    assert set(RetiredKey.objects.values_list("key", flat=True)) == {"abc", "def"}
    assert b"abc" in browser.get(page("shortener_retiredkey_changelist"), {"q": "abc"}).content


def test_a_viewer_sees_what_was_chosen_for_a_dead_destination(operator):
    link = make(key="abc", watch=True, when_gone="archive")
    assert link.chosen_when_gone == "archive"
    viewer = User.objects.create_user("vera", is_staff=True)
    rights.assign(viewer, Role.VIEWER)
    client = Client(headers={"accept": "text/html"})
    client.force_login(viewer)
    shown = client.get(page("shortener_shorturl_change", "abc")).content.decode()
    assert link.chosen_when_gone.label in shown


def test_runs_of_the_reaper_are_shown(browser):
    now = database_now()
    run = CleanupRun.objects.create(started_at=now, beat_at=now, error="disk full")
    assert b"disk full" in browser.get(page("shortener_cleanuprun_changelist")).content
    assert b"Last heartbeat" in browser.get(page("shortener_cleanuprun_change", run.pk)).content


def test_each_link_is_listed_under_the_state_that_it_is_shown_in():
    ends = {"none": None, "past": NOW - HOUR, "now": NOW, "ahead": NOW + HOUR}
    for disabled, (name, end), left in product((False, True), ends.items(), (None, 0, 1)):
        ShortURL.objects.create(
            key=f"{name}-{left}-{disabled}",
            long_url="https://example.org/",
            created_at=NOW,
            expires_at=end,
            max_visits=left and 1,
            visits_left=left,
            disabled=disabled,
        )
    links = ShortURL.objects.all()
    for state in LinkState:
        listed = set(links.in_state(state, NOW).values_list("key", flat=True))
        assert listed == {link.key for link in links if link.state(NOW) is state}
