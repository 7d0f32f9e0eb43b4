"""The parts of the tests: together they are all of them."""

from types import SimpleNamespace
from typing import Any

import pytest

from tests import environment

pytestmark = pytest.mark.any_database


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("", ["depends", "does not", "product"]),
        ("any", ["does not"]),
        ("product", ["product"]),
        ("sqlite", ["depends"]),
        ("postgres", ["depends"]),
    ],
)
def test_each_test_is_in_the_part_that_it_is_marked_for(monkeypatch, part, expected):
    items: list[Any] = [
        SimpleNamespace(name="depends", get_closest_marker=lambda name: None),
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
    assert len(items) + len(left_out) == 3


@pytest.mark.parametrize(("part", "status"), [("any", 0), ("product", 0), ("sqlite", 0), ("", 5)])
def test_to_find_nothing_for_one_part_is_no_failure(monkeypatch, part, status):
    monkeypatch.setattr(environment, "TEST_DATABASE", part)
    session: Any = SimpleNamespace(exitstatus=pytest.ExitCode.NO_TESTS_COLLECTED)

    environment.pytest_sessionfinish(session, session.exitstatus)

    assert session.exitstatus == status
