"""The number of statements does not grow with the number of rows."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from knox.models import AuthToken
from rest_framework.test import APIClient

from accounts.authentication import TokenAuthentication
from accounts.rights import assign, grant
from accounts.roles import Role
from foundation.database.clock import database_now
from hosts import reservations
from hosts.models import Host, Purpose
from targets.canonical import canonicalize
from tests.factories import ReferenceFactory, TargetFactory, TransitionFactory

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


def test_one_target_takes_three_statements_for_any_number_of_references(
    api, django_assert_num_queries
):
    target = ReferenceFactory().target

    with django_assert_num_queries(3):
        api.get(f"/v1/targets/{target.id}")


def test_the_feed_takes_three_statements(api, django_assert_num_queries):
    for number in range(50):
        TransitionFactory(position=number + 1)

    with django_assert_num_queries(3):
        assert len(api.get("/v1/events").json()["items"]) == 50


@pytest.mark.parametrize("known", [False, True])
def test_a_bulk_of_a_hundred_needs_hardly_more_statements_than_one_of_two(api, known):
    def bulk(name, count):
        items = [{"url": f"http://{name}{n}.example/", "reference_id": "r"} for n in range(count)]
        return lambda: api.post("/v1/targets/bulk", {"items": items})

    if known:
        for call in (bulk("a", 2), bulk("b", 100)):
            call()

    # SQLite accepts at most 999 parameters, so it needs a few inserts for 100 rows.
    assert statements(bulk("b", 100)) <= statements(bulk("a", 2)) + 6


@pytest.fixture
def client_with_token(operator):
    """A client that sends a token, so that all statements for the token count."""
    client = APIClient(headers={"Authorization": f"Token {AuthToken.objects.create(operator)[1]}"})
    client.get("/v1/")  # loaded once
    return client


@pytest.mark.django_db(transaction=True)  # a transaction's begin and commit count, too
@pytest.mark.parametrize("reference", [{}, {"reference_id": "r"}])
@pytest.mark.parametrize("kind", ["new host", "host that is due", "host due later", "known URL"])
def test_a_single_registration_needs_ten_statements(client_with_token, kind, reference):
    """Counts token, time, transaction (two), search (two), slot (two), target, audit entry.

    A reference takes one more. SQLite, which has no round trips, counts each kind of row in its own
    statement, and writes the text of a target in one.
    """
    target = TargetFactory(url="http://a.example/", canonical_url="http://a.example")
    now = database_now()
    due = now + timedelta(days=kind == "host due later")
    reservations.schedule({"a.example": due}, purpose=Purpose.CHECK, now=now)
    url = {"new host": "http://b.example", "known URL": target.url}.get(kind, "http://a.example/n")
    body = {"url": url} | reference

    taken = statements(lambda: client_with_token.post("/v1/targets", body))

    counting = 0 if connection.vendor == "postgresql" else 1
    assert taken <= 10 + 2 * counting + len(reference) * (1 + counting)
    assert Host.objects.get(name=canonicalize(url).host).check_at >= now


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("role", [Role.MEMBER, None])
def test_rights_of_users_other_than_operators_need_one_more_statement(operator, role):
    def taken(user, url):
        headers = {"Authorization": f"Token {AuthToken.objects.create(user)[1]}"}
        client = APIClient(headers=headers)
        return statements(lambda: client.post("/v1/targets", {"url": url, "reference_id": "r"}))

    user = User.objects.create_user("somebody")
    assign(user, role)
    if role is None:
        grant(user, read_only=False)
    taken(operator, "http://warm.example")
    assert taken(user, "http://b.example") == taken(operator, "http://c.example") + 1


@pytest.mark.django_db(transaction=True)
def test_a_token_takes_one_statement_for_any_number_of_tokens(operator, django_assert_num_queries):
    keys = [AuthToken.objects.create(operator)[1] for _ in range(3)]

    with django_assert_num_queries(1):
        assert TokenAuthentication().authenticate_credentials(keys[1].encode())[0] == operator
