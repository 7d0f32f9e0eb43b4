"""The registry stores whether only ALLOW_NETWORKS permits a page."""

import ipaddress

import pytest

from checker import claims
from foundation.net.guard import Guard
from hosts.models import Slot
from targets.models import Target
from tests.checker.shifts import register, work_until_nothing_is_due
from tests.zoo.checks import check
from tests.zoo.server import answer, in_turn, raw, serve_in_thread

LOOPBACK = ipaddress.ip_network("127.0.0.0/8")


def test_an_address_is_internal_only_if_allow_networks_permits_it():
    guard = Guard(allow_networks=[LOOPBACK, ipaddress.ip_network("8.8.8.0/24")])
    assert guard.is_internal("127.0.0.7")
    assert not guard.is_internal("8.8.8.8")  # open to everybody, too
    assert not guard.is_internal("10.0.0.1")  # not open at all
    assert not Guard().is_internal("127.0.0.1")


def test_a_check_records_that_the_page_is_internal():
    found, _ = check(answer())
    assert found.is_internal is True


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("quick")
def test_an_internal_target_stays_internal_while_its_server_does_not_answer():
    with serve_in_thread(in_turn(answer(), raw())) as zoo:
        (target,) = register(zoo.url("/page"))
        assert target.is_internal is None
        work_until_nothing_is_due()
        target.refresh_from_db()
        assert (target.state, target.is_internal) == ("alive", True)
        Target.objects.update(next_check_at=target.created_at)
        Slot.objects.update(not_before=target.created_at)
        held = [claims.claim_host(target.host)]
        work_until_nothing_is_due(claim=lambda _: held.pop() if held else claims.Claim())
    target.refresh_from_db()
    assert target.last_reason
    assert target.is_internal is True
