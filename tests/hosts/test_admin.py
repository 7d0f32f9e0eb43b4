from datetime import timedelta

import pytest
from django.urls import reverse

from hosts.aliases import attach
from hosts.models import Host, Purpose, Slot
from hosts.reservations import reserve, schedule
from tests.conftest import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _static_root(settings, tmp_path):
    settings.STATIC_ROOT = tmp_path  # nothing was collected, and nothing is asked for


@pytest.fixture
def leased():
    names = [f"{n}.example" for n in range(20)]
    schedule(dict.fromkeys(names, NOW), purpose=Purpose.CHECK, now=NOW)
    attach("group", names[:5], now=NOW)
    [lease] = reserve(Purpose.CHECK, limit=1, ttl=timedelta(seconds=60), now=NOW).leases
    return lease


@pytest.mark.parametrize("model", ["slot", "host"])
def test_lists_cost_the_same_for_any_number_of_rows(
    admin_client, leased, model, django_assert_max_num_queries
):
    with django_assert_max_num_queries(9):
        page = admin_client.get(reverse(f"admin:hosts_{model}_changelist"), {"q": "1"})

    assert page.status_code == 200
    assert b"10.example" in page.content


def test_an_operator_sees_a_lease_but_not_its_token(admin_client, leased):
    slot = Slot.objects.get(token=leased.token)

    page = admin_client.get(reverse("admin:hosts_slot_change", args=[slot.pk]))

    assert leased.host in page.content.decode()
    assert str(leased.token) not in page.content.decode()


def test_an_operator_changes_the_delay_only(admin_client, leased):
    slot = Slot.objects.get(token=leased.token)

    page = admin_client.post(
        reverse("admin:hosts_slot_change", args=[slot.pk]), {"delay": "00:00:05", "key": "x"}
    )

    assert page.status_code == 302
    changed = Slot.objects.get(pk=slot.pk)
    assert (changed.delay, changed.key) == (timedelta(seconds=5), slot.key)
    assert changed.token == leased.token


def test_a_host_is_shown_with_its_alias(admin_client, leased):
    host = Host.objects.filter(slot__is_alias=True).first()

    page = admin_client.get(reverse("admin:hosts_host_change", args=[host.pk]))

    assert "group" in page.content.decode()
