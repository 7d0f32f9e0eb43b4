"""Events on their way from a process into the stream."""

import asyncio
import multiprocessing
import threading
import time
from datetime import UTC, datetime
from itertools import chain

import pytest
import redis as redis_py

from analytics import stream
from analytics.stream import ViewEventKind, emit
from foundation.valkey import metrics
from tests.acceptance.processes import PATIENCE, until
from tests.analytics.events import count_all, milliseconds
from tests.conftest import NOW

pytestmark = pytest.mark.any_database

MILLISECONDS = milliseconds(NOW)


@pytest.fixture
def idle():
    """This process's producer, which nothing empties."""
    return stream._producer


def test_an_event_reaches_the_stream_with_all_of_its_fields(produce):
    [(_, fields)] = produce(lambda: emit(ViewEventKind.CREATE, "s_1", at=NOW))
    assert fields == {
        b"kind": b"create",
        b"subject": b"s_1",
        b"at": str(MILLISECONDS).encode(),
        b"visitors": b"",
        b"n": b"1",
    }


def test_views_become_one_entry_per_subject_with_their_number_and_visitors(
    redis, monkeypatch, idle
):
    monkeypatch.setattr(time, "time", NOW.timestamp)
    for agent in (b"Firefox", b"Chromium", b"Firefox"):
        stream.view("s_1", "192.0.2.1", agent)
    stream.view("short:k", "192.0.2.1", b"Firefox")
    assert idle._flush()
    (_, first), (_, second) = redis.xrange(stream.STREAM)
    day = MILLISECONDS // 86_400_000
    firefox = stream.visitor("192.0.2.1", b"Firefox", day)
    chromium = stream.visitor("192.0.2.1", b"Chromium", day)
    assert first == {
        b"kind": b"view",
        b"subject": b"s_1",
        b"at": str(MILLISECONDS // 1000 * 1000).encode(),
        b"visitors": f"{firefox},{chromium}".encode(),
        b"n": b"3",
    }
    assert (second[b"subject"], second[b"n"]) == (b"short:k", b"1")
    assert second[b"visitors"] == firefox.encode()


def test_the_visitors_of_an_entry_can_be_counted_at_once():
    views = [("s_1", "192.0.2.1", b"%d" % (n % 2_500), b"", 0) for n in range(5_001)]
    folded = list(stream.fold(views))
    visitors = [event.visitors.split(",") for event in folded]
    assert [len(some) for some in visitors] == [1_000, 1_000, 500]
    assert len(set(chain(*visitors))) == 2_500
    assert [event.n for event in folded] == [2_001, 2_000, 1_000]


def test_views_that_cannot_be_folded_delay_no_later_ones(redis, monkeypatch, idle):
    def fail(views):
        raise ValueError

    fold = stream.fold
    monkeypatch.setattr(stream, "fold", fail)
    stream.view("s_1", "192.0.2.1", b"")
    assert idle._flush()
    monkeypatch.setattr(stream, "fold", fold)
    stream.view("s_2", "192.0.2.1", b"")
    assert idle._flush()
    assert [fields[b"subject"] for _, fields in redis.xrange(stream.STREAM)] == [b"s_2"]
    metrics.flush(redis)
    assert metrics.totals(redis)["events_dropped"] == 1


def test_views_before_and_after_midnight_have_their_own_days_and_visitors():
    midnight = MILLISECONDS // 86_400_000 * 86_400
    views = [("s_1", "192.0.2.1", b"", b"", midnight + second) for second in (-1, 0, 0)]
    before, after = stream.fold(views)
    assert (before.at, before.n) == ((midnight - 1) * 1000, 1)
    assert (after.at, after.n) == (midnight * 1000, 2)
    assert before.visitors != after.visitors


def test_an_agent_of_maximum_length_takes_no_more_memory_than_others(idle):
    stream.view("s_1", "192.0.2.1", b"a" * 60_000)
    [(_, _, agent, _, _)] = idle.views
    assert agent == b"a" * stream.MAX_AGENT


def test_views_of_many_threads_are_all_counted_once(produce):
    def view_many():
        threads = [
            threading.Thread(target=lambda: [stream.view("s_1", "::1", b"") for _ in range(10_000)])
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert sum(int(fields[b"n"]) for _, fields in produce(view_many)) == 40_000


def test_events_are_flushed_while_the_process_continues(redis, sending):
    emit(ViewEventKind.CREATE, "s_1", at=NOW)
    until(lambda: redis.xlen(stream.STREAM) == 1)
    emit(ViewEventKind.DELETE, "s_1", at=NOW)
    until(lambda: redis.xlen(stream.STREAM) == 2)


def test_events_of_many_threads_arrive_once_each(produce):
    def emit_many():
        threads = [
            threading.Thread(
                target=lambda: [emit(ViewEventKind.VIEW, "s_1", at=NOW) for _ in range(1000)]
            )
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert len(produce(emit_many)) == 4000


def test_the_newest_events_are_dropped_on_overflow_and_counted(produce, redis, monkeypatch):
    monkeypatch.setattr(stream, "BUFFER_LIMIT", 3)

    def emit_many():
        for number in range(5):
            emit(ViewEventKind.VIEW, f"s_{number}", at=NOW)

    emit_many()  # nothing takes them away
    assert [event.subject for event in stream._producer.buffer] == ["s_0", "s_1", "s_2"]
    metrics.flush(redis)
    assert metrics.totals(redis)["events_dropped"] == 2


def test_each_view_that_overflows_is_counted_as_dropped(redis, monkeypatch, idle):
    monkeypatch.setattr(stream, "BUFFER_LIMIT", 3)
    for number in range(5):
        stream.view(f"s_{number}", "192.0.2.1", b"")
    assert [subject for subject, *_ in idle.views] == ["s_0", "s_1", "s_2"]
    metrics.flush(redis)
    assert metrics.totals(redis)["events_dropped"] == 2


@pytest.mark.django_db
def test_the_limit_of_the_stream_counts_views_and_counting_makes_room(redis, monkeypatch):
    monkeypatch.setattr(stream, "STREAM_LIMIT", 10)
    producer, at = stream._StreamProducer(), milliseconds(datetime.now(UTC))
    for n in (9, 5, 1):
        producer.buffer.append(stream.ViewEvent(ViewEventKind.VIEW, "s_1", at, "", n))
        sent = producer._flush()
    assert sent is False  # 14 views wait, in two entries
    assert redis.xlen(stream.STREAM) == 2
    count_all()
    assert redis.get(stream.WAITING) == b"0"
    assert producer._flush() is True
    count_all()
    assert redis.get("views:s_1") == b"15"


def test_a_full_stream_takes_no_more_until_there_is_room(redis, monkeypatch):
    monkeypatch.setattr(stream, "STREAM_LIMIT", 1)
    monkeypatch.setattr(stream, "BATCH_SIZE", 1)
    producer = stream._StreamProducer()
    producer.buffer.extend(
        stream.ViewEvent(ViewEventKind.VIEW, f"s_{n}", MILLISECONDS) for n in range(2)
    )
    assert producer._flush() is False
    assert redis.xlen(stream.STREAM) == 1
    redis.xtrim(stream.STREAM, 0)
    assert producer._flush() is True
    assert [fields[b"subject"] for _, fields in redis.xrange(stream.STREAM)] == [b"s_1"]


def test_a_batch_whose_answer_was_lost_is_not_appended_twice(redis, monkeypatch):
    real = redis_py.client.Redis.evalsha
    failures = iter([True])

    def lose_the_first_answer(self, *args):
        result = real(self, *args)
        if next(failures, False):
            raise redis_py.TimeoutError("no answer")
        return result

    redis.script_load(stream._APPEND.source)
    monkeypatch.setattr(redis_py.client.Redis, "evalsha", lose_the_first_answer)
    producer = stream._StreamProducer()
    producer.buffer.append(stream.ViewEvent(ViewEventKind.VIEW, "s_1", MILLISECONDS))
    assert producer._flush() is False
    producer.buffer.append(stream.ViewEvent(ViewEventKind.VIEW, "s_2", MILLISECONDS))
    assert producer._flush() is True
    subjects = [fields[b"subject"] for _, fields in redis.xrange(stream.STREAM)]
    assert subjects == [b"s_1", b"s_2"]


def test_folded_views_whose_answer_was_lost_are_not_appended_twice(redis, monkeypatch):
    producer = stream._StreamProducer()
    producer.views += [("s_1", "192.0.2.1", b"", b"", 0)] * 3
    real = type(stream._APPEND).call

    def lose_the_answer(self, *args):
        real(self, *args)
        raise redis_py.TimeoutError("no answer")

    with monkeypatch.context() as patch:
        patch.setattr(type(stream._APPEND), "call", lose_the_answer)
        assert producer._flush() is False
    producer.views += [("s_1", "192.0.2.1", b"", b"", 0)] * 4
    assert producer._flush() is True
    assert [fields[b"n"] for _, fields in redis.xrange(stream.STREAM)] == [b"3", b"4"]


@pytest.mark.slow
def test_events_wait_while_redis_is_unavailable_but_a_shutdown_does_not(redis, settings, caplog):
    url, settings.REDIS_URL = settings.REDIS_URL, "redis://127.0.0.1:1/0"

    async def live():
        async with stream.producing():
            emit(ViewEventKind.VIEW, "s_1", at=NOW)

    asyncio.run(live())
    assert "1 events are lost" in caplog.text
    settings.REDIS_URL = url  # and if the process lives on, it continues
    until(lambda: redis.xlen(stream.STREAM) == 1)


def test_an_event_that_cannot_be_encoded_delays_no_other(redis, monkeypatch, caplog):
    monkeypatch.setattr(stream, "BATCH_SIZE", 1)
    producer = stream._StreamProducer()
    for subject in ("s_\ud800", "s_1"):
        producer.buffer.append(stream.ViewEvent(ViewEventKind.VIEW, subject, MILLISECONDS))
    assert producer._flush()
    assert "A batch of 1 events is dropped" in caplog.text
    assert producer._flush()
    assert [fields[b"subject"] for _, fields in redis.xrange(stream.STREAM)] == [b"s_1"]
    metrics.flush(redis)
    assert metrics.totals(redis)["events_dropped"] == 1


def test_losses_and_drops_are_counted_in_views(redis, monkeypatch, caplog):
    producer = stream._StreamProducer()
    producer.views += [("s_\ud800", "192.0.2.1", b"", b"", 0)] * 3
    assert producer._flush()
    assert "A batch of 3 events is dropped" in caplog.text
    metrics.flush(redis)
    assert metrics.totals(redis)["events_dropped"] == 3
    producer.views += [("s_1", "192.0.2.1", b"", b"", 0)] * 4
    producer.buffer.append(stream.ViewEvent(ViewEventKind.VIEW, "s_1", MILLISECONDS, "", 5))
    producer.log_loss()
    assert "9 events are lost" in caplog.text


def _emit_in_a_child():
    emit(ViewEventKind.UPDATE, "s_1", at=NOW)


def test_a_forked_worker_flushes_only_its_own_events(redis, sending):
    stream._producer.buffer.append(
        stream.ViewEvent(ViewEventKind.VIEW, "of_the_parent", MILLISECONDS)
    )
    child = multiprocessing.get_context("fork").Process(target=_emit_in_a_child)
    child.start()
    child.join(PATIENCE)
    assert [fields[b"subject"] for _, fields in redis.xrange(stream.STREAM)] == [b"s_1"]


def test_a_visitor_is_distinguished_for_a_day_and_never_by_name():
    first = stream.visitor("192.0.2.1", b"Firefox", 20_000)
    assert first == stream.visitor("192.0.2.1", b"Firefox", 20_000)
    others = {
        stream.visitor("192.0.2.2", b"Firefox", 20_000),
        stream.visitor("192.0.2.1", b"Chromium", 20_000),
        stream.visitor("192.0.2.1", b"Firefox", 20_001),
    }
    assert first not in others
    assert len(others) == 3
    assert "192" not in first


def test_counts_sum_all_processes_and_gauges_the_live_ones(redis):
    metrics.count("cache_hits")
    metrics.count("cache_hits", 2)
    metrics.set_gauge("websocket_clients", 5)
    metrics.flush(redis)
    metrics._begin()  # as another process
    metrics.count("cache_hits")
    metrics.set_gauge("websocket_clients", 2)
    metrics.flush(redis)
    metrics.flush(redis)
    assert metrics.totals(redis) == {
        "cache_hits": 4,
        "cache_misses": 0,
        "cache_warm": 0,
        "rate_limit_denials": 0,
        "events_dropped": 0,
        "gone_pages": 0,
        "scan_references_ended": 0,
        "icon_requests": 0,
        "archive_requests": 0,
        "archive_failures": 0,
        "repaired_references": 0,
        "repairs_undone": 0,
        "copies_found": 0,
        "pages_offered": 0,
        "pages_saved": 0,
    }
    assert metrics.gauges(redis) == {"websocket_clients": 7}
    redis.delete(f"gauges:{metrics._process}")  # it expired
    assert metrics.gauges(redis) == {"websocket_clients": 5}


def test_without_new_counts_nothing_is_written(redis):
    metrics.set_gauge("websocket_clients", 1)
    metrics.flush(redis)
    metrics.set_gauge("websocket_clients", 0)
    metrics.flush(redis)
    assert metrics.gauges(redis) == {"websocket_clients": 0}
    redis.delete(f"gauges:{metrics._process}")
    metrics.flush(redis)
    assert not redis.exists(f"gauges:{metrics._process}")


def test_counts_are_kept_while_redis_is_unavailable(redis):
    metrics.count("cache_warm")
    with pytest.raises(redis_py.ConnectionError):
        metrics.flush(redis_py.Redis(port=1, retry=None))
    metrics.flush(redis)
    assert metrics.totals(redis)["cache_warm"] == 1
