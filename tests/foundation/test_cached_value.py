"""Values that are expensive to compute: one process computes them and all share them."""

import threading
from datetime import UTC, datetime, timedelta

import pytest

from foundation.breaker import Breaker
from foundation.valkey import cached_value, scripts
from foundation.valkey.cached_value import CachedValue
from foundation.valkey.clients import client
from tests.foundation.redis_servers import full_redis

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

NAME = "kept-by-tests"
TURN = f"cached:{NAME}:turn"


@pytest.fixture(autouse=True)
def _fresh(monkeypatch):
    monkeypatch.setattr(scripts, "BREAKER", Breaker())
    client().delete(f"cached:{NAME}", TURN)


@pytest.fixture
def no_redis(settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"


class Finder:
    """Returns how often it was called."""

    def __init__(self):
        self.times = 0

    def __call__(self, now):
        self.times += 1
        return {"times": self.times}


def times(copy):
    return copy.value["times"]


def end_pause():
    client().delete(TURN)


def test_a_value_is_computed_once_and_kept_until_its_pause_ends():
    own = CachedValue(NAME, Finder(), pause=30)
    other = CachedValue(NAME, Finder(), pause=30)
    first = own.get()
    assert [times(own.get()), times(other.get()), times(other.peek())] == [1, 1, 1]
    assert other.get() == first
    assert 29 < client().pttl(TURN) / 1000 <= 30
    end_pause()
    assert times(own.get()) == 2
    assert times(other.peek()) == 2


def test_the_longer_a_computation_takes_the_longer_the_pause(monkeypatch):
    monkeypatch.setattr(cached_value, "REST_FACTOR", 1e6)
    copy = CachedValue(NAME, Finder()).get()
    assert 0.5e9 * copy.took < client().pttl(TURN) <= 1e9 * copy.took


def test_while_one_process_computes_others_use_the_stored_value():
    finding, go_on = threading.Event(), threading.Event()
    slow = CachedValue(NAME, lambda now: finding.set() or (go_on.wait(60) and {"times": 2}))
    quick = CachedValue(NAME, Finder())
    thread = threading.Thread(target=slow.renew)
    thread.start()
    assert finding.wait(60)
    assert quick.get() is None
    go_on.set()
    thread.join()
    assert times(quick.peek()) == 2


def test_peek_never_computes_the_value():
    finder = Finder()
    assert CachedValue(NAME, finder).peek() is None
    assert finder.times == 0


def test_times_are_kept_to_the_microsecond():
    at = datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)
    copy = CachedValue(NAME, lambda now: {"rows": [{"at": at}], "now": now}).get()
    assert copy.value == {"rows": [{"at": at}], "now": copy.at}


def test_a_value_that_cannot_be_stored_is_an_error():
    with pytest.raises(TypeError, match="timedelta"):
        CachedValue(NAME, lambda now: timedelta(1)).get()


def test_an_error_is_raised_and_retries_are_paused():
    broken = CachedValue(NAME, lambda now: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        broken.get()
    assert 0 < client().pttl(TURN) <= 1000
    assert broken.get() is None


def test_a_killed_process_does_not_block_the_computation_forever():
    dead = CachedValue(NAME, Finder())
    assert dead._take_turn()
    assert 0 < client().pttl(TURN) <= 60_000


@pytest.mark.usefixtures("no_redis")
def test_without_redis_each_process_keeps_its_own_value():
    own = CachedValue(NAME, Finder(), pause=30)
    other = CachedValue(NAME, Finder(), pause=30)
    assert [times(own.get()), times(own.get()), times(own.peek())] == [1, 1, 1]
    assert other.peek() is None
    assert times(other.get()) == 1


def test_a_process_that_loses_redis_shows_its_last_values(settings):
    CachedValue(NAME, Finder(), pause=30).renew()
    reader = CachedValue(NAME, Finder(), pause=30)
    assert times(reader.peek()) == 1
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert times(reader.peek()) == 1


def test_a_full_redis_does_not_freeze_values():
    finder = Finder()
    own = CachedValue(NAME, finder, pause=0.001)
    other = CachedValue(NAME, Finder(), pause=0.001)
    assert [times(own.get()), times(other.peek())] == [1, 1]
    with full_redis():
        while finder.times < 3:
            own.renew()  # as soon as its rest is over
        assert times(own.peek()) == 3
        assert times(other.peek()) == 1
    end_pause()
    other.renew()
    assert own.peek() == other.peek()
    assert times(own.peek()) == 1


def test_a_value_of_another_release_is_ignored(settings):
    CachedValue(NAME, Finder(), pause=30).get()
    settings.VERSION = "99.0"
    assert CachedValue(NAME, Finder(), pause=30).peek() is None
