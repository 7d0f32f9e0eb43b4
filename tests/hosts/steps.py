"""Steps for tests of reservations; each uses a fixed time unless the test passes another."""

from datetime import timedelta

from hosts.models import Host, Purpose
from hosts.reservations import release, reserve, schedule
from tests.conftest import NOW

SECOND = timedelta(seconds=1)
TTL = timedelta(seconds=60)
CHECK, FETCH = Purpose.CHECK, Purpose.FETCH


def due(*names, at=NOW, purpose=CHECK, now=NOW):
    schedule(dict.fromkeys(names, at), purpose=purpose, now=now)


def take(limit=100, *, now=NOW, purpose=CHECK, cap=None):
    return reserve(purpose, limit=limit, ttl=TTL, cap=cap, now=now).leases


def names(leases):
    return [lease.host for lease in leases]


def slot_of(name):
    return Host.objects.select_related("slot").get(name=name).slot


def put_back(*leases, at=None, delay=timedelta(0), now=NOW):
    return release({lease.token: at for lease in leases}, delay=delay, now=now)
