"""The texts of messages: how many, where, why, since when; no foreign text can alter them."""

from copy import copy
from datetime import UTC, datetime
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User
from django.urls import resolve

from accounts.actors import DEPLOYMENT, Actor
from accounts.rights import assign
from accounts.roles import Role
from notify import message_texts
from notify.message_rendering import as_html, as_text
from notify.message_texts import digest_content, disabled_content, event_content, skipped_content
from notify.message_types import ContentLine
from notify.models import Channel
from outbox.event_kinds import EventKind
from outbox.models import Event
from targets.state import State

NOW = datetime(2026, 3, 1, 14, 2, tzinfo=UTC)
BASE = "https://watch.example"
DEAD = "Dead: docs/a → example.org/page"
DELETED = {"kind": "deleted", "message": "The target is no longer watched."}
DIGEST = "0195500a-0000-7000-8000-000000000001"
pytestmark = pytest.mark.any_database


@pytest.fixture(autouse=True)
def _at_home(settings):
    settings.BASE_URL = BASE


def page(host="example.org", *, to=State.DEAD, kind=EventKind.STATE, before=None, **data):
    """Return an event of a page on this host."""
    states = {}
    if kind is EventKind.STATE:
        before = before or (State.DEAD if to is State.ALIVE else State.POTENTIALLY_DEAD)
        states = {"from_state": before, "to_state": to}
    url = f"https://{host}/page"
    payload = {"target_id": "t_1", "url": url, "canonical_url": url, "reference_ids": [], **data}
    return Event(kind=kind, at=NOW, payload=payload, **states)


def fact(kind, **payload):
    return Event(kind=kind, at=NOW, payload=payload)


def digest(*events, **more):
    """Return a digest of these events, each about a target of its own unless the test names one."""
    rows = [copy(event) for event in events]
    for number, event in enumerate(rows):
        if event.payload.get("target_id") == "t_1":
            event.payload = {**event.payload, "target_id": f"t_1{number}"}
    return digest_content(rows, digest_id=DIGEST, by=DEPLOYMENT, began_at=NOW, **more)


def channel(**fields):
    return Channel(name="Pager", created_at=NOW, position=0, **fields)


def test_a_death_is_reported_with_url_reason_time_references_and_evidence():
    content = event_content(
        page(
            url="https://example.org/page#top",
            failures=3,
            first_failed_at="2026-02-27T14:01:00Z",
            error={"kind": "http_404", "message": "The server returned 404 Not Found."},
            reference_ids=["article-1", "article-2"],
        ),
        DEPLOYMENT,
    )

    assert content.subject == "Dead: article-1 and 1 more → example.org/page#top (404)"
    assert content.lines == (
        ContentLine(
            headline="https://example.org/page#top",
            reason="3 failures in a row: The server returned 404 Not Found.",
            since="2026-02-27T14:01:00Z",
            references=("article-1", "article-2"),
            link=f"{BASE}/targets/t_1",
        ),
    )
    text = as_text(channel(), content)
    assert "  Since 2026-02-27 14:01 UTC\n  Referenced by article-1, article-2\n" in text


@pytest.mark.parametrize(
    ("transitions", "subject"),
    [
        ([page()], "Dead: example.org/page"),
        ([page(reference_ids=["docs/a"], error={"kind": "http_404"})], f"{DEAD} (404)"),
        ([page(reference_ids=["docs/a"], error={"kind": "timeout"})], f"{DEAD} (no response)"),
        ([page(error={"kind": "expected_text"})], "Dead: example.org/page (text missing)"),
        ([page(error={"kind": "sold_out"})], "Dead: example.org/page (sold out)"),
        ([page(kind=EventKind.REPAIRED)], "Page moved: example.org/page"),
        ([page(url="https://example.org/")], "Dead: example.org"),
        ([page(to=State.ALIVE, error={"kind": "x"})], "Alive again: example.org/page"),
        ([page(to=State.ALIVE, before=State.PENDING)], "Works: example.org/page"),
        ([page(kind=EventKind.FLAG_RAISED, flag="parked")], "Flagged: example.org/page (parked)"),
        (
            [page(), fact(EventKind.DISK_FILLING, name="data", detail="3 % are left")],
            "Dead: example.org/page; the disk that holds data is filling up",
        ),
        ([page()] * 3, "3 dead links on example.org"),
        (
            [page(), page(), page(to=State.ALIVE)],
            "On example.org: 2 dead links, 1 link alive again",
        ),
        ([page(), page("example.com")], "2 dead links on 2 hosts"),
        ([page(kind=EventKind.REPAIRED)] * 2, "2 links repaired on example.org"),
        (
            [page(kind=EventKind.FLAG_RAISED, target_id="t_2", flag=f) for f in ("login", "x")],
            "1 flagged link on example.org",
        ),
        (
            [page(kind=EventKind.ATTENTION_ENDED, error=DELETED)],
            "No longer watched: example.org/page",
        ),
        (
            [page(kind=EventKind.FLAG_CLEARED, flag="parked", error=DELETED)] * 2,
            "2 links no longer watched on example.org",
        ),
        (
            [fact(EventKind.BATCH_DONE, name="b_1", counts={"total": 3, "not_checked": 1})],
            "A batch of 3 URLs is done (1 not checked)",
        ),
        ([page(kind=EventKind.ATTENTION_NEEDED)] * 2, "2 links need attention on example.org"),
        ([page(reference_ids=["docs/a"])] * 2, "2 dead links in docs/a"),
        (
            [page(reference_ids=["docs/a"]), *[page(reference_ids=["x", "docs/b"])] * 3],
            "4 dead links in docs/ (2 documents)",
        ),
        (
            [page(reference_ids=[f"https://w.example/a/{n}"]) for n in range(12)],
            "12 dead links in https://w.example/a/",
        ),
        (
            [page(reference_ids=["https://w.example/"]), page(reference_ids=["https://v.example"])],
            "2 dead links on example.org",
        ),
        (
            [fact(EventKind.SINK_BEHIND, name="kafka")] * 3,
            "The sink “kafka” is behind (and 2 other events)",
        ),
        ([page()] * 1234, "1,234 dead links on example.org"),
    ],
)
def test_a_subject_names_page_and_document_or_counts_and_place(transitions, subject):
    assert digest(*transitions).subject == subject


