"""Error handling: all errors use the same envelope.

Source: docs/requirements.md#snippets-api.
"""

import json

import pytest
from django.contrib.auth.models import Permission, User
from django.urls import include, path
from knox.models import AuthToken
from rest_framework.test import APIClient
from rest_framework.views import APIView

from tests.factories import ReferenceFactory, TargetFactory

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]
ID = "t_" + "0" * 22


class BrokenView(APIView):
    queryset = User.objects.all()

    def get(self, request):
        raise RuntimeError("an internal secret")

    post = get


def broken_page(request):
    raise RuntimeError("an internal secret")


urlpatterns = [
    path("", include("linkwatch.urls")),
    path("broken/api", BrokenView.as_view()),
    path("broken/page", broken_page),
]
handler400 = "foundation.http.errors.bad_request"
handler403 = "foundation.http.errors.permission_denied"
handler404 = "foundation.http.errors.not_found"
handler500 = "foundation.http.errors.server_error"


def assert_error(response, status, code):
    """Check the envelope and return its details."""
    assert response.status_code == status, response.content
    assert response["Content-Type"] == "application/json"
    body = json.loads(response.content)
    assert set(body) == {"code", "message", "details"}
    assert body["code"] == code
    assert isinstance(body["message"], str)
    assert body["message"]
    assert isinstance(body["details"], dict)
    return body["details"]


@pytest.fixture
def reader(db):
    """A client with the token of a user who has read access only."""
    user = User.objects.create_user("reader")
    wanted = ["view_target", "view_reference", "view_transition"]
    user.user_permissions.set(Permission.objects.filter(codename__in=wanted))
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {AuthToken.objects.create(user)[1]}")
    return client


READS = ["/v1/targets", "/v1/references?url=http://a.example", "/v1/events", f"/v1/targets/{ID}"]
WRITES = [
    ("post", "/v1/targets", {"url": "http://a.example"}),
    ("post", "/v1/targets/bulk", {"items": []}),
    ("patch", f"/v1/targets/{ID}", {"paused": True}),
    ("delete", f"/v1/targets/{ID}", None),
    ("post", f"/v1/targets/{ID}/check", {}),
    ("post", "/v1/references", {"url": "http://a.example", "reference_id": "a"}),
    ("delete", "/v1/references?url=http://a.example&reference_id=a", None),
    ("put", f"/v1/targets/{ID}/references/a", None),
    ("delete", f"/v1/targets/{ID}/references/a", None),
]


@pytest.mark.parametrize("path", [*READS, f"/v1/targets/{ID}/transitions"])
def test_401_without_a_token_says_how_to_authenticate(path):
    response = APIClient().get(path)

    assert_error(response, 401, "not_authenticated")
    assert response["WWW-Authenticate"] == "Token"


@pytest.mark.parametrize(
    "header", ["Token", "Token x", "Token x y", "Token " + "0" * 64, "Token \xff"]
)
def test_401_with_a_wrong_token(header):
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=header)
    response = client.get("/v1/targets")

    assert_error(response, 401, "not_authenticated")
    assert response["WWW-Authenticate"] == "Token"


@pytest.mark.parametrize("path", READS[:3])
def test_a_reader_may_read(reader, path):
    assert reader.get(path).status_code == 200


def test_a_reader_may_read_one_target(reader):
    target = TargetFactory()

    assert reader.get(f"/v1/targets/{target.id}").json()["id"] == target.id
    assert reader.get(f"/v1/targets/{target.id}/references").status_code == 200
    assert reader.get(f"/v1/targets/{target.id}/transitions").status_code == 200


@pytest.mark.parametrize(("method", "path", "body"), WRITES)
def test_403_if_a_reader_writes(reader, method, path, body):
    assert_error(getattr(reader, method)(path, body), 403, "permission_denied")


def test_403_without_any_permission(reader):
    User.objects.get(username="reader").user_permissions.clear()

    assert_error(reader.get("/v1/targets"), 403, "permission_denied")
    assert_error(reader.get("/v1/events"), 403, "permission_denied")


def test_403_if_a_session_writes_without_a_csrf_token(operator):
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(operator)

    response = client.post("/v1/targets", {"url": "http://a.example"})

    assert_error(response, 403, "permission_denied")
    assert client.get("/v1/targets").status_code == 200


@pytest.mark.parametrize(
    "path", ["/nowhere", "/v1/targets/", "/v1/nowhere", "/v1/targets/a/b", "/%00", "/%ff"]
)
def test_404_for_an_unknown_path(api, path):
    assert_error(api.get(path), 404, "not_found")


