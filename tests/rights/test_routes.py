"""The table of rights for each address and kind of user; a walk finds addresses without a row."""

from functools import partial

import pytest

from archives.archive_settings import parse_save_service
from foundation import scopes
from tests.rights.asking import ask, said
from tests.rights.routes import routes
from tests.rights.table import Row, private_rows, rows
from tests.rights.world import World

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

# The user of a request, and the owner of the objects that it concerns.
COLUMNS = {
    "stranger": (None, "ada"),
    "own": ("ada", "ada"),
    "other": ("ada", "grace"),
    "viewer": ("vera", "ada"),
    "operator": ("olga", "ada"),
    "program": ("robot", None),
    "program_other": ("robot", "ada"),
}
BY_TOKEN = ("ada", "robot")  # users of tokens, where tokens are accepted; the others use a session
SCOPES = {
    "targets": "targets",
    "hosts": "hosts",
    "snippets": "snippets",
    "shortener": "links",
    "channels": "channels",
    "lookups": "lookups",
    "batches": "batches",
}


@pytest.fixture
def world(settings):
    settings.ARCHIVE_SAVES = parse_save_service("wayback")  # otherwise its page does not exist
    return World()


def test_the_table_has_exactly_the_existing_addresses():
    listed = [(row.method, row.path) for row in rows()]
    assert len(set(listed)) == len(listed)
    assert sorted(set(routes()) - set(listed)) == []  # add new addresses to the table
    assert sorted(set(listed) - set(routes())) == []
    assert len(listed) > 90


def test_every_address_that_accepts_tokens_belongs_to_an_app_or_is_open():
    asking = {
        (row.method, row.path): bool(routes()[row.method, row.path].cls.authentication_classes)
        for row in rows()
        if row.scope != "-"
    }
    closed = {(row.method, row.path) for row in rows() if row.scope not in ("-", "open")}
    assert {route for route, asks in asking.items() if asks} >= closed
    of_django = {
        (row.method, row.path)
        for row in rows()
        if row.scope == "-" and hasattr(routes()[row.method, row.path], "cls")
    }
    assert {path for _, path in of_django} == {"/livez", "/readyz"}  # for supervisors of processes


@pytest.mark.slow
@pytest.mark.parametrize("column", COLUMNS)
def test_each_user_has_the_rights_in_the_table(world, column):
    who, whose = COLUMNS[column]
    objects = world.of[whose]
    session, token = world.cookie(who), world.token(who) if who in BY_TOKEN else ""
    look = partial(world.rows, but=who)
    before = look()
    wrong = []
    cases = [(row, objects) for row in rows()] + [(row, objects.private) for row in private_rows()]
    for row, about in cases:
        by_token = token and row.scope != "-"
        headers = {"authorization": token} if by_token else session
        if row.scope == "tools" and who is not None:  # with a token only
            headers = as_bearer(world.token(who))
        answer, after = ask(row.method, row.path, about, look=look, **headers)
        got, expected = said(answer), getattr(row, column)
        if got != expected:
            wrong.append(f"{row.method} {row.path}: {got}, not {expected}")
        is_link = "{token}" in row.path  # anyone who has the link may
        if who in (None, "ada", "vera") and after != before and not is_link:
            wrong.append(f"{row.method} {row.path} changes another user's objects")
        if column in ("other", "program_other") and names_others(row, answer, objects):
            wrong.append(f"{row.method} {row.path} shows another user's objects")
    assert "\n".join(wrong) == ""


def names_others(row, answer, objects):
    """Return whether a response names objects of another user, beyond those of the address."""
    named = (
        "{key}",
        "{reference_id}",
        "{name}",
        "/snippets/{pk}",
        "/bulk/delete",
        "/unregister",
        "{token}",
    )
    is_asked_for = any(part in row.path for part in named)
    return not is_asked_for and objects.mark in answer.getvalue().decode(errors="replace")


@pytest.mark.parametrize("scope", scopes.LABELS)
def test_a_token_opens_only_the_routes_of_its_scope(world, scope):
    token = world.token("olga", scope=scope)  # an operator's token: its rights refuse nothing
    wrong = []
    for row in rows():
        if row.scope in ("-", "open"):
            continue
        headers = as_bearer(token) if row.scope == "tools" else {"authorization": token}
        answer, _ = ask(row.method, row.path, world.of["ada"], look=list, **headers)
        got, expected = said(answer), "ok" if is_open(scope, row) else "403"
        if got != expected:
            wrong.append(f"{row.method} {row.path}: {got}, not {expected}")
    assert "\n".join(wrong) == ""


def as_bearer(token: str) -> dict[str, str]:
    return {"authorization": token.replace("Token", "Bearer")}


def is_open(scope: str, row: Row) -> bool:
    if scope == "write" or row.scope == "tools":
        return True
    if scope == "read":
        return row.method == "GET"
    return row.scope == SCOPES[scope]
