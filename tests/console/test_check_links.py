"""*Check links*: its input, its results, who may use it, and what strangers never learn."""

import gzip
import ipaddress
import re
import time
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from batches import ending
from batches.models import Batch, BatchItem, ItemState
from console.check_links import fetching
from console.check_links.grouping import as_csv, as_markdown, group_items
from foundation.database.clock import database_now
from foundation.net import egress
from foundation.valkey.clients import client as valkey
from hosts import reservations
from hosts.models import Host, Slot
from targets import services
from targets.models import Reference, UnregisteredTarget
from tests.factories import TargetFactory
from tests.targets.people import browser_of, make_people
from tests.zoo.server import answer, hanging, in_turn, serve_in_thread

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.fixture(autouse=True)
def _empty_valkey():
    valkey().flushdb()


@pytest.fixture
def people():
    return make_people()


@pytest.fixture
def member(people):
    return browser_of(people["member"])


@pytest.fixture
def stranger(settings):
    settings.ANONYMOUS_CHECKS = True
    return Client(headers={"accept": "text/html"})


def known(url, **columns):
    usual = {"state": "alive", "recent": "s", "last_checked_at": database_now()}
    return TargetFactory(url=url, pinned=False, **usual | columns)


def check(browser, text="", **fields):
    return browser.post("/check-links", {"text": text, **fields}, follow=True)


def titles(page):
    return re.findall(r'<h2 id="group-\d+">(.*?) <span', page.content.decode())


def test_links_of_a_text_are_grouped_by_advice(member):
    known("http://fine.example/")
    known("http://moved.example/", flags=["moved"], moved_to="http://new.example/")
    gone = {"state": "dead", "recent": "fff", "last_reason": "http_404", "last_status_code": 404}
    known("http://gone.example/", **gone)
    text = "[a](http://fine.example/) [b](http://moved.example/) http://gone.example/ [c](/here)"
    page = check(member, text)
    assert titles(page) == ["Page gone", "Moved", "Fine"]
    shown = page.content.decode()
    assert "3 links checked." in shown
    assert "Skipped 1 link that is relative or not a web address." in shown
    assert "now at <span" in shown
    assert "Look for the page&#x27;s new address." in shown
    assert not Reference.objects.exists()


@pytest.mark.parametrize("state", [ItemState.NOT_CHECKED, ItemState.INVALID])
def test_links_without_a_check_do_not_count_as_checked(member, state):
    for name in "ab":
        known(f"http://{name}.example/")
    check(member, "http://a.example/ http://b.example/")
    BatchItem.objects.filter(pk=BatchItem.objects.first().pk).update(state=state)
    page = member.get(f"/check-links/{Batch.objects.get().pk}")
    assert "1 of 2 links checked." in page.content.decode()


def test_a_paused_target_without_a_check_has_a_heading_of_its_own(member):
    TargetFactory(url="http://paused.example/", pinned=False, paused=True)
    page = check(member, "http://paused.example/")
    assert titles(page) == ["Paused"]
    assert "0 of 1 link checked." in page.content.decode()


def test_a_target_that_was_deleted_since_is_not_called_paused(member):
    target = known("http://gone.example/")
    page = check(member, "http://gone.example/")
    services.delete(target, force=True, now=database_now())
    page = member.get(page.redirect_chain[0][0])
    assert titles(page) == ["No result"]
    assert "0 of 1 link checked." in page.content.decode()


def test_unknown_links_are_checked_and_the_page_refreshes_itself(member):
    page = check(member, "http://new.example/a http://new.example/b http://new.example/a#x")
    shown = page.content.decode()
    assert titles(page) == ["Being checked"]
    assert "0 of 2 links checked so far." in shown
    assert 'http-equiv="refresh"' in shown
    assert "Watch these" not in shown
    assert BatchItem.objects.filter(state=ItemState.WAITING).count() == 2


