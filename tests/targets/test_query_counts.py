"""The number of statements does not grow with the number of rows."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.factories import ReferenceFactory, TransitionFactory

pytestmark = pytest.mark.django_db


def statements(call):
    with CaptureQueriesContext(
        connection,
    ) as captured:
        response = call()
    assert response.status_code in (200, 201), response.content
    return len(captured)


@pytest.mark.parametrize("count", [2, 50])
def test_a_list_of_targets_takes_two_statements(api, count, django_assert_num_queries):
    for _ in range(count):
        ReferenceFactory()

    with django_assert_num_queries(2):
        assert len(api.get("/v1/targets").json()["items"]) == count


def test_one_target_takes_three_statements_however_many_refer_to_it(api, django_assert_num_queries):
    target = ReferenceFactory().target

    with django_assert_num_queries(3):
        api.get(f"/v1/targets/{target.id}")


def test_the_feed_takes_two_statements(api, django_assert_num_queries):
    for number in range(50):
        TransitionFactory(position=number + 1)

    with django_assert_num_queries(2):
        assert len(api.get("/v1/events").json()["items"]) == 50


@pytest.mark.parametrize("known", [False, True])
def test_a_bulk_of_a_hundred_takes_hardly_more_statements_than_one_of_two(api, known):
    def bulk(name, count):
        items = [{"url": f"http://{name}{n}.example/", "reference_id": "r"} for n in range(count)]
        return lambda: api.post("/v1/targets/bulk", {"items": items})

    if known:
        for call in (bulk("a", 2), bulk("b", 100)):
            call()

    # SQLite takes at most 999 parameters, so that 100 rows are a few inserts there.
    assert statements(bulk("b", 100)) <= statements(bulk("a", 2)) + 6
