"""`/hosts`: finds hosts, explains why a host is not checked, and pauses a host."""

import re
from datetime import timedelta

import pytest
from django.template.loader import render_to_string

from accounts.models import Trace
from accounts.roles import Role
from checker.models import HostTally, Outage, hour_of
from console.hosts import host_search, views
from console.hosts.host_search import LARGEST, WORST, HostSearch, Sort
from foundation.database.clock import database_now
from foundation.valkey.clients import client as redis_client
from hosts import reservations, services
from hosts.models import Host, Purpose
from targets.state import State
from tests.console.test_views import text_of
from tests.factories import DeadTargetFactory, TargetFactory

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def _empty_count_cache():
    """Clear the cached counts of other tests."""
    forget()
    yield
    forget()


def forget():
    for copy in WORST.values():
        copy.forget()


@pytest.fixture
def now():
    return database_now()


@pytest.fixture
def olga(person):
    """The browser of an operator."""
    return person("olga", Role.OPERATOR)


def watched(*names, now, per_host=1):
    """Register targets on these hosts, due in an hour."""
    for name in names:
        for number in range(per_host):
            TargetFactory(url=f"http://{name}/{number}", next_check_at=now + HOUR)
    due = dict.fromkeys(names, now + HOUR)
    reservations.schedule(due, purpose=Purpose.CHECK, now=now)


def add_problems(name, *, now, hours=0, **problems):
    HostTally.objects.create(hour=hour_of(now - hours * HOUR), host=name, **problems)


def names(now, **wanted):
    return [row.name for row in HostSearch(**wanted).find(skip=0, limit=10, now=now)]


def test_the_list_begins_with_the_host_that_failed_most_in_the_last_day(now):
    watched("a.example", "b.example", "c.example", now=now)
    add_problems("a.example", now=now, failures=3)
    add_problems("b.example", now=now, failures=2)
    add_problems("b.example", now=now, hours=5, failures=2, inconclusive=7)
    add_problems("c.example", now=now, hours=30, failures=99)
    add_problems("c.example", now=now, slow=2, slow_ms=5000)

    assert names(now) == ["b.example", "a.example"]
    assert names(now, sort=Sort.SLOW) == ["c.example"]
    [first, _] = HostSearch().find(skip=0, limit=10, now=now)
    sums = {"failures": 4, "inconclusive": 7, "slow": 0, "mean_ms": None}
    assert first.problems == {"host": "b.example", **sums}
    assert names(now, text="a.ex") == ["a.example"]


def test_all_pages_say_last_day_and_the_list_shows_when_it_began(ada, now):
    add_problems("a.example", now=now, hours=24, failures=1, slow=1, slow_ms=5000)
    add_problems("b.example", now=now, hours=25, failures=9)
    for sort in ("failures", "slow"):
        page = text_of(ada.get(f"/hosts?sort={sort}"))
        assert "for the last day (since <time" in page
        assert f">{hour_of(now - 24 * HOUR):%Y-%m-%d %H:%M} UTC</time>" in page
        assert "a.example" in page
        assert "b.example" not in page
    listed = [{"host": "a.example", "failures": 1, "slow": 1, "mean_ms": 5000}]
    summary = {"failing": listed, "slow": listed, "hosts_since": now}
    for part in ("failing", "slow"):
        html = render_to_string(f"console/dashboard/{part}.html", {"summary": summary})
        assert "in the last day</a>" in html
        assert "today" not in html


def test_the_largest_hosts_are_counted_in_the_background(now, monkeypatch):
    redis_client().flushdb()
    LARGEST.forget()
    watched("few.example", now=now)
    watched("many.example", now=now, per_host=3)
    assert names(now, sort=Sort.TARGETS) == []
    LARGEST.renew()
    assert names(now, sort=Sort.TARGETS) == ["many.example", "few.example"]
    assert names(now, sort=Sort.TARGETS, text="few") == ["few.example"]

    monkeypatch.setattr(host_search, "MAX_TARGETS", 2)
    rows = HostSearch(sort=Sort.TARGETS).find(skip=0, limit=1, now=now)
    assert [row.targets for row in rows] == [3]


def test_the_tallies_of_a_day_are_summed_once_for_all_users(
    now, monkeypatch, django_assert_num_queries
):
    watched("a.example", "b.example", "c.example", now=now)
    for failures, name in enumerate(("a.example", "b.example", "c.example"), 1):
        add_problems(name, now=now, failures=failures, slow=4 - failures, slow_ms=5000)
    monkeypatch.setattr(host_search, "_MAX_RANKED", 2)
    assert names(now) == ["c.example", "b.example"]
    assert names(now, sort=Sort.SLOW) == ["a.example", "b.example"]
    with django_assert_num_queries(2):  # the hosts that are shown, and their totals
        assert names(now) == ["c.example", "b.example"]

    add_problems("late.example", now=now, failures=99)
    assert names(now) == ["c.example", "b.example"]
    assert names(now, text="a.ex") == ["a.example"]  # a filtered list is not cached
    forget()
    assert names(now) == ["late.example", "c.example"]