def test_selected_links_are_watched_with_a_reference(member, people):
    for name in "abc":
        known(f"http://{name}.example/")
    check(member, "http://a.example/ http://b.example/ http://c.example/")
    batch = Batch.objects.get()
    path = f"/check-links/{batch.pk}/watch"
    nothing = member.post(path, {"reference_id": "README.md"})
    assert "Select the links to watch." in nothing.content.decode()
    page = member.post(path, {"reference_id": "README.md", "link": ["0", "2"]}, follow=True)
    assert "Already watched: 2." in page.content.decode()
    found = Reference.objects.order_by("target__url").values_list(
        "target__url", "object_id", "owner"
    )
    mine = ("README.md", people["member"].pk)
    assert list(found) == [("http://a.example/", *mine), ("http://c.example/", *mine)]
    member.post(path, {"reference_id": "README.md", "everything": "yes"})
    assert Reference.objects.count() == 3
    wrong = member.post(path, {"reference_id": "x" * 300, "link": "0"})
    assert "no more than 255 characters" in wrong.content.decode()


@pytest.mark.usefixtures("_open_loopback")
def test_a_link_that_may_no_longer_be_watched_is_reported(browser, settings):
    path = check(browser, "http://127.0.0.1/").redirect_chain[0][0]
    BatchItem.objects.update(state=ItemState.CHECKED)
    ending.end(Batch.objects.get().pk, now=database_now())
    settings.ALLOW_NETWORKS = []
    egress.network_guard.cache_clear()
    page = browser.post(f"{path}/watch", {"reference_id": "README.md", "everything": "yes"})
    assert "Linkwatch is not allowed to connect to" in page.content.decode()
    assert not Reference.objects.exists()


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({}, "Provide exactly one of these: a file, text or an address."),
        (
            {"text": "a", "url": "http://a.example/"},
            "Provide exactly one of these: a file, text or an address.",
        ),
        ({"text": "no links"}, "No http or https links were found."),
        ({"text": "http://a.example/ \0"}, "Null characters are not allowed."),
        ({"text": "http://a.example/ " * 130_000}, "This is larger than 2 MB."),
        ({"url": "http://127.0.0.1/"}, "Linkwatch is not allowed to connect to"),
        ({"url": "nonsense"}, "Only http and https URLs are accepted."),
    ],
)
def test_unreadable_input_is_reported(member, fields, sentence):
    shown = check(member, **fields).content.decode()
    assert sentence in shown
    assert not Batch.objects.exists()


def test_more_links_than_fit_are_refused(member):
    text = " ".join(f"http://a.example/{number}" for number in range(5001))
    assert "Too many links: 5,001; the limit is 5,000." in check(member, text).content.decode()


@pytest.mark.parametrize("visitor", ["member", "stranger"])
def test_limits_are_reported_and_refused_links_do_not_count(request, settings, visitor):
    settings.BATCH_HOST_QUEUE = 1
    settings.BATCH_LIMIT = settings.ANONYMOUS_CHECKS_LIMIT = (2, timedelta(hours=1))
    browser = request.getfixturevalue(visitor)
    shown = check(browser, "http://a.example/1 http://a.example/2").content.decode()
    assert "At most 1 URLs on a.example can wait for a check" in shown
    assert titles(check(browser, "http://b.example/ http://c.example/")) == ["Being checked"]
    shown = check(browser, "http://d.example/").content.decode()
    assert "The rate limit has been exceeded. Try again in " in shown
    assert Batch.objects.count() == 1


def test_only_the_user_who_asked_sees_the_results(member, people):
    check(member, "http://a.example/")
    path = f"/check-links/{Batch.objects.get().pk}"
    assert browser_of(people["other"]).get(path).status_code == 404
    assert browser_of(people["operator"]).get(path).status_code == 200
    assert Client(headers={"accept": "text/html"}).get(path).status_code == 302
    assert member.get("/check-links/nonsense").status_code == 404
    assert member.get("/check-links/b_01bUJnpJ0nNUcCprLE8sTJ").status_code == 404


