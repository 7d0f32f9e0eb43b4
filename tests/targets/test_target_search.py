"""Searches targets by parts and properties, in pages, and compares with a scan of all rows."""

import random
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction

from accounts.actors import DEPLOYMENT, Actor
from accounts.rights import assign
from accounts.roles import Role
from checker.engine.page import FetchedPage
from checker.engine.page_identity import identify
from foundation.http import pagination
from foundation.http.errors import ApiError
from foundation.ids import raw_id
from targets.checks import CheckFindings, record_checks
from targets.models import Target
from targets.search import target_search
from targets.search.criteria import Criteria
from targets.search.target_search import ORDERS, TargetSearch
from targets.state import Outcome, State
from tests.conftest import NOW
from tests.factories import ReferenceFactory, TargetFactory

pytestmark = pytest.mark.django_db
WORDS = ("install", "100%", "a_b", "Über", "中文页面", "مرحبا بالعالم", "<script>")


def member(name="ada"):
    user = User.objects.create_user(name)
    assign(user, Role.MEMBER)
    return Actor(user)


def urls(wanted, *, by=DEPLOYMENT, limit=100, **options):
    """Return the URLs on all pages of a search, in order."""
    found, token = [], None
    while True:
        search = TargetSearch(wanted, by=by, **options)
        page = search.find(limit=limit, token=token)
        assert len(page) <= limit
        found += [one.target.url for one in page]
        token = search.next_page_token
        if token is None:
            return found


