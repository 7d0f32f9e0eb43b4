import threading

import pytest
from django.contrib.auth.models import Group
from django.db import connection, transaction

from foundation.database.transactions import StartOverError, restartable

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_transaction_restarts_without_its_earlier_writes():
    tries = []

    @restartable
    def write():
        tries.append(1)
        Group.objects.create(name=f"try {len(tries)}")
        if len(tries) < 3:
            raise StartOverError
        return len(tries)

    assert write() == 3
    assert [group.name for group in Group.objects.filter(name__startswith="try")] == ["try 3"]


def test_a_transaction_that_never_succeeds_raises_its_last_error():
    tries = []

    @restartable
    def write():
        tries.append(1)
        raise StartOverError

    with pytest.raises(StartOverError):
        write()
    assert len(tries) == 20


def test_inside_another_transaction_only_the_outermost_starts_over():
    outer, inner = [], []

    @restartable
    def part():
        inner.append(1)
        if len(inner) == 1:
            raise StartOverError

    @restartable
    def whole():
        outer.append(1)
        part()

    whole()
    assert (len(outer), len(inner)) == (2, 2)


def test_any_other_error_ends_it_at_once():
    tries = []

    @restartable
    def write():
        tries.append(1)
        Group.objects.create(name="x")
        raise ValueError

    with pytest.raises(ValueError):
        write()
    assert (len(tries), Group.objects.filter(name="x").exists()) == (1, False)


def test_both_transactions_of_a_deadlock_finish_eventually():
    if connection.vendor == "sqlite":
        return  # SQLite has one writer at a time, so no deadlock can happen
    Group.objects.bulk_create([Group(name="a"), Group(name="b")])
    met = threading.Barrier(2)
    tries, done = [], []

    @restartable
    def write(first, second):
        tries.append(first)
        Group.objects.select_for_update().get(name=first)
        if len(tries) <= 2:
            met.wait(90)
        Group.objects.select_for_update().get(name=second)
        done.append(first)

    def run(*names):
        write(*names)
        connection.close()

    other = threading.Thread(target=run, args=("b", "a"))
    other.start()
    write("a", "b")
    other.join()
    # The victim may lock its first row again before the other thread wakes, several times.
    assert 3 <= len(tries) < 20
    assert sorted(done) == ["a", "b"]
    assert not transaction.get_connection().in_atomic_block
