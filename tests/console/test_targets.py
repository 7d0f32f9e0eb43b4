"""The page with the list of targets: search, groups, exports and changes of several targets."""

import csv
import html
import io
import json
from datetime import UTC, datetime, timedelta
from urllib.parse import quote

import pytest
from django.contrib.auth.models import User
from django.test import Client

from accounts import audit_log
from accounts.actors import Actor
from accounts.models import ReaderSettings
from accounts.rights import assign
from accounts.roles import Role
from console.periods import read_period
from console.targets.views import TARGETS_PER_PAGE
from foundation.database.clock import database_now
from foundation.http.concurrency_limit import RETRY_AFTER
from foundation.http.exports import MAX_EXPORTS, stream_csv
from hosts import reservations
from hosts.models import Purpose, Slot
from outbox.models import Event
from targets.models import Reference, Target
from targets.search.criteria import Criteria
from targets.search.target_search import TargetSearch
from tests.factories import DeadTargetFactory, ReferenceFactory, TargetFactory
from tests.hosts.steps import due

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
NOW = datetime(2026, 5, 1, tzinfo=UTC)
SCRIPT = '"><script>hostile()</script>\u202e'


class Browser(Client):
    """The browser of somebody with a role."""

    def __init__(self, name, role):
        super().__init__()
        self.user = User.objects.create_user(name)
        assign(self.user, role)
        self.force_login(self.user)


@pytest.fixture
def ada():
    return Browser("ada", Role.MEMBER)


@pytest.fixture
def olga():
    return Browser("olga", Role.OPERATOR)


def page(client, query=""):
    answer = client.get(f"/targets?{query}")
    assert answer.status_code == 200
    return html.unescape(answer.content.decode())


def shown(client, query=""):
    """Return the URLs in the list, in order."""
    answer = client.get(f"/targets?{query}")
    return [row.target.url for _, rows in answer.context["groups"] for row in rows]


def choose(client, operation, targets, **more):
    data = {"operation": operation, "target": [target.pk for target in targets], **more}
    return client.post("/targets/selected", data, follow=True)


def test_an_empty_list_shows_the_first_steps(ada):
    text = page(ada)
    assert "No targets yet." in text
    assert "Watch your first link" in text
    assert 'class="search finder"' not in text


def test_an_order_without_results_still_shows_the_form(ada):
    TargetFactory(url="http://a.example/")
    for order in ("failed", "reason", "document"):
        text = page(ada, f"order={order}")
        assert "No targets yet." not in text
        assert 'class="search finder"' in text


@pytest.mark.parametrize(
    ("rest", "badge"),
    [
        ("throttled_until", "inconclusive"),
        ("paused_until", "paused"),
    ],
)
def test_a_row_shows_until_when_its_host_may_not_be_requested(ada, rest, badge):
    now = database_now()
    for name in ("a", "b"):
        due(f"{name}.example", at=now, now=now)
        TargetFactory(url=f"http://{name}.example/", host=f"{name}.example")
    until = now + timedelta(minutes=54, seconds=30)
    Slot.objects.filter(key="a.example").update(not_before=until, **{rest: until})

    text = page(ada)

    word = rest.partition("_")[0]
    link = f'<a class="badge" data-is="{badge}" href="?host=a.example">Host {word} <time'
    assert text.count(link) == 1
    assert ">for another 54 minutes</time></a>" in text
    assert '?host=b.example">Host' not in text


def test_everybody_sees_all_targets_but_members_see_only_their_own_references(ada, olga):
    target = TargetFactory()
    ReferenceFactory(target=target, object_id="mine", owner=ada.user)
    ReferenceFactory(target=target, object_id="nobodys")
    assert "mine" in page(ada)
    assert "nobodys" not in page(ada)
    assert "nobodys" in page(olga)
    assert shown(ada, "q=nobodys") == []
    assert shown(olga, "q=nobodys") == shown(ada, "q=mine") == shown(ada, "whose=mine")


