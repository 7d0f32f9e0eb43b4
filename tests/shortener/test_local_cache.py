import pytest

from shortener import local_cache
from shortener.local_cache import LIFE, LocalCache

pytestmark = pytest.mark.any_database


@pytest.fixture
def clock(monkeypatch):
    """A steady clock that a test sets."""

    class Clock:
        now = 1_000

        def __call__(self):
            return self.now

    clock = Clock()
    monkeypatch.setattr(local_cache, "steady", clock)
    return clock


def keep(memory, key, value, *, until=None):
    memory.keep(key, value, generation=memory.generation, until=until)


def test_an_entry_expires_and_reads_do_not_prolong_it(clock):
    memory = LocalCache()
    keep(memory, "a", 1)
    clock.now += LIFE - 1
    assert memory.get("a") == 1
    clock.now += 1
    assert memory.get("a") is None


def test_an_entry_never_outlives_its_link(clock):
    memory = LocalCache()
    keep(memory, "a", 1, until=clock.now + 10)
    clock.now += 9
    assert memory.get("a") == 1
    clock.now += 1
    assert memory.get("a") is None
    keep(memory, "b", 2, until=clock.now)
    assert memory.get("b") is None


def test_the_cache_is_bounded_and_evicts_the_oldest(clock):
    memory = LocalCache(limit=3)
    for key in "abcad":  # the second a is newer than b
        keep(memory, key, key)
    assert [memory.get(key) for key in "abcd"] == ["a", None, "c", "d"]
    assert len(memory) == 3


def test_values_read_before_a_change_are_not_cached_after_it():
    memory = LocalCache()
    for change in (lambda: memory.drop(["other"]), memory.clear):
        before = memory.generation
        change()
        memory.keep("a", 1, generation=before, until=None)
        assert memory.get("a") is None


def test_entries_are_dropped_and_all_are_cleared():
    memory = LocalCache()
    for key in "abc":
        keep(memory, key, key)
    memory.drop(["a", "x"])
    assert [memory.get(key) for key in "abc"] == [None, "b", "c"]
    memory.clear()
    assert len(memory) == 0
