"""Tests where the address and the token are read from, and who may read them."""

import json
import stat

import pytest

from linkwatch_client.credentials import Credentials, read_credentials, write_credentials
from linkwatch_client.errors import ClientError, QueryFailedError
from tests.client.conftest import in_json, knows, stand_in

pytestmark = pytest.mark.any_database

HERE, THERE = "https://links.example", "https://other.example"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "config" / "credentials.json"
    write_credentials(Credentials(HERE, "stored"), path)
    return path


def test_only_the_owner_may_read_the_token(file):
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    write_credentials(Credentials(THERE, "new"), file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in file.parent.iterdir()] == ["credentials.json"]


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, (HERE, "stored")),
        ({"LINKWATCH_TOKEN": "given"}, (HERE, "given")),
        ({"LINKWATCH_URL": f"{HERE}/"}, (HERE, "stored")),
        ({"LINKWATCH_URL": THERE, "LINKWATCH_TOKEN": "given"}, (THERE, "given")),
        ({"LINKWATCH_URL": f" {THERE}/\n", "LINKWATCH_TOKEN": "given\n"}, (THERE, "given")),
    ],
)
def test_environment_variables_override_the_file(file, environment, expected):
    found = read_credentials(environment, file)
    assert (found.url, found.token) == expected


def test_a_stored_token_is_sent_only_to_its_address(file):
    with pytest.raises(QueryFailedError, match="No token"):
        read_credentials({"LINKWATCH_URL": THERE}, file)


def test_a_token_never_appears_in_a_repr():
    assert "secret" not in repr(Credentials(HERE, "secret"))


@pytest.mark.parametrize(
    "url",
    ["", "links.example", "ftp://a/", "https://", "https://u:p@a/", "https://a:x/", "http://[/"],
)
def test_an_invalid_server_address_is_rejected(tmp_path, url):
    with pytest.raises(QueryFailedError):
        read_credentials({"LINKWATCH_URL": url, "LINKWATCH_TOKEN": "t"}, tmp_path / "none")


@pytest.mark.parametrize("token", ["a b", "a\nX-Evil: 1", "ä"])
def test_a_token_that_would_break_a_header_is_refused(tmp_path, token):
    with pytest.raises(QueryFailedError):
        read_credentials({"LINKWATCH_URL": HERE, "LINKWATCH_TOKEN": token}, tmp_path / "none")


@pytest.mark.parametrize("text", ["", "[]", '{"url": "x"}', "{"])
def test_an_invalid_file_is_reported(file, text):
    file.write_text(text)
    with pytest.raises(ClientError, match="can't be read"):
        read_credentials({}, file)


def test_an_invalid_file_is_not_read_if_the_environment_has_everything(file):
    file.write_text("{")
    found = read_credentials({"LINKWATCH_URL": THERE, "LINKWATCH_TOKEN": "given"}, file)
    assert (found.url, found.token) == (THERE, "given")


def test_login_stores_an_accepted_token(run, tmp_path):
    with stand_in(knows({})) as server:
        result = run("login", server.url, stdin="a-token\n")
        assert result.exit_code == 0
        [stored] = (tmp_path / "home").rglob("credentials.json")
        assert json.loads(stored.read_text()) == {"url": server.url, "token": "a-token"}
        assert run("check", "https://a.example/").exit_code == 0
        assert "a-token" not in result.output


def test_login_stores_nothing_that_the_server_refuses(run, tmp_path):
    with stand_in(lambda request: in_json({"code": "not_authenticated"}, 401)) as server:
        result = run("login", server.url, stdin="a-token\n")
    assert result.exit_code == 2
    assert list((tmp_path / "home").rglob("credentials.json")) == []


def test_login_reports_that_it_cannot_write_the_file(run, tmp_path):
    (tmp_path / "home/config").write_text("a file, not a folder")
    with stand_in(knows({})) as server:
        result = run("login", server.url, stdin="a-token\n")
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: ")
    assert "home/config" in result.stderr


def test_login_accepts_a_token_of_another_scope(run):
    with stand_in(lambda request: in_json({"code": "forbidden"}, 403)) as server:
        result = run("login", server.url, stdin="a-token\n")
    assert result.exit_code == 0
    assert "is not allowed to look up" in result.stdout
