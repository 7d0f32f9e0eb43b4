"""Accepted repairs: references follow their page, end with their twins, and can go back."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection

from accounts.actors import DEPLOYMENT, Actor
from accounts.rights import assign
from accounts.roles import Role
from checker.repairs.repair_acceptance import AcceptedRepairPages, accept, accept_host, undo
from checker.repairs.repair_search import RepairSearch
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from notify.matching import EventFacts, SubscriptionIndex
from notify.message_texts import event_content
from outbox.event_kinds import EventKind
from outbox.models import Event
from targets import bulk, counts, owned, repairs, services, writer
from targets.checks import record_checks
from targets.models import (
    Reference,
    ReferenceOccurrences,
    Repair,
    ReplacedReference,
    Target,
    TargetFlag,
)
from targets.registration import Registration, register
from targets.schedule_correction import pull_back, too_far_ahead
from targets.services import accept_url
from targets.state import REPLACED_PERIOD, Outcome, State
from targets.tasks import delete_old_repairs, mend_twins
from tests.conftest import NOW as LONG_AGO
from tests.factories import ReferenceFactory, TargetFactory
from tests.notify.factories import ChannelFactory, SubscriptionFactory
from tests.repairs.moved import NEW, OLD, check_moved, moved
from tests.targets.checks import check_of

pytestmark = pytest.mark.django_db


def _member(name="mia"):
    user = User.objects.create_user(name)
    assign(user, Role.MEMBER)
    return user


def _accept(target, by=DEPLOYMENT):
    return accept(target.pk, now=database_now(), by=by)[0]


def _refused(call, *args, **kwargs):
    with pytest.raises(ApiError) as refused:
        call(*args, **kwargs)
    return refused.value.code


def _at(url):
    found = Reference.objects.filter(target__canonical_url=accept_url(url).url)
    return sorted(found.values_list("object_id", "owner__username"))


def _register(url, object_id="doc", by=DEPLOYMENT):
    one = Registration(url=url, canonical=accept_url(url), reference_id=object_id)
    return register([one], now=database_now(), by=by)[0]


def _end(url, object_id="doc", by=DEPLOYMENT):
    target = Target.objects.get(canonical_url=accept_url(url).url)
    services.unregister(target, object_id, now=database_now(), by=by)


def _check(target, outcome):
    target = Target.objects.get(pk=target.pk)
    now = database_now()
    return record_checks([check_of(target, outcome, at=now)], now=now)


def test_references_of_all_owners_exist_at_both_addresses_and_the_old_one_is_marked():
    mia = _member()
    target = moved()
    ReferenceFactory(target=target, object_id="mine", owner=mia)

    repair = _accept(target)

    assert _at(OLD) == _at(NEW) == [("doc", None), ("mine", "mia")]
    target.refresh_from_db()
    new = Target.objects.get(url=NEW)
    assert target.replaced_by_id == new.pk == repair.new_target
    assert (repair.old_url, repair.new_url, repair.reference_count) == (OLD, NEW, 2)
    assert new.next_check_at <= database_now()


def test_members_move_their_own_references_and_the_old_address_is_watched_for_the_others():
    mia = _member()
    target = moved(owner=mia, object_id="mine")
    ReferenceFactory(target=target, object_id="theirs")

    _accept(target, by=Actor(mia))

    assert _at(NEW) == [("mine", "mia")]
    target.refresh_from_db()
    assert target.replaced_by_id is None
    assert RepairSearch(by=Actor(mia), now=database_now()).find(limit=5) == []
    assert len(RepairSearch(by=DEPLOYMENT, now=database_now()).find(limit=5)) == 1


@pytest.mark.parametrize("outcome", [Outcome.FAILURE, Outcome.INCONCLUSIVE])
def test_a_replaced_target_is_checked_rarely_and_never_dies(outcome):
    target = moved()
    _accept(target)

    for _ in range(5):
        _check(target, outcome)

    target.refresh_from_db()
    assert (target.state, target.failures, target.inconclusive_since) == (State.ALIVE, 0, None)
    assert target.next_check_at > database_now() + REPLACED_PERIOD - timedelta(days=1)
    assert not Event.objects.filter(kind=EventKind.STATE, target=target).exists()
    assert [
        pull_back(found, limit=5, now=database_now()) for found in too_far_ahead(database_now())
    ]
    target.refresh_from_db()
    assert target.next_check_at > database_now() + REPLACED_PERIOD - timedelta(days=1)


def test_a_death_is_announced_only_to_owners_whose_references_have_not_moved():
    mia = _member()
    target = moved(owner=mia, object_id="mine", recheck_threshold=1)
    ReferenceFactory(target=target, object_id="theirs")
    _accept(target, by=Actor(mia))

    _check(target, Outcome.FAILURE)

    assert Event.objects.get(to_state=State.DEAD).payload["reference_ids"] == ["theirs"]


def test_a_dead_target_is_not_counted_once_all_references_followed():
    mia = _member()
    target = moved(owner=mia, object_id="mine", recheck_threshold=1)
    ReferenceFactory(target=target, object_id="theirs")
    _accept(target, by=Actor(mia))
    _check(target, Outcome.FAILURE)
    assert counts.by_state(counts.totals())[State.DEAD] == 1

    _end(OLD, "theirs")
    assert mend_twins() == 1

    target.refresh_from_db()
    assert (target.state, target.replaced_by_id is None) == (State.PENDING, False)
    assert counts.by_state(counts.totals())[State.DEAD] == 0
    assert Event.objects.filter(from_state=State.DEAD).get().quiet
    assert counts.recount() == {}


@pytest.mark.parametrize("url", [OLD, NEW])
def test_the_end_of_a_reference_at_either_address_ends_its_twin(url):
    _accept(moved())

    _end(url)

    assert not Target.objects.exists()
    assert not ReplacedReference.objects.exists()
    assert counts.recount() == {}


def test_programs_can_still_use_the_old_address():
    target = moved()
    _accept(target)

    again = _register(OLD)

    target.refresh_from_db()
    assert (again.is_new, again.is_new_reference, target.replaced_by_id is None) == (False,) * 3
    services.unregister_all([(target.pk, "doc", None)], now=database_now())
    assert not Target.objects.exists()


def test_a_new_reference_at_the_old_address_watches_it_again():
    target = moved()
    _accept(target)

    _register(OLD, "another")

    target.refresh_from_db()
    assert target.replaced_by_id is None
    assert sum(
        pull_back(found, limit=5, now=database_now()) for found in too_far_ahead(database_now())
    )
    _check(target, Outcome.FAILURE)
    target.refresh_from_db()
    assert target.state == State.POTENTIALLY_DEAD


def test_a_reference_that_is_registered_by_its_new_address_outlives_the_old_one():
    _accept(moved())

    _register(NEW)
    _end(OLD)

    assert _at(NEW) == [("doc", None)]
    assert not Target.objects.filter(url=OLD).exists()


def test_the_old_address_is_watched_again_once_the_new_reference_ends():
    target = moved()
    _accept(target)
    _register(NEW)

    _end(NEW)

    target.refresh_from_db()
    assert target.replaced_by_id is None
    assert target.next_check_at <= database_now()
    assert _at(OLD) == [("doc", None)]


def test_a_new_reference_ends_with_the_last_of_several_old_ones():
    first = moved()
    other = "http://www.a.example/page"
    second = moved(url=other)
    _accept(first)
    _accept(second)

    _end(OLD)
    assert _at(NEW) == _at(other) == [("doc", None)]
    _end(other)

    assert not Target.objects.exists()


def _move_on(url, moved_to):
    target = Target.objects.get(canonical_url=accept_url(url).url)
    for ago in (9, 5, 1):
        check_moved(target, moved_to, ago)
    writer.change([(target, {"state": State.ALIVE, "moved_to": moved_to})])
    return target


def test_references_follow_a_page_that_moves_twice_and_end_by_the_oldest_address():
    further = "https://a.example/newer/page"
    _accept(moved())

    _accept(_move_on(NEW, further))
    assert _at(OLD) == _at(NEW) == _at(further) == [("doc", None)]
    _end(OLD)

    assert not Target.objects.exists()


def test_a_page_that_moved_back_is_watched_at_its_old_address_again():
    target = moved()
    _accept(target)

    _accept(_move_on(NEW, OLD))

    target.refresh_from_db()
    new = Target.objects.get(url=NEW)
    assert (target.replaced_by_id, new.replaced_by_id) == (None, target.pk)
    assert ReplacedReference.objects.count() == 1
    assert _at(OLD) == _at(NEW) == [("doc", None)]


def test_both_references_end_if_the_owner_leaves_the_team_or_loses_the_account():
    mia, noa = _member(), _member("noa")
    first = moved(owner=mia, object_id="mine")
    second = moved(url="http://b.example/page", moved_to="https://b.example/page", owner=noa)
    _accept(first)
    _accept(second)

    bulk.remove_own([first.pk], now=database_now(), by=Actor(mia))
    assert owned.delete(noa.pk, now=database_now(), limit=100)

    assert not Target.objects.exists()
    assert not ReplacedReference.objects.exists()


def test_deleting_a_target_keeps_the_twins_of_its_references():
    target = moved()
    _accept(target)

    services.delete(Target.objects.get(url=NEW), force=True, now=database_now())
    assert mend_twins() == 1

    target.refresh_from_db()
    assert (target.replaced_by_id, _at(OLD)) == (None, [("doc", None)])


def test_twins_left_behind_by_0_2_0_end():
    _accept(moved())
    Reference.objects.filter(target__url=OLD).delete()  # in reality its target as well
    assert _at(NEW) == [("doc", None)]

    assert mend_twins() == 1

    assert _at(NEW) == []
    assert not ReplacedReference.objects.exists()
    assert mend_twins() == 0


def test_a_wrong_mark_of_0_2_0_is_removed():
    target = moved()
    _accept(target)
    ReferenceFactory(target=target, object_id="of an old process")

    assert mend_twins() == 1

    target.refresh_from_db()
    assert target.replaced_by_id is None
    assert target.next_check_at <= database_now()
    assert mend_twins() == 0


@pytest.mark.parametrize(
    "columns",
    [
        {"state": State.DEAD, "failures": 3},
        {"flags": ["parked"]},
        {"inconclusive_since": LONG_AGO, "attention_since": LONG_AGO},
    ],
    ids=["dead", "flagged", "inconclusive"],
)
def test_failures_that_0_2_0_recorded_for_a_replaced_page_are_cleared(columns):
    target = moved()
    _accept(target)
    target.refresh_from_db()
    writer.change([(target, columns)])

    assert mend_twins() == 1

    target.refresh_from_db()
    assert target.state in (State.ALIVE, State.PENDING)
    assert (target.failures, target.flags, target.inconclusive_since) == (0, [], None)
    assert target.replaced_by_id is not None
    assert target.next_check_at > database_now() + REPLACED_PERIOD - timedelta(days=1)
    assert counts.recount() == {}
    assert mend_twins() == 0


def test_differing_flag_rows_of_a_replaced_page_are_deleted():
    target = moved()
    _accept(target)
    TargetFlag.objects.create(target=target, flag="parked", created_at=target.created_at)

    assert mend_twins() == 1

    assert not TargetFlag.objects.exists()
    assert mend_twins() == 0


def test_flags_of_a_replaced_page_without_rows_are_removed_too():
    target = moved()
    _accept(target)
    Target.objects.filter(pk=target.pk).update(flags=["parked"])

    assert mend_twins() == 1

    target.refresh_from_db()
    assert target.flags == []


def test_unrepairable_faults_are_logged_and_the_run_ends(monkeypatch, caplog):
    target = moved()
    _accept(target)
    ReferenceFactory(target=target, object_id="of an old process")
    monkeypatch.setattr(services, "settle", lambda targets, *, now: None)

    assert mend_twins() == 1

    assert f"can't be corrected: ['{target.pk}']" in caplog.text


def test_accounts_export_their_repairs_and_the_references_that_followed():
    mia = _member()
    repair = _accept(moved(owner=mia, object_id="mine"), by=Actor(mia))

    exported = {kind: list(rows) for kind, rows in owned.export(mia.pk)}

    [own] = exported["repairs"]
    assert (own["url"], own["moved_to"], own["reference_count"]) == (OLD, NEW, 1)
    assert (own["accepted_at"], own["undone_at"]) == (repair.accepted_at, None)
    pair = {"id": "mine", "url": OLD, "moved_to": NEW}
    assert exported["replaced_references"] == [pair]


def test_a_pinned_target_is_watched_at_its_old_address_too():
    target = moved()
    services.update(target, {"pinned": True}, now=database_now())

    _accept(target)

    target.refresh_from_db()
    assert target.replaced_by_id is None


def test_undo_ends_the_twins_and_has_the_old_address_checked_now():
    target = moved()
    repair = _accept(target)

    undone, remaining = undo(repair.pk, now=database_now(), by=DEPLOYMENT)

    target.refresh_from_db()
    assert (remaining, undone.undone_at is None, target.replaced_by_id) == (0, False, None)
    assert target.next_check_at <= database_now()
    assert not Target.objects.filter(url=NEW).exists()
    assert _at(OLD) == [("doc", None)]
    assert undo(repair.pk, now=database_now(), by=DEPLOYMENT)[1] == 0


def test_undo_keeps_references_registered_at_the_new_address():
    target = moved()
    ReferenceFactory(target=TargetFactory(url=NEW, pinned=False), object_id="doc")
    repair = _accept(target)

    undo(repair.pk, now=database_now(), by=DEPLOYMENT)

    assert _at(OLD) == _at(NEW) == [("doc", None)]


def test_members_undo_an_operators_repair_for_their_own_references():
    mia = _member()
    target = moved(owner=mia, object_id="mine")
    ReferenceFactory(target=target, object_id="theirs")
    repair = _accept(target)

    undo(repair.pk, now=database_now(), by=Actor(mia))

    assert _at(NEW) == [("theirs", None)]
    assert _at(OLD) == [("mine", "mia"), ("theirs", None)]
    assert _refused(undo, repair.pk, now=database_now(), by=Actor(_member("noa"))) == "not_found"


def test_a_repair_can_be_undone_for_thirty_days():
    target = moved()
    repair = _accept(target)
    Repair.objects.update(accepted_at=database_now() - timedelta(days=31))

    assert _refused(undo, repair.pk, now=database_now(), by=DEPLOYMENT) == "undo_expired"
    assert delete_old_repairs() == 1

    assert _refused(undo, repair.pk, now=database_now(), by=DEPLOYMENT) == "not_found"
    _end(OLD)
    assert not Target.objects.exists()


def test_a_repair_that_checks_no_longer_support_is_rejected():
    target = moved((9, 5, (1, "https://a.example/elsewhere")))
    assert _refused(_accept, target) == "repair_over"

    other = moved(url="http://b.example/page", moved_to="https://b.example/page")
    assert (
        _refused(accept, other.pk, moved_to=NEW, now=database_now(), by=DEPLOYMENT) == "repair_over"
    )
    assert not Repair.objects.exists()


def test_a_page_that_is_dead_at_its_new_address_is_not_followed():
    target = moved()
    TargetFactory(url=NEW, state=State.DEAD, failures=3)

    assert _refused(_accept, target) == "repair_over"


def test_members_cannot_move_references_of_others():
    target = moved()
    assert _refused(_accept, target, by=Actor(_member())) == "not_found"
    assert not Repair.objects.exists()


def test_the_second_user_sees_the_repair_as_accepted():
    target = moved()

    first, second = _accept(target), _accept(target, by=DEPLOYMENT)

    assert first == second
    assert Event.objects.filter(kind=EventKind.REPAIRED).count() == 1


def test_owners_are_notified_of_their_references():
    mia = _member()
    target = moved(owner=mia, object_id="mine")
    _accept(target)

    event = Event.objects.get(kind=EventKind.REPAIRED)

    assert event.payload["reference_ids"] == ["mine"]
    assert event.payload["owners"] == [mia.pk]
    assert event.payload["moved_to"] == NEW
    subscriptions = SubscriptionIndex()
    for user in (mia, _member("noa")):
        subscription = SubscriptionFactory(channel=ChannelFactory(owner=user), what=["repairs"])
        subscriptions.add(subscription, by=Actor(user))
    [wanting] = subscriptions.matching(EventFacts(event))
    assert wanting.channel.owner == mia
    [line] = event_content(event, Actor(mia)).lines
    assert (line.headline, line.references) == (OLD, ("mine",))
    assert NEW in line.reason


def test_thousands_of_references_move_in_batches_until_none_remain(monkeypatch):
    monkeypatch.setattr(repairs, "MAX_MOVED", 3)
    target = moved()
    for number in range(7):
        ReferenceFactory(target=target, object_id=f"doc-{number}")

    repair, remaining = repairs.accept(target.pk, lambda _: None, now=database_now(), by=DEPLOYMENT)
    target.refresh_from_db()
    assert (len(_at(NEW)), remaining, target.replaced_by_id) == (3, 5, None)

    done = _accept(target)

    assert (done.pk, done.reference_count, len(_at(NEW))) == (repair.pk, 8, 8)
    assert undo(repair.pk, now=database_now(), by=DEPLOYMENT)[1] == 0
    assert (len(_at(OLD)), len(_at(NEW))) == (8, 0)


def test_twins_say_where_their_documents_have_the_link():
    target = moved()
    places = [{"line": 3, "column": 1, "text": "here"}]
    ReferenceOccurrences.objects.create(reference=target.references.get(), places=places)

    _accept(target)

    new = Reference.objects.get(target__url=NEW)
    assert ReferenceOccurrences.objects.get(pk=new.pk).places == places


def test_all_repairs_of_a_host_are_accepted_except_undone_ones():
    first = moved()
    second = moved(url="http://a.example/b", moved_to="https://a.example/b", object_id="b")
    moved(url="http://b.example/page", moved_to="https://b.example/page", object_id="c")
    undo(_accept(first).pk, now=database_now(), by=DEPLOYMENT)

    done = accept_host("a.example", now=database_now(), by=DEPLOYMENT)

    assert [repair.old_target for repair in done.repairs] == [second.pk]
    assert (done.refused, done.has_more) == ([], False)


def test_repairs_that_a_member_has_undone_are_left_out_when_the_host_is_accepted():
    mia = _member()
    target = moved(owner=mia, object_id="mine")
    ReferenceFactory(target=target, object_id="theirs")
    undo(_accept(target).pk, now=database_now(), by=Actor(mia))

    done = accept_host("a.example", now=database_now(), by=DEPLOYMENT)

    assert done.repairs == []
    assert _at(NEW) == [("theirs", None)]


def test_members_see_the_number_of_their_own_references():
    mia = _member()
    target = moved(owner=mia, object_id="mine")
    ReferenceFactory(target=target, object_id="theirs")
    repair = _accept(target)

    for actor, count in ((Actor(mia), 1), (DEPLOYMENT, 2)):
        [known] = Repair.objects.visible_to(actor)
        repairs.set_visible_counts([known], by=actor)
        assert (known.pk, known.reference_count) == (repair.pk, count)
    assert not Repair.objects.visible_to(Actor(_member("noa"))).exists()


def test_visible_repairs_are_found_by_a_members_references():
    plan = Repair.objects.visible_to(Actor(_member())).explain()

    if connection.vendor == "postgresql":
        assert "hashed SubPlan" in plan
    else:
        assert "CORRELATED" not in plan


def _repair(number, *, owner=None):
    """Make an accepted repair by hand, of one reference."""
    old = ReferenceFactory(object_id=f"old-{number}", owner=owner)
    new = ReferenceFactory(object_id=f"old-{number}", owner=owner)
    repair = Repair.objects.create(
        old_target=old.target_id,
        old_url=old.target.url,
        new_target=new.target_id,
        new_url=new.target.url,
        accepted_at=LONG_AGO + timedelta(minutes=number),
    )
    ReplacedReference.objects.create(old=old, new=new, is_tied=True, repair=repair)
    return repair


def test_repairs_of_a_service_user_are_paginated(django_assert_max_num_queries):
    mia, robot = _member(), Actor(User.objects.create_user("robot"))
    made = [_repair(number, owner=mia if number % 3 else None) for number in range(12)]
    known = [repair.pk for repair in made[::-1] if not made.index(repair) % 3]
    found, token = [], None
    for _ in range(10):
        pages = AcceptedRepairPages()
        with django_assert_max_num_queries(10):
            page = pages.find(robot, limit=2, token=token)
        assert len(page) <= 2
        found += [repair.pk for repair in page]
        token = pages.next_page_token
        if token is None:
            break
    assert found == known
    assert [
        repair.pk for repair in AcceptedRepairPages().find(Actor(mia), limit=99, token=None)
    ] == [repair.pk for repair in made[::-1] if made.index(repair) % 3]
    assert repairs.find(known[0], by=robot).pk == known[0]


def test_repairs_of_a_service_user_are_found_without_scanning_all_pairs():
    plan = (
        Repair.objects.visible_to(Actor(User.objects.create_user("robot")))
        .filter(pk=_repair(0).pk)
        .explain()
    )
    assert "hashed SubPlan" not in plan
    assert "LIST SUBQUERY" not in plan


def test_a_page_that_moved_back_ends_with_the_address_that_a_program_knows():
    _accept(moved())
    _accept(_move_on(NEW, OLD))

    _end(OLD)

    assert not Target.objects.exists()


def test_undoing_the_move_back_keeps_the_original_reference():
    _accept(moved())
    back = _accept(_move_on(NEW, OLD))

    undo(back.pk, now=database_now(), by=DEPLOYMENT)

    assert _at(OLD) == _at(NEW) == [("doc", None)]


def test_references_do_not_follow_to_a_paused_target():
    target = moved()
    TargetFactory(url=NEW, paused=True)

    assert _refused(_accept, target) == "repair_over"
    assert _at(NEW) == []


def test_a_move_within_one_target_is_not_a_repair():
    target = moved(url="https://a.example/docs", moved_to="https://a.example/docs/")

    search = RepairSearch(by=DEPLOYMENT, now=database_now())

    assert search.find(limit=10) == []
    assert _refused(_accept, target) == "repair_over"


def test_a_host_is_repaired_despite_refused_pages(monkeypatch):
    monkeypatch.setattr("checker.repairs.repair_acceptance.MAX_PER_HOST", 2)
    for number in range(3):
        new = f"https://a.example/closed/{number}"
        moved(url=f"http://a.example/closed/{number}", moved_to=new)
        TargetFactory(url=new, paused=True)
    moved()

    done = accept_host("a.example", now=database_now(), by=DEPLOYMENT)

    assert [repair.old_url for repair in done.repairs] == [OLD]
    assert not done.has_more


def test_a_request_for_a_host_ends_once_it_has_moved_enough(monkeypatch):
    monkeypatch.setattr("checker.repairs.repair_acceptance.MAX_REFERENCES", 1)
    monkeypatch.setattr("targets.repairs.MAX_MOVED", 1)
    moved()
    moved(url="http://a.example/other", moved_to="https://a.example/other")

    done = [accept_host("a.example", now=database_now(), by=DEPLOYMENT) for _ in range(3)]

    assert [len(each.repairs) for each in done] == [1, 1, 0]
    assert [each.has_more for each in done] == [True, True, False]


def test_references_moved_before_a_refusal_are_reported(monkeypatch):
    monkeypatch.setattr("targets.repairs.MAX_MOVED", 1)
    target = moved()
    ReferenceFactory(target=target, object_id="other")
    batches = []

    def accept_and_move_on(*args, accept=repairs.accept, **kwargs):
        if batches:
            raise repairs.not_moved_error()
        batches.append(accept(*args, **kwargs))
        return batches[0]

    monkeypatch.setattr(repairs, "accept", accept_and_move_on)

    repair, remaining = accept(target.pk, now=database_now(), by=DEPLOYMENT)

    assert (repair.reference_count, remaining) == (1, 1)


def test_a_repair_a_day_later_can_be_undone_for_thirty_days_again():
    target = moved()
    first = _accept(target)
    Repair.objects.update(accepted_at=database_now() - timedelta(days=29))
    _register(OLD, "later")
    for ago in (9, 5, 1):
        check_moved(target, NEW, ago)
    target.refresh_from_db()
    writer.change([(target, {"state": State.ALIVE})])

    second = _accept(target)

    assert second.pk != first.pk
    assert _at(NEW) == [("doc", None), ("later", None)]
