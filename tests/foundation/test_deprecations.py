"""Deprecated operations have deprecation headers and an OpenAPI flag; others have neither."""

from datetime import date

import pytest
from django.test import Client
from django.urls import path
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.response import Response
from rest_framework.views import APIView

from foundation.http.deprecations import deprecated
from foundation.http.openapi import fails

handler404 = "foundation.http.errors.not_found"

pytestmark = pytest.mark.any_database

SEE = "https://links.example/changes#old"
HEADERS = {
    "Deprecation": "@1798761600",
    "Sunset": "Thu, 01 Jul 2027 00:00:00 GMT",
    "Link": f'<{SEE}>; rel="deprecation"; type="text/html"',
}


class OldView(APIView):
    """A view with one deprecated operation."""

    permission_classes = []
    authentication_classes = []
    throttle_classes = []

    @deprecated(since=date(2027, 1, 1), sunset=date(2027, 7, 1), see=SEE)
    @fails(not_found=404)
    @extend_schema(responses={200: None})
    def get(self, request, number):
        """A deprecated operation."""
        if not number:
            raise NotFound
        return Response({})

    @extend_schema(request=None, responses={200: None})
    def post(self, request, number):
        """A current operation."""
        return Response({})


urlpatterns = [path("v1/old/<int:number>", OldView.as_view())]


@pytest.fixture
def client(settings):
    settings.ROOT_URLCONF = __name__
    return Client()


@pytest.mark.parametrize("number", [0, 1])
def test_each_answer_of_a_deprecated_operation_has_its_sunset(client, number):
    answer = client.get(f"/v1/old/{number}")

    assert answer.status_code == (200 if number else 404)
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS


def test_answers_of_the_other_operations_have_no_sunset(client):
    for answer in (client.post("/v1/old/1"), client.get("/v1/none")):
        assert not set(HEADERS) & set(answer.headers)


def test_openapi_marks_it_as_deprecated():
    schema = SchemaGenerator(urlconf=__name__).get_schema(request=None, public=True)
    described = schema["paths"]["/v1/old/{number}"]

    assert described["get"]["deprecated"] is True
    assert "deprecated" not in described["post"]
    assert {"Deprecation", "Sunset"} <= set(described["get"]["responses"]["200"]["headers"])


def test_no_sunset_is_before_the_policy_allows_it():
    with pytest.raises(ValueError, match="must not be removed before 2027-06-30"):
        deprecated(since=date(2027, 1, 1), sunset=date(2027, 6, 29), see=SEE)