def test_chips_show_and_remove_the_filters(olga):
    TargetFactory(state="dead", last_reason="http_404")
    ReferenceFactory(target__state="dead", object_id="doc-1")
    answer = olga.get("/targets?state=dead&reference=doc&q=&order=host")
    assert answer.context["chips"] == [
        ("Dead", "reference=doc&order=host"),
        ("reference doc…", "state=dead&order=host"),
    ]
    assert len(shown(olga, "state=dead&reference=doc")) == 1
    assert shown(olga, "state=dead&reason=http_404&whose=mine") == []


@pytest.mark.parametrize("document", ["doc-1", "a&b ", "#é"])
def test_headings_and_tags_link_to_one_document_and_not_to_those_with_the_same_prefix(
    olga, document
):
    """Both on the page and, through the query of its link, in the file."""
    urls = {ReferenceFactory(object_id=document).target.url for _ in range(2)}
    for other in (document + "0", document.upper() + "!"):
        ReferenceFactory(object_id=other)
    query = f"document={quote(document, safe='')}"
    answer = olga.get("/targets?order=document")
    assert f'href="?order=document&amp;{query}"' in answer.content.decode()
    assert f'class="tag" href="?{query}"' in answer.content.decode()
    for order in ("newest", "document"):
        found = olga.get(f"/targets?order={order}&{query}")
        assert {row.target.url for _, rows in found.context["groups"] for row in rows} == urls
    chips = olga.get(f"/targets?{query}").context["chips"]
    assert chips == [(f"reference {document}".strip(), "")]
    file = olga.get(f"/targets/export?{found.context['query']}").getvalue().decode()
    assert {row["url"] for row in csv.DictReader(io.StringIO(file))} == urls


@pytest.mark.parametrize(
    ("order", "headings"),
    [
        ("host", ["a.example", "b.example"]),
        ("reason", ["http_404", "http_410"]),
        ("document", ["doc-1", "doc-2"]),
    ],
)
def test_targets_are_grouped_by_document_host_or_reason(olga, order, headings):
    for number in range(4):
        target = TargetFactory(
            url=f"http://{'ab'[number % 2]}.example/{number}",
            last_reason=("http_404", "http_410")[number % 2],
        )
        ReferenceFactory(target=target, object_id=f"doc-{1 + number % 2}")
    answer = olga.get(f"/targets?order={order}")
    assert [heading for heading, _ in answer.context["groups"]] == headings
    assert [len(rows) for _, rows in answer.context["groups"]] == [2, 2]


def test_the_bar_shows_the_outcomes_of_the_last_checks(olga):
    TargetFactory(recent="sssfi")
    for recent in ("s", "f", "i"):
        TargetFactory(recent=recent)
    text = page(olga)
    assert 'aria-label="Last 5 checks: 1 failed, 1 inconclusive"' in text
    for words in ("succeeded", "failed", "inconclusive"):
        assert f'aria-label="Last check: {words}"' in text


def test_pages_continue_where_they_ended(olga, monkeypatch):
    monkeypatch.setattr("console.targets.views.TARGETS_PER_PAGE", 2)
    targets = [TargetFactory().url for _ in range(5)]
    found, query = [], "order=oldest"
    while True:
        answer = olga.get(f"/targets?{query}")
        found += [row.target.url for _, rows in answer.context["groups"] for row in rows]
        if answer.context["next_page_token"] is None:
            break
        query = f"order=oldest&page_token={answer.context['next_page_token']}"
    assert sorted(found) == sorted(targets)
    assert olga.get("/targets?page_token=x").status_code == 404


def test_a_pasted_url_of_any_length_and_spelling_is_found(olga):
    path = "x" * 1000
    wanted = TargetFactory(url=f"http://a.example/{path}").url
    TargetFactory(url=f"http://a.example/{path}/more")
    query = f"q=HTTP://A.example:80/{path}%23part"
    assert shown(olga, query) == [wanted]
    file = olga.get(f"/targets/export?{query}").getvalue().decode()
    assert [row["url"] for row in csv.DictReader(io.StringIO(file))] == [wanted]
    assert shown(olga, f"q=http://a.example/{path}y") == []
    assert shown(olga, f"q=http://a.example/{'./' * 100}") == []


