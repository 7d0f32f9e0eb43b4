"""Events on their way from a process into the stream."""

import asyncio
import multiprocessing
import threading
from datetime import timedelta

import pytest
import redis as redis_py

from analytics import stream
from analytics.stream import Kind, emit
from foundation.valkey import metrics
from tests.acceptance.processes import PATIENCE, until
from tests.conftest import NOW

pytestmark = pytest.mark.any_database

MILLISECONDS = int(NOW.timestamp() * 1000)


def test_an_event_reaches_the_stream_with_all_that_was_said(produce):
    [(_, fields)] = produce(lambda: emit(Kind.VIEW, "s_1", at=NOW, visitor="v"))
    assert fields == {
        b"kind": b"view",
        b"subject": b"s_1",
        b"at": str(MILLISECONDS).encode(),
        b"visitor": b"v",
    }


def test_events_are_flushed_while_the_process_goes_on(redis, monkeypatch):
    monkeypatch.setattr(stream, "_producer", stream._Producer())
    emit(Kind.CREATE, "s_1", at=NOW)
    until(lambda: redis.xlen(stream.STREAM) == 1)
    emit(Kind.DELETE, "s_1", at=NOW)
    until(lambda: redis.xlen(stream.STREAM) == 2)


def test_events_of_many_threads_arrive_once_each(produce):
    def emit_many():
        threads = [
            threading.Thread(target=lambda: [emit(Kind.VIEW, "s_1", at=NOW) for _ in range(1000)])
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert len(produce(emit_many)) == 4000


def test_what_overflows_is_the_newest_and_counted(produce, redis, monkeypatch):
    monkeypatch.setattr(stream, "BUFFER_LIMIT", 3)

    def emit_many():
        for number in range(5):
            emit(Kind.VIEW, f"s_{number}", at=NOW)

    monkeypatch.setattr(stream._Producer, "start", lambda self: None)  # nobody takes any away
    monkeypatch.setattr(stream, "_producer", stream._Producer())
    emit_many()
    assert [event.subject for event in stream._producer.buffer] == ["s_0", "s_1", "s_2"]
    metrics.flush(redis)
    assert metrics.totals(redis)["events_dropped"] == 2


def test_a_full_stream_takes_no_more_until_there_is_room(redis, monkeypatch):
    monkeypatch.setattr(stream, "STREAM_LIMIT", 1)
    monkeypatch.setattr(stream, "BATCH", 1)
    producer = stream._Producer()
    producer.buffer.extend(stream.Event(Kind.VIEW, f"s_{n}", NOW, "") for n in range(2))
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
    producer = stream._Producer()
    producer.buffer.append(stream.Event(Kind.VIEW, "s_1", NOW, ""))
    assert producer._flush() is False
    producer.buffer.append(stream.Event(Kind.VIEW, "s_2", NOW, ""))
    assert producer._flush() is True
    subjects = [fields[b"subject"] for _, fields in redis.xrange(stream.STREAM)]
    assert subjects == [b"s_1", b"s_2"]


def test_events_wait_while_redis_is_away_and_the_end_waits_not_for_ever(
    redis, settings, monkeypatch, caplog
):
    monkeypatch.setattr(stream, "_producer", stream._Producer())
    url, settings.REDIS_URL = settings.REDIS_URL, "redis://127.0.0.1:1/0"

    async def live():
        async with stream.producing():
            emit(Kind.VIEW, "s_1", at=NOW)

    asyncio.run(live())
    assert "1 events are lost" in caplog.text
    settings.REDIS_URL = url  # and if the process lives on, it goes on
    until(lambda: redis.xlen(stream.STREAM) == 1)


def test_an_event_that_cannot_be_written_down_holds_up_no_other(redis, monkeypatch, caplog):
    monkeypatch.setattr(stream, "BATCH", 1)
    producer = stream._Producer()
    for subject in ("s_\ud800", "s_1"):
        producer.buffer.append(stream.Event(Kind.VIEW, subject, NOW, ""))
    assert producer._flush()
    assert "A batch of 1 events is dropped" in caplog.text
    assert producer._flush()
    assert [fields[b"subject"] for _, fields in redis.xrange(stream.STREAM)] == [b"s_1"]
    metrics.flush(redis)
    assert metrics.totals(redis)["events_dropped"] == 1


def _emit_in_a_child():
    emit(Kind.UPDATE, "s_1", at=NOW)


def test_a_forked_worker_flushes_its_own_events_at_its_end_and_no_others(redis, monkeypatch):
    monkeypatch.setattr(stream, "_producer", stream._Producer())
    stream._producer.buffer.append(stream.Event(Kind.VIEW, "of_the_parent", NOW, ""))
    child = multiprocessing.get_context("fork").Process(target=_emit_in_a_child)
    child.start()
    child.join(PATIENCE)
    assert [fields[b"subject"] for _, fields in redis.xrange(stream.STREAM)] == [b"s_1"]


def test_a_visitor_is_told_apart_for_a_day_and_never_by_name():
    first = stream.visitor("192.0.2.1", "Firefox", at=NOW)
    assert first == stream.visitor("192.0.2.1", "Firefox", at=NOW + timedelta(hours=11))
    others = {
        stream.visitor("192.0.2.2", "Firefox", at=NOW),
        stream.visitor("192.0.2.1", "Chromium", at=NOW),
        stream.visitor("192.0.2.1", "Firefox", at=NOW + timedelta(days=1)),
    }
    assert first not in others
    assert len(others) == 3
    assert "192" not in first


def test_counts_of_all_processes_add_up_and_gauges_are_of_those_that_live(redis):
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
    }
    assert metrics.gauges(redis) == {"websocket_clients": 7}
    redis.delete(f"gauges:{metrics._process}")  # it expired
    assert metrics.gauges(redis) == {"websocket_clients": 5}


def test_while_nothing_happens_nothing_is_written(redis):
    metrics.set_gauge("websocket_clients", 1)
    metrics.flush(redis)
    metrics.set_gauge("websocket_clients", 0)
    metrics.flush(redis)
    assert metrics.gauges(redis) == {"websocket_clients": 0}
    redis.delete(f"gauges:{metrics._process}")
    metrics.flush(redis)
    assert not redis.exists(f"gauges:{metrics._process}")


def test_counts_are_kept_while_redis_is_away(redis):
    metrics.count("cache_warm")
    with pytest.raises(redis_py.ConnectionError):
        metrics.flush(redis_py.Redis(port=1, retry=None))
    metrics.flush(redis)
    assert metrics.totals(redis)["cache_warm"] == 1
