"""Operators' instructions for a target or host over HTTP: stored, overridden, secrets hidden."""

import json

import pytest
from django.core.management import call_command

from hosts import reservations
from hosts.models import Host, Purpose
from targets.models import Target
from tests.conftest import NOW
from tests.factories import TargetFactory

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]

SECRET = "Bearer s3cret"
NOTHING = {"accept": None, "expect": None, "headers": None, "timeout": None}
SAID = {
    "accept": [403, "blocked"],
    "expect": {"status": 200, "text": "Welcome"},
    "headers": {"Authorization": SECRET},
    "timeout": "20s",
}
SHOWN = {**SAID, "headers": {"Authorization": "***"}}


@pytest.fixture(params=["target", "host"])
def row(request, api):
    """The address of a target and of a host, how to change each, and how to find its row."""
    target = TargetFactory()
    reservations.schedule({target.host: NOW}, purpose=Purpose.CHECK, now=NOW)
    if request.param == "host":
        return f"/v1/hosts/{target.host}", api.put, lambda: Host.objects.get(name=target.host)
    return f"/v1/targets/{target.pk}", api.patch, lambda: Target.objects.get(pk=target.pk)


def said(response):
    assert response.status_code == 200, response.content
    return {name: value for name, value in response.json().items() if name in NOTHING}


def mistakes(response):
    assert response.status_code == 400
    assert response.json()["code"] == "invalid"
    return response.json()["details"]


def test_instructions_are_returned_with_hidden_secrets(api, row):
    path, change, find = row

    assert said(change(path, SAID)) == SHOWN
    assert said(api.get(path)) == SHOWN
    assert find().instructions == SAID
    assert "s3cret" not in api.get(path).content.decode()


def test_omitted_instructions_are_kept_and_null_removes_them(row):
    path, change, find = row
    change(path, SAID)

    assert said(change(path, {"accept": None, "timeout": "5s"})) == {
        **SHOWN,
        "accept": None,
        "timeout": "5s",
    }
    assert said(change(path, NOTHING)) == NOTHING
    assert find().instructions is None


def test_a_hidden_value_that_is_sent_back_keeps_the_secret(row):
    path, change, find = row
    change(path, SAID)

    change(path, {"headers": {"authorization": "***", "X-New": "1"}})

    assert find().instructions["headers"] == {"authorization": SECRET, "X-New": "1"}


def test_a_hidden_value_of_an_unknown_header_is_an_error(row):
    path, change, find = row

    assert "Cookie" in mistakes(change(path, {"headers": {"Cookie": "***"}}))["headers"][0]
    assert find().instructions is None


@pytest.mark.parametrize(
    "name",
    [
        *("Connection", "connection", "Keep-Alive", "Proxy-Authorization", "Proxy-Connection"),
        *("TE", "Trailer", "Transfer-Encoding", "Upgrade", "HTTP2-Settings"),
        *("Host", "hOST", "Content-Length", "Expect"),
        *("", "A B", "A:", "Ä", "A\r\nB", "A\nB", "x" * 101),
    ],
)
def test_connection_headers_and_invalid_header_names_are_rejected(row, name):
    path, change, find = row

    assert mistakes(change(path, {"headers": {name: "s3cret"}})).keys() == {"headers"}
    assert find().instructions is None


@pytest.mark.parametrize(
    "value",
    [
        "s3cret\r\nX: y",
        "s3cret\n",
        "\rs3cret",
        "s3\0cret",
        "",
        " s3cret",
        "sécret",
        3,
        None,
        "x" * 4097,
    ],
)
def test_values_beyond_a_line_of_ascii_are_rejected_and_not_repeated(row, value):
    path, change, _ = row
    response = change(path, {"headers": {"Authorization": value}})

    assert mistakes(response).keys() == {"headers"}
    assert "s3cret" not in response.content.decode()


@pytest.mark.parametrize(
    "body",
    [
        *({"headers": []}, {"headers": {"A": "1", "a": "2"}}),
        {"headers": {f"X-{n}": "1" for n in range(21)}},
        *({"accept": 403}, {"accept": [99]}, {"accept": [1000]}, {"accept": [True]}),
        *({"accept": ["Not a reason"]}, {"accept": [{}]}, {"accept": list(range(100, 151))}),
        *({"expect": {}}, {"expect": {"status": 99}}, {"expect": {"text": ""}}),
        *({"expect": {"body": "x"}}, {"expect": "x"}, {"expect": {"text": "x" * 501}}),
        *({"timeout": "999ms"}, {"timeout": "61s"}, {"timeout": 5}),
    ],
    ids=str,
)
def test_invalid_instructions_are_an_error(row, body):
    path, change, find = row

    assert mistakes(change(path, body)).keys() == body.keys()
    assert find().instructions is None


def test_a_registration_accepts_no_instructions(api):
    response = api.post("/v1/targets", {"url": "http://a.example/", "accept": [403]})

    assert mistakes(response).keys() == {"accept"}


def test_lists_and_exports_have_no_secret(api, row, capsys, tmp_path):
    path, change, _ = row
    change(path, SAID)
    for name in ("targets", "hosts"):
        assert "s3cret" not in api.get(f"/v1/{name}").content.decode()
    for form in ("jsonl", "csv", "txt"):
        out = tmp_path / f"all.{form}"
        call_command("export_targets", str(out))
        assert "s3cret" not in out.read_text()


def test_an_unknown_host_is_created_and_kept_while_it_has_instructions(api):
    said(api.put("/v1/hosts/new.example", {"accept": [403]}))
    reservations.prune(now=NOW.replace(year=NOW.year + 20))
    assert said(api.get("/v1/hosts/new.example"))["accept"] == [403]

    said(api.put("/v1/hosts/new.example", {"accept": None}))
    reservations.prune(now=NOW.replace(year=NOW.year + 20))
    assert not Host.objects.filter(name="new.example").exists()


def test_readers_may_read_instructions_without_the_right_to_change(api, row, client):
    path, change, _ = row
    change(path, SAID)

    assert client.patch(path, json.dumps(SAID), content_type="application/json").status_code == 401


def test_a_change_of_another_field_keeps_the_instructions(api):
    target = TargetFactory()
    said(api.patch(f"/v1/targets/{target.pk}", SAID))

    assert said(api.patch(f"/v1/targets/{target.pk}", {"check_period": "2d"})) == SHOWN
    said(api.put(f"/v1/hosts/{target.host}", {"delay": "1s", "accept": [404]}))
    assert said(api.put(f"/v1/hosts/{target.host}", {"delay": "2s"}))["accept"] == [404]
