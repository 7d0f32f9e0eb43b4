"""Reads from a real replica of the tests' server, whose replay can be paused."""

import threading
from datetime import timedelta

import pytest
from django.contrib.auth.models import Group
from django.db import DataError, OperationalError, connection, connections
from django.test import Client

from console import replica_reads
from foundation.database import replica
from foundation.database.clock import database_now
from linkwatch import databases
from status import health
from status.stats import STATS
from targets.models import Target
from tests.acceptance.processes import until
from tests.factories import TargetFactory
from tests.postgres_copies import copy

pytestmark = [
    pytest.mark.skipif(connection.vendor == "sqlite", reason="it has no replicas"),
    pytest.mark.django_db(transaction=True, databases=["default", "replica"]),
]


@pytest.fixture(scope="module", autouse=True)
def server(django_db_setup, django_db_blocker):
    """Yield a replica of the tests' server, which Django has in its settings."""
    with django_db_blocker.unblock(), copy() as made:
        primary = connections.databases["default"]
        found = databases.replica_settings(made.url(), pooler="", primary=primary)
        both = connections.configure_settings({"default": primary, "replica": found})
        connections.databases["replica"] = both["replica"]
        yield made
        connections["replica"].close()
        del connections["replica"], connections.databases["replica"]


@pytest.fixture
def follower(server, settings, monkeypatch):
    """Return the replica when it has caught up; its lag is checked at each read."""
    monkeypatch.setattr(replica, "_INTERVAL", 0.0)
    monkeypatch.setattr(replica, "_state", replica._State())
    settings.DATABASE_ROUTERS = ["foundation.database.replica.Router"]
    until(lambda: replica.lag() == pytest.approx(0, abs=0.1))
    return server


@pytest.fixture
def held_back(follower):
    """Yield the replica with its replay paused: it lacks everything that is written from now on."""
    follower.ask("SELECT pg_wal_replay_pause()")
    until(lambda: follower.ask("SELECT pg_get_wal_replay_pause_state()") == "paused")
    yield follower
    follower.ask("SELECT pg_wal_replay_resume()")


def test_reads_that_tolerate_lag_use_the_replica_and_all_others_the_primary(held_back):
    TargetFactory()
    assert Target.objects.count() == 1
    found, age = replica.read(Target.objects.count)
    assert found == 0
    assert age > timedelta(0)
    assert replica.read(lambda: Group.objects.all().db)[0] == "default"  # rights
    with replica.primary_only():
        assert Target.objects.count() == 1
    held_back.ask("SELECT pg_wal_replay_resume()")
    until(lambda: replica.read(Target.objects.count)[0] == 1)


def test_a_replica_that_lags_too_far_is_not_read_and_health_stays_ok(held_back, monkeypatch):
    TargetFactory()
    monkeypatch.setattr(replica, "MAX_LAG", 0.3)
    until(lambda: replica.lag() is None)
    assert replica.read(Target.objects.count) == (1, timedelta(0))
    assert health.health_of("replica") == {"replica": "down"}
    assert replica.measured_lag() > 0.3
    assert health.readiness({"database": "ok", "replica": "down"})["status"] == "ok"
    assert health.readiness({"database": "down", "replica": "ok"})["status"] == "down"
    held_back.ask("SELECT pg_wal_replay_resume()")
    until(lambda: health.health_of("replica") == {"replica": "ok"})


def test_an_idle_primary_causes_no_lag(follower, monkeypatch):
    TargetFactory()
    last = until(lambda: follower.ask("SELECT pg_last_xact_replay_timestamp()"))
    until(lambda: replica.lag() == pytest.approx(0, abs=0.1))
    monkeypatch.setattr(replica, "MAX_LAG", 0.2)
    until(lambda: database_now() - last > timedelta(seconds=0.5))
    until(lambda: replica.lag() == pytest.approx(0, abs=0.1))


