"""Connections to a database server that stops and starts."""

import pytest
from django.contrib.auth.models import Group
from django.db import close_old_connections, connection

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite is no server"),
]


def test_a_connection_dropped_by_the_server_is_replaced_without_a_failed_request():
    """The connection is replaced before a request uses it, after the database was restarted."""
    connection.ensure_connection()
    dropped = connection.connection.info.backend_pid
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 10000)", [dropped])
        assert cursor.fetchone() == (True,)
    other.close()

    close_old_connections()  # as at the start of each request and task

    assert not Group.objects.filter(name="nobody").exists()
