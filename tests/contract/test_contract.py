"""The interfaces of the newest release exist; changes.txt says why, for each that does not.

Additions need no entry. `python -m tests.contract` writes the files.
"""

import os
import re
from pathlib import Path

import pytest
from django.db import connection

from foundation.database import thread_pool
from tests.contract import declared, observed

HERE = Path(__file__).parent
ADRS = HERE.parent.parent / "docs" / "adr"
WRITES = "CONTRACT_WRITE" in os.environ
DECLARED = ("paths", "openapi", "settings", "commands", "log", "scopes", "python")
FILES = (*DECLARED, "events", "health", "metrics", "columns", "redis")


def changes() -> dict[tuple[str, str], str]:
    """Return the reason for each removed line, by its file and the line itself.

    changes.txt has `file: line`, then indented lines with the reason.
    """
    found: dict[tuple[str, str], str] = {}
    last = ("", "")
    for line in (HERE / "changes.txt").read_text().splitlines():
        if line.startswith("    "):
            found[last] += line
        elif line and not line.startswith("#"):
            name, _, was = line.partition(": ")
            last = name, was
            found[last] = ""
    return found


def compare(name, lines):
    """Compare the current lines with the stored lines, or write the file."""
    file, now = HERE / f"{name}.txt", set(lines)
    if WRITES:
        file.write_text("".join(f"{line}\n" for line in sorted(now)))
        return
    gone = {(name, line) for line in file.read_text().splitlines() if line not in now}
    known = {change for change in changes() if change[0] == name}
    assert gone - known == set(), "say why in tests/contract/changes.txt, with the ADR"
    assert known - gone == set(), "tests/contract/changes.txt has what is as it was"


@pytest.mark.any_database
@pytest.mark.parametrize("name", DECLARED)
def test_declarations_match_the_contract(name):
    compare(name, getattr(declared, name)())


@pytest.mark.django_db
def test_events_match_the_contract(api):
    compare("events", observed.events(api))


@pytest.mark.django_db
@pytest.mark.any_database
def test_health_matches_the_contract(client):
    compare("health", observed.health(client))


@pytest.mark.django_db
def test_metrics_match_the_contract(client):
    compare("metrics", observed.metrics(client))


@pytest.mark.django_db
@pytest.mark.any_database
def test_columns_match_the_contract(browser, tmp_path):
    compare("columns", observed.columns(browser, tmp_path))


@pytest.mark.django_db(transaction=True)
@pytest.mark.any_database
def test_redis_keys_match_the_contract(api, monkeypatch):
    monkeypatch.setitem(connection.settings_dict, "CONN_MAX_AGE", 0)
    lines = list(observed.redis(api))
    thread_pool.close_connections()
    compare("redis", lines)


@pytest.mark.any_database
def test_each_change_has_a_reason_and_a_decision():
    for (name, was), why in changes().items():
        assert name in FILES, was
        numbers = re.findall(r"ADR (\d+)", why)
        assert numbers, was
        assert all(list(ADRS.glob(f"{int(number):04}-*.md")) for number in numbers), was