def test_users_see_that_the_first_count_is_in_progress(ada, now, monkeypatch):
    add_problems("a.example", now=now, failures=1)
    watched("a.example", now=now)
    monkeypatch.setattr(WORST[Sort.FAILURES], "renew", lambda: None)
    assert "Counting checks for all hosts…" in text_of(ada.get("/hosts"))
    assert "being counted" not in text_of(ada.get("/hosts?q=a.example&sort=failures"))
    monkeypatch.undo()
    assert "being counted" not in text_of(ada.get("/hosts"))


def test_hosts_are_found_by_part_of_the_name_by_a_url_and_by_alias(now):
    watched("shop.example", "example.org", "xn--bcher-kva.example", now=now)
    services.set_hosts("group", ["shop.example", "blog.example"], now=now)
    for text, found in {
        "EXAMPLE.o": ["example.org"],
        "https://bücher.example/page": ["xn--bcher-kva.example"],
        "bücher.example": ["xn--bcher-kva.example"],
        "group": ["blog.example", "shop.example"],
        "%": [],
        "_": [],
        "\u202e": [],
    }.items():
        assert names(now, text=text, sort=Sort.NAME) == found, text


def test_chips_narrow_the_list_to_a_state(ada, now):
    watched("paused.example", "slow-down.example", "free.example", now=now)
    services.change("paused.example", {"sleep_until": now + HOUR}, now=now)
    reservations.back_off("slow-down.example", until=now + HOUR)
    services.reserve_host("free.example", busy_timeout=HOUR, now=now)

    assert names(now, state="asleep", sort=Sort.NAME) == ["paused.example", "slow-down.example"]
    assert names(now, state="busy", sort=Sort.NAME) == ["free.example"]
    assert names(now, state="queued", sort=Sort.NAME) == ["paused.example", "slow-down.example"]
    page = text_of(ada.get("/hosts"))
    assert 'href="?state=asleep"' in page
    assert "slow-down.example" in text_of(ada.get("/hosts?state=asleep"))
    add_problems("paused.example", now=now, failures=1)
    assert names(now, state="busy") == []
    assert names(now, state="asleep") == ["paused.example"]


def test_the_list_needs_the_same_number_of_statements_for_any_number_of_hosts(
    ada, now, django_assert_max_num_queries
):
    many = [f"h{number}.example" for number in range(30)]
    watched(*many, now=now)
    for name in many:
        add_problems(name, now=now, failures=1)
    with django_assert_max_num_queries(14):
        page = text_of(ada.get("/hosts"))
    assert page.count("1 failed") == views.HOSTS_PER_PAGE
    assert "page=2" in page
    assert "h30" not in page
    assert text_of(ada.get("/hosts?page=2")).count("1 failed") == 5
    assert "No more hosts" in text_of(ada.get("/hosts?page=3"))


def test_an_empty_list_shows_the_first_steps(ada, now):
    assert "No hosts yet" in text_of(ada.get("/hosts"))
    watched("a.example", now=now)
    assert "No checks have failed in the last day" in text_of(ada.get("/hosts"))
    assert "No matching hosts" in text_of(ada.get("/hosts?q=nothing"))
    assert "a.example" in text_of(ada.get("/hosts?sort=name"))


def test_a_hosts_page_shows_its_targets_problems_and_next_checks(ada, now):
    watched("a.example", now=now, per_host=2)
    DeadTargetFactory(url="http://a.example/dead")
    TargetFactory(url="http://a.example/paused", paused=True, state=State.ALIVE)
    add_problems("a.example", now=now, failures=3, slow=1, slow_ms=2500)
    add_problems("a.example", now=now, hours=30, failures=1)
    page = text_of(ada.get("/hosts/a.example"))
    assert re.search(
        r"This host is not due for a check until [^<]* \(<time [^<]*>in \d+ minutes<", page
    )
    assert f"{now + HOUR:%Y-%m-%d %H:%M} UTC" in page
    assert page.index("http://a.example/0") < page.index("http://a.example/1")
    assert "http://a.example/dead" not in page
    assert 'href="/targets?host=a.example&amp;state=dead"' in page
    assert "2.5 s on average" in page
    assert page.count("<tr><td>") == 2
    assert ada.get("/hosts/A.Example").headers["Location"] == "/hosts/a.example"
    watched("[::1]", now=now)
    assert "[::1]" in text_of(ada.get("/hosts?q=::1"))
    assert "http://[::1]/0" in text_of(ada.get("/hosts/%5B::1%5D"))
    for absent in ("nobody.example", "a b", "x" * 300):
        assert ada.get(f"/hosts/{absent}").status_code == 404