@pytest.fixture
def _open_loopback(settings):
    settings.ALLOW_NETWORKS = [ipaddress.ip_network("127.0.0.0/8")]
    settings.HOST_DELAY = timedelta(0)
    egress.network_guard.cache_clear()
    yield
    egress.network_guard.cache_clear()


@pytest.mark.usefixtures("_open_loopback")
def test_members_reach_no_private_network(member):
    with serve_in_thread(answer(200)) as zoo:
        text = f"{zoo.url()} http://a.example/"
        assert titles(check(member, text)) == ["Being checked", "Can&#x27;t be checked"]
        refused = check(member, url=zoo.url()).content.decode()
        assert "Linkwatch is not allowed to connect to" in refused
    assert zoo.visits == []


PAGE = b"""<h1>Links</h1><a href="/docs">Docs</a> <a href="http://a.example/">A</a>
<a href="mailto:a@a.example">Mail</a> <script>"<a href='http://no.example/'>"</script>"""
HTML = "Content-Type: text/html; charset=utf-8"


@pytest.mark.usefixtures("_open_loopback")
@pytest.mark.parametrize("headers", [(HTML,), (HTML, "Content-Encoding: gzip")])
def test_the_links_of_a_page_are_checked_behind_redirects(browser, headers):
    body = gzip.compress(PAGE) if len(headers) == 2 else PAGE
    behaviour = in_turn(answer(302, "Location: /there"), answer(200, *headers, body=body))
    with serve_in_thread(behaviour) as zoo:
        check(browser, url=zoo.url("/here"))
    assert zoo.targets == ["/here", "/there"]
    found = BatchItem.objects.order_by("number").values_list("url", flat=True)
    assert list(found) == [zoo.url("/docs"), "http://a.example/"]
    assert not Slot.objects.exclude(token=None).exists()


@pytest.mark.usefixtures("_open_loopback")
@pytest.mark.parametrize(
    ("head", "path"),
    [
        ('<base href="/">', "/docs"),
        ('<base href="sub/">', "/a/sub/docs"),
        ('<base href="http://[">', "/a/docs"),
        ('<base target="_blank">', "/a/docs"),
        ('<!-- <base href="/no/"> --><basefont size="3">', "/a/docs"),
    ],
)
def test_relative_links_of_a_page_are_resolved_like_those_of_browsers(browser, head, path):
    page = f'<!doctype html><head>{head}</head><a href="docs">Docs</a>'.encode()
    with serve_in_thread(answer(200, HTML, body=page)) as zoo:
        check(browser, url=zoo.url("/a/page"))
    assert BatchItem.objects.get().url == zoo.url(path)


@pytest.mark.usefixtures("_open_loopback")
@pytest.mark.parametrize(("size", "is_whole"), [(len(PAGE) + 1, True), (len(PAGE), False)])
def test_people_are_told_that_a_page_was_not_read_to_its_end(browser, monkeypatch, size, is_whole):
    monkeypatch.setattr(fetching, "MAX_BYTES", size)
    with serve_in_thread(answer(200, HTML, body=PAGE)) as zoo:
        shown = check(browser, url=zoo.url()).content.decode()
    assert ("links may be missing" in shown) is not is_whole
    assert BatchItem.objects.exists()


@pytest.mark.usefixtures("_open_loopback")
@pytest.mark.parametrize(
    ("behaviour", "sentence"),
    [
        (answer(404), "The page could not be fetched: the server returned 404."),
        (answer(200, "Content-Type: image/png"), "The page is neither HTML nor text."),
        (answer(302, "Location: /"), "The page redirects too many times."),
        (answer(302, "Location: http://10.0.0.1/"), "Linkwatch is not allowed to connect to"),
        (answer(302, "Location: http://["), "The page redirects to an invalid URL."),
        (answer(302, "Location: file:///etc/passwd"), "Only http and https URLs are accepted."),
        (answer(200, HTML, body=b"<p>none</p>"), "No http or https links were found."),
        (answer(200, HTML, "Content-Encoding: br", body=b"x"), "No http or https links were"),
        (answer(200, HTML, body=b"\0\xff<a href='http://["), "No http or https links were"),
    ],
)
def test_a_page_that_cannot_be_read_is_reported(browser, behaviour, sentence):
    with serve_in_thread(behaviour) as zoo:
        shown = check(browser, url=zoo.url()).content.decode()
    assert sentence in shown
    assert len(zoo.visits) <= 5
    assert not Slot.objects.exclude(token=None).exists()


