from datetime import timedelta

import pytest

from hosts.aliases import InvalidAliasError, add_hosts, delete_alias, set_hosts
from hosts.models import Host, Purpose, Slot
from hosts.reservations import Busy, back_off, extend, prune, release, reserve, schedule
from hosts.slots import GRACE
from tests.conftest import NOW

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)
TTL = timedelta(seconds=60)
CHECK = Purpose.CHECK


def due(*names, at=NOW):
    schedule(dict.fromkeys(names, at), purpose=CHECK, now=NOW)


def take(now=NOW, limit=100):
    return reserve(CHECK, limit=limit, ttl=TTL, now=now).leases


def hosts_of(alias):
    return set(
        Host.objects.filter(slot__is_alias=True, slot__key=alias).values_list("name", flat=True)
    )


def test_hosts_of_one_alias_are_leased_one_at_a_time_earliest_first():
    due("b.kommune.example", at=NOW + SECOND)
    due("a.kommune.example")
    set_hosts("kommune", ["a.kommune.example", "b.kommune.example"], now=NOW)

    [lease] = take(NOW + SECOND)
    assert (lease.host, lease.alias) == ("a.kommune.example", "kommune")
    assert take(NOW + SECOND) == []

    release({lease.token: None}, delay=SECOND, now=NOW + SECOND)
    assert [lease.host for lease in take(NOW + 2 * SECOND)] == ["b.kommune.example"]


def test_busy_aliases_are_recognized():
    due("a.example", "b.example")
    set_hosts("group", ["a.example"], now=NOW)
    take()

    assert [slot.key for slot in Slot.objects.aliases().busy(NOW)] == ["group"]
    assert [slot.key for slot in Slot.objects.aliases()] == ["group"]


def test_an_alias_and_a_host_may_have_the_same_name():
    due("localhost")

    set_hosts("localhost", ["a.example"], now=NOW)

    assert hosts_of("localhost") == {"a.example"}
    assert [lease.host for lease in take()] == ["localhost"]


def test_attaching_replaces_the_hosts_of_the_alias():
    set_hosts("group", ["a.example", "b.example"], now=NOW)
    due("a.example")

    set_hosts("group", ["b.example", "c.example"], now=NOW)

    assert hosts_of("group") == {"b.example", "c.example"}
    assert [(lease.host, lease.alias) for lease in take()] == [("a.example", None)]


def test_a_host_has_one_alias_at_most():
    set_hosts("one", ["a.example", "b.example"], now=NOW)
    due("a.example")

    set_hosts("two", ["a.example"], now=NOW)

    assert (hosts_of("one"), hosts_of("two")) == ({"b.example"}, {"a.example"})
    assert [lease.alias for lease in take()] == ["two"]


def test_a_host_keeps_its_pause_when_it_joins_an_alias():
    due("a.example", "b.example")
    back_off("a.example", until=NOW + 30 * SECOND)

    set_hosts("group", ["a.example", "b.example"], now=NOW)
    assert take(NOW + 29 * SECOND) == []

    delete_alias("group", now=NOW)
    assert take(NOW + 29 * SECOND) == []
    assert len(take(NOW + 30 * SECOND)) == 2


def test_a_detached_host_gets_its_own_delay_back():
    due("a.example")
    Slot.objects.update(delay=9 * SECOND)
    set_hosts("group", ["a.example"], now=NOW)
    prune(now=NOW + SECOND)

    delete_alias("group", now=NOW)

    assert Host.objects.get().slot.delay == 9 * SECOND
    assert not Slot.objects.aliases().exists()


def test_detaching_an_unknown_alias_does_nothing():
    delete_alias("nobody", now=NOW)

    assert not Slot.objects.exists()


def test_hosts_do_not_move_while_one_of_them_is_leased():
    due("a.example")
    [lease] = take()
    extend(lease.token, ttl=2 * TTL, now=NOW)

    with pytest.raises(Busy) as busy:
        set_hosts("group", ["a.example", "b.example"], now=NOW)

    assert busy.value.retry_at == NOW + 2 * TTL + GRACE
    assert not Slot.objects.aliases().exists()
    assert set(Host.objects.values_list("name", flat=True)) == {"a.example"}


def test_an_alias_is_not_dissolved_while_it_is_leased():
    due("a.example")
    set_hosts("group", ["a.example", "b.example"], now=NOW)
    take()

    with pytest.raises(Busy):
        delete_alias("group", now=NOW)
    with pytest.raises(Busy):
        set_hosts("group", ["a.example"], now=NOW)
    assert hosts_of("group") == {"a.example", "b.example"}


def test_attaching_the_same_hosts_again_succeeds_even_under_a_lease():
    due("a.example")
    set_hosts("group", ["a.example"], now=NOW)
    take()

    set_hosts("group", ["a.example"], now=NOW)

    assert hosts_of("group") == {"a.example"}


def test_an_expired_lease_is_taken_back_before_its_host_moves():
    due("a.example")
    take()
    later = NOW + TTL + GRACE

    set_hosts("group", ["a.example"], now=later)

    assert [(lease.host, lease.alias) for lease in take(later)] == [("a.example", "group")]


def test_hosts_of_an_alias_are_never_pruned():
    set_hosts("group", ["a.example"], now=NOW)

    prune(now=NOW + SECOND)

    assert hosts_of("group") == {"a.example"}
    assert Slot.objects.count() == 1  # the host's own slot was deleted when the host left it


def test_joining_hosts_does_not_move_the_others():
    due("b.example")
    set_hosts("group", ["a.example"], now=NOW)

    add_hosts("group", ["b.example", "c.example"], now=NOW)

    assert hosts_of("group") == {"a.example", "b.example", "c.example"}
    assert [(lease.host, lease.alias) for lease in take()] == [("b.example", "group")]


@pytest.mark.parametrize("name", ["", "kommune.no", "a b", "å", "a\n", "x" * 65])
def test_an_alias_is_a_word_that_is_not_a_domain_name(name):
    with pytest.raises(InvalidAliasError):
        set_hosts(name, ["a.example"], now=NOW)

    assert not Slot.objects.exists()


def test_dissolving_returns_whether_the_alias_existed():
    set_hosts("group", [], now=NOW)

    assert delete_alias("group", now=NOW)
    assert not delete_alias("group", now=NOW)
