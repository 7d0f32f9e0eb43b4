"""A second kind of sink: any number of files, added and removed while a relay runs."""

import json
import os
import threading
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command

from foundation import watchdog
from foundation.database.clock import database_now
from outbox import cursors
from outbox import relay_threads as events_threads
from outbox.models import Cursor, DeadLetter, Event
from outbox.readers import configured_readers
from outbox.relay import Feeder, number_events
from outbox.relay_threads import FeederThreads
from targets.tasks import delete_old_transitions
from tests.acceptance.processes import until
from tests.factories import CREATED_AT, DeadTargetFactory, TransitionFactory
from tests.targets.lines_sink import LinesSink

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(settings, tmp_path):
    """A folder in which each `*.jsonl` is a sink; Kafka is no longer one of the sinks."""
    settings.SINKS = {"lines": "tests.targets.lines_sink.instances"}
    settings.LINES_FOLDER = tmp_path
    return tmp_path


def make_file(folder, name="a"):
    path = folder / f"{name}.jsonl"
    path.touch()
    return path


def happen(count, **fields):
    """Make `count` targets die; return the ids of the events in order."""
    rows = [TransitionFactory(**fields) for _ in range(count)]
    return [str(row.pk) for row in sorted(rows, key=lambda row: (row.at, row.pk))]


def ids_in(path):
    return [json.loads(line)["id"] for line in path.read_text().splitlines()]


def run_once():
    with pytest.raises(SystemExit) as ended:
        call_command("run_relay", once=True)
    return ended.value.code


def position(name="lines:a"):
    return Cursor.objects.get(pk=name).position


def test_the_relay_feeds_a_kind_of_sink_that_only_the_settings_name(folder, api):
    first, second = make_file(folder, "a"), make_file(folder, "b")
    target = DeadTargetFactory()
    for number in range(3):
        TransitionFactory(target=target, at=CREATED_AT + timedelta(seconds=number))
    happen(20)

    assert run_once() == 0

    feed = api.get("/v1/events", {"limit": 100}).json()["items"]
    for path in (first, second):
        assert [json.loads(line) for line in path.read_text().splitlines()] == feed
    assert api.get("/v1/stats").json()["sinks"].keys() == {"feed", "lines:a", "lines:b"}


def test_after_a_crash_it_continues_from_its_position(folder):
    path = make_file(folder)
    before = happen(2)
    assert run_once() == 0
    lost = happen(3)
    number_events()

    class Killed(BaseException):
        pass

    class DyingSink(LinesSink):
        def send(self, messages):
            super().send(messages[:2])
            raise Killed

    with pytest.raises(Killed):
        Feeder(DyingSink(path)).feed()
    assert position() == 2
    Cursor.objects.update(leased_until=database_now() - timedelta(seconds=1))  # not renewed

    assert run_once() == 0
    assert ids_in(path) == [*before, *lost[:2], *lost], (
        "only the batch in flight is delivered again"
    )
    assert position() == 5


def test_a_refused_event_is_a_dead_letter_until_it_is_sent_again(folder, monkeypatch):
    path = make_file(folder)
    ids = happen(1)
    (long,) = happen(1, payload={"target_id": "t_long", "url": "https://x.example/" + "x" * 6000})
    ids += happen(1)

    assert run_once() == "lines:a: 0 events pending, 1 set aside."

    letter = DeadLetter.objects.get()
    assert (str(letter.transition_id), letter.sink_id) == (long, "lines:a")
    assert "LineTooLongError" in letter.error
    assert sorted(ids_in(path)) == sorted(ids)

    monkeypatch.setattr("tests.targets.lines_sink.LONGEST", 10_000)
    DeadLetter.objects.update(send_again=True)
    assert run_once() == 0
    assert ids_in(path)[-1] == long


def test_a_failure_that_affects_all_stops_all_messages(folder):
    (folder / "a.jsonl").mkdir()
    happen(1)
    assert run_once().startswith("lines:a: IsADirectoryError: ")
    assert (position(), DeadLetter.objects.count()) == (0, 0)


def test_a_sink_that_fails_is_tried_again_after_ever_longer_pauses(folder, monkeypatch):
    monkeypatch.setattr("random.uniform", lambda _least, most: most)
    (folder / "a.jsonl").mkdir()
    happen(1)
    number_events()
    thread = events_threads.FeederThread(LinesSink(folder / "a.jsonl"))

    assert [thread._look() for _ in range(7)] == [0.4, 0.8, 1.6, 3.2, 6.4, 10, 10]

    (folder / "a.jsonl").rmdir()
    make_file(folder)
    assert thread._look() == 0
    (folder / "a.jsonl").unlink()
    happen(1)
    number_events()
    assert thread._look() == 0.4


@pytest.mark.django_db(transaction=True)
def test_a_feeder_may_be_busy_for_longer_than_its_lease_before_it_counts_as_hanging(
    folder, monkeypatch
):
    monkeypatch.setattr(LinesSink, "timeout", timedelta(minutes=3))
    sink = LinesSink(make_file(folder))
    thread, loop, registered = events_threads.FeederThread(sink), watchdog.loop, []

    def register(*, patience):
        registered.append(patience)
        return loop(patience=patience)

    monkeypatch.setattr(watchdog, "loop", register)
    monkeypatch.setattr(thread.feeder, "feed", thread.stop)
    thread.start()
    thread.thread.join(30)
    (patience,) = registered
    assert patience > sink.lease.total_seconds()


