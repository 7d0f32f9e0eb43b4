"""Times in a readable form."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from foundation.templatetags.times import clock, due, exact, lasting, milliseconds, relative, when
from tests.conftest import NOW

pytestmark = pytest.mark.any_database


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "just now"),
        (-4, "just now"),
        (-5, "5 seconds ago"),
        (0.9, "just now"),
        (1, "in a few seconds"),
        (5, "in 5 seconds"),
        (-119, "119 seconds ago"),
        (-120, "2 minutes ago"),
        (45, "in 45 seconds"),
        (3 * 3600, "in 3 hours"),
        (-47 * 3600, "47 hours ago"),
        (9.4 * 86400, "in 9 days"),
        (30 * 86400 - 1, "in 30 days"),
        (7 * 86400 - 1, "in 7 days"),
        (-70 * 86400, "2 months ago"),
        (-800 * 86400, "2 years ago"),
    ],
)
def test_a_duration_is_shown_in_one_unit(seconds, words):
    assert relative(NOW + timedelta(seconds=seconds), NOW) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-2, "for a few seconds"),
        (2, "for a few seconds"),
        (-180, "for 3 minutes"),
        (180, "for another 3 minutes"),
    ],
)
def test_a_duration_can_end_or_begin_now(seconds, words):
    assert f">{words}<" in lasting(NOW + timedelta(seconds=seconds), NOW)


def test_what_is_due_has_no_time_in_the_past():
    assert due(NOW - timedelta(minutes=3), NOW) == "due now"
    assert ">in 3 minutes<" in due(NOW + timedelta(minutes=3), NOW)
    assert due(None, NOW) == "never"


def test_the_exact_time_is_shown_too():
    assert when(NOW - timedelta(hours=3), NOW) == (
        '<time datetime="2026-03-01T09:00:00+00:00" title="2026-03-01 09:00:00 UTC">'
        "3 hours ago</time>"
    )
    assert when(None, NOW) == "never"


def test_a_time_that_the_readers_zone_cannot_express_is_shown_in_utc():
    last = datetime(9999, 12, 31, 23, 30, tzinfo=UTC)
    with timezone.override(ZoneInfo("Europe/Berlin")):
        assert exact(last) == "9999-12-31 23:30:00 UTC"
        assert ">9999-12-31 23:30 UTC<" in clock(last)
        assert "for another 7979 years" in lasting(last, NOW)


def test_an_unmeasured_time_is_a_dash():
    assert [milliseconds(value) for value in (88.04, 1, None, "<b>")] == [
        *("88.04 ms", "1 ms"),
        *("\N{EN DASH}", "\N{EN DASH}"),
    ]