@pytest.mark.parametrize(
    "query",
    [
        *("q=" + "x" * 10_000, "q=" + "x" * 201, "q=http://:/" + "x" * 201),
        *("q=http://a.example/" + "é" * 1100, "q=a%00b", "whose=nobody-known"),
    ],
)
def test_an_invalid_search_is_an_error_next_to_its_field(olga, query):
    TargetFactory()
    answer = olga.get(f"/targets?{query}")
    assert answer.status_code == 200
    assert answer.context["form"].errors
    assert answer.context["groups"] == []
    assert olga.get(f"/targets/export?{query}").status_code == 404


def test_a_title_of_an_anonymous_visitor_is_shown_as_text(olga):
    TargetFactory(identity={"title": "t", "name": SCRIPT}, last_error=SCRIPT)
    answer = olga.get("/targets").content.decode()
    assert "<script>hostile" not in answer
    assert "&lt;script&gt;hostile()" in answer


def test_the_file_has_the_rows_of_the_list(ada):
    for number in range(3):
        target = TargetFactory(url=f"http://a.example/{number}", state="dead")
        ReferenceFactory(target=target, object_id="doc-1", owner=ada.user)
        ReferenceFactory(target=target, object_id="doc-2")
    TargetFactory()
    answer = ada.get("/targets/export?q=doc-1&state=dead")
    assert 'filename="targets.csv"' in answer["Content-Disposition"]
    rows = list(csv.DictReader(io.StringIO(answer.getvalue().decode())))
    assert [row["url"] for row in rows] == shown(ada, "q=doc-1&state=dead")
    assert {row["reference_ids"] for row in rows} == {"doc-1"}


@pytest.mark.parametrize(
    "path",
    [
        *("/targets/export", "/links/export", "/repairs/export", "/repairs/accepted/export"),
        *("/account/export", "/v1/targets"),
    ],
)
def test_few_files_are_written_at_once(olga, path):
    """A client that doesn't read its file keeps a thread busy."""
    unread = [stream_csv(iter(["a\r\n"])) for _ in range(MAX_EXPORTS)]
    try:
        refused = olga.get(path, headers={"accept": "text/csv"})
        page = olga.get(path, headers={"accept": "text/html, text/csv;q=0.9"})
    finally:
        for file in unread:
            file.getvalue()
    assert refused.status_code == 503
    assert refused["Retry-After"] == str(RETRY_AFTER)
    assert json.loads(refused.content)["code"] == "unavailable"
    if not path.startswith("/v1/"):
        assert (page.status_code, page["Retry-After"]) == (503, str(RETRY_AFTER))
        assert "Try again in a moment." in page.content.decode()
    assert olga.get(path, headers={"accept": "text/csv"}).getvalue()


def test_an_operator_pauses_and_deletes_several_targets_after_confirmation(olga):
    targets = [TargetFactory() for _ in range(2)]
    already = TargetFactory(paused=True)
    asked = choose(olga, "pause", [*targets, already], query="state=alive")
    assert "Pause 3 targets?" in asked.content.decode()
    assert not Target.objects.filter(pk__in=[one.pk for one in targets], paused=True).exists()
    done = choose(olga, "pause", [*targets, already], query="state=alive", confirmed="yes")
    assert done.redirect_chain == [("/targets?state=alive", 302)]
    said = [str(message) for message in done.context["messages"]]
    assert said == ["Paused: 2 targets.", "Not changed: 1 target (already paused)."]
    assert Target.objects.filter(paused=True).count() == 3
    assert audit_log.entries_by(olga.user).filter(action="pause").get().amount == 2
    choose(olga, "delete", targets, confirmed="yes")
    assert list(Target.objects.all()) == [already]


def matching(client, operation, query, **more):
    data = {"operation": operation, "everything": "yes", "query": query, **more}
    return client.post("/targets/selected", data, follow=True)


def said(answer):
    return [str(message) for message in answer.context["messages"]]


