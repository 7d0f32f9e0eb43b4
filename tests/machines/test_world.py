"""The trial's judge of politeness recognizes impolite requests."""

import pytest

from tests.machines.world import Asked, impolite

pytestmark = pytest.mark.any_database


def asked(*spans: tuple[float, float]) -> dict[str, list[Asked]]:
    return {"10.232.1.1": [Asked(began, ended, "10.232.0.21", "/") for began, ended in spans]}


def test_a_host_whose_delay_was_respected_is_not_reported():
    assert impolite(asked((1.5, 1.6), (1.0, 1.1)), 0.3, since=0) == []


@pytest.mark.parametrize(
    "spans",
    [
        [(1.0, 1.1), (1.3, 1.4)],  # too early
        [(1.0, 1.1), (1.05, 1.2)],  # in parallel
        [(1.0, 9.0), (2.0, 2.1), (8.0, 8.1)],  # both within the first
    ],
)
def test_concurrent_and_early_requests_are_reported(spans):
    faults = impolite(asked(*spans), 0.3, since=0)

    assert len(faults) == len(spans) - 1
    assert "10.232.1.1: 10.232.0.21 / at 1.000 to" in faults[0]
