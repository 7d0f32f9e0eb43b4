"""Connections are kept between requests; those to a database server are tested and replaced."""

from datetime import UTC, datetime
from types import SimpleNamespace

import psycopg
import pytest
from django.conf import settings
from django.contrib.auth.models import Group
from django.db import close_old_connections, connection
from django.db.backends.postgresql.base import TIMESTAMPTZ_OID, DatabaseWrapper
from psycopg.pq import Format

pytestmark = pytest.mark.django_db(transaction=True)
only_postgresql = pytest.mark.skipif(connection.vendor != "postgresql", reason="it is no server")


def test_a_connection_is_kept_between_requests_until_it_is_old():
    connection.close()
    connection.ensure_connection()
    kept = connection.connection

    close_old_connections()
    assert connection.connection is kept

    connection.close_at -= settings.DATABASES["default"]["CONN_MAX_AGE"]
    close_old_connections()
    assert connection.connection is None


@only_postgresql
def test_a_connection_dropped_by_the_server_is_replaced_without_a_failed_request():
    """The connection is replaced before a request uses it, after the database was restarted."""
    connection.close()
    connection.ensure_connection()  # it has just responded, so no statement would test it
    dropped = connection.connection.info.backend_pid
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 10000)", [dropped])
        assert cursor.fetchone() == (True,)
    other.close()

    close_old_connections()  # as at the start of each request and task

    assert not Group.objects.filter(name="nobody").exists()


@only_postgresql
def test_times_are_read_in_utc_by_the_fast_loader():
    with connection.cursor() as cursor:
        cursor.execute("SELECT '2026-01-02 03:04:05.000006+07'::timestamptz")
        (time,) = cursor.fetchone()
        loader = cursor.adapters.get_loader(TIMESTAMPTZ_OID, Format.TEXT)

    assert time == datetime(2026, 1, 1, 20, 4, 5, 6, tzinfo=UTC)
    assert time.isoformat() == "2026-01-01T20:04:05.000006+00:00"
    assert loader.__module__ == "psycopg_binary._psycopg"


@only_postgresql
def test_a_connection_is_tested_once_a_second_and_after_errors(monkeypatch):
    sent = []
    statement = DatabaseWrapper.is_usable

    def is_usable(self):
        sent.append("SELECT 1")
        return statement(self)

    monkeypatch.setattr(DatabaseWrapper, "is_usable", is_usable)
    now = 1000.0
    clock = SimpleNamespace(monotonic=lambda: now)
    monkeypatch.setattr("foundation.database.postgresql.base.time", clock)
    connection.close()
    connection.ensure_connection()
    assert connection.is_usable()
    assert sent == []
    now += 1.5
    assert connection.is_usable()
    assert connection.is_usable()
    assert len(sent) == 1
    connection.errors_occurred = True
    assert connection.is_usable()
    assert len(sent) == 2
    connection.errors_occurred = False
    connection.connection.execute("BEGIN")
    with pytest.raises(psycopg.Error):
        connection.connection.execute("SELECT 1/0")
    assert not connection.is_usable()  # a transaction was left behind
    connection.connection.rollback()
    assert connection.is_usable()
    connection.connection.close()
    assert not connection.is_usable()
    connection.close()
