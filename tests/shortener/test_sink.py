"""The sink that tells link caches of deaths and recoveries: promptly, exactly, without delays."""

import threading
import time
from contextlib import contextmanager
from datetime import timedelta
from functools import partial

import pytest
import redis as redis_py
from django.db import connection
from django.test.utils import CaptureQueriesContext

from archives.save_reader import SavesReader
from foundation.database.clock import database_now
from notify.reader import NotifyReader
from outbox import relay
from outbox import relay_threads as events_threads
from outbox.cursors import backlogs
from outbox.models import Cursor, DeadLetter, Event
from outbox.readers import configured_readers
from outbox.relay import DeliveryError, Feeder, number_events
from shortener import link_cache, reader
from shortener.reader import LinksReader
from tests.acceptance.processes import until
from tests.factories import TransitionFactory
from tests.shortener.asking import BROWSER, ask
from tests.shortener.dying import die, revive, target_of
from tests.shortener.links import HOUR, make

pytestmark = pytest.mark.usefixtures("threads", "visits")


def person(key="abc"):
    return ask(f"/s/{key}", accept=BROWSER).status


def is_answered(status):
    return person() == status


def feed():
    number_events()
    feeder = Feeder(LinksReader())
    try:
        return feeder.feed()
    finally:
        feeder.close()


def position():
    return Cursor.objects.get(pk="links").position


@pytest.fixture
def invalidated_keys(monkeypatch):
    """The keys for which caches were invalidated."""
    keys = []
    invalidate = link_cache.invalidate

    def note(batch):
        invalidate(batch)
        keys.extend(batch)

    monkeypatch.setattr(link_cache, "invalidate", note)
    return keys


@contextmanager
def relaying():
    """Run the relay as its process does."""
    ended = threading.Event()
    thread = threading.Thread(target=events_threads.number_and_feed, kwargs={"until": ended.is_set})
    thread.start()
    until(lambda: Cursor.objects.filter(pk="links").exclude(token=None).exists())
    try:
        yield
    finally:
        ended.set()
        thread.join()


@pytest.mark.usefixtures("patient")
def test_the_notice_appears_and_disappears_within_two_seconds():
    make(key="abc", watch=True)
    took = []
    with relaying():
        for _ in range(3):  # the machine may be busy: one fast change shows that it is possible
            for change, answer in ((die, 200), (revive, 302)):
                change("abc")
                since = time.monotonic()
                until(partial(is_answered, answer))
                took.append(time.monotonic() - since)
    assert min(took[::2]) < 2
    assert min(took[1::2]) < 2


def test_polls_and_cache_times_stay_within_two_seconds():
    numbering = events_threads.POLL_INTERVAL
    assert 2 * numbering < 2  # one process numbers; another polls and wakes its feeder
    assert (
        numbering + link_cache.NOTICE_LIFE / 1e9 < 2
    )  # if no message invalidates a process's memory


@pytest.mark.parametrize("states", [[], ["alive"], ["dead"]])
def test_the_sink_sees_every_transition_regardless_of_event_states(
    settings, states, invalidated_keys
):
    settings.EVENT_STATES = states
    make(key="abc", watch=True)
    assert person() == 302
    die("abc")
    assert backlogs(database_now()).keys() == {"feed"}
    assert feed()
    assert person() == 200
    revive("abc")
    number_events()
    assert backlogs(database_now())["links"].pending == 1
    assert feed()
    assert person() == 302
    assert invalidated_keys == ["abc", "abc"]
    assert position() == Event.objects.newest_position() == 2


def test_transitions_wait_until_they_have_a_position(settings):
    settings.EVENT_STATES = []
    feed()
    make(key="abc", watch=True)
    die("abc")
    backlog = backlogs(database_now())
    assert (backlog["links"].pending, backlog["feed"].pending) == (1, 0)
    assert backlog["links"].oldest_age is not None


def test_other_transitions_and_other_links_are_ignored(invalidated_keys):
    make(key="abc", watch=True, when_gone="lead_on")
    make(key="other", watch=True, long_url="https://b.example")
    die("abc")
    TransitionFactory(target=target_of("other"), from_state="pending", to_state="alive")
    TransitionFactory(target=None, payload={"target_id": "t_0350z0NL0MRifntkJXr5Is"})
    assert feed()
    assert invalidated_keys == []
    assert (position(), DeadLetter.objects.count()) == (3, 0)


def test_all_links_to_a_target_are_invalidated_in_batches(invalidated_keys, monkeypatch):
    monkeypatch.setattr(reader, "_BATCH_SIZE", 2)
    keys = {make(watch=True).key for _ in range(5)}
    die(min(keys))
    feed()
    assert set(invalidated_keys) == keys
    assert len(invalidated_keys) == 5


def test_events_without_deaths_query_no_links():
    for _ in range(5):
        TransitionFactory(from_state="pending", to_state="alive")
    number_events()
    with CaptureQueriesContext(connection) as queries:
        feed()
    assert "shortener" not in str(queries.captured_queries)


def test_it_begins_with_the_first_existing_transition(invalidated_keys):
    make(key="abc", watch=True)
    die("abc")
    number_events()
    assert feed()
    assert invalidated_keys == ["abc"]


def test_after_a_kill_the_next_relay_repeats_unrecorded_messages(monkeypatch):
    class Killed(BaseException):
        pass

    class DyingSink(LinksReader):
        def read(self, events, *, renew):
            raise Killed

    make(key="abc", watch=True)
    feed()
    assert person() == 302
    die("abc")
    number_events()
    with pytest.raises(Killed):
        Feeder(DyingSink()).feed()
    assert (position(), person()) == (0, 302)
    assert not feed(), "the dead relay's lease stands"
    Cursor.objects.update(leased_until=database_now() - timedelta(seconds=1))  # not renewed
    assert feed()
    assert (position(), person()) == (1, 200)
    assert not feed(), "there is nothing more"