@pytest.mark.parametrize("count", [1, 2])
def test_a_document_with_a_name_of_100_000_letters_is_cut_in_subjects(count):
    subject = digest(*[page(reference_ids=["x" * 100_000])] * count).subject
    document = "x" * 59 + "…"
    whole = {1: f"Dead: {document} → example.org/page", 2: f"2 dead links in {document}"}
    assert subject == whole[count]


@pytest.mark.parametrize(
    ("row", "headline", "reason"),
    [
        (
            fact(
                EventKind.NETWORK_BACK,
                since="2026-03-01T14:02:11Z",
                until="2026-03-01T14:31:40Z",
                reason="dns",
                set_aside=212,
            ),
            "Linkwatch is online again after 29 minutes (2026-03-01 14:02 to 14:31 UTC).",
            "Linkwatch has requeued 212 checks that failed in the meantime.",
        ),
        (
            fact(
                EventKind.NETWORK_BACK,
                since="2026-03-01T23:00:00Z",
                until="2026-03-02T01:00:00Z",
                set_aside=1,
            ),
            "Linkwatch is online again after 2 hours (2026-03-01 23:00 to 2026-03-02 01:00 UTC).",
            "Linkwatch has requeued 1 check that failed in the meantime.",
        ),
        (
            fact(EventKind.NETWORK_DOWN, since="2026-03-01T14:02:11Z", until=None, reason="dns"),
            "Linkwatch has been offline since 2026-03-01 14:02 UTC.",
            "No server has responded since. Failures are ignored until a server responds.",
        ),
        (
            fact(EventKind.SINK_BEHIND, name="kafka", detail="The sink kafka is behind: why"),
            "The sink kafka is behind: why.",
            "",
        ),
        (
            fact(
                EventKind.LINK_ENDING,
                key="spring",
                destination="https://example.org/",
                ends_at="2026-03-08T00:00:00Z",
            ),
            "The short link “spring” expires on 2026-03-08 at 00:00 UTC.",
            "It redirects to https://example.org/.",
        ),
        (
            page(kind=EventKind.FLAG_CLEARED, flag="error_page"),
            "https://example.org/page",
            "The flag “error page” was cleared.",
        ),
        *(
            (
                page(kind=kind, flag="parked", error=DELETED),
                "https://example.org/page",
                "The target is no longer watched.",
            )
            for kind in (EventKind.FLAG_CLEARED, EventKind.ATTENTION_ENDED)
        ),
        (
            page(kind=EventKind.FLAG_RAISED, flag="parked"),
            "https://example.org/page",
            "Flag “parked”: the domain is not in use, or its hosting provider has closed the site.",
        ),
    ],
)
def test_each_kind_of_event_has_its_sentence(row, headline, reason):
    [line] = event_content(row, DEPLOYMENT).lines

    assert (line.headline, line.reason) == (headline, reason)


def test_each_kind_of_event_has_its_own_words():
    payload = {"target_id": "t_1", "url": "u", "canonical_url": "https://a.example/", "name": "x"}
    for kind in EventKind:
        states = {"to_state": "dead"} if kind is EventKind.STATE else {}
        row = Event(kind=kind, at=NOW, payload={**payload, "key": "k"}, **states)
        content = event_content(row, DEPLOYMENT)
        assert content.subject
        assert content.type.startswith("linkwatch.")
        assert content.subject == digest(row).subject
        for link in (content.lines[0].link, digest(row).link):
            assert link.startswith(BASE)
            assert resolve(urlsplit(link).path)  # such a page exists


