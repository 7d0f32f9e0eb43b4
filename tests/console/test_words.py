"""The dashboard's words for processes and numbers."""

import pytest

from console.access import Audience
from console.dashboard.rendering import render
from console.dashboard.summary import compute_summary
from foundation.database.clock import database_now
from foundation.templatetags import numbers
from foundation.valkey.cached_value import Copy
from status import health
from status.health_check import HealthCheck

pytestmark = pytest.mark.any_database


def test_each_part_has_a_description():
    found = health.parts({"database": "ok", "redis": "down", "checker": "ok", "kafka": "off"})
    assert [(part["name"], part["state"], part["does"]) for part in found] == [
        ("Web", "ok", "responding"),
        ("Database", "ok", "responding"),
        ("Redis", "down", "not responding; no view counts, no rate limits"),
        ("Checks", "ok", "looking for due hosts"),
    ]


def test_a_configured_sink_is_a_part():
    part = health.parts({"kafka": "down"})[-1]
    assert (part["name"], part["does"]) == ("Kafka", "not accepting events")


def test_a_deployment_without_checker_workers_is_reported():
    assert health.parts({"checker": "off"})[-1]["does"].startswith("no targets are being checked")


def unforeseen():
    raise KeyError("nobody thought of this")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("ask", "says"), [(lambda: None, "spins"), (unforeseen, "stands still")], ids=["ok", "failing"]
)
def test_a_new_health_check_is_one_entry_and_never_breaks_the_dashboard(monkeypatch, ask, says):
    check = HealthCheck(run=ask, label="Flywheel", ok="spins", down="stands still")
    monkeypatch.setitem(health.CHECKS, "flywheel", check)
    now = database_now()
    copy = Copy(value=compute_summary(now), at=now, took=0.0)
    html = render(copy, now=now, patience=1.0).sections[Audience.MEMBERS]["parts"]
    assert "Flywheel" in html
    assert says in html


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (0.0512, "0.051"), (3.44, "3.4"), (12.4, "12"), (1250.4, "1,250")],
)
def test_a_rate_has_two_significant_digits(value, text):
    assert numbers.rate(value) == text


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [
        (0, 0, "0%"),
        (0, 9, "0%"),
        (9, 9, "100%"),
        (1, 1_000_000, "< 0.1%"),
        (999_999, 1_000_000, "> 99.9%"),
        (1, 30, "3.3%"),
        (1, 3, "33%"),
        (29, 30, "96.7%"),
    ],
)
def test_a_share_is_never_rounded_to_0_or_100_percent(part, whole, text):
    assert numbers.percent(part, whole) == text


def test_the_pieces_of_a_bar_follow_each_other():
    pieces = numbers.stack({"alive": 3, "dead": 1})
    assert [(p["name"], p["x"], p["width"]) for p in pieces] == [
        ("alive", "0.000", "75.000"),
        ("dead", "75.000", "25.000"),
    ]
    assert numbers.stack({"alive": 0})[0]["width"] == "0.000"