def test_a_host_without_scheduled_checks_has_a_page(ada):
    DeadTargetFactory(url="http://gone.example/")
    page = text_of(ada.get("/hosts/gone.example"))
    assert "No checks are scheduled" in page
    assert not Host.objects.exists()


def test_an_operator_pauses_and_resumes_a_host(olga, ada, now):
    watched("a.example", now=now)
    services.set_hosts("group", ["a.example", "b.example"], now=now)
    answer = olga.post("/hosts/a.example/pause", {"lasts": "day"}, follow=True)
    page = text_of(answer)
    assert "Host paused. No requests will be sent to a.example until" in page
    assert "Alias: <a" in page
    assert "b.example" in page
    slot = Host.objects.get(name="b.example").slot
    assert timedelta(hours=23) < slot.not_before - now < timedelta(hours=25)
    assert slot.is_paused(database_now())
    page = text_of(ada.get("/hosts/a.example"))
    assert "Paused.</strong>" in page
    assert "/pause" not in page
    assert "Paused" in text_of(ada.get("/hosts?state=asleep"))

    page = text_of(olga.post("/hosts/a.example/resume", follow=True))
    assert "resumed" in page
    assert '<strong dir="auto">olga</strong> changed' in page
    assert not Host.objects.get(name="b.example").slot.is_left_alone(database_now())
    assert 'href="/hosts/a.example"' in text_of(olga.get("/account"))
    kinds = Trace.objects.values_list("kind", "subject", "fields")
    assert list(kinds) == [("host", "a.example", ["sleep_until"])] * 2


@pytest.mark.parametrize(
    ("given", "reported"),
    [
        ({"lasts": "time"}, "Select a time."),
        ({"lasts": "time", "until": "2001-01-01T00:00"}, "This time is in the past."),
        ({"lasts": "time", "until": "9999-12-31T23:59"}, "more than ten years in the future."),
        ({"lasts": "time", "until": "soon"}, "Enter a valid date/time."),
        ({"lasts": "ever"}, "Select a valid choice"),
    ],
)
def test_a_time_that_is_past_or_too_late_is_an_error_next_to_its_field(olga, now, given, reported):
    watched("a.example", now=now)
    assert reported in text_of(olga.post("/hosts/a.example/pause", given))
    assert not Host.objects.get().slot.is_left_alone(now)


def test_a_pause_until_a_time_is_in_utc(olga, now):
    watched("a.example", now=now)
    until = (now + timedelta(days=3)).replace(second=0, microsecond=0)
    olga.post("/hosts/a.example/pause", {"lasts": "time", "until": f"{until:%Y-%m-%dT%H:%M}"})
    assert Host.objects.get().slot.paused_until == until


def test_a_host_that_leaves_an_alias_keeps_the_reason_for_its_backoff(now):
    services.set_hosts("group", ["a.example", "b.example"], now=now)
    services.change("a.example", {"sleep_until": now + HOUR}, now=now)
    services.set_hosts("group", ["b.example"], now=now)
    assert Host.objects.get(name="a.example").slot.is_paused(now)
    services.set_hosts("other", ["a.example"], now=now)
    assert Host.objects.get(name="a.example").slot.is_paused(now)


def test_a_member_may_view_and_not_pause_hosts(ada, now):
    watched("a.example", now=now)
    assert ada.post("/hosts/a.example/pause", {"lasts": "hour"}).status_code == 403
    assert "Paused" not in text_of(ada.get("/hosts/a.example"))


def test_each_page_shows_that_our_own_network_is_down(ada, now):
    from checker import uplink
    from tests.checker.test_uplink import outage

    watched("a.example", now=now)
    uplink.note([outage()], now=now)
    for path in ("/hosts", "/hosts/a.example", "/outages", "/trends"):
        assert "Linkwatch is offline" in text_of(ada.get(path)), path
    assert Outage.objects.get().ended_at is None


def test_the_page_of_a_slow_host_says_how_slow_it_is(olga, now):
    reservations.schedule({"slow.example": now}, purpose=Purpose.CHECK, now=now)
    assert "Slower than usual" not in text_of(olga.get("/hosts/slow.example"))

    Host.objects.update(usual_ms=80, slow_ms=2400)
    text = text_of(olga.get("/hosts/slow.example"))
    assert "2400 ms" in text
    assert (
        "usually 80 ms; the delay between checks is up to twice as long until it recovers" in text
    )
