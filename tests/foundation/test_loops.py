"""Loops call each step when it is due, survive database errors, and end on a stop."""

import logging
import threading
import time
from itertools import pairwise

import pytest
from django.db import DatabaseError, InterfaceError

from foundation import loops, watchdog
from foundation.loops import Loop
from tests.acceptance.processes import until

# None of these steps uses a database.
pytestmark = pytest.mark.usefixtures("_no_pause")


@pytest.fixture
def _no_pause(monkeypatch):
    monkeypatch.setattr(loops, "RETRY_AFTER", 0.01)


def looking(*waits, then=None):
    """Return a step that waits this long each time, and the list of its calls."""
    calls, left = [], list(waits)

    def look():
        calls.append(time.monotonic())
        if not left and then is not None:
            then()
        wait = left.pop(0) if left else 60.0
        if isinstance(wait, Exception):
            raise wait
        return wait

    return look, calls


def test_each_function_of_a_loop_is_called_when_due():
    often, calls = looking(*[0.05] * 20)
    seldom, others = looking()
    loop = Loop(often, seldom, until=lambda: len(calls) == 4, uses_database=False)

    loop.run()

    assert len(others) == 1
    assert all(after - before >= 0.05 for before, after in pairwise(calls))


def test_the_database_connection_is_renewed_before_each_turn(monkeypatch):
    done = []

    def look():
        done.append("called")
        if len(done) == 4:
            loop.stop()
        return 0.0

    monkeypatch.setattr(loops, "close_old_connections", lambda: done.append("renewed"))
    loop = Loop(look)

    loop.run()

    assert done == ["renewed", "called"] * 2


@pytest.mark.parametrize("error", [DatabaseError("away"), InterfaceError("closed")])
def test_an_error_of_the_database_is_logged_and_the_call_repeated(error, caplog):
    loop = Loop(lambda: look(), uses_database=False)
    look, calls = looking(error, then=loop.stop)

    with caplog.at_level(logging.ERROR, "foundation.loops"):
        loop.run()

    assert len(calls) == 2
    assert len(caplog.records) == 1


def test_another_error_ends_the_loop_and_is_logged_by_its_thread(caplog):
    look, calls = looking(ValueError("odd"))

    with caplog.at_level(logging.ERROR, "foundation.loops"):
        loops.start(Loop(look, uses_database=False).run, name="the odd one").join(9)

    assert len(calls) == 1
    assert [one.getMessage() for one in caplog.records] == ["the odd one has crashed"]


@pytest.mark.parametrize("ends", [None, lambda: False], ids=["by stop alone", "by a flag"])
def test_a_waiting_thread_is_woken_and_stopped_at_once(ends):
    look, calls = looking()
    loop = Loop(look, until=ends, uses_database=False)
    thread = loops.start(loop.run, name="sleeper")
    until(lambda: len(calls) == 1)

    loop.wake()
    until(lambda: len(calls) == 2)
    begun = time.monotonic()
    loop.stop()
    thread.join(9)

    assert not thread.is_alive()
    assert len(calls) == 2
    assert time.monotonic() - begun < 5


def test_a_wake_during_a_call_is_not_lost():
    calls, again = [], threading.Event()

    def look():
        calls.append(1)
        (again.set if len(calls) > 1 else loop.wake)()
        return 60.0

    loop = Loop(look, until=None, uses_database=False)
    thread = loops.start(loop.run, name="woken")
    assert again.wait(9)
    loop.stop()
    thread.join(9)


def test_the_watchdog_watches_a_loop_while_it_runs():
    seen = []
    loop = Loop(lambda: look(), until=None, patience=7.0, uses_database=False)
    look, _ = looking(then=lambda: (seen.extend(watchdog._loops.values()), loop.stop()))

    thread = loops.start(loop.run, name="seen")
    thread.join(9)

    assert [(one.name, one.patience) for one in seen if one.name == "seen"] == [("seen", 7.0)]
    assert "seen" not in {one.name for one in watchdog._loops.values()}


def test_each_turn_calls_due_and_failed_functions():
    first, calls = looking(60.0)
    second, others = looking(ValueError("odd"), 60.0)
    loop = Loop(first, second)

    with pytest.raises(ValueError, match="odd"):
        loop.turn()
    wait = loop.turn()

    assert (len(calls), len(others)) == (1, 2)
    assert 59 < wait <= 60
