"""Events that can't be counted delay no other event, and an operator decides about them."""

from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError

from analytics import consumer_group, dead_letters, view_history
from analytics.stream import STREAM, WAITING
from foundation.valkey import metrics
from tests.analytics.events import count_all, milliseconds, put, view, worker

pytestmark = [pytest.mark.any_database, pytest.mark.django_db]


NOW = str(milliseconds(datetime.now(UTC)))


def run_dead_letters(*args):
    output = StringIO()
    call_command("dead_letters", *args, stdout=output)
    return output.getvalue()


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"nonsense": "1"}, "KeyError: b'kind'"),
        ({"kind": "view", "subject": "s_a", "at": "soon"}, "ValueError: invalid literal"),
        (
            {"kind": "view", "subject": b"\xff", "at": "1"},
            "ValueError: invalid subject b'\\xff'",
        ),
        ({"kind": "purge", "subject": "s_a", "at": "1"}, "ValueError: unknown kind b'purge'"),
        ({"kind": "view", "subject": "", "at": "1"}, "ValueError: invalid subject"),
        ({"kind": "view", "subject": "s" * 101, "at": "1"}, "ValueError: invalid subject"),
        ({"kind": "view", "subject": "s_a", "at": "1"}, "ValueError: the time is out of range"),
        (
            {"kind": "view", "subject": "s_a", "at": "9" * 30},
            "ValueError: the time is out of range",
        ),
        *(
            ({"kind": "view", "subject": "s_a", "at": NOW, "n": n}, f"ValueError: {reason}")
            for n, reason in [
                ("0", "invalid number of views: 0"),
                ("-3", "invalid number of views: -3"),
                ("1000001", "invalid number of views: 1000001"),
                ("many", "invalid literal"),
            ]
        ),
    ],
)
def test_a_malformed_event_is_set_aside_and_the_rest_of_its_batch_counts(redis, fields, reason):
    put(view("s_a"))
    redis.xadd(STREAM, fields)
    put(view("s_a"))
    count_all()
    assert int(redis.get("views:s_a")) == 2
    [letter] = dead_letters.letters(redis)
    assert letter.reason.startswith(reason)
    assert redis.xpending(STREAM, "linkwatch")["pending"] == 0


def test_only_an_event_that_crashes_workers_is_set_aside(redis, monkeypatch):
    monkeypatch.setattr(consumer_group, "CLAIM_AFTER", 0)
    put(*(view(subject) for subject in ("s_a", "s_deadly", "s_b")))
    deaths = 0
    consumer_group.ensure_group(redis)
    consumer_group.read(redis, "the first to die", limit=10, wait=100)  # with all three pending

    def count(self, entries):
        if any(fields[b"subject"] == b"s_deadly" for _, fields in entries):
            raise MemoryError
        real(self, entries)

    one = worker()
    real = type(one)._count
    monkeypatch.setattr(type(one), "_count", count)
    for _ in range(20):
        try:
            worker().do_housekeeping()
        except MemoryError:
            deaths += 1
    assert deaths == consumer_group.MAX_DELIVERIES - 1
    [letter] = dead_letters.letters(redis)
    assert (letter.reason, letter.deliveries) == ("delivered too often", 5)
    assert letter.fields["subject"] == "s_deadly"
    assert [int(redis.get(f"views:s_{name}")) for name in "ab"] == [1, 1]


def test_dead_letters_are_listed_retried_and_dropped(redis):
    assert "no dead letters" in run_dead_letters("list")
    consumer_group.ensure_group(redis)
    put(view("s_a", visitor="v1"), view("s_b"), view("s_c"))
    for id_, _ in consumer_group.read(redis, "c", limit=10, wait=100):
        dead_letters.bury(redis, id_, "for a test")
    ids = [letter.id for letter in dead_letters.letters(redis)]
    shown = run_dead_letters("list")
    assert "for a test" in shown
    assert "subject=s_a" in shown
    assert ids[0] in shown

    assert "1 of 1" in run_dead_letters("retry", ids[0])
    count_all()
    assert int(redis.get("views:s_a")) == 1
    assert "1 of 1" in run_dead_letters("drop", ids[1])
    with pytest.raises(CommandError, match="not among"):
        run_dead_letters("drop", ids[1])
    assert "1 of 1" in run_dead_letters("retry", "--all")
    count_all()
    assert redis.get("views:s_b") is None
    assert int(redis.get("views:s_c")) == 1
    assert redis.xlen(dead_letters.KEY) == 0
    assert metrics.totals(redis)["events_view"] == 2


def test_a_dead_letter_shows_and_restores_its_number_of_views(redis):
    consumer_group.ensure_group(redis)
    visitors = ",".join(f"{n:016x}" for n in range(1_000))
    put(view("s_a", visitor=visitors, n=1_234), view("s_b", n=56))
    for id_, _ in consumer_group.read(redis, "c", limit=10, wait=100):
        dead_letters.bury(redis, id_, "for a test")
    assert redis.get(WAITING) == b"0"
    letters = list(dead_letters.letters(redis))
    assert [letter.views for letter in letters] == [1_234, 56]
    assert dead_letters.DeadViewEntry("1-0", "", 1, {"n": "many"}).views == 1
    shown = run_dead_letters("list")
    assert "1234" in shown
    assert max(len(line) for line in shown.splitlines()) < 400  # not all visitors

    run_dead_letters("retry", letters[0].id)
    assert redis.get(WAITING) == b"1234"
    count_all()
    assert int(redis.get("views:s_a")) == 1_234
    assert redis.pfcount(f"uv:s_a:{datetime.now(UTC):%Y%m%d}") == pytest.approx(1_000, rel=0.02)
    assert redis.get(WAITING) == b"0"


def test_an_entry_becomes_a_dead_letter_once(redis):
    consumer_group.ensure_group(redis)
    put(view("s_a"))
    [(id_, _)] = consumer_group.read(redis, "c", limit=10, wait=100)
    dead_letters.bury(redis, id_, "first")
    dead_letters.bury(redis, id_, "second")
    assert [letter.reason for letter in dead_letters.letters(redis)] == ["first"]


def test_the_command_must_be_given_ids(redis):
    for args in (["retry"], ["drop"], ["drop", "1-0", "--all"]):
        with pytest.raises(CommandError, match="Specify ids, or --all"):
            run_dead_letters(*args)


def test_a_redis_that_refuses_or_is_unreachable_is_reported_in_a_sentence(redis, settings):
    redis.set(dead_letters.KEY, "no stream")
    with pytest.raises(CommandError, match="Redis refused the command: WRONGTYPE"):
        run_dead_letters("list")
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    with pytest.raises(CommandError, match="can't be reached"):
        run_dead_letters("list")


def test_an_outage_of_the_database_sets_no_late_view_aside(redis, monkeypatch):
    monkeypatch.setattr(consumer_group, "CLAIM_AFTER", 0)
    put(view("s_a", at=datetime.now(UTC) - timedelta(days=3)))
    one = worker()
    consumer_group.read(redis, "a dead worker", limit=10, wait=100)

    def fail(*_):
        raise OperationalError("the connection is lost")

    with monkeypatch.context() as outage:
        outage.setattr(view_history, "restore_days", fail)
        for _ in range(2 * consumer_group.MAX_DELIVERIES):
            with pytest.raises(OperationalError):
                one.do_housekeeping()
    one.do_housekeeping()
    assert list(dead_letters.letters(redis)) == []
    assert int(redis.get("views:s_a")) == 1
