import io
from contextlib import nullcontext
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from knox.models import AuthToken
from rest_framework.test import APIClient

from accounts import rights

pytestmark = pytest.mark.one_database


@pytest.fixture
def client_of(db, capsys):
    """Run create_token and return a client with the token that it printed."""

    def client_of(*arguments):
        call_command("create_token", *arguments)
        printed = capsys.readouterr()
        assert printed.err == "" or printed.err.startswith("The user ")
        assert printed.out.count("\n") == 1
        client = APIClient()
        client.credentials(HTTP_AUTHORIZATION=f"Token {printed.out.strip()}")
        return client

    return client_of


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.django_db
@pytest.mark.parametrize(("answer", "is_made"), [("y\n", True), ("\n", False), ("no\n", False)])
def test_on_a_terminal_an_unknown_user_needs_confirmation(monkeypatch, capsys, answer, is_made):
    monkeypatch.setattr("sys.stdin", Terminal(answer))
    with nullcontext() if is_made else pytest.raises(CommandError, match="Nothing was created"):
        call_command("create_token", "rbot")
    question = (
        "The user 'rbot' does not exist and will be created with full access to Linkwatch's data."
    )
    assert capsys.readouterr().err == f"{question} Create it? [y/N] "
    assert User.objects.exists() is is_made
    assert AuthToken.objects.exists() is is_made


@pytest.mark.django_db
def test_without_a_terminal_an_unknown_user_is_created_with_a_warning(capsys):
    call_command("create_token", "robot", "--read-only")
    warning = capsys.readouterr().err
    assert warning == (
        "The user 'robot' does not exist and will be created with read-only access to "
        "Linkwatch's data.\n"
    )
    call_command("create_token", "robot", "--read-only")
    assert capsys.readouterr().err == ""


def test_a_token_opens_the_whole_api(client_of):
    client = client_of("robot")
    created = client.post("/v1/targets", {"url": "http://a.example"})
    assert created.status_code == 201
    assert client.delete(f"/v1/targets/{created.json()['id']}").status_code == 204
    user = User.objects.get(username="robot")
    assert (user.is_superuser, user.is_staff, user.has_usable_password()) == (False, False, False)
    assert AuthToken.objects.get().expiry is None


def test_a_read_only_token_sees_and_changes_nothing(client_of):
    client = client_of("reader", "--read-only")
    assert client.get("/v1/targets").status_code == 200
    assert client.post("/v1/targets", {"url": "http://a.example"}).status_code == 403


def test_a_known_user_gets_another_token(client_of):
    for _ in range(2):
        assert client_of("reader", "--read-only").get("/v1/targets").status_code == 200
    assert (User.objects.count(), AuthToken.objects.count()) == (1, 2)


def test_a_read_only_token_is_refused_for_a_user_who_may_write(client_of, operator):
    client_of("robot")
    for username in ("robot", operator.username):
        with pytest.raises(CommandError, match="has write access"):
            call_command("create_token", username, "--read-only")
    assert AuthToken.objects.count() == 1


def test_an_inactive_user_gets_no_token(client_of):
    User.objects.create_user("gone", is_active=False)
    with pytest.raises(CommandError, match="not active"):
        call_command("create_token", "gone")


@pytest.mark.parametrize("username", ["", "two words", "x" * 151])
def test_an_impossible_user_name_is_refused(db, username):
    with pytest.raises(CommandError):
        call_command("create_token", username)
    assert not User.objects.exists()


@pytest.mark.any_database
def test_rights_cover_all_of_our_apps_with_models():
    ours = {
        config.label
        for config in apps.get_app_configs()
        if any(config.get_models())
        and Path(config.path).is_relative_to(settings.BASE_DIR)
        and "site-packages" not in config.path
    }
    assert {app.label for app in rights.our_apps()} == ours


@pytest.mark.django_db
def test_a_token_may_be_bound_to_hosts(client_of, operator, capsys):
    client = client_of(
        "operator", "--scope", "lookups", "--only", "a.example", "--only", "B.example"
    )
    answer = client.post("/v1/lookups", {"urls": ["http://b.example/x", "http://c.example"]})
    errors = [one["error"] for one in answer.json()["results"]]
    assert errors[0] is None
    assert errors[1]["message"] == "This token is limited to a.example, b.example."
    call_command("tokens", "list")
    assert capsys.readouterr().out.splitlines()[1].endswith("\ta.example b.example")
    with pytest.raises(CommandError, match="can be limited to hosts or URLs"):
        call_command("create_token", "operator", "--only", "a.example")