def test_all_matching_targets_are_paused_and_resumed_by_undo(olga, monkeypatch):
    """The targets are on several pages and hosts, and change in several transactions."""
    monkeypatch.setattr("targets.bulk.BATCH_SIZE", 7)
    for number in range(30):
        target = TargetFactory(url=f"http://host{number % 4}.example/{number}", state="dead")
        reservations.schedule({target.host: NOW}, purpose=Purpose.CHECK, now=NOW)
    already = TargetFactory(state="dead", paused=True)
    other = TargetFactory(state="alive")
    listed = olga.get("/targets?state=dead&all=match")
    assert listed.context["matching"] == 31
    assert "All 31 matching targets selected" in listed.content.decode()
    asked = matching(olga, "pause", "state=dead")
    assert "Pause 31 targets?" in asked.content.decode()
    assert Target.objects.filter(paused=True).count() == 1
    done = matching(olga, "pause", "state=dead", confirmed="yes", chosen=chosen(asked))
    assert said(done) == ["Paused: 30 targets.", "Not changed: 1 target (already paused)."]
    assert set(Target.objects.filter(paused=False)) == {other}
    assert audit_log.entries_by(olga.user).filter(action="pause").count() == 5
    entries = next(iter(done.context["messages"])).extra_tags
    undone = olga.post("/targets/selected/undo", {"entries": entries}, follow=True)
    assert said(undone) == ["Resumed: 30 targets."]
    assert list(Target.objects.filter(paused=True)) == [already]


@pytest.mark.parametrize(
    ("order", "link"), [("host", "all 5 matching"), ("failed", "all matching")]
)
def test_the_number_to_select_is_that_of_the_list(olga, monkeypatch, order, link):
    monkeypatch.setattr("console.targets.views.TARGETS_PER_PAGE", 1)
    TargetFactory.create_batch(3)
    TargetFactory.create_batch(2, state="dead")
    assert f"Select {link} targets" in page(olga, f"order={order}")


def test_users_can_undo_only_their_own_changes(olga):
    target = TargetFactory()
    choose(olga, "pause", [target], confirmed="yes")
    entries = " ".join(str(one.pk) for one in audit_log.entries_by(olga.user))
    otto = Browser("otto", Role.OPERATOR)
    for text in (entries, "x -1 99999999999999999999", ""):
        answer = otto.post("/targets/selected/undo", {"entries": text}, follow=True)
        assert said(answer) == ["This can no longer be undone."]
    assert Target.objects.filter(paused=True).exists()


def chosen(asked):
    """Return the selection that the confirmation page stores."""
    return dict(asked.context["kept"])["chosen"]


def test_a_changed_selection_is_confirmed_again(olga):
    """Even if the number is the same: targets that nobody was shown are not deleted."""
    first, *_ = TargetFactory.create_batch(3, state="dead")
    asked = matching(olga, "delete", "state=dead")
    Target.objects.filter(pk=first.pk).update(state="alive")
    TargetFactory(state="dead")
    again = matching(olga, "delete", "state=dead", confirmed="yes", chosen=chosen(asked))
    assert "Delete 3 targets?" in again.content.decode()
    assert Target.objects.count() == 4
    done = matching(olga, "delete", "state=dead", confirmed="yes", chosen=chosen(again))
    assert said(done) == ["Deleted: 3 targets."]
    assert list(Target.objects.all()) == [first]


def test_all_matching_targets_are_those_of_the_list_in_the_readers_zone(olga):
    """A time without a zone is in the reader's zone, for the list and for the change to all."""
    ReaderSettings.objects.create(user=olga.user, zone="America/Los_Angeles")
    TargetFactory(state="dead", state_changed_at=datetime(2026, 5, 1, 9, tzinfo=UTC))
    later = TargetFactory(state="dead", state_changed_at=datetime(2026, 5, 1, 20, tzinfo=UTC))
    query = "state=dead&since=2026-05-01T10:00"  # 17:00 UTC
    listed = olga.get(f"/targets?{query}&all=match")
    assert listed.context["matching"] == 1
    asked = matching(olga, "delete", query)
    assert asked.context["items"] == [later.url]