@pytest.mark.parametrize(
    "target_id",
    [
        ID,
        "t_",
        "x",
        "0",
        "-",
        "t_" + "z" * 22,
        "s_" + "0" * 22,
        "%00",
        "%ff",
        "%0A",
        "t_%00",
        "🦊",
        "t_" + "%C3%A9" * 22,
        "a" * 5000,
    ],
)
@pytest.mark.parametrize(
    ("method", "tail", "body"),
    [
        ("get", "", None),
        ("patch", "", {"paused": True}),
        ("delete", "", None),
        ("post", "/check", {}),
        ("get", "/transitions", None),
        ("get", "/references", None),
        ("put", "/references/a", None),
        ("delete", "/references/a", None),
    ],
)
def test_404_for_an_unknown_id(api, target_id, method, tail, body):
    response = getattr(api, method)(f"/v1/targets/{target_id}{tail}", body)

    assert_error(response, 404, "not_found")


@pytest.mark.parametrize("reference_id", ["a", "%ff", "%0A", "b/c", "/", "x" * 255])
def test_404_for_an_unknown_reference(api, reference_id):
    reference = ReferenceFactory()
    path = f"/v1/targets/{reference.target_id}/references/{reference_id}"

    assert_error(api.delete(path), 404, "not_found")


@pytest.mark.parametrize("reference_id", ["%00", "a%00", "x" * 256])
@pytest.mark.parametrize("method", ["put", "delete"])
def test_400_for_an_impossible_reference_id(api, method, reference_id):
    path = f"/v1/targets/{TargetFactory().id}/references/{reference_id}"

    assert list(assert_error(getattr(api, method)(path), 400, "invalid")) == ["reference_id"]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("put", "/v1/targets"),
        ("delete", "/v1/targets"),
        ("get", "/v1/targets/bulk"),
        ("put", f"/v1/targets/{ID}"),
        ("get", f"/v1/targets/{ID}/check"),
        ("post", f"/v1/targets/{ID}/transitions"),
        ("post", f"/v1/targets/{ID}/references/a"),
        ("post", "/v1/events"),
        ("trace", "/v1/targets"),
    ],
)
def test_405_says_what_is_allowed(api, method, path):
    response = getattr(api, method)(path) if method != "trace" else api.generic("TRACE", path)

    assert_error(response, 405, "method_not_allowed")
    assert response["Allow"]


@pytest.mark.parametrize("path", READS)
def test_406_for_another_format(api, path):
    assert_error(api.get(path, HTTP_ACCEPT="application/xml"), 406, "not_acceptable")


@pytest.mark.parametrize(
    "content_type",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "nonsense", "a/b/c"],
)
def test_415_for_anything_but_json(api, content_type):
    response = api.generic("POST", "/v1/targets", b'{"url": "http://a"}', content_type=content_type)

    assert_error(response, 415, "unsupported_media_type")


def test_413_for_a_body_over_the_limit(api, settings):
    body = json.dumps({"url": "http://a/" + "x" * settings.MAX_BODY_BYTES})

    response = api.generic("POST", "/v1/targets", body, content_type="application/json")

    assert_error(response, 413, "body_too_large")


def test_a_body_as_large_as_the_limit_is_read(api, settings):
    empty = json.dumps({"url": ""})
    body = json.dumps({"url": "x" * (settings.MAX_BODY_BYTES - len(empty))})
    assert len(body) == settings.MAX_BODY_BYTES

    response = api.generic("POST", "/v1/targets", body, content_type="application/json")

    assert_error(response, 400, "invalid_url")


PARSE_ERRORS = {
    "not JSON": b"{",
    "text": b"url=http://a",
    "two values": b"{} {}",
    "100,000 brackets": b"[" * 100_000,
    "100,000 closed brackets": b"[" * 100_000 + b"]" * 100_000,
    "deep objects": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "invalid UTF-8": b'{"url": "\xff"}',
    "UTF-16": '{"url": "http://a"}'.encode("utf-16"),
    "lone surrogate": b'{"url": "http://a/\\ud800"}',
    "lone surrogate in upper case": b'{"url": "http://a/\\uDfFf"}',
    "lone surrogate as a key": b'{"\\ud800": 1}',
    "pair the wrong way round": b'{"url": "\\udc00\\ud800"}',
    "encoded surrogate": b'{"url": "\xed\xa0\x80"}',
    "NaN": b'{"recheck_threshold": NaN}',
    "infinity": b'{"recheck_threshold": -Infinity}',
    "5,000 digits": b'{"recheck_threshold": ' + b"9" * 5000 + b"}",
    "raw control character": b'{"url": "\x01"}',
    "byte order mark": b"\xef\xbb\xbf{}",
    "NUL": b"\0",
}


@pytest.mark.parametrize("path", ["/v1/targets", "/v1/targets/bulk", "/v1/references"])
@pytest.mark.parametrize("name", PARSE_ERRORS)
def test_400_for_a_body_that_is_not_json(api, path, name):
    response = api.generic("POST", path, PARSE_ERRORS[name], content_type="application/json")

    assert_error(response, 400, "parse_error")


