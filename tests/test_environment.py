"""The parts of the tests together contain all tests."""

import re
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests import environment, migrated
from tests.cases import some_of_each

pytestmark = pytest.mark.any_database
ROOT = Path(__file__).parent.parent
SQL = re.compile(
    r"\.cursor\(|RawSQL|\brows\.(insert|insert_new|update|add|select|read)\(|\bexecute\(_"
)
# The tests that cover modules with their own SQL, if no test imports those modules.
TRIED_BY = {
    "batches/urgent_targets.py": "batches/test_checks.py",
    "foundation/database/postgresql/base.py": "test_database_failover.py",
    "hosts/slot_rows.py": "hosts/test_reserve.py",
    "linkwatch/backup/making.py": "backup/test_backup.py",
    "linkwatch/management/commands/vacuum.py": "test_vacuum.py",
    "notify/subscription_index.py": "notify/test_matching.py",
    "shortener/ended_links.py": "shortener/test_reaper.py",
    "targets/writer.py": "targets/test_registration.py",
}


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("", ["depends", "one", "does not", "product"]),
        ("any", ["does not"]),
        ("product", ["product"]),
        ("sqlite", ["depends"]),
        ("postgres", ["depends", "one"]),
    ],
)
def test_each_test_is_in_the_part_of_its_marker(monkeypatch, part, expected):
    items: list[Any] = [
        SimpleNamespace(name="depends", get_closest_marker=lambda name: None),
        SimpleNamespace(name="one", get_closest_marker={"one_database": True}.get),
        SimpleNamespace(name="does not", get_closest_marker={"any_database": True}.get),
        SimpleNamespace(
            name="product", get_closest_marker={"any_database": True, "acceptance": True}.get
        ),
    ]
    left_out = []
    hook = SimpleNamespace(pytest_deselected=lambda items: left_out.extend(items))
    config: Any = SimpleNamespace(hook=hook, getoption=lambda name: False)
    monkeypatch.setattr(environment, "TEST_DATABASE", part)

    environment.pytest_collection_modifyitems(config, items)

    assert [item.name for item in items] == expected
    assert len(items) + len(left_out) == 4


def test_a_quick_run_has_its_database_before_processes_are_refused(monkeypatch):
    could_start = []
    as_usual: Any = object.__init__
    monkeypatch.setattr(subprocess.Popen, "__init__", as_usual)
    monkeypatch.setattr(
        migrated,
        "database",
        lambda: could_start.append(subprocess.Popen.__init__ is as_usual),
    )
    monkeypatch.setattr(environment, "TEST_DATABASE", "")
    config: Any = SimpleNamespace(hook=None, getoption=lambda name: name == "--quick")

    environment.pytest_collection_modifyitems(config, [])

    assert could_start == [True]
    with pytest.raises(pytest.skip.Exception):
        subprocess.Popen(["true"])


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("def test_it(): pass", {"sqlite", "postgres"}),
        ("pytestmark = pytest.mark.one_database", {"postgres"}),
        ("pytestmark = pytest.mark.any_database\n@pytest.mark.slow\ndef test_it(): pass", {"any"}),
        (
            "pytestmark = [\n    pytest.mark.acceptance,\n    pytest.mark.any_database,\n]",
            {"product"},
        ),
        (
            "pytestmark = pytest.mark.any_database\n@pytest.mark.acceptance\ndef test_it(): pass",
            {"any", "product"},
        ),
        ("@pytest.mark.any_database\ndef test_it(): pass", {"sqlite", "postgres", "any"}),
    ],
)
def test_a_module_is_imported_for_the_possible_parts_of_its_tests(
    monkeypatch, tmp_path, text, parts
):
    path = tmp_path / "test_module.py"
    path.write_text(text)
    imported_for = set()
    for part in ("product", "any", "sqlite", "postgres"):
        monkeypatch.setattr(environment, "TEST_DATABASE", part)
        if not environment.pytest_ignore_collect(path):
            imported_for.add(part)
    assert imported_for == parts


@pytest.mark.parametrize(("part", "status"), [("any", 0), ("product", 0), ("sqlite", 0), ("", 5)])
def test_a_part_without_tests_is_not_a_failure(monkeypatch, part, status):
    monkeypatch.setattr(environment, "TEST_DATABASE", part)
    session: Any = SimpleNamespace(exitstatus=pytest.ExitCode.NO_TESTS_COLLECTED)

    environment.pytest_sessionfinish(session, session.exitstatus)

    assert session.exitstatus == status


def test_a_sample_is_deterministic_without_slow_tests():
    many = [item(f"many[{number}]") for number in range(50)]
    items = [*many, item("alone"), item("slow[1]", "slow")]

    beyond = environment._beyond_the_sample(items)
    again = environment._beyond_the_sample(items[::-1])

    left = {one.nodeid for one in items} - {one.nodeid for one in beyond}
    assert "alone" in left
    assert len(left & {one.nodeid for one in many}) == environment.CASES == len(left) - 1
    assert {one.nodeid for one in again} == {one.nodeid for one in beyond}


def test_few_cases_of_each_kind_run_always_and_all_before_releases():
    names = [f"{kind}{number}" for kind in "ab" for number in range(20)]
    chosen = some_of_each(names, kind=lambda name: name[0], most=2)

    assert [case.id for case in chosen] == names
    everywhere = [name for case, name in zip(chosen, names, strict=True) if not case.marks]
    assert sorted(name[0] for name in everywhere) == ["a", "a", "b", "b"]
    again = some_of_each(names[::-1], kind=lambda name: name[0], most=2)
    assert {case.id for case in again if not case.marks} == set(everywhere)


def item(nodeid, *marks) -> Any:
    return SimpleNamespace(nodeid=nodeid, get_closest_marker=dict.fromkeys(marks, True).get)


def marks(text):
    """Return the `pytestmark` of a module of tests."""
    found = re.search(r"^pytestmark = (\[.*?\]|[^\[].*?)$", text, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def test_tests_that_commit_or_depend_on_the_database_run_on_both():
    knows = re.compile(r"connection\.vendor|transaction=True|transactional_db|\bEXPLAIN\b")
    wrong = [
        str(path)
        for path in (ROOT / "tests").rglob("test_*.py")
        if "one_database" in marks(text := path.read_text()) and knows.search(text)
    ]
    assert wrong == []


def test_handwritten_sql_is_tested_on_both_databases():
    tests = {
        str(path.relative_to(ROOT / "tests")): text
        for path in (ROOT / "tests").rglob("test_*.py")
        if not re.search("(any|one)_database", marks(text := path.read_text()))
    }
    packages = {path.parent for path in ROOT.glob("*/__init__.py")} - {
        ROOT / "tests",
        ROOT / "bench",
    }
    with_sql = [
        path.relative_to(ROOT)
        for package in packages
        for path in package.rglob("*.py")
        if "migrations" not in path.parts and SQL.search(path.read_text())
    ]
    assert len(with_sql) > 20
    untried = []
    for path in with_sql:
        package, name = ".".join(path.parent.parts), path.stem
        imported = re.compile(
            rf"^(from {package}\.{name} import|import {package}\.{name}\b"
            rf"|from {package} import (\([^)]*|.*)\b{name}\b)",
            re.MULTILINE,
        )
        if TRIED_BY.get(str(path)) not in tests and not any(map(imported.search, tests.values())):
            untried.append(str(path))
    assert untried == []
