"""Each change of a host or an alias writes one audit entry; reservations write none."""

from datetime import timedelta

import pytest
from django.test import Client

from accounts.actors import Actor
from accounts.models import Trace
from foundation.database.clock import database_now
from hosts import services
from hosts.models import Alias, Host

pytestmark = pytest.mark.django_db
NAME = "a.example"


def written():
    found = [
        (row.action, row.kind, row.subject, row.fields, row.user_name)
        for row in Trace.objects.order_by("pk")
    ]
    Trace.objects.all().delete()
    return found


def test_each_change_through_the_api_writes_an_audit_entry(api):
    api.put(f"/v1/hosts/{NAME}", {"delay": "5s"})
    api.put(f"/v1/hosts/{NAME}", {"accept": [403], "delay": "6s"})
    api.put("/v1/aliases/shop", {"hosts": [NAME]})
    api.delete("/v1/aliases/shop")
    api.delete("/v1/aliases/shop")
    api.delete(f"/v1/hosts/{NAME}")
    api.delete(f"/v1/hosts/{NAME}")
    assert written() == [
        ("change", "host", NAME, ["delay"], "operator"),
        ("change", "host", NAME, ["accept", "delay"], "operator"),
        ("change", "alias", "shop", ["hosts"], "operator"),
        ("delete", "alias", "shop", [], "operator"),
        ("delete", "host", NAME, [], "operator"),
    ]


def test_reservations_write_no_audit_entry(api):
    due = {"host": NAME, "next_fetch_at": "2026-01-01T00:00:00Z"}
    api.post("/v1/hosts/schedule", {"hosts": [due]})
    (lease,) = api.post("/v1/hosts/reserve", {"limit": 1, "busy_timeout": "1m"}).json()[
        "reservations"
    ]
    body = {"token": lease["token"]}
    assert api.post(f"/v1/hosts/{NAME}/extend", body | {"busy_timeout": "2m"}).status_code == 200
    assert api.post(f"/v1/hosts/{NAME}/release", body).status_code == 204
    assert written() == []


def test_refused_changes_of_hosts_write_no_audit_entry(api):
    api.post(f"/v1/hosts/{NAME}/reserve", {"busy_timeout": "1m"})
    assert api.delete(f"/v1/hosts/{NAME}").status_code == 409
    assert api.put("/v1/aliases/shop", {"hosts": [NAME]}).status_code == 409
    assert written() == []


def test_freeing_a_lease_writes_an_audit_entry(operator):
    now = database_now()
    lease = services.reserve_host(NAME, busy_timeout=timedelta(minutes=1), now=now)
    assert services.free([lease.token], now=now, by=Actor(operator)) == {lease.token}
    assert services.free([lease.token], now=now, by=Actor(operator)) == set()
    assert written() == [("free", "host", NAME, [], "operator")]


@pytest.mark.parametrize(("kind", "name"), [("host", NAME), ("alias", "shop")])
def test_the_admin_shows_who_changed_it(api, browser: Client, kind, name):
    api.put("/v1/aliases/shop", {"hosts": [NAME]})
    api.put(f"/v1/hosts/{NAME}", {"delay": "5s"})
    pk = (Host.objects.get(name=name) if kind == "host" else Alias.objects.get(key=name)).pk
    html = browser.get(f"/admin/hosts/{kind}/{pk}/change/").content.decode()
    assert "Audit log" in html
    assert '<strong dir="auto">operator</strong> changed' in html