@pytest.mark.django_db(transaction=True)
def test_sinks_are_added_and_removed_at_run_time_and_a_slow_one_delays_no_other(folder):
    os.mkfifo(folder / "slow.jsonl")  # a writer waits for a reader when it opens the pipe
    threads = FeederThreads()

    def feed(path, count):
        number_events()
        until(lambda: (threads.feed_only(configured_readers()), len(ids_in(path)) >= count)[1])

    try:
        ids = happen(2)
        first = make_file(folder, "first")
        feed(first, 2)
        late = make_file(folder, "late")
        ids += happen(2)
        feed(first, 4)
        feed(late, 4)
        assert ids_in(first) == ids_in(late) == ids

        first.rename(folder / "gone")
        until(lambda: (threads.feed_only(configured_readers()), leads("lines:first"))[1] is False)
        ids += happen(1)
        feed(late, 5)
        assert ids_in(late) == ids
        assert position("lines:first") == 4

        (folder / "gone").rename(first)
        feed(first, 5)
        assert ids_in(first) == ids
        assert position("lines:slow") == 0
    finally:
        reader = os.open(folder / "slow.jsonl", os.O_RDONLY | os.O_NONBLOCK)  # releases the writer
        threads.stop(within=60)
        os.close(reader)
    assert not Cursor.objects.exclude(token=None).exists()


@pytest.mark.django_db(transaction=True)
def test_feeders_are_woken_by_the_relay_that_numbers_without_a_poll(folder, monkeypatch):
    monkeypatch.setattr(events_threads, "_LEASE_POLL_INTERVAL", 3600.0)
    path, ended = make_file(folder), threading.Event()
    relay = threading.Thread(target=events_threads.number_and_feed, kwargs={"until": ended.is_set})
    relay.start()
    try:
        until(lambda: leads("lines:a"))
        ids = happen(2)
        until(lambda: ids_in(path) == ids)
        ids += happen(1)
        until(lambda: ids_in(path) == ids)
    finally:
        ended.set()
        relay.join()
    assert not leads("lines:a")


@pytest.mark.django_db(transaction=True)
def test_a_new_sink_gets_events_numbered_before_its_feeder_starts(folder, monkeypatch):
    def feed_late(feeder):
        until(lambda: not Event.objects.unnumbered().exists())
        return feed(feeder)

    feed = Feeder.feed
    monkeypatch.setattr(Feeder, "feed", feed_late)
    monkeypatch.setattr(LinesSink, "begins_at_start", False)
    make_file(folder, "old")
    happen(1)
    assert run_once() == 0
    path, ids, ended = make_file(folder, "new"), happen(2), threading.Event()
    relay = threading.Thread(target=events_threads.number_and_feed, kwargs={"until": ended.is_set})
    relay.start()
    try:
        until(lambda: Cursor.objects.filter(position=3).count() == 2)
    finally:
        ended.set()
        relay.join()
    assert ids_in(path) == ids


def leads(name):
    return Cursor.objects.filter(pk=name).exclude(token=None).exists()


# Off and retired


def test_a_sink_is_off_once_no_relay_has_its_configuration(folder, caplog):
    path = make_file(folder)
    happen(1)
    assert run_once() == 0
    path.rename(folder / "gone")

    assert run_once() == 0
    since = Cursor.objects.get().off_since
    assert since is not None
    assert "lines:a is off" in caplog.text
    assert run_once() == 0
    assert Cursor.objects.get().off_since == since

    ids = happen(1)
    (folder / "gone").rename(path)
    assert run_once() == 0
    assert (Cursor.objects.get().off_since, ids_in(path)[-1:]) == (None, ids)


def test_a_sink_that_another_relay_feeds_is_not_off(folder):
    other = Feeder(LinesSink(make_file(folder)))
    other.feed()
    cursors.mark_off([], now=database_now())
    assert Cursor.objects.get().off_since is None

    Cursor.objects.update(
        leased_until=database_now() - timedelta(seconds=1)
    )  # as if the process were killed
    cursors.mark_off([], now=database_now())
    assert Cursor.objects.get().off_since is not None
    other.feed()
    assert Cursor.objects.get().off_since is None


def test_the_history_for_a_sink_that_is_off_is_kept_until_it_is_retired(folder, settings, capsys):
    settings.TRANSITIONS_RETENTION = timedelta(days=7)
    Cursor.objects.create(name="lines:a", position=1, off_since=CREATED_AT)
    happen(3)
    number_events()
    refused = Event.objects.get(position=1)
    DeadLetter.objects.create(sink_id="lines:a", transition=refused, at=CREATED_AT, error="?")
    assert delete_old_transitions() == 0

    call_command("sinks", "list")
    assert capsys.readouterr().out.splitlines() == [
        "feed: on; 0 events pending, 0 set aside",
        "lines:a: off since 2026-03-01T11:00:00Z; 2 events pending, 1 set aside",
    ]
    call_command("sinks", "retire", "lines:a", yes=True)

    assert not Cursor.objects.exists()
    assert delete_old_transitions() == 2  # the last position is kept


def test_retiring_needs_confirmation_and_rejects_fed_or_missing_sinks(folder, monkeypatch):
    feeder = Feeder(LinesSink(make_file(folder)))
    feeder.feed()
    with pytest.raises(CommandError, match="A relay is still feeding lines:a"):
        call_command("sinks", "retire", "lines:a", yes=True)
    with pytest.raises(CommandError, match="There is no sink 'lines:b'"):
        call_command("sinks", "retire", "lines:b", yes=True)

    feeder.close()
    for answer, left in (("", 1), ("n", 1), ("y", 0)):
        monkeypatch.setattr("builtins.input", lambda question, answer=answer: answer)
        if left:
            with pytest.raises(CommandError, match=r"Nothing was done\."):
                call_command("sinks", "retire", "lines:a")
        else:
            call_command("sinks", "retire", "lines:a")
        assert Cursor.objects.count() == left
