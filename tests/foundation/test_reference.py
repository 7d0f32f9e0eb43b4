"""The API's reference, and the static files that its Swagger page needs."""

import gzip

import pytest

from foundation.http.reference import sections

pytestmark = [pytest.mark.any_database, pytest.mark.django_db]
BUNDLE = "/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js"


def test_the_reference_has_each_operation_with_parameters_body_and_answers(client):
    text = client.get("/v1/reference").content.decode()
    for path, operations in client.get("/v1/").json()["paths"].items():
        for method in operations:
            assert f"{method}</b> {path}</code>" in text
    assert "<script" not in text
    (create,) = [
        one
        for section in sections()
        for one in section.operations
        if (one.method, one.path) == ("POST", "/v1/channels")
    ]
    kind = next(item for item in create.body if item.name == "kind")
    assert (kind.kind, kind.is_required) == ("webhook | mail | apprise | feed", True)
    assert [status for status, _, _ in create.responses][:1] == ["201"]
    assert any(item.name == "secret" for item in create.responses[0][2])


def test_the_reference_is_small_and_linked_from_swagger(client):
    answer = client.get("/v1/reference", headers={"Accept-Encoding": "gzip"})
    assert answer["Content-Encoding"] == "gzip"
    assert len(answer.content) < 60_000
    assert 'noscript><p class="problem">' in client.get("/v1/docs").content.decode()
    assert 'href="/v1/reference"' in client.get("/v1/docs").content.decode()


def test_the_schema_is_compressed_and_kept(client):
    answer = client.get("/v1/schema", headers={"Accept-Encoding": "gzip"})
    assert answer["Content-Encoding"] == "gzip"
    assert answer["Cache-Control"] == "max-age=3600, public"


def test_swaggers_files_are_compressed_and_kept_for_a_day(client):
    plain = client.get(BUNDLE, headers={"Accept-Encoding": "identity"})
    packed = client.get(BUNDLE, headers={"Accept-Encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"
    body, whole = (b"".join(answer.streaming_content) for answer in (packed, plain))
    assert gzip.decompress(body) == whole
    assert len(body) < len(whole) / 3
    assert packed["Cache-Control"] == "max-age=86400, public"
    assert "Accept-Encoding" in packed["Vary"]


def test_our_files_are_compressed_and_asked_after_each_minute(client):
    answer = client.get("/static/linkwatch/linkwatch.css", headers={"Accept-Encoding": "gzip"})
    assert b"".join(answer.streaming_content)[:2] == b"\x1f\x8b"
    assert answer["Content-Encoding"] == "gzip"
    assert answer["Content-Type"] == 'text/css; charset="utf-8"'
    assert answer["Cache-Control"] == "max-age=60, public"
    again = {"Accept-Encoding": "gzip", "If-None-Match": answer["ETag"]}
    assert client.get("/static/linkwatch/linkwatch.css", headers=again).status_code == 304


def test_a_picture_is_sent_as_it_is(client):
    answer = client.get("/static/linkwatch/mark.svg", headers={"Accept-Encoding": "gzip"})
    assert b"".join(answer.streaming_content).startswith(b"<svg")
    assert "Content-Encoding" not in answer
    assert client.get("/static/linkwatch/none.svg").status_code == 404
