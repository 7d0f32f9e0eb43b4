"""With several hosts in DATABASE_URL, the product finds the primary again after a failover."""

import socket
import urllib.error
from contextlib import ExitStack
from pathlib import Path

import pytest
from django.db import InternalError, OperationalError, connection
from django.db.utils import ConnectionHandler

from foundation.database.unavailable import is_outage
from linkwatch.databases import database_settings
from tests.acceptance.processes import running_product, until
from tests.counting_server import counting_server
from tests.postgres_copies import copy

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor == "sqlite", reason="it is a file of one machine"),
]


@pytest.fixture
def servers():
    """Yield a primary with the tests' tables, and its replica."""
    with copy() as primary:
        primary.promote()
        with copy(of=primary) as replica:
            yield primary, replica


@pytest.fixture
def connected():
    """Return a function that opens a connection like DATABASE_URL."""
    with ExitStack() as open_ones:

        def connect(url):
            found = database_settings(url, driver="", pooler="", folder=Path(), durability="crash")
            made = ConnectionHandler({"default": found})["default"]
            open_ones.callback(made.close)
            return made

        yield connect


def one_of(connection, statement):
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchone()[0]


def test_the_writable_server_is_found_at_any_position(servers, connected):
    primary, replica = servers
    for url in (replica.url(primary), primary.url(replica)):
        assert one_of(connected(url), "SELECT inet_server_port()") == primary.port
    reading = connected(replica.url(primary, target_session_attrs="standby"))
    assert one_of(reading, "SELECT inet_server_port()") == replica.port
    primary.stop()
    with pytest.raises(OperationalError) as caught:
        one_of(connected(primary.url(replica)), "SELECT 1")
    assert is_outage(caught.value)


def test_a_connection_is_dropped_before_use_when_its_server_is_read_only(servers, connected):
    primary, replica = servers
    session = connected(primary.url(replica))
    write = "INSERT INTO auth_group (name) VALUES (random()::text) RETURNING 1"
    assert one_of(session, write) == 1
    primary.ask("ALTER SYSTEM SET default_transaction_read_only = on")
    primary.ask("SELECT pg_reload_conf()")
    until(lambda: one_of(session, "SHOW transaction_read_only") == "on")
    with pytest.raises(InternalError, match="read-only transaction") as caught:
        one_of(session, write)
    assert is_outage(caught.value)  # 503 for the client
    replica.promote()
    session.close_if_unusable_or_obsolete()  # as before each request, task and look
    assert one_of(session, write) == 1
    assert one_of(session, "SELECT inet_server_port()") == replica.port


def test_a_hanging_host_delays_only_one_connection(servers, connected):
    with socket.create_server(("127.0.0.1", 0)) as hanging:  # accepts connections and sends nothing
        place = f"127.0.0.1:{hanging.getsockname()[1]}"
        url = servers[0].url().replace("@", f"@{place},") + "connect_timeout=2"
        for _ in range(3):
            assert one_of(connected(url), "SELECT inet_server_port()") == servers[0].port
        hanging.settimeout(0)
        hanging.accept()[0].close()
        with pytest.raises(BlockingIOError):
            hanging.accept()


def test_a_server_that_was_interrupted_is_noticed_within_seconds(servers, connected):
    session = connected(servers[0].url())
    session.ensure_connection()
    with socket.socket(fileno=socket.dup(session.connection.fileno())) as way:
        kept = [
            way.getsockopt(socket.IPPROTO_TCP, option)
            for option in (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT)
        ]
        assert way.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 15_000
        assert way.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
    assert kept == [5, 2, 3]


def health_of(product):
    return product.api("GET", "/v1/health")


def status(product, method, path):
    try:
        product.api(method, path)
    except urllib.error.HTTPError as error:
        with error:
            return error.code
    return 202


@pytest.mark.release
@pytest.mark.acceptance
def test_every_process_continues_when_the_primary_dies_and_the_replica_is_promoted(
    tmp_path, servers
):
    primary, replica = servers
    changes = {
        "DATABASE_URL": primary.url(replica),
        "DATABASE_REPLICA_URL": replica.url(),
        "ALLOW_NETWORKS": "127.0.0.0/8",
        "RECHECK_PERIOD": "500ms",
        "CHECK_INTERVAL": "500ms",
    }
    with (
        running_product(tmp_path, **changes) as product,
        counting_server(["127.0.0.1"]) as site,
    ):
        target = product.api("POST", "/v1/targets", {"url": site.url("127.0.0.1", "/page")})
        path = f"/v1/targets/{target['id']}"
        until(lambda: product.api("GET", path)["state"] == "alive")
        until(lambda: replica.ask("SELECT count(*) FROM targets_target WHERE state = 'alive'"))
        assert health_of(product)["dependencies"]["replica"] == "ok"
        primary.stop()
        assert status(product, "GET", path) == 503
        replica.promote()
        site.refuse(["127.0.0.1"])
        until(lambda: status(product, "POST", path + "/check") == 202)
        events = until(lambda: product.api("GET", "/v1/events")["items"])
        assert events[0]["type"] == "linkwatch.target.dead"
        health = health_of(product)
        assert (health["status"], health["dependencies"]["replica"]) == ("ok", "down")
        assert product.up.poll() is None
    assert "Traceback" not in (tmp_path / "log").read_text()
