"""Which subscriptions match an event: by type, host, references and the owner's rights."""

import time

import pytest
from django.contrib.auth.models import User

from accounts import rights
from accounts.actors import DEPLOYMENT, Actor
from accounts.roles import Role
from notify.matching import EventFacts, SubscriptionIndex
from notify.models import Subscription
from outbox.event_kinds import EventKind
from outbox.models import Event
from targets.state import State


@pytest.fixture
def ada(db):
    user = User.objects.create_user("ada")
    rights.assign(user, Role.MEMBER)
    return user


@pytest.fixture
def bob(db):
    user = User.objects.create_user("bob")
    rights.assign(user, Role.MEMBER)
    return user


def event(
    host="a.example", *, references=(), owners=None, kind=EventKind.STATE, states=None, **said
):
    old, new = states or (State.POTENTIALLY_DEAD, State.DEAD)
    payload = {"canonical_url": f"http://{host}/p", "reference_ids": list(references)} | said
    if owners:
        payload["owners"] = list(owners)
    if kind != EventKind.STATE:
        old = new = ""
    return EventFacts(Event(kind=kind, from_state=old, to_state=new, payload=payload))


def wants(event, *, what=("dead",), by=DEPLOYMENT, **fields):
    index = SubscriptionIndex()
    index.add(Subscription(what=list(what), **fields), by=by)
    return bool(index.matching(event))


@pytest.mark.parametrize(
    ("word", "states"),
    [
        ("dead", (State.POTENTIALLY_DEAD, State.DEAD)),
        ("dead", (State.ALIVE, State.DEAD)),
        ("alive", (State.DEAD, State.ALIVE)),
    ],
)
def test_changes_of_state_match_subscriptions_by_name(word, states):
    assert wants(event(states=states), what=[word])
    assert not wants(event(states=states), what=({"dead", "alive"} - {word}))


@pytest.mark.parametrize(
    "states",
    [
        (State.ALIVE, State.POTENTIALLY_DEAD),
        (State.POTENTIALLY_DEAD, State.ALIVE),
        (State.PENDING, State.ALIVE),
        (State.DEAD, State.PENDING),
    ],
)
def test_states_other_than_death_and_recovery_match_no_subscription(states):
    assert event(states=states).category is None


@pytest.mark.parametrize(
    ("kind", "word"),
    [
        (EventKind.FLAG_RAISED, "flags"),
        (EventKind.FLAG_CLEARED, "flags"),
        (EventKind.ATTENTION_NEEDED, "attention"),
        (EventKind.ATTENTION_ENDED, "attention"),
        (EventKind.NETWORK_DOWN, "network"),
        (EventKind.NETWORK_BACK, "network"),
        (EventKind.SINK_BEHIND, "sinks"),
        (EventKind.DISK_FILLING, "disk"),
        (EventKind.SCHEDULES_LATE, "schedules"),
        (EventKind.LINK_ENDING, "links"),
    ],
)
def test_each_kind_of_event_has_its_name(kind, word):
    assert event(kind=kind).category == word


@pytest.mark.parametrize(
    ("host", "asked", "expected"),
    [
        ("a.example", "a.example", True),
        ("www.a.example", "a.example", True),
        ("www.a.example", "example", True),
        ("ba.example", "a.example", False),
        ("a.example", "www.a.example", False),
        ("a.example:8080", "a.example", True),
        ("[2001:db8::1]", "[2001:db8::1]", True),
        ("[2001:db8::1]:81", "[2001:db8::1]", True),
    ],
)
def test_a_host_includes_its_subdomains(host, asked, expected):
    assert wants(event(host), host=asked) is expected


@pytest.mark.parametrize(
    ("destination", "asked"),
    [
        ("https://example.com/x", "example.com"),
        ("HTTPS://Example.COM:443/x", "example.com"),
        ("https://example.com./", "example.com"),
        ("https:/example.com/x", "example.com"),
        ("https://BÜCHER.example/", "xn--bcher-kva.example"),
        ("https://[2001:DB8::1]/x", "[2001:db8::1]"),
        ("no URL", ""),
    ],
)
def test_the_host_of_a_link_matches_in_any_spelling(destination, asked):
    ending = EventFacts(Event(kind=EventKind.LINK_ENDING, payload={"destination": destination}))
    assert ending.host == asked
    assert wants(ending, what=["links"], host=asked)


def test_a_prefix_requires_a_reference_that_begins_with_it():
    assert wants(event(references=["wiki:1", "cms:7"]), reference_prefix="cms:")
    assert not wants(event(references=["wiki:cms:"]), reference_prefix="cms:")
    assert not wants(event(), reference_prefix="cms:")


