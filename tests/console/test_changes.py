"""`/changes` finds targets that died, recovered or were flagged."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import User

from accounts.roles import Role
from console.periods import Period, read_period
from notify.models import Channel, Subscription
from outbox.event_kinds import EventKind
from outbox.models import Event
from tests.factories import DeadTargetFactory, ReferenceFactory, TransitionFactory

NOW = datetime(2026, 3, 8, 9, 0, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _now(monkeypatch):
    monkeypatch.setattr("console.changes.views.database_now", lambda: NOW)


@pytest.fixture
def reader(person):
    return person("vera", Role.VIEWER)


def _died(url, *, hours_ago, position, **fields):
    target = DeadTargetFactory(url=url, **fields)
    error = {"message": "The server returned 404."}
    payload = {"target_id": target.id, "url": url, "failures": 3, "error": error}
    at = NOW - timedelta(hours=hours_ago)
    TransitionFactory(target=target, at=at, position=position, payload=payload)
    return target


def _text(client, query=""):
    response = client.get(f"/changes{query}")
    assert response.status_code == 200, response
    return response.content.decode()


def test_a_death_is_shown_with_its_reason_its_document_and_its_time(reader):
    target = _died("https://example.org/gone", hours_ago=2, position=1)
    ReferenceFactory(target=target, object_id="docs/install")

    page = _text(reader)

    assert f'href="{target.get_absolute_url()}"' in page
    assert "3 failures in a row: The server returned 404." in page
    assert 'href="/changes?document=docs%2Finstall"' in page
    assert "2 hours ago" in page


def test_chips_narrow_the_list_to_a_period_and_a_kind(reader):
    _died("https://example.org/today", hours_ago=2, position=2)
    _died("https://example.org/this-week", hours_ago=48, position=1)

    assert "this-week" in _text(reader)
    assert "this-week" not in _text(reader, "?when=day")
    assert "this-week" in _text(reader, "?since=2026-03-05T00:00:00Z")
    assert "No matching changes." in _text(reader, "?what=outages")
    assert "Invalid time: soon" in _text(reader, "?since=soon")


def test_an_outage_links_to_the_page_of_outages(reader):
    payload = {"since": None, "until": None, "reason": "dns", "set_aside": 5}
    Event.objects.create(kind=EventKind.NETWORK_BACK, at=NOW, payload=payload, position=1)

    page = _text(reader, "?what=outages")

    assert 'href="/outages"' in page
    assert "checks ignored: 5" in page


def test_documents_have_the_number_of_their_changed_pages(reader):
    for number in range(3):
        target = _died(f"https://example.org/{number}", hours_ago=1, position=number + 1)
        ReferenceFactory(target=target, object_id="handbook")

    page = _text(reader, "?view=document&what=deaths")

    assert ">handbook</a>" in page
    assert "3 pages" in page
    assert "?what=deaths&amp;when=week&amp;document=handbook" in page


def test_no_document_does_not_mean_that_nothing_changed(reader):
    _died("https://example.org/pinned", hours_ago=1, position=1)

    page = _text(reader, "?view=document")

    assert "No document refers to a page that changed." in page
    assert "Nothing changed." not in page


def test_a_count_by_document_that_ends_before_its_first_change_says_so(reader, monkeypatch):
    monkeypatch.setattr("targets.search.change_search.FIRST_STEP", 1)
    monkeypatch.setattr("foundation.http.pagination.FIRST_HIT_TIME", -1.0)
    target = _died("https://example.org/old", hours_ago=2, position=1)
    ReferenceFactory(target=target, object_id="handbook")
    TransitionFactory(target=target, at=NOW, position=2, from_state="pending", to_state="alive")

    page = _text(reader, "?view=document&what=deaths")

    assert "There are more changes to search." in page
    assert "No matching changes." not in page


def test_members_see_only_targets_that_they_refer_to(member):
    mine = _died("https://example.org/mine", hours_ago=1, position=1)
    ReferenceFactory(target=mine, owner=User.objects.get(username="member"), object_id="thesis")
    _died("https://example.org/others", hours_ago=1, position=2)

    page = _text(member)

    assert "example.org/mine" in page
    assert "example.org/others" not in page
    assert "Pages that neither you nor your teams watch are left out." in page


def test_a_deleted_target_leaves_its_change_without_a_link(reader):
    _died("https://example.org/deleted", hours_ago=1, position=1).delete()

    page = _text(reader)

    assert "example.org/deleted" in page
    assert "no longer watched" in page


def test_older_changes_are_on_the_next_page(reader):
    for number in range(30):
        _died(f"https://example.org/{number}", hours_ago=40 - number, position=number + 1)

    first = _text(reader)
    token = first.split("page_token=")[1].split('"')[0]

    assert "example.org/29<" in first
    assert "example.org/4<" not in first
    assert "example.org/4<" in _text(reader, f"?when=week&page_token={token}")
    assert reader.get("/changes?page_token=nonsense").status_code == 404


@pytest.mark.parametrize("role", [Role.MEMBER, Role.OPERATOR])
def test_the_feed_is_created_once_and_its_address_is_shown_then(person, role):
    somebody = person("grace", role)

    made = somebody.post("/changes/feed").content.decode()
    again = somebody.post("/changes/feed")

    channel = Channel.objects.get()
    assert f"/feeds/{channel.id}." in made
    assert ".atom" in made
    assert again["Location"] == f"/account/channels/{channel.id}"
    what = Subscription.objects.get().what
    assert ("network" in what) is (role is Role.OPERATOR)
    assert "dead" in what


@pytest.mark.parametrize(
    ("now", "since", "until"),
    [
        ("2026-03-08T09:00+01:00", "2026-03-07T18:00+01:00", "2026-03-08T08:00+01:00"),
        ("2026-03-08T03:00+01:00", "2026-03-07T18:00+01:00", "2026-03-08T03:00+01:00"),
        ("2026-03-08T23:00+01:00", "2026-03-07T18:00+01:00", "2026-03-08T08:00+01:00"),
        ("2026-03-29T09:00+02:00", "2026-03-28T18:00+01:00", "2026-03-29T08:00+02:00"),
    ],
)
def test_last_night_is_the_readers(now, since, until):
    moments = map(datetime.fromisoformat, (since, until))

    found = read_period("night", now=datetime.fromisoformat(now), zone=BERLIN)

    assert found == Period(*moments)


def test_the_zone_of_last_night_comes_from_the_browser(reader):
    _died("https://example.org/in-the-night", hours_ago=15.5, position=1)  # 17:30 UTC
    assert "in-the-night" not in _text(reader, "?when=night")

    reader.cookies["zone"] = "Europe/Berlin"

    assert "in-the-night" in _text(reader, "?when=night")
    reader.cookies["zone"] = "../etc/passwd"
    assert "in-the-night" not in _text(reader, "?when=night")


@pytest.mark.parametrize("text", ["soon", "2026-13-08T09:00", "2026-02-30T09:00:00Z"])
def test_an_unknown_time_is_refused_in_a_sentence(text):
    with pytest.raises(ValueError, match=f"^Invalid time: {text}[.] Use a time such as "):
        read_period(text, now=NOW, zone=BERLIN)


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])
def test_a_time_at_the_end_of_the_calendar_is_refused_in_a_sentence(reader, text):
    reader.cookies["zone"] = "America/New_York" if text < "2" else "Europe/Berlin"

    for page in ("changes", "targets"):
        answer = reader.get(f"/{page}?since={text}").content.decode()
        assert f"The time {text} is out of range." in answer


def test_a_time_without_a_zone_is_the_readers():
    since = read_period("2026-03-08T09:00", now=NOW, zone=BERLIN).since

    assert since == datetime(2026, 3, 8, 8, 0, tzinfo=UTC)
