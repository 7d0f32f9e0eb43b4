"""Finds changes by kind, time, document and reader, newest first, page by page."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User

from accounts.actors import DEPLOYMENT, Actor
from accounts.rights import assign
from accounts.roles import Role
from foundation.http.errors import ApiError
from outbox.event_kinds import EventKind
from outbox.models import Event
from targets.search import change_search
from targets.search.change_search import ChangeSearch
from targets.state import State
from tests.factories import ReferenceFactory, TargetFactory, TransitionFactory

NOW = datetime(2026, 3, 8, 9, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)

pytestmark = pytest.mark.django_db


def _died(minutes_ago, *, position, target=None, **fields):
    target = target or TargetFactory()
    payload = {"target_id": target.id, "url": target.url, "failures": 3, "error": None}
    return TransitionFactory(
        target=target, at=NOW - minutes_ago * MINUTE, position=position, payload=payload, **fields
    )


def _found(limit=10, token=None, by=DEPLOYMENT, **wanted):
    search = ChangeSearch(by=by, **wanted)
    rows = search.find(limit=limit, token=token)
    return [row.event.id for row in rows], search.next_page_token


def test_changes_are_listed_newest_first_after_unnumbered_ones():
    first, second = _died(3, position=1), _died(2, position=2)
    fresh = _died(1, position=None)

    assert _found() == ([fresh.id, second.id, first.id], None)


def test_quiet_events_are_not_changes():
    """An import with --quiet, a repair or an upgrade may write thousands of them."""
    death = _died(3, position=1)
    _died(2, position=2, quiet=True)
    _died(1, position=None, quiet=True)

    assert _found() == ([death.id], None)


def test_each_page_continues_after_the_previous_one():
    events = [_died(10 - n, position=n + 1) for n in range(5)]
    ids = [event.id for event in reversed(events)]

    page, token = _found(limit=2)
    assert page == ids[:2]
    page, token = _found(limit=2, token=token)
    assert page == ids[2:4]
    assert _found(limit=2, token=token) == (ids[4:], None)


def test_pages_find_matches_after_many_other_changes(monkeypatch):
    monkeypatch.setattr(change_search, "FIRST_STEP", 2)
    monkeypatch.setattr(change_search, "STEP", 3)
    death = _died(60, position=1)
    for n in range(2, 12):
        _died(50, position=n, from_state=State.PENDING, to_state=State.ALIVE)

    assert _found() == ([death.id], None)


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        ("deaths", {"dead"}),
        ("recoveries", {"alive", "revived"}),
        ("flags", {"flag"}),
        ("attention", {"attention"}),
        ("outages", {"down"}),
        ("", {"dead", "alive", "revived", "flag", "attention", "down"}),
    ],
)
def test_a_kind_lists_its_changes_without_first_checks(kind, wanted):
    states = {
        "dead": (State.POTENTIALLY_DEAD, State.DEAD),
        "alive": (State.DEAD, State.ALIVE),
        "revived": (State.DEAD, State.PENDING),
        "first": (State.PENDING, State.ALIVE),
        "doubted": (State.ALIVE, State.POTENTIALLY_DEAD),
    }
    kinds = {
        "flag": EventKind.FLAG_RAISED,
        "attention": EventKind.ATTENTION_NEEDED,
        "down": EventKind.NETWORK_DOWN,
    }
    made = {}
    for position, (name, (before, after)) in enumerate(states.items(), start=1):
        made[name] = _died(5, position=position, from_state=before, to_state=after).id
    for position, (name, value) in enumerate(kinds.items(), start=10):
        fields = {"kind": value, "from_state": "", "to_state": ""}
        made[name] = _died(5, position=position, **fields).id

    found, _ = _found(kind=kind)

    assert set(found) == {made[name] for name in wanted}


def test_a_period_excludes_earlier_and_later_changes():
    _died(30, position=1)
    within = _died(20, position=2)
    _died(10, position=3)

    assert _found(since=NOW - 25 * MINUTE, until=NOW - 15 * MINUTE) == ([within.id], None)


def test_a_position_is_found_by_its_time_even_if_the_first_ones_were_deleted():
    for position in range(7, 30):
        _died(60 - position, position=position)

    def before(minutes_ago):
        return Event.objects.position_before(NOW - minutes_ago * MINUTE)

    assert [before(60), before(53), before(52), before(40), before(0)] == [6, 6, 7, 19, 29]
    Event.objects.all().delete()
    assert before(0) == 0


def test_members_see_outages_and_changes_of_targets_that_they_refer_to():
    user = User.objects.create_user("ada")
    assign(user, Role.MEMBER)
    own = ReferenceFactory(owner=user, object_id="thesis")
    ReferenceFactory(object_id="secret")
    mine = _died(5, position=1, target=own.target)
    _died(4, position=2)
    outage = Event.objects.create(kind=EventKind.NETWORK_DOWN, at=NOW, payload={}, position=3)

    assert _found(by=Actor(user)) == ([outage.id, mine.id], None)


def test_changes_are_counted_and_filtered_by_document():
    one, other = TargetFactory(), TargetFactory()
    for target, document in [(one, "a"), (one, "b"), (other, "b")]:
        ReferenceFactory(target=target, object_id=document)
    _died(5, position=1, target=one)
    again = _died(4, position=2, target=one, from_state=State.DEAD, to_state=State.ALIVE)
    last = _died(3, position=3, target=other)

    assert ChangeSearch(by=DEPLOYMENT).by_document(10) == [("b", 2), ("a", 1)]
    assert _found(document="a", kind="recoveries") == ([again.id], None)
    assert _found(document="b", kind="deaths")[0][0] == last.id


def _five_deaths(monkeypatch):
    monkeypatch.setattr(change_search, "FIRST_STEP", 2)
    monkeypatch.setattr(change_search, "STEP", 2)
    for number in range(5):
        target = ReferenceFactory(object_id="a").target
        _died(5 - number, position=number + 1, target=target)


def test_the_time_of_a_page_does_not_limit_the_count_by_document(monkeypatch):
    _five_deaths(monkeypatch)
    monkeypatch.setattr("foundation.http.pagination.SEARCH_TIME", -1.0)

    assert len(_found()[0]) == 2
    assert ChangeSearch(by=DEPLOYMENT).by_document(10) == [("a", 5)]


def test_a_count_that_ends_early_has_the_number_of_its_changes(monkeypatch):
    _five_deaths(monkeypatch)
    monkeypatch.setattr("foundation.http.pagination.FIRST_HIT_TIME", -1.0)

    search = ChangeSearch(by=DEPLOYMENT)

    assert search.by_document(10) == [("a", 2)]
    assert search.counted == 2
    assert search.next_page_token is not None


def test_the_text_of_a_change_has_no_references():
    target = TargetFactory()
    payload = {
        "target_id": target.id,
        "url": target.url,
        "failures": 3,
        "error": {"message": "It is gone."},
        "reference_ids": ["doc"] * 1000,
    }
    TransitionFactory(target=target, payload=payload, position=1, at=NOW)

    [found] = ChangeSearch(by=DEPLOYMENT).find(limit=1)

    assert found.event.payload == {
        "url": target.url,
        "failures": 3,
        "error": {"message": "It is gone."},
    }
    assert found.target == target


@pytest.mark.parametrize("token", ["x", "e30", "eyJjaGFuZ2VzX3VwX3RvIjotMX0"])
def test_a_token_of_another_list_is_refused(token):
    with pytest.raises(ApiError):
        _found(token=token)
