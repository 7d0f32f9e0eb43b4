"""Two users who accept a repair at the same time, and processes killed while they accept."""

import os
import signal
import threading

import pytest
from django.db import connections
from django.db.models import Count

from accounts.actors import DEPLOYMENT
from checker.repairs.repair_acceptance import accept, undo
from foundation.database.clock import database_now
from outbox.event_kinds import EventKind
from outbox.models import Event
from targets import counts, event_payload, repairs, services
from targets.models import Reference, Repair, ReplacedReference, Target
from tests.factories import ReferenceFactory, TargetFactory
from tests.repairs.moved import NEW, moved
from tests.threads import run_together

pytestmark = pytest.mark.django_db(transaction=True)
REFERENCES = 12


def _many():
    target = moved(object_id="0")
    for number in range(1, REFERENCES):
        ReferenceFactory(target=target, object_id=str(number))
    return target


def _accept(target):
    return accept(target.pk, now=database_now(), by=DEPLOYMENT)[0]


def _assert_whole(target):
    """Assert that each reference is at its old address.

    A reference that moved is also at the new address, once, and in a pair.
    """
    assert target.references.count() == REFERENCES
    new = Reference.objects.exclude(target=target)
    assert set(new.values_list("pk", flat=True)) == set(
        ReplacedReference.objects.values_list("new", flat=True)
    )
    announced = [
        id_
        for event in Event.objects.filter(kind=EventKind.REPAIRED)
        for id_ in event.payload["reference_ids"]
    ]
    assert sorted(announced) == sorted(new.values_list("object_id", flat=True))
    assert not Target.objects.annotate(n=Count("references")).filter(n=0, pinned=False).exists()
    assert counts.recount() == {}


def test_of_many_parallel_acceptances_one_succeeds_and_the_others_see_it():
    target = _many()

    done = run_together([lambda: _accept(target) for _ in range(5)])

    assert len({repair.pk for repair in done}) == 1
    assert Event.objects.filter(kind=EventKind.REPAIRED).count() == 1
    _assert_whole(target)
    target.refresh_from_db()
    assert target.replaced_by_id is not None


def test_concurrent_acceptances_undos_and_ends_are_atomic():
    target = _many()
    repair = _accept(target)
    now = database_now()

    run_together(
        [
            lambda: undo(repair.pk, now=now, by=DEPLOYMENT),
            lambda: undo(repair.pk, now=now, by=DEPLOYMENT),
            lambda: services.unregister_all([(target.pk, "1", None)], now=now),
            lambda: services.unregister_all([(repair.new_target, "2", None)], now=now),
        ]
    )

    assert ReplacedReference.objects.count() == 0
    assert "1" not in Reference.objects.values_list("object_id", flat=True)
    assert not Reference.objects.exclude(target=target).exists()
    assert counts.recount() == {}


def test_an_undo_waits_for_references_that_are_joining_its_repair(monkeypatch):
    target = moved()
    repair = _accept(target)
    services.unregister_all([(target.pk, "doc", None)], now=database_now())  # none remains
    target = moved(object_id="later")
    Repair.objects.update(old_target=target.pk)
    new = TargetFactory(url=NEW)
    Repair.objects.update(new_target=new.pk)
    joining, is_undone = threading.Event(), threading.Event()

    def write_slowly(*args, write=event_payload.write_repaired, **kwargs):
        write(*args, **kwargs)
        joining.set()
        is_undone.wait(1)

    def undo_meanwhile():
        assert joining.wait(20)
        undo(repair.pk, now=database_now(), by=DEPLOYMENT)
        is_undone.set()

    monkeypatch.setattr(event_payload, "write_repaired", write_slowly)
    accepted, _ = run_together([lambda: _accept(target), undo_meanwhile])

    accepted.refresh_from_db()
    has_pairs = ReplacedReference.objects.filter(repair=accepted).exists()
    assert has_pairs == (accepted.undone_at is None)


def _killed_in(module, name, call, *, calls):
    """Call `call` in a process that is killed during the last of `calls` calls of this function."""
    connections.close_all()
    wrapped, left = getattr(module, name), [calls]
    ready, tell = os.pipe()
    pid = os.fork()
    if pid == 0:

        def stop(*args, **kwargs):
            wrapped(*args, **kwargs)
            left[0] -= 1
            if not left[0]:
                os.write(tell, b".")
                signal.pause()

        setattr(module, name, stop)
        try:
            call()
        finally:
            os._exit(1)
    os.close(tell)
    try:
        assert os.read(ready, 1) == b"."
    finally:
        os.kill(pid, signal.SIGKILL)
        assert os.waitpid(pid, 0)[1] == signal.SIGKILL
        os.close(ready)


@pytest.mark.parametrize("batch", [1, 2, 3])
def test_kill_9_during_an_acceptance_leaves_whole_references_and_a_resumable_repair(
    monkeypatch, batch
):
    monkeypatch.setattr(repairs, "MAX_MOVED", 5)
    target = _many()

    _killed_in(event_payload, "write_repaired", lambda: _accept(target), calls=batch)

    assert ReplacedReference.objects.count() == 5 * (batch - 1)
    _assert_whole(target)
    repair = _accept(target)
    assert repair.reference_count == ReplacedReference.objects.count() == REFERENCES
    assert Repair.objects.count() == 1
    _assert_whole(target)


def test_kill_9_during_an_undo_loses_no_reference(monkeypatch):
    monkeypatch.setattr(repairs, "MAX_MOVED", 5)
    target = _many()
    repair = _accept(target)
    now = database_now()

    _killed_in(
        services, "unregister_locked", lambda: undo(repair.pk, now=now, by=DEPLOYMENT), calls=2
    )

    assert ReplacedReference.objects.count() == REFERENCES - 5
    assert target.references.count() == REFERENCES
    undo(repair.pk, now=now, by=DEPLOYMENT)
    assert not Reference.objects.exclude(target=target).exists()
    assert counts.recount() == {}