def test_members_are_notified_only_about_their_own_references(ada, bob):
    reported = event(references=["x:1", "x:2"], owners=[bob.pk, None])
    assert not wants(reported, reference_prefix="x:", by=Actor(ada))
    assert wants(reported, reference_prefix="x:", by=Actor(bob))
    assert wants(reported, reference_prefix="x:")


@pytest.mark.parametrize(
    ("kind", "word"),
    [
        (EventKind.STATE, "dead"),
        (EventKind.FLAG_RAISED, "flags"),
        (EventKind.ATTENTION_NEEDED, "attention"),
    ],
)
def test_members_who_ask_for_no_reference_are_notified_of_pages_that_they_refer_to(
    ada, bob, kind, word
):
    for references, owners in ((["x:1"], [bob.pk]), (["x:1"], None), ([], None)):
        reported = event(references=references, owners=owners, kind=kind)
        assert not wants(reported, what=[word], by=Actor(ada))
        assert wants(reported, what=[word])
    hers = event(references=["x:1", "y:1"], owners=[bob.pk, ada.pk], kind=kind)
    assert wants(hers, what=[word], by=Actor(ada))
    assert wants(hers, what=[word], host="a.example", by=Actor(ada))
    assert not wants(hers, what=[word], host="b.example", by=Actor(ada))


def test_an_owner_prefers_an_own_reference_with_the_prefix(ada, bob):
    reported = event(references=["x:1", "y:1"], owners=[ada.pk, bob.pk])
    assert wants(reported, of_owner=ada)
    assert wants(reported, of_owner=ada, reference_prefix="x:")
    assert not wants(reported, of_owner=ada, reference_prefix="y:")
    assert wants(reported, of_owner=ada, by=Actor(ada))
    assert not wants(reported, of_owner=bob, by=Actor(ada))


def test_all_criteria_of_a_subscription_must_match():
    reported = event("a.example", references=["x:1"])
    assert wants(reported, host="a.example", reference_prefix="x:")
    assert not wants(reported, host="b.example", reference_prefix="x:")
    assert not wants(reported, host="a.example", reference_prefix="y:")


def test_events_of_the_deployment_match_for_users_who_see_all(ada):
    reported = event("", kind=EventKind.DISK_FILLING)
    assert wants(reported, what=["disk"], host="a.example")
    assert not wants(reported, what=["disk"], by=Actor(ada))


def test_an_expiring_link_matches_for_its_owner_and_users_who_see_all(ada, bob):
    reported = event(kind=EventKind.LINK_ENDING, destination="http://a.example/", owner=ada.pk)
    assert wants(reported, what=["links"])
    assert wants(reported, what=["links"], by=Actor(ada))
    assert not wants(reported, what=["links"], by=Actor(bob))
    assert wants(reported, what=["links"], of_owner=ada)
    assert not wants(reported, what=["links"], of_owner=bob)
    assert not wants(reported, what=["links"], reference_prefix="x:")


def test_many_references_and_subscriptions_are_matched_correctly_and_fast():
    index = SubscriptionIndex()
    for number in range(10_000):
        index.add(Subscription(what=["dead"], reference_prefix=f"s{number}:"), by=DEPLOYMENT)
    few = event(references=["s5:1", "s77:1", "s99999:1"])
    many = event(references=[f"s{number}:{number}" for number in range(0, 200_000, 2)])
    begun = time.process_time()
    found = [sorted(one.reference_prefix for one in index.matching(asked)) for asked in (few, many)]
    assert time.process_time() - begun < 5  # 0.2 s on an idle machine; one by one: minutes
    assert found == [["s5:", "s77:"], sorted(f"s{number}:" for number in range(0, 10_000, 2))]


def test_many_members_who_ask_for_no_reference_are_found_fast():
    index = SubscriptionIndex()
    for number in range(10_000):
        whose = User(pk=number + 1)
        index.add(Subscription(what=["dead"], of_owner=whose), by=DEPLOYMENT)
    few = event(references=["x:1", "x:2"], owners=[7, None])
    many = event(references=map(str, range(100_000)), owners=range(1, 200_000, 2))
    begun = time.process_time()
    for _ in range(100):
        assert [one.of_owner_id for one in index.matching(few)] == [7]
    assert {one.of_owner_id for one in index.matching(many)} == set(range(1, 10_001, 2))
    assert time.process_time() - begun < 5