def test_a_search_for_all_matches_ends_in_time(olga, monkeypatch):
    monkeypatch.setattr("targets.search.target_search.STEP", 2)
    monkeypatch.setattr("targets.search.target_search.MAX_IDS_SECONDS", 0.0)
    TargetFactory.create_batch(5)
    asked = matching(olga, "pause", "")
    assert "Pause 2 targets?" in asked.content.decode()
    assert (
        "These are the first 2 matching targets; there may be more." in asked.context["sentences"]
    )


def test_the_first_matches_are_confirmed_even_if_the_next_search_finds_more(olga, monkeypatch):
    """How many targets a search finds before its time is up differs from search to search."""
    monkeypatch.setattr("targets.search.target_search.MAX_IDS_SECONDS", 0.0)
    TargetFactory.create_batch(5)
    monkeypatch.setattr("targets.search.target_search.STEP", 2)
    asked = matching(olga, "pause", "")
    kept = dict(asked.context["kept"])
    monkeypatch.setattr("targets.search.target_search.STEP", 3)
    done = olga.post("/targets/selected", kept, follow=True)
    assert said(done) == ["Paused: 2 targets."]


@pytest.mark.parametrize("query", ["q=" + "x" * 300, "whose=nobody-known", "state=odd"])
def test_a_wrong_query_matches_nothing(olga, query):
    TargetFactory()
    assert said(matching(olga, "delete", query, confirmed="yes")) == [
        "Select at least one target first."
    ]


@pytest.mark.parametrize("order", ["newest", "host", "document"])
def test_each_match_is_found_once_in_any_order(olga, order, monkeypatch):
    monkeypatch.setattr("targets.search.target_search.STEP", 3)
    monkeypatch.setattr("targets.search.target_search.FIRST_STEP", 2)
    for number in range(10):
        target = TargetFactory(url=f"http://a.example/{number}", state="dead")
        for document in ("a", "b"):
            ReferenceFactory(target=target, object_id=document)
    TargetFactory.create_batch(5)
    search = TargetSearch(Criteria(state="dead"), by=Actor(olga.user), order=order)
    found = search.ids(limit=100)
    assert len(found) == 10
    assert set(found) == set(Target.objects.filter(state="dead").values_list("pk", flat=True))
    assert len(search.ids(limit=4)) == 4


def test_a_search_for_all_matches_queries_other_indexes_once(olga, monkeypatch):
    """On SQLite such a query reads all texts, and left no time to reach the matches."""
    for name, value in {"FIRST_STEP": 2, "STEP": 4, "MAX_SORTED": 1}.items():
        monkeypatch.setattr(f"targets.search.target_search.{name}", value)
    monkeypatch.setattr("foundation.http.pagination.SEARCH_TIME", -1.0)  # a page ends at once
    TargetFactory.create_batch(9)
    queried = []
    sources = Criteria.sources
    monkeypatch.setattr(Criteria, "sources", lambda *args: queried.append(args) or sources(*args))

    search = TargetSearch(Criteria(text="example"), by=Actor(olga.user))

    assert len(search.ids(limit=100)) == 9
    assert len(queried) == 1


@pytest.mark.parametrize(
    ("operation", "states", "done", "refused"),
    [
        ("check", ["alive", "dead"], "Queued for a check: 1 target.", "dead; use Revive instead"),
        ("revive", ["dead", "alive"], "Revived and queued for a check: 1 target.", "not dead"),
        ("look", ["dead", "alive"], "Queued for a recheck: 1 target.", "not dead"),
        ("resume", ["alive"], "", "not paused"),
    ],
)
def test_targets_to_which_an_action_does_not_apply_do_not_change(
    olga, operation, states, done, refused
):
    targets = [TargetFactory(state=state) for state in states]
    answer = choose(olga, operation, targets, confirmed="yes")
    expected = [done] if done else []
    assert said(answer) == [*expected, f"Not changed: 1 target ({refused})."]
    if operation == "revive":
        assert Event.objects.filter(target=targets[0], to_state="pending").exists()
        assert Target.objects.get(pk=targets[0].pk).state == "pending"