@pytest.mark.usefixtures("_open_loopback")
def test_a_page_is_fetched_as_politely_as_in_checks(browser, settings):
    settings.HOST_DELAY = timedelta(minutes=1)
    with serve_in_thread(answer(200, HTML, body=PAGE)) as zoo:
        check(browser, url=zoo.url())
        shown = check(browser, url=zoo.url()).content.decode()
    assert "Linkwatch can&#x27;t request pages from 127.0.0.1 right now." in shown
    assert len(zoo.visits) == 1


@pytest.mark.usefixtures("_open_loopback")
def test_a_redirect_within_a_host_is_followed_under_the_same_lease(browser, settings):
    settings.HOST_DELAY = timedelta(minutes=1)
    behaviour = in_turn(answer(302, "Location: /there"), answer(200, HTML, body=PAGE))
    with serve_in_thread(behaviour) as zoo:
        check(browser, url=zoo.url("/here"))
    assert zoo.targets == ["/here", "/there"]
    assert BatchItem.objects.exists()
    assert Host.objects.get(name="127.0.0.1").slot.not_before > database_now()


@pytest.mark.usefixtures("_open_loopback")
@pytest.mark.parametrize(("delay", "is_followed"), [(0.3, True), (6, False)])
def test_a_delay_of_the_host_itself_separates_redirects(browser, delay, is_followed):
    reservations.lock_slots(["127.0.0.1"])
    Slot.objects.update(delay=timedelta(seconds=delay))
    started = time.monotonic()
    behaviour = in_turn(answer(302, "Location: /there"), answer(200, HTML, body=PAGE))
    with serve_in_thread(behaviour) as zoo:
        shown = check(browser, url=zoo.url("/here")).content.decode()
    assert zoo.targets == (["/here", "/there"] if is_followed else ["/here"])
    assert ("request pages from 127.0.0.1 right now" in shown) is not is_followed
    assert time.monotonic() - started >= min(delay, 0.3) or not is_followed


@pytest.mark.usefixtures("_open_loopback")
def test_a_page_and_its_redirects_are_fetched_within_one_limit(browser, monkeypatch):
    monkeypatch.setattr(fetching, "_TIMEOUT", 0.5)
    behaviour = in_turn(answer(302, "Location: /there"), hanging())
    with serve_in_thread(behaviour) as zoo:
        shown = check(browser, url=zoo.url("/here")).content.decode()
    assert zoo.targets == ["/here", "/there"]
    assert "Check its address, or paste its text." in shown
    assert not Slot.objects.exclude(token=None).exists()


def test_anonymous_visitors_are_asked_to_sign_in_unless_a_setting_permits_them(settings):
    browser = Client(headers={"accept": "text/html"})
    assert browser.get("/check-links")["Location"].startswith("/sign-in")
    settings.ANONYMOUS_CHECKS = True
    page = browser.get("/check-links").content.decode()
    assert "check up to 50 links" in page
    assert "address of a page" not in page