@pytest.fixture
def registry():
    """30 targets that differ in all search criteria, with references of two members."""
    chance = random.Random(1)
    owners = [None, member("grace").user]
    for number in range(30):
        target = TargetFactory(
            url=f"http://host{number % 7}.example/{chance.choice(WORDS[:4])}/{number}",
            created_at=NOW - timedelta(hours=number // 2),
            state=chance.choice(list(State)),
            state_changed_at=NOW - timedelta(minutes=chance.randrange(30)),
            last_reason=chance.choice(["", "http_404", "http_410"]),
            paused=number % 5 == 0,
            inconclusive_since=NOW if number % 6 == 0 else None,
            identity={"title": "t", "name": f"A page of {chance.choice(WORDS)}"},
            flags=["parked"] if number % 3 == 0 else [],
        )
        for place in range(number % 3):
            ReferenceFactory(
                target=target, object_id=f"doc-{place}-{number % 4}", owner=chance.choice(owners)
            )


def is_wanted(target, wanted, references):
    low = wanted.text.lower()
    texts = [target.words.text, *(row.object_id for row in references)]
    return (
        any(low in text.lower() for text in texts)
        and wanted.state in ("", target.state)
        and wanted.is_unsure in (None, target.inconclusive_since is not None)
        and wanted.is_never_seen
        in (None, target.state == "pending" and target.inconclusive_since is not None)
        and (target.paused or not wanted.is_paused)
        and (not wanted.flag or wanted.flag in [row.flag for row in target.flag_rows.all()])
        and wanted.reason in ("", target.last_reason)
        and wanted.host in ("", target.host)
        and (
            not (wanted.reference or wanted.reference_start or wanted.owner_id)
            or any(
                wanted.reference in ("", row.object_id)
                and row.object_id.startswith(wanted.reference_start)
                and wanted.owner_id in (None, row.owner_id)
                for row in references
            )
        )
    )


def expected(wanted, order, by, targets):
    """Return the expected results, found by reading all rows."""
    found = []
    for target in targets:
        known = [row for row in target.references.all() if by.reaches(row.owner_id)]
        if order.model is Target:
            if is_wanted(target, wanted, known) and (
                (order.heading != "last_reason" or target.last_reason)
                and ("state_changed_at" not in order.columns or "dead" in target.state)
            ):
                found.append((*(getattr(target, name) for name in order.columns), target.url))
        else:
            found += [
                (row.object_id, row.id, target.url)
                for row in known
                if is_wanted(target, wanted, [row])
            ]
    return [url for *_, url in sorted(found, reverse=order.newest_first)]


CRITERIA = [
    Criteria(),
    Criteria(text="INSTALL"),
    Criteria(text="100%"),
    Criteria(text="a_b"),
    Criteria(text="doc-1"),
    Criteria(text="中文页面"),
    Criteria(text="بالعالم"),
    Criteria(text="nothing-like-it"),
    Criteria(state="dead"),
    Criteria(state="dead", is_paused=True, text="page"),
    Criteria(is_unsure=True),
    Criteria(is_unsure=False, state="alive"),
    Criteria(is_never_seen=True),
    Criteria(is_never_seen=True, text="page", is_unsure=True),
    Criteria(is_never_seen=False, state="pending"),
    Criteria(flag="parked", state="pending"),
    Criteria(reason="http_404"),
    Criteria(reason="http_410", host="host3.example"),
    Criteria(host="host3.example"),
    Criteria(reference="doc-1-1"),
    Criteria(reference_start="doc-0-"),
    Criteria(reference_start="DOC-0-"),
    Criteria(reference_start="doc-", reference="doc-0-2"),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("order", "few"),
    [*zip(ORDERS, (0, 5000, 5, 0, 5, 5000), strict=True), ("newest", 5), ("document", 5)],
)
def test_each_strategy_finds_what_a_scan_of_all_rows_finds(registry, monkeypatch, order, few):
    """With each strategy for reading rows, and on pages of any size."""
    monkeypatch.setattr(target_search, "MAX_SORTED", few)
    monkeypatch.setattr(target_search, "FIRST_STEP", 7)
    monkeypatch.setattr(target_search, "STEP", 11)
    grace = User.objects.get(username="grace")
    cases = [*CRITERIA, Criteria(owner_id=grace.pk), Criteria(owner_id=grace.pk, text="doc")]
    targets = Target.objects.select_related("words").prefetch_related("references", "flag_rows")
    for by in (DEPLOYMENT, Actor(grace)):
        for wanted in cases:
            right = expected(wanted, ORDERS[order], by, targets)
            assert urls(wanted, by=by, order=order, limit=5) == right, (wanted, by)


def test_a_page_ends_when_its_time_is_up_and_the_next_one_continues(registry, monkeypatch):
    monkeypatch.setattr(target_search, "MAX_SORTED", -1)
    monkeypatch.setattr(target_search, "FIRST_STEP", 5)
    monkeypatch.setattr(target_search, "STEP", 5)
    monkeypatch.setattr(pagination, "FIRST_HIT_TIME", -1)
    wanted = Criteria(text="nothing-like-it")
    search = TargetSearch(wanted, by=DEPLOYMENT)
    assert search.find(limit=3) == []
    assert search.next_page_token is not None
    assert urls(wanted) == []


def test_a_page_continues_until_its_first_hit(registry, monkeypatch):
    """However many rows come before the first hit; then the page's usual time limit applies."""
    monkeypatch.setattr(target_search, "MAX_SORTED", -1)
    monkeypatch.setattr(target_search, "FIRST_STEP", 1)
    monkeypatch.setattr(target_search, "STEP", 1)
    monkeypatch.setattr(pagination, "SEARCH_TIME", -1)
    monkeypatch.setattr(pagination, "FIRST_HIT_TIME", 60)
    search = TargetSearch(Criteria(text="/28"), by=DEPLOYMENT, order="newest")
    (found,) = search.find(limit=3)
    assert found.target.url.endswith("/28")
    assert search.next_page_token is not None


def test_a_repeated_search_starts_from_the_beginning(registry):
    """As after a failure of the replica."""
    search = TargetSearch(Criteria(), by=DEPLOYMENT)
    search.find(limit=1)
    assert search.next_page_token is not None
    search.find(limit=1000)
    assert search.next_page_token is None


def test_fewer_than_three_characters_begin_a_host(registry):
    assert len(urls(Criteria(text="ho"))) == 30
    assert urls(Criteria(text="os")) == []
    assert urls(Criteria(text="%"), order="host") == []


@pytest.mark.parametrize(
    "token", ["x", "", "e30", "eyJvcmRlciI6ICJuZXdlc3QiLCAiYWZ0ZXIiOiBbMSwgMl19"]
)
def test_a_token_of_another_list_is_refused(token):
    with pytest.raises(ApiError) as raised:
        TargetSearch(Criteria(), by=DEPLOYMENT).find(limit=1, token=token)
    assert raised.value.code == "invalid_page_token"


def test_a_token_of_another_order_is_refused(registry):
    search = TargetSearch(Criteria(), by=DEPLOYMENT, order="oldest")
    search.find(limit=1)
    with pytest.raises(ApiError):
        TargetSearch(Criteria(), by=DEPLOYMENT).find(limit=1, token=search.next_page_token)


@pytest.mark.parametrize(
    "other", [{"flag": "parked"}, {"host": "host3.example"}, {"state": "dead"}], ids=str
)
def test_the_text_index_is_used_only_if_other_criteria_leave_many_rows(
    registry, monkeypatch, other
):
    """The index gets slower the more targets have the text."""
    monkeypatch.setattr(target_search, "FIRST_STEP", 1)
    looked_up = []
    monkeypatch.setattr(Criteria, "_text_sources", lambda *_: looked_up.append(1) or iter([]))
    assert urls(Criteria(text="host", **other)) == urls(Criteria(**other))
    assert not looked_up
    urls(Criteria(text="host"))
    assert looked_up


def test_a_rare_word_is_found_by_its_trigrams():
    """PostgreSQL must not read the whole table, regardless of the planner's estimates."""
    if connection.vendor == "sqlite":
        pytest.skip("SQLite reads all texts")
    TargetFactory.create_batch(20)
    with target_search._without_table_scans(), connection.cursor() as cursor:
        for rows in Criteria(text="host1").sources(DEPLOYMENT):
            plan = rows.explain()
            assert "target_text_trigrams" in plan
            assert "reference_trigrams" in plan
        cursor.execute("SHOW enable_seqscan")
        assert cursor.fetchone() == ("off",)


def test_titles_are_searchable_and_shown_as_written_after_a_check():
    target = TargetFactory()
    page = FetchedPage("<html><TITLE>The \u202eÜber <b>Hand</b>&shy;Book &amp; More</TITLE><p>Text")
    assert page.title == page.written_title.lower()
    seen = identify(page, url=target.url, certificate=None, known=None)
    check = CheckFindings(
        target_id=raw_id("target", target.pk),
        started_at=NOW,
        checked_at=NOW,
        outcome=Outcome.SUCCESS,
        status_code=200,
        latency_ms=1,
        error=None,
        event_error=None,
        identity=seen.as_json(),
    )
    assert urls(Criteria(text="über")) == []
    with transaction.atomic():
        record_checks([check], now=NOW)
    target.refresh_from_db()
    assert target.title == "The Über Hand Book & More"
    assert target.outcomes == [Outcome.SUCCESS]
    assert urls(Criteria(text="BOOK & m")) == [target.url]


def test_only_the_newest_outcomes_are_kept():
    target = TargetFactory(recent="s" * 29)
    for mark, outcome in enumerate((Outcome.FAILURE, Outcome.INCONCLUSIVE)):
        check = CheckFindings(
            target_id=raw_id("target", target.pk),
            started_at=NOW,
            checked_at=NOW + timedelta(seconds=mark),
            outcome=outcome,
            status_code=None,
            latency_ms=1,
            error="It failed.",
            event_error=None,
        )
        with transaction.atomic():
            record_checks([check], now=NOW)
    target.refresh_from_db()
    assert target.recent == "s" * 28 + "fi"