def test_a_member_stops_watching_without_affecting_others(ada, olga):
    target = ReferenceFactory(owner=ada.user, object_id="mine").target
    shared = TargetFactory(pinned=False)
    for owner in (ada.user, olga.user):
        ReferenceFactory(target=shared, owner=owner, object_id="x")
    for operation in ("pause", "check", "delete", "revive", "odd"):
        assert choose(ada, operation, [target], confirmed="yes").status_code == 403
    names = [name for name, _ in ada.get("/targets").context["operations"]]
    assert names == ["watch", "leave"]
    left = choose(ada, "leave", [target, shared], confirmed="yes")
    assert said(left) == ["You're no longer watching 2 targets."]
    assert list(Target.objects.all()) == [shared]
    assert list(Reference.objects.values_list("owner", flat=True)) == [olga.user.pk]
    watched = choose(ada, "watch", [shared], confirmed="yes")
    assert said(watched) == ["You're now watching 1 target."]
    assert Reference.objects.filter(owner=ada.user, object_id="watch").count() == 1


def test_viewers_cannot_select_rows():
    TargetFactory()
    vera = Browser("vera", Role.VIEWER)
    assert 'type="checkbox"' not in page(vera)
    assert choose(vera, "watch", [], confirmed="yes").status_code == 403


def test_an_invalid_target_cannot_be_selected(olga):
    data = {"operation": "pause", "target": ["x", "t_" + "0" * 22], "confirmed": "yes"}
    answer = olga.post("/targets/selected", data, follow=True)
    assert [str(one) for one in answer.context["messages"]] == ["Select at least one target first."]
    assert olga.get("/targets/selected").url == "/targets"


def test_the_search_box_finds_parts_of_urls_and_offers_only_urls(olga):
    for number in range(35):
        TargetFactory(url=f"http://a.example/install/{number}")
    assert olga.get("/find", {"url": "install"}).url == "/targets?q=install"
    assert len(shown(olga, "q=install")) == TARGETS_PER_PAGE
    [one] = shown(olga, "q=install/34")
    target = Target.objects.get(url=one)
    assert olga.get("/find", {"url": "install/34"}).url == f"/targets/{target.pk}"
    for text in ("nothing", "a b", "100%"):
        assert olga.get("/find", {"url": text}).url.startswith("/targets?q=")
    for text in ("b.example", "http://a.example/inst"):
        offer = olga.get("/find", {"url": text}).content.decode()
        assert "Watch it" in offer
    assert 'href="/targets?q=http%3A%2F%2Fa.example%2Finst"' in offer


def test_the_list_takes_the_same_statements_for_any_number_of_rows(
    olga, django_assert_max_num_queries
):
    for number in range(20):
        ReferenceFactory(target__recent="sf", object_id=f"doc-{number}")
    olga.get("/targets")
    with django_assert_max_num_queries(9):
        olga.get("/targets")


def test_targets_are_filtered_by_a_recent_change_of_state(reader):
    now = database_now()
    DeadTargetFactory(url="https://old.example/", state_changed_at=now - timedelta(days=3))
    DeadTargetFactory(url="https://new.example/", state_changed_at=now - timedelta(hours=3))

    page = reader.get("/targets?since=day&order=failed").content.decode()

    assert "new.example" in page
    assert "old.example" not in page
    assert ">for 3 hours</time>" in page
    assert "state changed in the last 24 hours" in page
    wrong = reader.get("/targets?since=soon").content.decode()
    assert "Invalid time: soon" in wrong


def test_targets_that_changed_last_night_do_not_include_those_of_the_day(reader):
    night = read_period("night", now=database_now(), zone=UTC)
    morning = night.since + timedelta(hours=14)
    DeadTargetFactory(url="https://night.example/", state_changed_at=night.since)
    DeadTargetFactory(url="https://day.example/", state_changed_at=morning)

    for order in ("newest", "failed"):
        page = reader.get(f"/targets?since=night&order={order}").content.decode()

        assert "night.example" in page
        assert "day.example" not in page
    assert "state changed last night" in page