def test_anonymous_visitors_learn_nothing_from_the_registry(stranger):
    gone = {"state": "dead", "recent": "fff", "last_reason": "http_404", "last_status_code": 404}
    earlier = {
        "last_checked_at": datetime(2026, 5, 3, tzinfo=UTC),
        "last_error": "It was gone in May.",
        "moved_to": "http://secret.example/",
    }
    known("http://gone.example/", **gone, **earlier)
    known("http://paused.example/", **gone, **earlier, paused=True)
    page = check(stranger, "http://gone.example/ http://paused.example/ http://new.example/")
    path = page.redirect_chain[0][0]
    assert "?key=" in path
    batch = Batch.objects.get()
    ending.end(batch.pk, now=batch.gives_up_at)
    given_up = stranger.get(path)
    assert titles(page) == ["Being checked", "Not checked"]
    assert titles(given_up) == ["Not checked"]
    for shown in (page.content.decode(), given_up.content.decode()):
        for word in ("404", "Page gone", "May", "2026-05-03", "secret", "dead", "Watch these"):
            assert word not in shown
    assert stranger.get(path.partition("?")[0]).status_code == 302
    assert stranger.get(path + "x").status_code == 302
    assert Batch.objects.get().owner is None


@pytest.mark.parametrize(("recent", "is_shown"), [("s", True), ("sf", False)])
def test_anonymous_visitors_see_a_new_address_that_their_own_check_found(
    stranger, recent, is_shown
):
    known("http://moved.example/", recent=recent, moved_to="http://new.example/")
    page = check(stranger, "http://moved.example/")
    BatchItem.objects.update(state=ItemState.CHECKED)
    shown = stranger.get(page.redirect_chain[0][0]).content.decode()
    assert ("http://new.example/" in shown) is is_shown


def test_anonymous_visitors_see_no_time_which_would_change_while_a_page_is_watched(stranger):
    known("http://a.example/", last_checked_at=datetime(2026, 5, 3, tzinfo=UTC))
    page = check(stranger, "http://a.example/")
    BatchItem.objects.update(state=ItemState.CHECKED)
    batch = Batch.objects.get()
    ending.end(batch.pk, now=batch.gives_up_at)
    shown = stranger.get(page.redirect_chain[0][0]).content.decode()
    assert "http://a.example/,Fine," in shown
    assert "2026-05-03" not in shown


def test_anonymous_visitors_read_only_of_what_they_can_do(stranger):
    assert "Linkwatch doesn't watch them." in stranger.get("/check-links").content.decode()
    shown = check(stranger, "").content.decode()
    assert "Provide exactly one of these: a file or text." in shown


def test_anonymous_visitors_can_check_few_links(stranger, settings):
    settings.ANONYMOUS_CHECKS_LIMIT = (3, timedelta(hours=1))
    assert titles(check(stranger, "http://a.example/ http://b.example/")) == ["Being checked"]
    shown = check(stranger, "http://c.example/ http://d.example/").content.decode()
    assert "The rate limit has been exceeded. Try again in " in shown
    many = " ".join(f"http://a.example/{number}" for number in range(51))
    assert "the limit is 50" in check(stranger, many).content.decode()
    assert check(stranger, "http://e.example/", url="http://a.example/").status_code == 200
    assert UnregisteredTarget.objects.filter(is_public=False).count() == 0


def item(**changes):
    usual = {
        "url": "http://a.example/",
        "canonical_url": "http://a.example/",
        "status": "checked",
        "outcome": "success",
        "state": "alive",
        "summary": "Page found",
        "suggestion": None,
        "reason": None,
        "moved_to": None,
        "last_checked_at": None,
    }
    return {**usual, **changes}


def test_a_first_failure_is_never_called_dead():
    [group] = group_items([item(outcome="failure", state="potentially_dead", summary=None)])
    assert (group.title, group.tone) == ("Failing", "failure")


def test_hostile_urls_break_neither_markdown_nor_csv():
    url = "http://a.example/a b>\n# Title [x](y)"
    hostile = {"url": url, "canonical_url": "1", "moved_to": "=cmd|'/c calc'!A1"}
    groups = group_items([item(**hostile, outcome="failure", state="dead", summary="Gone")])
    assert as_markdown(groups).splitlines() == [
        "## Gone (1)",
        "",
        "- <http://a.example/a%20b%3E#%20Title%20[x](y)>, now at <=cmd|'/c%20calc'!A1>",
    ]
    assert ",'=cmd|'/c calc'!A1," in as_csv(groups)