def test_a_lost_or_promoted_replica_is_not_used(follower, monkeypatch):
    monkeypatch.setattr(replica, "_PAUSE", 0.0)
    session = connections["replica"]
    with copy() as own:
        session.close()
        monkeypatch.setitem(session.settings_dict, "PORT", own.port)
        assert replica.read(replica.alias)[0] == "replica"
        TargetFactory()
        own.stop()
        assert replica.read(Target.objects.count) == (1, timedelta(0))
        assert replica.lag() is None
        own.start()
        session.close_if_unusable_or_obsolete()  # as before each request
        assert replica.read(replica.alias)[0] == "replica"
        own.promote()
        session.close_if_unusable_or_obsolete()
        assert replica.read(Target.objects.count) == (1, timedelta(0))
        assert replica.lag() is None
        session.close()


def test_a_replica_of_another_primary_is_never_used(follower, monkeypatch):
    session = connections["replica"]
    with copy() as former:  # or the one before a restore
        former.promote()
        for _ in range(3):  # 16 MB each
            former.ask("CREATE TABLE IF NOT EXISTS more (); DROP TABLE more")
            former.ask("SELECT pg_switch_wal()")
        with copy(of=former) as of_former:
            session.close()
            monkeypatch.setitem(session.settings_dict, "PORT", of_former.port)
            TargetFactory()
            assert replica.read(Target.objects.count) == (1, timedelta(0))
            assert replica.lag() is None
            session.close()


def test_a_nested_read_is_repeated_on_the_primary_too(follower):
    asked = []

    def fail_there():
        asked.append(replica.alias())
        if replica.alias() == "replica":
            raise OperationalError

    assert replica.read(lambda: replica.read(fail_there))[0] == (None, timedelta(0))
    assert asked == ["replica", "default"]


def test_a_read_that_fails_on_the_replica_is_repeated_on_the_primary(follower):
    asked = []

    def find():
        asked.append(replica.alias())
        with connections[replica.alias()].cursor() as cursor:
            cursor.execute("CREATE TEMPORARY TABLE nowhere_else (at int)")  # a replica has none
        return "found"

    assert replica.read(find) == ("found", timedelta(0))
    assert asked == ["replica", "default"]
    assert replica.lag() is None  # for ten seconds
    assert health.health_of("database") == {"database": "ok"}  # the replica is read-only


def test_a_statement_that_fails_on_both_does_not_disable_the_replica(follower):
    with pytest.raises(DataError):
        replica.read(lambda: list(Target.objects.extra(where=["1 / 0 = 1"])))
    assert replica.lag() == pytest.approx(0, abs=1)


def test_a_hanging_replica_delays_only_one_reader(follower, monkeypatch):
    hangs, go_on = threading.Event(), threading.Event()

    def hang():
        hangs.set()
        go_on.wait()
        return True, 0.0

    monkeypatch.setattr(replica, "_compare", hang)
    monkeypatch.setattr(replica, "_TIMEOUT", 0.0)
    first = threading.Thread(target=replica.lag)
    first.start()
    hangs.wait()
    try:
        assert replica.read(replica.alias) == ("default", timedelta(0))
    finally:
        go_on.set()
        first.join()
    assert replica.read(replica.alias)[0] == "replica"


def test_lists_and_figures_show_their_actual_age(held_back, monkeypatch, operator, api):
    monkeypatch.setattr(replica_reads, "_NOTABLE_AGE", timedelta(0))
    browser = Client(headers={"accept": "text/html"})
    browser.force_login(operator)  # exists on the primary only
    target = TargetFactory()
    for path in ("/targets", "/hosts?sort=name", "/links", "/snippets"):
        page = browser.get(path)
        assert (path, page.status_code) == (path, 200)
        assert "This data is 1 second old." in page.content.decode()
    assert target.url not in browser.get("/targets").content.decode()
    STATS.forget()
    figures = api.get("/v1/stats").json()
    assert sum(figures["targets"].values()) == 0
    assert len(api.get("/v1/targets").json()["items"]) == 1
    # The tests' primary does not wait for its disk: before its flush, no server has more data.
    until(lambda: api.get("/v1/health").json()["replica"]["lag_seconds"] > 0)


def test_users_see_their_own_change_in_the_list(held_back, operator, browser):
    url = TargetFactory().url
    assert url not in browser.get("/targets").content.decode()
    made = browser.post(
        "/links/new", {"long_url": "https://example.org/a", "key": "spring", "lasts": "ever"}
    )
    assert made.status_code == 302
    assert "spring" in browser.get("/links").content.decode()  # with "Link created."
    assert "spring" not in browser.get("/links").content.decode()