def test_the_lease_ends_soon_after_a_kill():
    feeder = Feeder(LinksReader())
    feeder.feed()
    assert Cursor.objects.get().leased_until - database_now() < timedelta(seconds=5)
    feeder.close()


@pytest.mark.parametrize("kind", [LinksReader, NotifyReader, SavesReader])
def test_an_idle_relay_writes_nothing_and_another_can_take_over(kind):
    make(key="abc", watch=True)
    one, other = Feeder(kind()), Feeder(kind())
    one.feed()
    Cursor.objects.update(leased_until=database_now() - timedelta(seconds=1))
    with CaptureQueriesContext(connection) as captured:
        assert [one.feed(), other.feed()] == [False, False]
    assert (one.leads, other.leads) == (True, False)
    assert not [query for query in captured if query["sql"].startswith(("UPDATE", "INSERT"))]
    die("abc")
    number_events()
    other.feed()
    assert (other.leads, Cursor.objects.get().position) == (True, 1)
    one.feed()
    assert not one.leads
    other.close()


def statements_a_minute(look):
    """Return how many SQL statements a minute these polls make."""
    with CaptureQueriesContext(connection) as captured:
        wait = look()
    return len(captured) * 60 / wait


def test_an_idle_relay_polls_rarely_and_a_waiting_one_takes_over():
    one, other = (events_threads.FeederThread(LinksReader()) for _ in range(2))
    one._look()
    for thread in (one, other):
        assert statements_a_minute(thread._look) <= 36  # once up to 300, polled every second
    with CaptureQueriesContext(connection) as captured:
        relay.find_newest()
    assert len(captured) == 1  # 75 a minute, for all sinks

    TransitionFactory(from_state="alive", to_state="dead", position=1)
    one.feeder._acquire()  # and the process is killed
    assert other._look() <= 1
    Cursor.objects.update(leased_until=database_now() - timedelta(seconds=1))
    assert (other._look(), position()) == (0, 1)
    other.release()


def test_events_numbered_by_another_relay_wake_the_feeders_of_this_one(
    invalidated_keys, monkeypatch
):
    monkeypatch.setattr(events_threads, "_IDLE_POLL_INTERVAL", 3600.0)
    monkeypatch.setattr(relay, "number_events", lambda: 0)
    make(key="abc", watch=True)
    with relaying():
        die("abc")
        number_events()
        until(lambda: invalidated_keys == ["abc"])


def test_while_redis_is_unavailable_it_waits_and_shows_the_rest_later(settings, invalidated_keys):
    address = settings.REDIS_URL
    make(key="abc", watch=True)
    assert person() == 302
    die("abc")
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    with pytest.raises(DeliveryError, match="ConnectionError"):
        feed()
    assert position() == 0
    settings.REDIS_URL = address
    assert feed()
    assert (invalidated_keys, position(), person()) == (["abc"], 1, 200)


def test_old_entries_in_a_redis_that_returns_are_invalidated(redis):
    make(key="abc", watch=True)
    make(key="lead-on", watch=True, when_gone="lead_on")
    assert person() == 302
    before = redis.dump("short:abc")
    die("abc")
    feed()
    assert person() == 200
    redis.restore("short:abc", 0, before, replace=True)
    assert person() == 302
    link_cache.INVALIDATION.repeat(database_now())
    assert person() == 200
    assert link_cache.INVALIDATION.repeat(database_now() + HOUR) == 1


def test_deaths_are_repeated_even_without_a_position(redis):
    make(key="abc", watch=True)
    assert person() == 302
    die("abc")
    assert person() == 302
    link_cache.INVALIDATION.repeat(database_now())
    assert person() == 200
    Event.objects.update(at=database_now() - HOUR)
    assert Event.objects.targets_that_entered_or_left("dead", since=database_now()) == set()
    number_events()
    found = Event.objects.targets_that_entered_or_left("dead", since=database_now() - 2 * HOUR)
    assert found == {target_of("abc").pk}


def test_the_sink_needs_no_kafka_and_is_off_without_redis(settings):
    assert configured_readers().keys() == {"links", "notify"}
    settings.REDIS_URL = ""
    assert configured_readers().keys() == {"notify"}


def test_a_failing_sink_delays_no_other(settings, tmp_path, monkeypatch):
    def fail(_keys):
        raise redis_py.ConnectionError("away")

    monkeypatch.setattr(link_cache, "invalidate", fail)
    settings.SINKS = {**settings.SINKS, "lines": "tests.targets.lines_sink.instances"}
    settings.LINES_FOLDER = tmp_path
    (tmp_path / "a.jsonl").touch()
    make(key="abc", watch=True)
    die("abc")
    with relaying():
        until(lambda: (tmp_path / "a.jsonl").read_text())
        until(lambda: Cursor.objects.get(pk="links").last_error)
    assert position() == 0


def test_health_reports_whether_link_caches_are_invalidated_after_deaths(client):
    assert client.get("/v1/health").json()["dependencies"]["links"] == "off"
    feed()
    assert client.get("/v1/health").json()["dependencies"]["links"] == "ok"
    Cursor.objects.update(last_error="ConnectionError: away")
    assert client.get("/v1/health").json()["dependencies"]["links"] == "down"