def test_a_digest_has_the_first_ten_a_count_a_link_and_its_events_ids():
    rows = [page(url=f"https://example.org/{number}") for number in range(1000)]

    content = digest(*rows)

    assert (len(content.lines), content.more) == (10, 990)
    assert content.link == f"{BASE}/targets?host=example.org&state=dead"
    event = content.data
    assert (event["id"], event["type"], event["subject"]) == (
        DIGEST,
        "linkwatch.digest",
        "example.org",
    )
    assert event["data"]["event_ids"] == [str(row.id) for row in rows]
    assert f"And 990 more: {content.link}" in as_text(channel(), content)


def test_a_digest_says_what_was_skipped():
    content = digest(page(), skipped=412)

    assert content.lines[-1].headline == "412 events were skipped."
    assert content.data["data"]["skipped"] == 412


def test_a_channel_gets_events_about_itself():
    disabled = channel(reason="It answered 500 for three days.")

    test = message_texts.test_content(channel(), message_id=DIGEST, now=NOW)
    end = disabled_content(disabled, message_id=DIGEST, now=NOW)
    gap = skipped_content(channel(), 7, message_id=DIGEST, now=NOW)

    assert test.lines[0].headline == "This is a test message."
    assert (end.subject, end.lines[0].reason) == (
        "The channel “Pager” is disabled",
        "It answered 500 for three days.",
    )
    assert gap.subject == "7 events were skipped"


@pytest.mark.django_db
def test_members_read_only_their_own_references():
    user = User.objects.create_user("ada")
    assign(user, Role.MEMBER)
    row = page(reference_ids=["mine", "another's"], owners=[user.pk, user.pk + 1])

    [line] = event_content(row, Actor(user=user)).lines
    content = digest_content([row], digest_id=DIGEST, by=Actor(user=user), began_at=NOW)

    assert line.references == ("mine",)
    assert content.data["data"]["events"][0]["data"]["reference_ids"] == ["mine"]
    assert content.subject == "Dead: mine → example.org/page"
    assert "another" not in repr(content)


def test_ten_of_a_hundred_thousand_references_are_listed():
    row = page(reference_ids=[f"r{number}" for number in range(100_000)])

    content = event_content(row, DEPLOYMENT)

    assert len(content.lines[0].references) == 10
    assert "r9 and 99,990 more" in as_text(channel(), content)
    assert len(as_html(channel(), content)) < 10_000


@pytest.mark.parametrize(
    "hostile",
    [
        "x\r\nBcc: everybody@example.org\r\n\r\nBuy",
        "x\u2028\u2029y\x00\x1b[31m",
        "\u202egnp.exe\u2066\ud800",
        "<script>alert(1)</script>",
    ],
)
def test_text_of_others_adds_no_lines_and_reverses_no_direction(hostile):
    row = page(url=hostile, error={"message": hostile}, failures=1, reference_ids=[hostile])
    content = event_content(row, DEPLOYMENT)
    named = channel()
    named.name = hostile

    for text in (*content.lines[0].references, content.lines[0].headline, content.lines[0].reason):
        assert text.isprintable()
    assert message_texts.test_content(named, message_id=DIGEST, now=NOW).subject.isprintable()
    assert "\nBcc:" not in as_text(named, content)
    assert "<script>" not in as_html(named, content)


def test_a_death_without_a_first_failure_is_reported_by_its_time():
    assert event_content(page(), DEPLOYMENT).lines[0].since == "2026-03-01T14:02:00Z"


def test_a_message_leads_to_the_rule_or_flag_that_it_is_about():
    rule = f"{BASE}/about/verdicts#rule-other-status"
    death = event_content(page(error={"message": "It is gone.", "rule_url": rule}), DEPLOYMENT)
    raised = page(kind=EventKind.FLAG_RAISED, flag="parked", error=None)
    flagged = event_content(raised, DEPLOYMENT)
    strange = event_content(page(kind=EventKind.FLAG_RAISED, flag="teapot"), DEPLOYMENT)
    bent = event_content(page(error={"rule_url": "javascript:alert(1)"}), DEPLOYMENT)

    assert [death.lines[0].rule, strange.lines[0].rule, bent.lines[0].rule] == [rule, "", ""]
    assert flagged.lines[0].rule == f"{BASE}/about/verdicts#flag-parked"
    assert f"What this means: {rule}" in as_text(channel(), death)
    assert f'<a href="{rule}">What this means</a>' in as_html(channel(), death)
