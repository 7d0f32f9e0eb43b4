"""References that another process registers while they are being removed."""

import pytest
from django.db import connection

from foundation.database.clock import database_now
from foundation.database.transactions import StartOverError
from targets import services
from tests.factories import ReferenceFactory, TargetFactory

pytestmark = pytest.mark.django_db


def test_a_reference_registered_between_two_reads_restarts_the_removal():
    target, reads = TargetFactory(), []

    def register_after_the_second_read(execute, sql, params, many, context):
        result = execute(sql, params, many, context)
        if sql.startswith("SELECT") and "late" in map(str, params or ()):
            reads.append(sql)
            if len(reads) == 2:
                ReferenceFactory(target=target, object_id="late")
        return result

    with (
        connection.execute_wrapper(register_after_the_second_read),
        pytest.raises(StartOverError),  # within the test's transaction, nothing restarts
    ):
        services.unregister(target, "late", now=database_now())
