"""Healing finds and repairs each state that the invariants forbid, and changes nothing else."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from foundation.database.clock import database_now
from hosts.aliases import set_hosts
from hosts.healing import Fault, heal, last_report
from hosts.models import Host, Purpose, Slot
from hosts.operator_changes import delete, set_pause
from hosts.reservations import back_off, extend, release, reserve, reserve_host, schedule
from hosts.slots import GRACE
from hosts.tasks import heal_hosts

pytestmark = pytest.mark.django_db

TTL = timedelta(seconds=60)
CHECK, FETCH = Purpose.CHECK, Purpose.FETCH
SECOND = timedelta(seconds=1)
HOUR = timedelta(hours=1)


@pytest.fixture
def now():
    return database_now()


@pytest.fixture(autouse=True)
def hosts(now):
    """Hosts in every state that operations lead to: due, not due, backed off, leased, aliased."""
    names = [f"{n}.example" for n in range(8)]
    then = now - HOUR
    times = {name: then + n * SECOND for n, name in enumerate(names)}
    schedule(times, purpose=CHECK, now=then)
    schedule({names[0]: now + HOUR, "later.example": now + HOUR}, purpose=FETCH, now=now)
    set_hosts("group", names[2:5], now=now)
    set_hosts("nobody", [], now=now)
    back_off("5.example", until=now + HOUR)
    reserve_host("6.example", purpose=FETCH, ttl=TTL, now=now)
    [lease] = reserve(CHECK, limit=1, ttl=TTL, now=now).leases
    extend(lease.token, ttl=2 * TTL, now=now)
    reserve_host("expired.example", purpose=CHECK, ttl=-TTL, now=now)


def slot_of(name):
    return Host.objects.select_related("slot").get(name=name).slot


def change(name, **fields):
    Slot.objects.filter(pk=slot_of(name).pk).update(**fields)


def rows():
    return list(Slot.objects.order_by("pk").values()), list(Host.objects.order_by("pk").values())


def test_operations_leave_nothing_to_repair():
    before = rows()

    assert heal() == {}

    assert rows() == before


@pytest.mark.parametrize(
    ("name", "fields", "fault"),
    [
        ("1.example", {"check_ready_at": None}, Fault.LOST),
        ("2.example", {"check_ready_at": None}, Fault.LOST),
        ("1.example", {"fetch_ready_at": "now"}, Fault.NOTHING_DUE),
        ("later.example", {"fetch_ready_at": "now"}, Fault.READY_TIME),
        ("5.example", {"check_ready_at": "now"}, Fault.READY_TIME),
        ("6.example", {"check_ready_at": "now"}, Fault.READY_TIME),
        ("6.example", {"fetch_ready_at": None}, Fault.READY_TIME),
    ],
)
def test_a_wrong_ready_time_is_found_and_repaired(name, fields, fault, now):
    before = rows()
    change(name, **{field: value and now for field, value in fields.items()})

    assert heal() == {fault: 1}

    assert rows() == before
    assert heal() == {}


def test_a_host_in_anothers_slot_gets_its_own_and_keeps_the_pause(now):
    Host.objects.filter(name="1.example").update(slot=slot_of("6.example"))
    busy_until = slot_of("6.example").leased_until

    found = heal()

    assert found == {Fault.HOMELESS: 1}
    slot = slot_of("1.example")
    assert (slot.is_alias, slot.key) == (False, "1.example")
    assert slot.check_ready_at == busy_until + GRACE
    assert slot_of("6.example").leased_until == busy_until
    assert heal() == {}


def test_a_host_without_its_own_slot_gets_a_new_one(now):
    own = slot_of("1.example")
    Host.objects.filter(name="1.example").update(slot=slot_of("7.example"))
    own.delete()

    assert heal() == {Fault.HOMELESS: 1}

    assert slot_of("1.example").key == "1.example"
    assert heal() == {}


def test_a_lease_ends_if_its_host_left_the_slot_and_the_host_is_due_again(now):
    [lease] = reserve(CHECK, limit=1, ttl=TTL, now=now).leases
    assert lease.host == "1.example"
    left = slot_of("1.example")
    Host.objects.filter(name="1.example").update(slot=slot_of("2.example"))

    assert heal() == {Fault.BROKEN_LEASE: 1}

    left.refresh_from_db()
    assert left.token is None
    assert left.not_before == lease.leased_until + GRACE
    assert release({lease.token: None}, delay=timedelta(0), now=database_now()) == set()
    assert Host.objects.get(name="1.example").check_at is not None
    assert heal() == {}


def test_a_lease_whose_host_was_deleted_ends():
    [lease] = reserve(CHECK, limit=1, ttl=TTL, now=database_now()).leases
    Host.objects.filter(name=lease.host).delete()

    assert heal() == {Fault.BROKEN_LEASE: 1}

    assert not Host.objects.filter(name=lease.host).exists()
    assert heal() == {}


def test_faults_of_many_slots_are_counted_and_logged(caplog):
    Slot.objects.filter(token=None).update(check_ready_at=None)

    found = heal()

    assert set(found) == {Fault.LOST}
    [record] = [record for record in caplog.records if record.name == "hosts.healing"]
    assert record.levelname == "WARNING"
    assert record.getMessage() == f"Hosts were repaired: {{'lost': {found[Fault.LOST]}}}"


def test_the_last_report_is_in_the_stats(api):
    change("1.example", check_ready_at=None)
    assert heal_hosts() == {"lost": 1}

    healing = api.get("/v1/stats").json()["hosts"]["healing"]

    assert healing == last_report()
    assert {kind for kind, count in healing["healed"].items() if count} == {"lost"}


def test_a_stop_ends_a_repair_early_and_keeps_the_last_report(monkeypatch):
    heal_hosts()
    report = last_report()
    change("1.example", check_ready_at=None)
    monkeypatch.setattr("foundation.shutdown._stop", SimpleNamespace(value=True))

    assert heal_hosts() == {}

    assert last_report() == report
    assert slot_of("1.example").check_ready_at is None


def test_reading_many_slots_takes_a_few_statements_without_locks(now, monkeypatch):
    monkeypatch.setattr("hosts.healing._BATCH_SIZE", 10)
    schedule({f"more{n}.example": now for n in range(35)}, purpose=CHECK, now=now)

    with CaptureQueriesContext(connection) as captured:
        assert heal() == {}

    assert len(captured) < 30
    assert not any("FOR NO KEY" in query["sql"] for query in captured)


DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("fields", "rest"),
    [
        ({"not_before": 400 * DAY}, 5 * SECOND),
        ({"not_before": 2 * HOUR}, 5 * SECOND),
        ({"not_before": 400 * DAY, "delay": 3 * HOUR}, 3 * HOUR),
        ({"not_before": 400 * DAY, "throttled_until": 400 * DAY}, DAY),
        ({"not_before": 400 * DAY, "throttled_until": 8 * HOUR}, 8 * HOUR),
        ({"not_before": 400 * DAY, "paused_until": 30 * DAY}, 30 * DAY),
    ],
)
def test_a_pause_made_too_long_by_a_clock_change_is_limited(fields, rest, now, settings):
    settings.HOST_DELAY = 5 * SECOND
    times = {name: now + time for name, time in fields.items() if name != "delay"}
    change("1.example", check_ready_at=times["not_before"], **fields | times)

    assert heal() == {Fault.TOO_LONG: 1}

    slot = slot_of("1.example")
    assert timedelta(0) <= slot.not_before - now - rest < 30 * SECOND
    assert slot.check_ready_at == slot.not_before
    assert heal() == {}


def test_the_pause_of_a_host_deleted_from_its_alias_is_not_limited(now):
    set_hosts("paused", ["a.example", "b.example"], now=now)
    set_pause("a.example", until=now + 7 * DAY, delay=SECOND, now=now)
    delete("b.example", now=now)

    assert heal() == {}

    assert Slot.objects.get(is_alias=False, key="b.example").not_before == now + 7 * DAY


@pytest.mark.parametrize(
    "fields",
    [
        {"not_before": 23 * HOUR, "throttled_until": 23 * HOUR},
        {"not_before": 400 * DAY, "paused_until": 400 * DAY},
        {"not_before": 23 * HOUR, "delay": DAY},
    ],
)
def test_a_requested_pause_is_not_limited(fields, now):
    times = {name: now + time for name, time in fields.items() if name != "delay"}
    change("1.example", check_ready_at=times["not_before"], **fields | times)
    before = rows()
    assert heal() == {}
    assert rows() == before


@pytest.mark.parametrize(
    ("purpose", "longest"), [(CHECK, timedelta(minutes=1)), (FETCH, timedelta(days=1))]
)
def test_a_lease_made_too_long_by_a_clock_change_is_limited(purpose, longest, now):
    lease = reserve_host("1.example", purpose=purpose, ttl=400 * DAY, now=now)

    assert heal() == {Fault.TOO_LONG: 1}

    slot = slot_of("1.example")
    assert slot.token == lease.token
    assert timedelta(0) <= slot.leased_until - now - longest < 30 * SECOND
    assert slot.check_ready_at == slot.leased_until + GRACE
    assert heal() == {}
