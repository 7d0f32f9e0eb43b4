"""A batch adds its entries, and nothing is added twice."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings

from analytics import consumer_group, counters, stream_batches, trend, view_history
from analytics import metrics as operations
from analytics.models import DailyMetrics
from analytics.stream import STREAM, WAITING, ViewEventKind
from foundation.valkey import metrics
from tests.acceptance.processes import PATIENCE
from tests.analytics.events import count_all, event, milliseconds, put, view, worker

pytestmark = [pytest.mark.any_database, pytest.mark.django_db]


def today():
    return f"{datetime.now(UTC):%Y%m%d}"


def test_views_are_counted_in_total_by_day_by_visitor_and_for_the_trend(redis):
    yesterday = datetime.now(UTC) - timedelta(days=1)
    put(
        view("s_a", visitor="v1"),
        view("s_a", visitor="v1"),
        view("s_a", visitor="v2"),
        view("s_a", at=yesterday, visitor="v1"),
        view("short:k"),
    )
    count_all()
    assert int(redis.get("views:s_a")) == 4
    assert int(redis.get(f"views:s_a:{today()}")) == 3
    assert int(redis.get(f"views:s_a:{yesterday:%Y%m%d}")) == 1
    assert redis.pfcount(f"uv:s_a:{today()}") == 2
    assert int(redis.get("views:short:k")) == 1
    assert redis.pfcount(f"uv:short:k:{today()}") == 0
    for name in ("views:s_a", f"views:s_a:{today()}", f"uv:s_a:{today()}"):
        assert redis.ttl(name) == -1
    scores = dict(trend.top(redis, 10, now=datetime.now(UTC)))
    assert scores["s_a"] == pytest.approx(3.5, abs=0.01)
    assert scores["short:k"] == pytest.approx(1, abs=0.01)


def test_an_entry_counts_for_as_many_views_as_it_holds(redis):
    put(view("s_a", visitor="v1,v2", n=1200), view("s_a", visitor="v2,v3", n=30), view("s_a"))
    count_all()
    assert int(redis.get("views:s_a")) == int(redis.get(f"views:s_a:{today()}")) == 1231
    assert redis.pfcount(f"uv:s_a:{today()}") == 3
    assert trend.score(redis, "s_a", now=datetime.now(UTC)) == pytest.approx(1231, rel=0.01)
    assert metrics.totals(redis)["events_view"] == 1231
    assert redis.get(WAITING) == b"0"
    reported = operations.read(redis)
    assert (reported["latency_events"], reported["events_counted"]["view"]) == (1231, 1231)
    view_history.roll_up(redis)
    [row] = DailyMetrics.objects.all()
    assert (row.views, row.uniques_estimate) == (1231, 3)


def test_an_entry_of_an_older_version_is_one_view_of_one_visitor(redis):
    at = milliseconds(datetime.now(UTC))
    redis.xadd(STREAM, {"kind": "view", "subject": "s_a", "at": at, "visitor": "v1"})
    put(view("s_a", visitor="v1,v2", n=2))
    count_all().do_housekeeping()
    assert int(redis.get("views:s_a")) == 3
    assert redis.pfcount(f"uv:s_a:{today()}") == 2
    assert metrics.totals(redis)["events_view"] == 3
    assert redis.get(WAITING) is None  # it is never negative for longer than a moment


def test_entries_counted_by_another_worker_are_subtracted_with_their_views(redis):
    sizes = (5, 70, 5, 900, 1, 70)
    put(*(view("s_a", visitor=f"v{n}", n=n) for n in sizes))
    one = worker()
    entries = consumer_group.read(redis, one.consumer, limit=100, wait=100)
    one._count([entries[1], entries[3]])
    assert int(redis.get("views:s_a")) == 970
    one._count(entries)
    one._count(entries)
    assert int(redis.get("views:s_a")) == sum(sizes)
    assert trend.score(redis, "s_a", now=datetime.now(UTC)) == pytest.approx(sum(sizes), rel=0.01)


def test_tens_of_thousands_of_visitors_are_counted_in_portions(redis):
    names = [f"{n:016x}" for n in range(30_000)]
    portions = [",".join(names[start : start + 1_000]) for start in range(0, 30_000, 1_000)]
    put(*(view("s_a", visitor=some, n=1_000) for some in portions))
    one = worker()
    entries = consumer_group.read(redis, one.consumer, limit=100, wait=100)
    assert [batch.n for batch in stream_batches.gather(entries)] == [10_000] * 3
    one._count(entries)
    assert int(redis.get("views:s_a")) == 30_000
    assert redis.pfcount(f"uv:s_a:{today()}") == pytest.approx(30_000, rel=0.02)
    assert metrics.totals(redis).get("adds_failed", 0) == 0


def test_other_events_are_counted_by_kind_and_add_no_views(redis):
    put(event(ViewEventKind.CREATE, "s_a"), event(ViewEventKind.UPDATE, "s_a"), view("s_a"))
    count_all()
    found = metrics.totals(redis)
    assert [found[f"events_{kind}"] for kind in ("view", "create", "update")] == [1, 1, 1]
    assert int(redis.get("views:s_a")) == 1


def test_late_views_do_not_return_a_deleted_subject_to_the_trend(redis):
    put(view("s_a"), view("s_b"))
    count_all()
    put(event(ViewEventKind.DELETE, "s_a"), view("s_a"))
    count_all()
    put(view("s_a"))
    count_all()
    assert redis.zrange("trend", 0, -1) == [b"s_b"]
    assert redis.get("views:s_a") is None
    assert metrics.totals(redis)["events_view"] == 4


def test_a_batch_that_is_counted_again_adds_nothing(redis):
    put(*(view("s_a", visitor=f"v{n}") for n in range(10)))
    one = worker()
    entries = consumer_group.read(redis, one.consumer, limit=100, wait=100)
    one._count(entries[:5])
    one._count(entries)
    one._count(entries)
    assert int(redis.get("views:s_a")) == 10
    assert dict(trend.top(redis, 1, now=datetime.now(UTC)))["s_a"] == pytest.approx(10, abs=0.01)
    assert metrics.totals(redis)["events_view"] == 10


def test_a_key_of_a_wrong_type_does_not_affect_other_counts(redis, caplog):
    redis.lpush("views:s_a", "no number")
    redis.lpush(f"views:s_b:{today()}", "no number")
    redis.lpush(f"uv:s_c:{today()}", "no HyperLogLog")
    redis.lpush("trend", "no sorted set")
    put(*(view(subject, visitor="v") for subject in ("s_a", "s_b", "s_c", "s_d")))
    count_all()
    assert [int(redis.get(f"views:s_{name}")) for name in "bcd"] == [1, 1, 1]
    assert int(redis.get(f"views:s_a:{today()}")) == 1
    assert redis.pfcount(f"uv:s_b:{today()}") == 1
    assert metrics.totals(redis)["adds_failed"] == 7
    assert "7 additions of a batch failed" in caplog.text


def test_new_totals_are_published_once_a_batch(redis):
    with redis.pubsub() as pubsub:
        pubsub.subscribe(counters.CHANNEL)
        assert pubsub.get_message(timeout=PATIENCE)["type"] == "subscribe"
        put(view("s_a"), view("s_a"), view("short:k"), event(ViewEventKind.CREATE, "s_b"))
        count_all()
        message = pubsub.get_message(timeout=PATIENCE)
        assert json.loads(message["data"]) == {"s_a": 2, "short:k": 1}
        assert pubsub.get_message(timeout=0.01) is None


def test_nothing_is_counted_before_the_counts_are_restored(redis):
    put(view("s_a"))
    one = worker()
    redis.delete(counters.RESTORED)
    with pytest.raises(counters.CountsLostError):
        one.step()
    one._prepare()
    one.step()
    assert int(redis.get("views:s_a")) == 1


def test_uniques_are_estimated_to_two_per_cent(redis):
    put(*(view("s_a", visitor=f"{n % 5000:x}") for n in range(10_000)))
    count_all()
    assert redis.pfcount(f"uv:s_a:{today()}") == pytest.approx(5000, rel=0.02)


def test_the_stream_is_trimmed_only_up_to_counted_entries(redis):
    put(*(view("s_a") for _ in range(1000)))
    one = count_all()
    put(*(view("s_a") for _ in range(500)))
    entries = consumer_group.read(redis, one.consumer, limit=300, wait=100)
    consumer_group.trim(redis)
    assert 500 <= redis.xlen(STREAM) <= 600
    one._count(entries)
    count_all()
    consumer_group.trim(redis)
    assert redis.xlen(STREAM) <= 101
    assert int(redis.get("views:s_a")) == 1500


def test_all_counted_entries_are_trimmed_at_once(redis):
    consumer_group.ensure_group(redis)
    with redis.pipeline(transaction=False) as pipe:
        for _ in range(12_000):  # Redis would trim 10,000 of them
            pipe.xadd(STREAM, {"kind": "view"})
        pipe.xgroup_setid(STREAM, settings.STREAM_GROUP, "$")
        pipe.execute()
    consumer_group.trim(redis)
    assert redis.xlen(STREAM) <= 101


def test_events_trimmed_before_they_were_counted_are_counted_as_lost(redis, monkeypatch):
    monkeypatch.setattr(consumer_group, "CLAIM_AFTER", 0)
    put(view("s_a"), view("s_a"), view("s_a"))
    one = worker()
    entries = consumer_group.read(redis, one.consumer, limit=10, wait=100)
    one._count(entries[:1])
    redis.xtrim(STREAM, maxlen=0)  # by hand: the product never trims these
    one.do_housekeeping()
    assert metrics.totals(redis)["events_lost"] == 2


def test_each_view_trimmed_before_it_was_counted_counts_as_lost(redis):
    put(view("s_a", n=20), view("s_a", n=300))
    one = worker()
    one._count(consumer_group.read(redis, one.consumer, limit=1, wait=100))
    redis.xtrim(STREAM, maxlen=0)  # before a worker has read it
    for _ in range(2):
        one.do_housekeeping()
    assert metrics.totals(redis)["events_lost"] == 300


def test_stopped_workers_are_forgotten_unless_they_have_pending_entries(redis, monkeypatch):
    put(view("s_a"))
    holder, leaver, silent = worker(), worker(), worker()
    consumer_group.read(redis, holder.consumer, limit=1, wait=10)
    for one in (leaver, silent):
        consumer_group.read(redis, one.consumer, limit=1, wait=1)
    leaver.leave()

    def names():
        found = redis.xinfo_consumers(STREAM, "linkwatch")
        return {consumer["name"].decode() for consumer in found}

    assert names() == {holder.consumer, silent.consumer}
    monkeypatch.setattr(consumer_group, "_STALE_AFTER", -1)
    consumer_group.forget_consumers(redis)
    assert names() == {holder.consumer}