@pytest.mark.parametrize("key", [{}, {"HTTP_IDEMPOTENCY_KEY": "deep"}])
def test_no_depth_of_nesting_is_a_500(api, key):
    for depth in [*range(5, 100, 10), *range(700, 1001, 7)]:
        for place, body in [
            ("/v1/targets", "[" * depth + "]" * depth),
            ("/v1/targets", '{"url":' + "[" * depth + "]" * depth + "}"),
            ("/v1/targets", '{"condition":' + "[" * depth + "]" * depth + "}"),
            ("/v1/targets", '{"x":' * depth + "1" + "}" * depth),
            ("/v1/targets/bulk", '{"items":' + "[" * depth + "]" * depth + "}"),
        ]:
            response = api.generic(
                "POST", place, body.encode(), content_type="application/json", **key
            )
            assert response.status_code in (200, 400, 422), (depth, place, response.content)


@pytest.mark.parametrize(
    "charset",
    ["utf-8", "latin-1", "utf-16", "rot13", "hex", "idna", "unicode_escape", "nonsense", "zlib"],
)
def test_a_body_is_utf_8_regardless_of_its_charset(api, charset):
    for body, status in [
        ('{"url": "http://bücher.example/"}'.encode(), (200, 201)),
        (b'{"url": "\xfc"}', (400,)),
        ('{"url": "http://a/\\ud800"}'.encode("utf-16-le"), (400,)),
    ]:
        content_type = f"application/json; charset={charset}"
        response = api.generic("POST", "/v1/targets", body, content_type=content_type)
        assert response.status_code in status, (charset, response.content)
        assert response.json().get("url", "http://bücher.example/") == "http://bücher.example/"


@pytest.mark.parametrize(
    "body",
    [
        "[]",
        "5",
        '"x"',
        "null",
        "true",
        "{}",
        '{"url": null}',
        '{"url": 5}',
        '{"url": []}',
        '{"url": {}}',
    ],
)
@pytest.mark.parametrize("path", ["/v1/targets", "/v1/targets/bulk", "/v1/references"])
def test_400_for_json_of_the_wrong_shape(api, path, body):
    response = api.generic("POST", path, body, content_type="application/json")

    assert assert_error(response, 400, "invalid")


def test_422_for_an_idempotency_key_with_another_body(api):
    key = {"HTTP_IDEMPOTENCY_KEY": "k"}
    api.post("/v1/targets", {"url": "http://a.example"}, **key)

    response = api.post("/v1/targets", {"url": "http://b.example"}, **key)

    assert_error(response, 422, "idempotency_key_reused")


def test_400_for_a_host_header_that_is_not_ours(api):
    assert_error(api.get("/v1/targets", HTTP_HOST="evil.example"), 400, "bad_request")


@pytest.mark.parametrize("path", ["/broken/api", "/broken/page"])
@pytest.mark.urls(__name__)
def test_a_500_reveals_nothing_about_the_error(operator, path, caplog):
    client = APIClient(raise_request_exception=False)
    client.force_authenticate(operator)

    response = client.get(path)

    assert_error(response, 500, "server_error")
    assert b"secret" not in response.content
    assert b"Traceback" not in response.content
    assert "an internal secret" in caplog.text  # but the log contains it


@pytest.mark.parametrize(
    "path",
    [*READS, "/v1/targets/bulk", f"/v1/targets/{ID}/references/a", f"/v1/targets/{ID}/check"],
)
def test_options_describe_every_address(api, path):
    assert api.options(path).status_code in (200, 405)


def test_the_browsable_api_shows_every_page_and_error(api):
    target = ReferenceFactory().target
    known = [
        "/v1/targets",
        f"/v1/targets/{target.id}",
        f"/v1/targets/{target.id}/transitions",
        f"/v1/targets/{target.id}/references",
        f"/v1/references?url={target.url}",
        "/v1/events",
    ]
    for place in known:
        response = api.get(place, HTTP_ACCEPT="text/html")
        assert (response.status_code, response["Content-Type"]) == (200, "text/html; charset=utf-8")
    for place in [
        f"/v1/targets/{ID}",
        "/v1/targets?limit=0",
        f"/v1/targets/{target.id}/references/x",
        "/v1/targets/bulk",
        f"/v1/targets/{target.id}/check",
    ]:
        response = api.get(place, HTTP_ACCEPT="text/html")
        assert response.status_code in (400, 404, 405)
        assert response["Content-Type"] == "text/html; charset=utf-8"


@pytest.mark.parametrize(
    ("address", "status", "heading"),
    [
        ({"path": "/nowhere"}, 404, "Page not found"),
        ({"path": "/nowhere", "HTTP_HOST": "evil.example"}, 400, "Bad request"),
    ],
)
def test_browsers_get_errors_as_pages(client, db, address, status, heading):
    response = client.get(**address, headers={"accept": "text/html,*/*;q=0.8"})
    html = response.content.decode()
    assert (response.status_code, f"<h1>{heading}</h1>" in html) == (status, True)
    assert "Content-Security-Policy" in response.headers


@pytest.mark.urls(__name__)
def test_a_crash_shows_a_page_without_secrets(client):
    client.raise_request_exception = False
    response = client.get("/broken/page", headers={"accept": "text/html"})
    html = response.content.decode()
    assert (response.status_code, "the error has been logged" in html) == (500, True)
    assert "a secret" not in html
