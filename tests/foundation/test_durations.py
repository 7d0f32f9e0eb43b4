from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foundation.durations import MAX_DURATION, format_duration, parse_duration

pytestmark = pytest.mark.any_database


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("200ms", timedelta(milliseconds=200)),
        ("15s", timedelta(seconds=15)),
        ("1h30m", timedelta(minutes=90)),
        ("10d", timedelta(days=10)),
        ("0s", timedelta(0)),
    ],
)
def test_durations_are_read_as_people_write_them(text, span):
    assert parse_duration(text) == span


@pytest.mark.parametrize(
    "text",
    ["", "15", "-1s", "+1s", "1 s", "1y", "s", "1s\n", "\u0661s", "999999999d", "1.5h", "3651d"],
)
def test_other_input_is_refused_with_a_sentence(text):
    with pytest.raises(ValueError, match=r"duration|longer"):
        parse_duration(text)


@given(st.timedeltas(min_value=timedelta(0), max_value=MAX_DURATION))
def test_formatted_durations_are_parsed_back_to_the_millisecond(span):
    assert parse_duration(format_duration(span)) == span - span % timedelta(milliseconds=1)
